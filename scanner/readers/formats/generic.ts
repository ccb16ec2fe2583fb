import type { Suppression } from '../../contract/suppression.ts';
import { codeResult } from '../code-result.ts';
import { confidenceFromWord } from '../confidence.ts';
import { readCsv } from '../csv.ts';
import { peek } from '../decode.ts';
import type { Chunks, Format, ReadContext, ReadDetection } from '../format.ts';
import { FormatError, jsonPathName } from '../format-error.ts';
import { objectAt, readJson, requireRootMember } from '../json/json.ts';
import { packageResult } from '../package-result.ts';
import { filePath } from '../paths.ts';
import { cvssScore, severityFromWord, severityOf } from '../severity-words.ts';
import { sourceName } from '../source-name.ts';
import { number, position, text, texts } from '../values.ts';
import { shownAddress, webResult } from '../web-result.ts';

const memberNames = new Set([
  'source',
  'title',
  'severity',
  'cvss_score',
  'confidence',
  'description',
  'rule_id',
  'rule_name',
  'rule_url',
  'path',
  'start_line',
  'end_line',
  'start_column',
  'end_column',
  'commit',
  'url',
  'package',
  'package_version',
  'package_ecosystem',
  'fixed_version',
  'purl',
  'identifiers',
  'evidence',
  'remediation',
  'references',
  'fingerprint',
  'status',
  'status_reason',
]);

/** Returns whether these are only members of a finding in this format. */
const isOwnForm = (members: string[]): boolean =>
  members.includes('title') &&
  (members.includes('severity') || members.includes('cvss_score')) &&
  members.every((member) => memberNames.has(member.replace(/\[\]$/, '')));

const columnsOf = (text: string): string[] =>
  text
    .split('\n', 1)[0]!
    .split(',')
    .map((name) =>
      name
        .trim()
        .replace(/^"(.*)"$/, '$1')
        .toLowerCase(),
    );

/** One finding with the members of the format; a CSV file has them as columns. */
type Entry = { values: Record<string, unknown>; place: { line?: number; path?: string } };

/**
 * Assay's own simple format, for all other tools: JSON (`{"source": "my-tool", "findings": [{…}]}` or only the array)
 * or CSV (one finding per row).
 *
 * Required: `title`, and `severity` (critical, high, medium, low, info) or `cvss_score`. Optional: `source`,
 * `confidence` (high, medium, low), `description`, `rule_id`, `rule_name`, `rule_url`, `path`, `start_line`, `end_line`, `start_column`, `end_column`,
 * `commit`, `url`, `package`, `package_version`, `package_ecosystem`, `fixed_version`, `purl`, `identifiers`,
 * `evidence`, `remediation`, `references`, `fingerprint`, `status` (`false_positive` or `accepted_risk`) and
 * `status_reason`. Lists are arrays in JSON and separated by white space or commas in CSV. Identity: `fingerprint` if
 * present; otherwise rule and package, rule and address, or rule, file and evidence.
 */
