import type { Format, ReadDetection } from '../format.ts';
import { FormatError } from '../format-error.ts';
import { hasPaths } from '../head.ts';
import { weaknesses } from '../identifiers.ts';
import { type JsonObject, type JsonPath, objectAt, readJson, requiredText, requireRootMember } from '../json/json.ts';
import { packageResult, purlType } from '../package-result.ts';
import { cvssScore, severityOf } from '../severity-words.ts';
import { number, object, objects, text, texts } from '../values.ts';

const source = 'grype';

/** Their packages are in a database of the operating system, not in a file that people edit. */
const systemPackages = new Set(['deb', 'rpm', 'apk', 'alpm', 'portage', 'linux-kernel', 'linux-kernel-module']);

/**
 * Grype's JSON. Severity: Grype's word (Negligible and Unknown are `info`), or the CVSS score if it has none. A package
 * version that is found in several files is one finding for each file. `ignoredMatches` are left out: they were never
 * reported as problems.
 */
export const grype: Format = {
  name: 'grype',
  title: 'Grype',
  recognise(head) {
    if (!head.paths.has('matches')) return 0;
    if (head.paths.has('matches[].vulnerability')) return 1;
    // Forks that look for other problems, such as xeol for the end of support, keep its format.
    if (hasPaths(head, 'matches[].Cycle') || (head.values.get('descriptor.name') ?? source) !== source) return 0;
    return hasPaths(head, 'descriptor') || hasPaths(head, 'source', 'distro') || head.paths.size === 1 ? 1 : 0.4;
  },
  async *read(chunks, context) {
    context.covers(source);
    for await (const event of readJson(chunks, ['matches[*]', 'descriptor.name', 'descriptor.version'])) {
      requireRootMember(event, ['matches'], 'Grype');
      if (event.kind !== 'item') continue;
      if (event.pattern === 'descriptor.version') context.version(source, event.value);
      else if (event.pattern === 'descriptor.name') requireGrype(event.value);
      else yield readMatch(objectAt(event.value, event.path), event.path);
    }
  },
};

/** Forks that look for other problems keep the format: their empty file must not close Grype's findings. */
function requireGrype(name: unknown): void {
  if (name === source) return;
  throw new FormatError('Another tool than Grype wrote this file.', { path: '$.descriptor.name' });
}

function readMatch(match: JsonObject, path: JsonPath): ReadDetection {
  const found = objectAt(match.vulnerability, [...path, 'vulnerability']);
  const artifact = objectAt(match.artifact, [...path, 'artifact']);
  const related = objects(match.relatedVulnerabilities);
  const records = [found, ...related];
  const kind = text(artifact.type) ?? '';
  const purl = text(artifact.purl);
  const score = bestScore(records);
  const description = records.map((record) => text(record.description)).find((value) => value !== undefined);
  return packageResult({
    source,
    advisory: requiredText(found, 'id', [...path, 'vulnerability']),
    aliases: related.map((record) => text(record.id) ?? ''),
    ecosystem: purlType(purl) || kind,
    name: requiredText(artifact, 'name', [...path, 'artifact']),
    version: text(artifact.version),
    fixedVersion: texts(object(found.fix).versions)[0],
    purl,
    manifest: systemPackages.has(kind) ? undefined : firstPath(artifact),
    description,
    severity: severityOf(found.severity, score),
    score,
    weaknesses: weaknesses(records.flatMap((record) => objects(record.cwes).map((entry) => entry.cwe))),
    url: text(found.dataSource),
    references: records.flatMap((record) => texts(record.urls)),
  });
}

/** The first by name: the order of an artifact's files is not stable. */
const firstPath = (artifact: JsonObject): string | undefined =>
  objects(artifact.locations)
    .flatMap((location) => texts([location.path ?? location.RealPath]))
    .sort()[0];

/** The score of the newest CVSS version; the matched record comes before related ones. */
function bestScore(records: JsonObject[]): number | undefined {
  const ratings = records.flatMap((record) => objects(record.cvss));
  const ordered = ratings.toSorted((a, b) => (number(b.version) ?? 0) - (number(a.version) ?? 0));
  for (const rating of ordered) {
    const score = cvssScore(number(object(rating.metrics).baseScore));
    if (score !== undefined) return score;
  }
  return undefined;
}
