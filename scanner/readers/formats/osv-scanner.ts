import type { Severity } from '../../contract/severity.ts';
import type { Format, ReadDetection } from '../format.ts';
import { FormatError, jsonPathName } from '../format-error.ts';
import { hasPaths } from '../head.ts';
import { type JsonObject, type JsonPath, objectAt, requiredText, requireRootMember } from '../json/json.ts';
import { type Groups, readGroups } from '../json/json-groups.ts';
import { packageResult } from '../package-result.ts';
import { cvssScore, severityOf } from '../severity-words.ts';
import { number, object, objects, text, texts } from '../values.ts';
import { fixedVersionOf, type OsvAdvisory, readOsvAdvisory } from './osv-advisory.ts';

const source = 'osv-scanner';

/**
 * OSV-Scanner's JSON (versions 1 and 2).
 *
 * Advisories that the scanner puts in one group are one problem under several names (GHSA, PYSEC, CVE): one finding for
 * each group, identified by its CVE, or else by the first name in sort order. Severity: the most severe word or CVSS
 * score of the group; malicious packages (MAL) are `critical`, unrated ones `low`.
 */
export const osvScanner: Format = {
  name: 'osv-scanner',
  title: 'OSV-Scanner',
  recognise(head) {
    if (hasPaths(head, 'results[].packages', 'results[].source')) return 1;
    if (head.paths.has('experimental_config')) return 0.9;
    // Its first versions wrote this when there were no results; tfsec writes null.
    return /^\{\s*"results"\s*:\s*\[\s*\]\s*\}\s*$/.test(head.text) ? 0.7 : 0;
  },
  async *read(chunks, context) {
    context.covers(source);
    for await (const { group, list, value, path } of readGroups(chunks, results)) {
      if (list === null) requireSource(group, path);
      else yield* readPackage(value, path, text(object(group.source).path));
    }
  },
};

const results: Groups = {
  at: ['results[*]'],
  members: ['source'],
  lists: ['packages'],
  isKnown: (result) => result.source !== undefined,
  watch: (event) => requireRootMember(event, ['results'], 'OSV-Scanner'),
};

function requireSource(result: JsonObject, path: JsonPath): void {
  if (result.source !== undefined) return;
  throw new FormatError('A result must have a “source”.', { path: jsonPathName([...path, 'source']) });
}

function* readPackage(entry: JsonObject, path: JsonPath, manifest: string | undefined): Generator<ReadDetection> {
  const where = [...path, 'package'];
  const about = objectAt(entry.package, where);
  // Vendored code, or the repository itself, has only a commit.
  const name = text(about.name) ?? (text(about.commit) ? 'source code' : requiredText(about, 'name', where));
  const version = text(about.version);
  for (const { advisories, score } of groupsOf(entry)) {
    const read = advisories.map(readOsvAdvisory);
    const speaker = read.find((one) => one.description !== undefined) ?? read[0]!;
    const names = [...new Set(read.flatMap((one) => [one.id, ...one.aliases]))].filter(Boolean).sort();
    const highest = score ?? maximum(read.map((one) => one.score));
    yield packageResult({
      source,
      advisory: names.find((one) => one.startsWith('CVE-')) ?? names[0] ?? requiredText(advisories[0]!, 'id', path),
      aliases: names,
      ecosystem: text(about.ecosystem) ?? '',
      name,
      version,
      fixedVersion: advisories.map((one) => fixedVersionOf(one, name, version)).find((one) => one !== undefined),
      manifest,
      title: speaker.title,
      description: speaker.description,
      severity: mostSevere(read, highest),
      score: highest,
      weaknesses: read.flatMap((one) => one.weaknesses),
      url: `https://osv.dev/vulnerability/${encodeURIComponent(read[0]!.id)}`,
      references: read.flatMap((one) => one.references),
    });
  }
}

/** The scanner's groups. An advisory outside of all groups is a separate group. */
function groupsOf(entry: JsonObject): Array<{ advisories: JsonObject[]; score: number | undefined }> {
  const left = new Map(objects(entry.vulnerabilities).map((advisory) => [text(advisory.id) ?? '', advisory]));
  const groups = objects(entry.groups).map((group) => {
    const advisories = texts(group.ids).flatMap((id): JsonObject[] => objects([left.get(id)]));
    for (const id of texts(group.ids)) left.delete(id);
    return { advisories, score: cvssScore(number(group.max_severity)) };
  });
  const alone = [...left.values()].map((advisory) => ({ advisories: [advisory], score: undefined }));
  return [...groups.filter((group) => group.advisories.length > 0), ...alone];
}

const maximum = (scores: Array<number | undefined>): number | undefined => {
  const known = scores.filter((score) => score !== undefined);
  return known.length > 0 ? Math.max(...known) : undefined;
};

const order: Severity[] = ['critical', 'high', 'medium', 'low', 'info'];

function mostSevere(advisories: OsvAdvisory[], score: number | undefined): Severity {
  if (advisories.some((one) => one.malicious)) return 'critical';
  const words = advisories
    .filter((one) => one.severityWord !== undefined)
    .map((one) => severityOf(one.severityWord, one.score));
  return order.find((severity) => words.includes(severity)) ?? severityOf(undefined, score, 'low');
}
