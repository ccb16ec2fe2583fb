import { hash } from 'node:crypto';
import type { Detection, Location, Place } from '@assay/scanner/contract/detection.ts';
import { problemOf } from '@assay/scanner/contract/fingerprint.ts';
import { severityRank } from '@assay/scanner/contract/severity.ts';
import { isInTests } from '@assay/scanner/contract/test-path.ts';
import { storableText } from '@assay/scanner/platform/storable-text.ts';
import { advisoriesAmong, isCve } from './aliases/names.ts';
import { textOf } from './shared-texts.ts';
import { weaknessesOf } from './standards/standards.ts';
import { contextBits } from './test-path.ts';
import { bitOf, cvesOf, partOfFacts } from './urgency.ts';
import { ownWords, type SharedTexts } from './words.ts';

/** A detection in the columns of the table `findings`: every column that a scan writes, except the id. */
export type FactsRow = {
  fingerprint: string;
  severity: number;
  /** The severity that the scanner reports of a demoted finding; absent for others. */
  scanner_severity?: number;
  title: string;
  rule_id: string;
  /** The fields that only scanners write, spelled as in the API: their text is copied into every response. */
  facts: object;
  places: object | null;
  occurrences: number;
  facts_hash: string;
  /** The part of the urgency that follows from the facts. */
  urgency_points: number;
  urgency_bits: number;
  words: string[];
  /** Whether the finding is about a package; absent if not. */
  in_package?: boolean;
  /** The numbers of its CWEs, or of the CWE known for its rule; absent if there are none. */
  weaknesses?: number[];
  /** The number of its description, remediation and references (shared-texts.ts). */
  text: string;
  /** Absent if there are none. */
  cves?: string[];
  problem?: string;
  /** The advisories of a package finding that has no CVE (aliases/merge-aliases.ts). */
  advisories?: string[];
  /** The advisory names of a finding with CVEs, from which aliases follow; not stored. */
  aliases?: string[];
  /** Code, flow and fix, spelled as in the API; absent if there are none. */
  excerpts?: object;
};

/** Returns the row of a finding that a decision demotes: with the severity and urgency of `info`. */
export function demoted(row: FactsRow): FactsRow {
  const { severity, urgency_bits: bits } = row;
  const [inTests, fixAvailable] = [(bits & bitOf('test_code')) !== 0, (bits & bitOf('fix_available')) !== 0];
  const { points } = partOfFacts({ severity: 'info', cvss: null, inTests, fixAvailable });
  const urgency = { urgency_points: points, urgency_bits: bits & ~bitOf('cvss') };
  return { ...row, ...urgency, severity: severityRank.info, scanner_severity: severity };
}

const replaceUnstorable = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? storableText(value) : value;

/** The JSON escapes of characters that PostgreSQL's text and json types cannot store: NUL and lone surrogates. */
const unstorable = /\\u(?:0000|d[89a-f])/;

/**
 * Returns the affected versions of a row's package, `1.0.0, 1.0.1`; null if it has no package or states no versions.
 */
export function versionsOf({ facts, places }: Pick<FactsRow, 'facts' | 'places'>): string | null {
  const { location } = facts as { location?: Location };
  if (!location?.package) return null;
  const of = ((places ?? []) as Place[]).flatMap(({ version }) => version ?? []);
  return of.length === 0 ? location.package.version : [...new Set(of)].sort().join(', ');
}

/** Replaces characters that PostgreSQL cannot store: scanners quote files with arbitrary content. */
const storable = (detection: Detection): Detection =>
  JSON.parse(JSON.stringify(JSON.parse(JSON.stringify(detection)), replaceUnstorable));

/** Puts the members in a fixed order, so that equal facts have equal text, whatever the reporter. */
const locationOf = ({ path, start_line, end_line, start_column, end_column, commit, url, ...rest }: Location) => ({
  ...{ path, start_line, end_line, start_column, end_column, commit, url },
  package: rest.package && packageOf(rest.package),
});

const packageOf = ({ ecosystem, name, version, fixed_version, purl }: NonNullable<Location['package']>) => ({
  ...{ ecosystem, name, version, fixed_version, purl },
});

const factsOf = ({ rule, location, ...detection }: Detection) => ({
  rule: { id: rule.id, name: rule.name, url: rule.url, tags: rule.tags ?? [] },
  location: locationOf(location),
  identifiers: detection.identifiers,
  cvss_score: detection.cvss_score,
  evidence: detection.evidence,
});

const textsOf = ({ description, remediation, references }: SharedTexts): SharedTexts => ({
  description,
  remediation,
  references,
});

