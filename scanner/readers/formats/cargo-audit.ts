import { scoreOfVector } from '../../advisories/cvss.ts';
import type { Severity } from '../../contract/severity.ts';
import type { Format, ReadDetection } from '../format.ts';
import { hasPaths } from '../head.ts';
import { type JsonObject, type JsonPath, objectAt, readJson, requiredText, requireRootMember } from '../json/json.ts';
import { packageResult } from '../package-result.ts';
import { severityOf } from '../severity-words.ts';
import { object, text, texts } from '../values.ts';

const source = 'cargo-audit';

/** Warnings are about packages that may become a problem. A yanked package has no advisory. */
const severityOfWarning: Record<string, Severity> = {
  unsound: 'low',
  unmaintained: 'info',
  notice: 'info',
  yanked: 'info',
};

/**
 * `cargo audit --json`: vulnerabilities, and warnings about packages that are unsound, unmaintained or yanked. Severity: that
 * of the advisory's CVSS vector, `medium` without one; warnings are `low` or `info`.
 */
export const cargoAudit: Format = {
  name: 'cargo-audit',
  title: 'cargo audit',
  recognise: (head) =>
    hasPaths(head, 'vulnerabilities.list', 'lockfile') || hasPaths(head, 'database.advisory-count') ? 1 : 0,
  async *read(chunks, context) {
    context.covers(source);
    for await (const event of readJson(chunks, ['vulnerabilities.list[*]', 'warnings.*[*]'])) {
      requireRootMember(event, ['lockfile'], 'cargo audit');
      if (event.kind !== 'item') continue;
      yield readPackage(objectAt(event.value, event.path), event.path);
    }
  },
};

function readPackage(found: JsonObject, path: JsonPath): ReadDetection {
  const affected = object(found.package);
  const advisory = object(found.advisory);
  const name = requiredText(affected, 'name', [...path, 'package']);
  const version = text(affected.version);
  const kind = text(found.kind);
  const id = kind === 'yanked' ? kind : requiredText(advisory, 'id', [...path, 'advisory']);
  const score = scoreOfVector(text(advisory.cvss));
  return packageResult({
    source,
    advisory: id,
    aliases: texts(advisory.aliases),
    ecosystem: 'cargo',
    name,
    version,
    fixedVersion: firstPatched(texts(object(found.versions).patched)),
    purl: version && `pkg:cargo/${encodeURIComponent(name)}@${encodeURIComponent(version)}`,
    title: text(advisory.title) ?? (kind === 'yanked' ? 'The version was yanked by its authors' : undefined),
    description: text(advisory.description),
    severity: kind === undefined ? severityOf(undefined, score, 'medium') : (severityOfWarning[kind] ?? 'info'),
    score,
    references: texts(advisory.references),
    url: text(advisory.url),
  });
}

/** The lowest version of the first fixed range, such as `>=1.2.3` or `^1.2.3`. */
const firstPatched = (ranges: string[]): string | undefined => /^[>=^~ ]*([0-9][^\s,]*)/.exec(ranges[0] ?? '')?.[1];
