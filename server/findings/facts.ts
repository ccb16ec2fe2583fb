import type { Detection, Location, Place } from '@assay/scanner/contract/detection.ts';
import { numberOf } from '@assay/scanner/contract/fingerprint.ts';
import { severityRank } from '@assay/scanner/contract/severity.ts';
import { storableText } from '@assay/scanner/platform/storable-text.ts';
import { bitOf, partOfFacts } from './urgency.ts';
import type { SharedTexts } from './words.ts';

/** The place, identifiers and evidence of a finding, which only scanners write. */
export type OwnFacts = Omit<Location, 'package'> & {
  ecosystem: string | null;
  /** Null for findings that are not about a package. */
  package_name: string | null;
  package_version: string | null;
  fixed_version: string | null;
  purl: string | null;
  identifiers: string[];
  evidence: string | null;
};

/** A detection in the columns of the table `findings`: every column that a scan writes, except the id. */
export type FactsRow = OwnFacts & {
  fingerprint: string;
  severity: number;
  /** The severity that the scanner reports of a demoted finding; absent for others. */
  scanner_severity?: number;
  title: string;
  rule_id: string;
  places: object | null;
  occurrences: number;
  facts_hash: string;
  /** The part of the urgency that follows from the facts. */
  urgency_points: number;
  urgency_bits: number;
  words: string[];
  /** Whether the finding is about a package; absent if not. */
  in_package?: boolean;
  /** Absent if it has no score. */
  cvss?: number;
  /** The numbers of its CWEs, or of the CWE known for its rule; absent if there are none. */
  weaknesses?: number[];
  /** The number of its rule, description, remediation and references (shared-texts.ts). */
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
export function versionsOf(row: Pick<FactsRow, 'package_name' | 'package_version' | 'places'>): string | null {
  if (row.package_name === null) return null;
  const of = ((row.places ?? []) as Place[]).flatMap(({ version }) => version ?? []);
  return of.length === 0 ? row.package_version : [...new Set(of)].sort().join(', ');
}

/** Replaces characters that PostgreSQL cannot store: scanners quote files with arbitrary content. */
const storable = (detection: Detection): Detection =>
  JSON.parse(JSON.stringify(JSON.parse(JSON.stringify(detection)), replaceUnstorable));

/** Returns the facts in a fixed order, so that equal facts have equal text, whatever the reporter. */
function ownFactsOf({ location, identifiers, evidence }: Detection): OwnFacts {
  const { path, start_line, end_line, start_column, end_column, commit, url, package: found } = location;
  return {
    path,
    start_line,
    end_line,
    start_column,
    end_column,
    commit,
    url,
    ecosystem: found?.ecosystem ?? null,
    package_name: found?.name ?? null,
    package_version: found?.version ?? null,
    fixed_version: found?.fixed_version ?? null,
    purl: found?.purl ?? null,
    identifiers,
    evidence,
  };
}

const excerptsOf = ({ code = null, flow = null, fix = null }: Detection) =>
  code === null && flow === null && fix === null ? null : { code, flow, fix };

/** Returns all places when there are several, at most 100; otherwise null: `location` has the only one. */
export const placesOf = ({ places }: Detection) => (places.length > 1 ? places.slice(0, 100) : null);

/** The texts of a finding as JSON: the rule, and the members of the others without braces. */
export type SpelledTexts = { rule: string; members: string };

function spellParts({ description, remediation, references, rule }: SharedTexts): SpelledTexts {
  const { id, name, url, tags = [] } = rule;
  return {
    rule: JSON.stringify({ id, name, url, tags }),
    members: JSON.stringify({ description, remediation, references }).slice(1, -1),
  };
}

const joined = ({ rule, members }: SpelledTexts): string => `{${members},"rule":${rule}}`;

/** Returns the JSON of the texts, with their members in a fixed order. */
export const spellTexts = (texts: SharedTexts): string => joined(spellParts(texts));

/**
 * Returns the number of a finding's texts, from the JSON of `spellTexts`. Equal texts have the same number in all
 * organizations.
 */
export const textOf = numberOf;

/**
 * A storable detection with a hash of everything that a scan writes. The hash shows whether a known finding has
 * changed. The JSON of its larger columns is built once, for the hash and for the row.
 */
export type HashedDetection = {
  detection: Detection;
  factsHash: string;
  own: OwnFacts;
  identifiers: string;
  texts: SpelledTexts;
  /** The number of the texts. */
  text: string;
  places: string;
  excerpts: string;
};

export function hashDetection(detection: Detection): HashedDetection {
  const spelled = spell(detection);
  if (!unstorable.test(spelled.all)) return hashed(detection, spelled);
  const stored = storable(detection);
  return hashed(stored, spell(stored));
}

function spell(detection: Detection) {
  const own = ownFactsOf(detection);
  const identifiers = JSON.stringify(own.identifiers);
  const texts = spellParts(detection);
  const allTexts = joined(texts);
  const places = JSON.stringify(placesOf(detection));
  const excerpts = JSON.stringify(excerptsOf(detection));
  const { title, severity, occurrences, cvss_score, confidence } = detection;
  const numbers = `${severityRank[severity]},${occurrences},${cvss_score ?? ''},${confidence ?? ''}`;
  const facts = JSON.stringify(Object.values(own));
  const all = `${JSON.stringify(title)},${numbers},${facts},${allTexts},${places},${excerpts}`;
  return { own, identifiers, texts, allTexts, places, excerpts, all };
}

const hashed = (
  detection: Detection,
  { all, allTexts, own, identifiers, texts, places, excerpts }: ReturnType<typeof spell>,
): HashedDetection => {
  const [factsHash, text] = [numberOf(all), numberOf(allTexts)];
  return { detection, factsHash, own, identifiers, texts, text, places, excerpts };
};
