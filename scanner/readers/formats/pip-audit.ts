import type { Format, ReadDetection } from '../format.ts';
import { hasPaths } from '../head.ts';
import { type JsonObject, type JsonPath, objectAt, readJson, requiredText, requireRootMember } from '../json/json.ts';
import { packageResult } from '../package-result.ts';
import { list, text, texts } from '../values.ts';

const source = 'pip-audit';

/**
 * `pip-audit --format json`, and the plain array that it wrote before version 2.5. pip-audit reports no severity: all
 * are `medium`. Skipped packages were not checked, so a file with skipped packages closes no findings.
 */
export const pipAudit: Format = {
  name: 'pip-audit',
  title: 'pip-audit',
  recognise(head) {
    return head.paths.has('dependencies[].vulns') ||
      head.paths.has('[].vulns') ||
      head.paths.has('dependencies[].skip_reason') ||
      // The form without any dependency.
      (head.paths.size === 2 && hasPaths(head, 'dependencies', 'fixes')) ||
      (head.paths.size === 1 && hasPaths(head, 'dependencies'))
      ? 1
      : 0;
  },
  async *read(chunks, context) {
    context.covers(source);
    for await (const event of readJson(chunks, ['dependencies[*]', '[*]'])) {
      requireRootMember(event, ['dependencies'], 'pip-audit');
      if (event.kind !== 'item') continue;
      const dependency = objectAt(event.value, event.path);
      if (text(dependency.skip_reason)) context.incomplete('pip-audit skipped packages that it could not look up.');
      else yield* readDependency(dependency, event.path);
    }
  },
};

function* readDependency(dependency: JsonObject, path: JsonPath): Generator<ReadDetection> {
  const name = requiredText(dependency, 'name', path);
  for (const [index, value] of list(dependency.vulns).entries()) {
    const place = [...path, 'vulns', index];
    const found = objectAt(value, place);
    const version = text(dependency.version);
    yield packageResult({
      source,
      advisory: requiredText(found, 'id', place),
      aliases: texts(found.aliases),
      ecosystem: 'pypi',
      name,
      version,
      fixedVersion: texts(found.fix_versions)[0],
      purl: version && `pkg:pypi/${encodeURIComponent(name.toLowerCase())}@${encodeURIComponent(version)}`,
      description: text(found.description),
      severity: 'medium',
    });
  }
}
