import type { Format, ReadDetection } from '../format.ts';
import { hasPaths } from '../head.ts';
import { advisoryIdentifiers, weaknesses } from '../identifiers.ts';
import { type JsonObject, type JsonPath, objectAt, readJson, requiredText, requireRootMember } from '../json/json.ts';
import { packageResult } from '../package-result.ts';
import { cvssScore, severityOf } from '../severity-words.ts';
import { firstText, number, object, objects, text, texts } from '../values.ts';

const source = 'npm-audit';

/**
 * `npm audit --json`: npm 7 and later (`vulnerabilities`), and npm 6 (`advisories`), which pnpm and yarn 1 write too.
 *
 * One finding for each advisory and package. npm 7 also lists every package that depends on a vulnerable one, which is
 * the same problem and left out. It does not report the installed version. Severity: npm's word.
 */
export const npmAudit: Format = {
  name: 'npm-audit',
  title: 'npm audit',
  recognise(head) {
    if (head.paths.has('auditReportVersion')) return 1;
    return hasPaths(head, 'advisories') && (hasPaths(head, 'actions') || hasPaths(head, 'metadata')) ? 0.9 : 0;
  },
  async *read(chunks, context) {
    context.covers(source);
    for await (const event of readJson(chunks, ['vulnerabilities.*', 'advisories.*'])) {
      requireRootMember(event, ['vulnerabilities', 'advisories'], 'npm audit');
      if (event.kind !== 'item') continue;
      const value = objectAt(event.value, event.path);
      if (event.pattern === 'vulnerabilities.*') yield* newForm(value, event.path);
      else yield* oldForm(value, event.path);
    }
  },
};

function* newForm(found: JsonObject, path: JsonPath): Generator<ReadDetection> {
  const name = requiredText(found, 'name', path);
  const fix = object(found.fixAvailable);
  for (const via of objects(found.via)) {
    const url = text(via.url);
    const score = cvssScore(number(object(via.cvss).score));
    yield {
      ...packageResult({
        source,
        advisory: advisoryIdentifiers(url)[0] ?? String(via.source ?? url ?? 'unknown'),
        ecosystem: 'npm',
        name,
        version: undefined,
        purl: purlOf(name),
        title: text(via.title),
        description: [text(via.title), `Vulnerable: ${text(via.range) ?? 'all versions'}.`, installed(found)].join(
          '\n\n',
        ),
        severity: severityOf(firstText(via.severity, found.severity), score),
        score: score === 0 ? undefined : score,
        weaknesses: weaknesses(texts(via.cwe)),
        url,
      }),
      remediation: text(fix.name)
        ? `Update ${text(fix.name)} to ${text(fix.version) ?? 'a newer version'}${fix.isSemVerMajor === true ? ' (a breaking change)' : ''}.`
        : found.fixAvailable === true
          ? 'Run `npm audit fix`.'
          : 'No fixed version is known.',
    };
  }
}

function installed(found: JsonObject): string {
  const nodes = texts(found.nodes).slice(0, 20);
  return nodes.length > 0 ? `Installed in:\n${nodes.map((node) => `- \`${node}\``).join('\n')}` : '';
}

function* oldForm(advisory: JsonObject, path: JsonPath): Generator<ReadDetection> {
  const name = requiredText(advisory, 'module_name', path);
  const url = text(advisory.url);
  const aliases = [...texts(advisory.cves), text(advisory.github_advisory_id) ?? '', url ?? ''];
  const score = cvssScore(number(object(advisory.cvss).score));
  for (const version of versionsOf(advisory)) {
    yield {
      ...packageResult({
        source,
        advisory: advisoryIdentifiers(text(advisory.github_advisory_id), url)[0] ?? `npm-${String(advisory.id ?? '')}`,
        aliases,
        ecosystem: 'npm',
        name,
        version,
        purl: purlOf(name, version),
        title: text(advisory.title),
        description: text(advisory.overview),
        severity: severityOf(advisory.severity, score),
        score: score === 0 ? undefined : score,
        weaknesses: weaknesses(texts(advisory.cwe)),
        url,
        references: (text(advisory.references) ?? '').match(/https?:\/\/[^\s)\]]+/g) ?? [],
      }),
      remediation: text(advisory.recommendation),
    };
  }
}

function versionsOf(advisory: JsonObject): Array<string | undefined> {
  const versions = new Set(objects(advisory.findings).map((finding) => text(finding.version)));
  return versions.size > 0 ? [...versions] : [undefined];
}

const purlOf = (name: string, version?: string): string =>
  `pkg:npm/${name.replace('@', '%40')}${version ? `@${encodeURIComponent(version)}` : ''}`;