const excerptsOf = ({ code = null, flow = null, fix = null }: Detection) =>
  code === null && flow === null && fix === null ? null : { code, flow, fix };

const placesOf = ({ places }: Detection) => (places.length > 1 ? places.slice(0, 100) : null);

/**
 * A storable detection with a hash of everything that a scan writes. The hash shows whether a known finding has
 * changed. The JSON of its larger columns is built once, for the hash and for the row.
 */
export type HashedDetection = {
  detection: Detection;
  fingerprint: string;
  factsHash: string;
  title: string;
  facts: string;
  texts: string;
  places: string;
  excerpts: string;
};

export function hashDetection(detection: Detection): HashedDetection {
  const texts = spell(detection);
  if (!unstorable.test(texts.all)) return withHash(detection, texts);
  const stored = storable(detection);
  return withHash(stored, spell(stored));
}

function spell(detection: Detection) {
  const title = JSON.stringify(detection.title);
  const facts = JSON.stringify(factsOf(detection));
  const texts = JSON.stringify(textsOf(detection));
  const places = JSON.stringify(placesOf(detection));
  const excerpts = JSON.stringify(excerptsOf(detection));
  const severity = severityRank[detection.severity];
  const all = [title, severity, detection.occurrences, facts, texts, places, excerpts].join();
  return { title, facts, texts, places, excerpts, all };
}

function withHash(detection: Detection, { all, ...texts }: ReturnType<typeof spell>): HashedDetection {
  return {
    detection,
    fingerprint: detection.fingerprint,
    factsHash: hash('sha1', all, 'buffer').readBigInt64BE(0).toString(),
    ...texts,
  };
}

/**
 * A row without its texts, as inserted into the table `findings`, and a function that parses the texts only when
 * needed.
 */
export type SplitRow = { row: string; text: string; texts: () => SharedTexts };

const startOfRow = /^\{"text":"(-?\d+)"/;
/** Quotes within strings are escaped, so this can't match elsewhere. */
const startOfTexts = ',"texts":{"description":';

/** Splits a row built by `rowText`. */
export function splitRow(row: string): SplitRow {
  const start = row.lastIndexOf(startOfTexts);
  const [, text] = startOfRow.exec(row)!;
  const texts = () => JSON.parse(row.slice(start + '"texts":,'.length, -1)) as SharedTexts;
  return { row: `${row.slice(0, start)}}`, text: text!, texts };
}

/**
 * The JSON of a detection's FactsRow without its id, on one line. It starts with the number of its texts and ends with
 * the texts themselves (`splitRow`).
 */
export function rowText(hashed: HashedDetection): string {
  const { detection, fingerprint, factsHash, title, facts, texts, places, excerpts } = hashed;
  const { rule, location, identifiers, occurrences, severity } = detection;
  const words = ownWords(detection);
  const urgency = partOfFacts({
    severity,
    cvss: detection.cvss_score,
    inTests: isInTests(location.path, placesOf(detection)),
    fixAvailable: Boolean(location.package?.fixed_version),
  });
  const weaknesses = weaknessesOf(identifiers, rule.id);
  const cves = cvesOf(identifiers);
  const others = location.package ? advisoriesAmong(identifiers).filter((name) => !isCve(name)) : [];
  const problem = problemOf({
    identifiers,
    path: location.path,
    startLine: location.start_line,
    ecosystem: location.package?.ecosystem ?? null,
    packageName: location.package?.name ?? null,
    purl: location.package?.purl ?? null,
  });
  // join() creates one flat string. A template would keep a tree of its parts, and imports have thousands of these.
  return [
    `{"text":"${textOf(detection)}","fingerprint":${JSON.stringify(fingerprint)},"severity":${severityRank[severity]},"title":${title}`,
    `,"rule_id":${JSON.stringify(rule.id)},"occurrences":${occurrences},"facts_hash":"${factsHash}","facts":`,
    facts,
    ',"places":',
    places,
    `,"urgency_points":${urgency.points},"urgency_bits":${urgency.bits | contextBits(location.path, placesOf(detection))},"words":${JSON.stringify(words)}`,
    location.package === null ? '' : ',"in_package":true',
    weaknesses === null ? '' : `,"weaknesses":[${weaknesses}]`,
    cves === null ? '' : `,"cves":${JSON.stringify(cves)}`,
    problem === null ? '' : `,"problem":"${problem}"`,
    others.length === 0 ? '' : `,"${cves === null ? 'advisories' : 'aliases'}":${JSON.stringify(others)}`,
    excerpts === 'null' ? '' : `,"excerpts":${excerpts}`,
    `,"texts":${texts}}`,
  ].join('');
}