export const generic: Format = {
  name: 'generic',
  title: 'Generic JSON',
  isShared: true,
  // Many tools' files have a title and a severity. Only a file without other members is certainly in this format.
  recognise(head) {
    if (head.kind === 'text') return isOwnForm(columnsOf(head.text)) ? 0.6 : 0;
    const isObject = head.paths.has('findings');
    const start = isObject ? 'findings[].' : '[].';
    const paths = [...head.paths];
    const isOther = isObject && paths.some((path) => !/^(source|findings)\b/.test(path));
    const members = paths.filter((path) => path.startsWith(start)).map((path) => path.slice(start.length));
    return !isOther && isOwnForm(members) ? 0.7 : 0;
  },
  async *read(chunks, context) {
    const [start, whole] = await peek(chunks, 1_024);
    const entries = /^\s*[[{]/.test(start.toString('latin1')) ? jsonEntries(whole, context) : csvEntries(whole);
    for await (const entry of entries) {
      const result = readEntry(entry, context);
      context.covers(result.source);
      yield result;
    }
  },
};

async function* jsonEntries(chunks: Chunks, context: ReadContext): AsyncGenerator<Entry> {
  let source: string | undefined;
  for await (const event of readJson(chunks, ['source', 'findings[*]', '[*]'])) {
    requireRootMember(event, ['findings'], 'Assay’s own form');
    if (event.kind !== 'item') continue;
    if (event.pattern !== 'source') {
      const values = objectAt(event.value, event.path);
      yield { values: { ...values, source: values.source ?? source }, place: { path: jsonPathName(event.path) } };
    } else {
      source = text(event.value);
      context.covers(sourceName(source, 'generic'));
    }
  }
}

async function* csvEntries(chunks: Chunks): AsyncGenerator<Entry> {
  const lists = ['identifiers', 'references'];
  for await (const { values, line } of readCsv(chunks, ['title'], 'Assay’s own form')) {
    const split = lists.map((name) => [name, (values[name] ?? '').split(/[\s,;]+/).filter(Boolean)]);
    yield { values: { ...values, ...Object.fromEntries(split) }, place: { line } };
  }
}

function readEntry({ values, place }: Entry, context: ReadContext): ReadDetection {
  if (typeof values.rule === 'object')
    throw new FormatError(
      'This is not in the generic form: its “rule” is an object, as in the results of Assay.',
      place,
    );
  const title = text(values.title);
  if (title === undefined) throw new FormatError('A finding must have a “title”.', place);
  const score = cvssScore(number(values.cvss_score));
  if (severityFromWord(values.severity) === null && score === undefined) {
    throw new FormatError(
      'A finding must have a “severity” (critical, high, medium, low or info) or a “cvss_score” (0 to 10).',
      place,
    );
  }
  const confidence = confidenceFromWord(values.confidence);
  if (text(values.confidence) !== undefined && confidence === null)
    throw new FormatError('A “confidence” must be high, medium or low.', place);
  const known = {
    source: sourceName(text(values.source), 'generic'),
    title,
    description: text(values.description) ?? title,
    severity: severityOf(values.severity, score),
    rule: { id: text(values.rule_id) ?? title.slice(0, 200), name: text(values.rule_name), url: text(values.rule_url) },
    identifiers: texts(values.identifiers),
    cvss_score: score,
    confidence,
    remediation: text(values.remediation),
    references: texts(values.references),
    suppression: suppressionOf(values, place),
  };
  const own = text(values.fingerprint);
  const result = resultOf(values, known, context);
  return own ? { ...result, identity: ['own', own], equals: 'places' } : result;
}

type Known = Omit<ReadDetection, 'identity' | 'equals' | 'location'>;

function resultOf(values: Record<string, unknown>, known: Known, context: ReadContext): ReadDetection {
  const path = filePath(text(values.path));
  const line = position(values.start_line);
  const url = text(values.url);
  const name = text(values.package);
  const location = {
    path,
    start_line: line,
    end_line: position(values.end_line) ?? line,
    start_column: position(values.start_column),
    end_column: position(values.end_column),
    commit: text(values.commit) ?? null,
    url: shownAddress(url),
  };
  if (name !== undefined) {
    const result = packageResult({
      source: known.source,
      advisory: known.rule.id,
      ecosystem: text(values.package_ecosystem) ?? '',
      name,
      version: text(values.package_version),
      fixedVersion: text(values.fixed_version),
      purl: text(values.purl),
      manifest: path ?? undefined,
      severity: known.severity,
    });
    const remediation = known.remediation ?? result.remediation;
    return { ...result, ...known, remediation, location: { ...location, package: result.location!.package } };
  }
  if (path === null && url !== undefined)
    return webResult({ ...known, target: [url], location, evidence: text(values.evidence) });
  return codeResult({ ...known, location, content: text(values.evidence) }, context);
}

function suppressionOf(values: Record<string, unknown>, place: Entry['place']): Suppression | undefined {
  const status = text(values.status);
  if (status === undefined || status === 'new' || status === 'open') return undefined;
  if (status !== 'false_positive' && status !== 'accepted_risk') {
    throw new FormatError('The “status” of a finding can be “false_positive” or “accepted_risk”.', place);
  }
  return { status, reason: text(values.status_reason) ?? 'Decided before the import.' };
}
