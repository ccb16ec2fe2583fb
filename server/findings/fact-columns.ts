import { problemOf } from '@assay/scanner/contract/fingerprint.ts';
import { severityRank } from '@assay/scanner/contract/severity.ts';
import { isInTests } from '@assay/scanner/contract/test-path.ts';
import { BinaryArray, type Element, type ElementType } from '../platform/postgres/binary-array.ts';
import { advisoriesAmong, isCve } from './aliases/names.ts';
import { bitsOfConfidence, contextBits } from './fact-bits.ts';
import { type FactsRow, type HashedDetection, type OwnFacts, placesOf, type SpelledTexts } from './facts.ts';
import { weaknessesOf } from './standards/standards.ts';
import { cvesOf, partOfFacts } from './urgency.ts';
import { ownWords, type SharedTexts, sharedWords } from './words.ts';

/** The columns of `OwnFacts`. */
export const ownColumns = {
  path: 'text',
  start_line: 'integer',
  end_line: 'integer',
  start_column: 'integer',
  end_column: 'integer',
  commit: 'text',
  url: 'text',
  ecosystem: 'text',
  package_name: 'text',
  package_version: 'text',
  fixed_version: 'text',
  purl: 'text',
  identifiers: 'json',
  evidence: 'text',
} as const satisfies Record<keyof OwnFacts, ElementType>;
export const ownNames = Object.keys(ownColumns) as Array<keyof OwnFacts>;

/**
 * The facts of a batch are merged as one array per column: PostgreSQL reads them a third faster than rows of JSON.
 * Lists within an element (words, names, numbers) are separated by spaces, which none of their items contain.
 */
export const factColumns = {
  fingerprint: 'text',
  facts_hash: 'bigint',
  severity: 'smallint',
  title: 'text',
  rule_id: 'text',
  ...ownColumns,
  places: 'json',
  excerpts: 'json',
  occurrences: 'integer',
  words: 'text',
  urgency_points: 'smallint',
  urgency_bits: 'smallint',
  in_package: 'boolean',
  weaknesses: 'text',
  cvss: 'double precision',
  text: 'bigint',
  cves: 'text',
  advisories: 'text',
  aliases: 'text',
  problem: 'bigint',
} as const satisfies Record<string, ElementType>;

/** The distinct texts of a batch, once each: see shared-texts.ts. */
const textColumns = {
  shared_text: 'bigint',
  shared_rule: 'json',
  shared_members: 'text',
  shared_words: 'text',
} as const satisfies Record<string, ElementType>;

export const mergeColumns = { ...factColumns, ...textColumns };
export type MergeColumn = keyof typeof mergeColumns;
export const mergeColumnNames = Object.keys(mergeColumns) as MergeColumn[];

type ValueOf<Type> = Type extends 'smallint' | 'integer' | 'double precision'
  ? number
  : Type extends 'boolean'
    ? boolean
    : string;
type Optional =
  | Exclude<keyof OwnFacts, 'identifiers'>
  | ('cvss' | 'places' | 'excerpts' | 'weaknesses' | 'cves' | 'advisories' | 'aliases' | 'problem');

/** The facts of one finding in the form of their columns. */
export type FactCells = {
  [Column in keyof typeof factColumns]:
    | ValueOf<(typeof factColumns)[Column]>
    | (Column extends Optional ? null : never);
};

/** A detection in the form in which it is merged. `sharedWords` are the words of its texts, separated by spaces. */
export type MergeRow = { cells: FactCells; texts: SpelledTexts; sharedWords: string };

/** The words of recent texts: findings of one rule mostly have the same. */
const recentWords = new Map<string, { set: ReadonlySet<string>; list: string }>();
const maxRecent = 500;

/** Returns the words of texts with this number. */
function wordsOfTexts(text: string, texts: SharedTexts) {
  const recent = recentWords.get(text);
  if (recent) return recent;
  const set = sharedWords(texts);
  const words = { set, list: [...set].join(' ') };
  if (recentWords.size >= maxRecent) recentWords.delete(recentWords.keys().next().value!);
  recentWords.set(text, words);
  return words;
}

const orNull = (json: string): string | null => (json === 'null' ? null : json);
const spaced = (values: Array<string | number> | null): string | null => (values?.length ? values.join(' ') : null);

export function toMergeRow({
  detection,
  factsHash,
  own,
  text,
  texts,
  places,
  excerpts,
  identifiers: spelledIdentifiers,
}: HashedDetection): MergeRow {
  const { rule, location, identifiers, severity, description, remediation, references } = detection;
  const shared = wordsOfTexts(text, { description, remediation, references, rule });
  const others = placesOf(detection);
  const urgency = partOfFacts({
    severity,
    cvss: detection.cvss_score,
    inTests: isInTests(location.path, others),
    fixAvailable: Boolean(location.package?.fixed_version),
  });
  const cves = cvesOf(identifiers);
  const names = location.package ? advisoriesAmong(identifiers).filter((name) => !isCve(name)) : [];
  const cells: FactCells = {
    fingerprint: detection.fingerprint,
    facts_hash: factsHash,
    severity: severityRank[severity],
    title: detection.title,
    rule_id: rule.id,
    path: own.path,
    start_line: own.start_line,
    end_line: own.end_line,
    start_column: own.start_column,
    end_column: own.end_column,
    commit: own.commit,
    url: own.url,
    ecosystem: own.ecosystem,
    package_name: own.package_name,
    package_version: own.package_version,
    fixed_version: own.fixed_version,
    purl: own.purl,
    evidence: own.evidence,
    identifiers: spelledIdentifiers,
    places: orNull(places),
    excerpts: orNull(excerpts),
    occurrences: detection.occurrences,
    words: ownWords(detection, shared.set).join(' '),
    urgency_points: urgency.points,
    urgency_bits: urgency.bits | contextBits(location.path, others) | bitsOfConfidence(detection.confidence),
    in_package: location.package !== null,
    weaknesses: spaced(weaknessesOf(identifiers, rule.id)),
    cvss: detection.cvss_score,
    text,
    cves: spaced(cves),
    advisories: cves === null ? spaced(names) : null,
    aliases: cves === null ? null : spaced(names),
    problem: problemOf({
      identifiers,
      path: location.path,
      startLine: location.start_line,
      ecosystem: location.package?.ecosystem ?? null,
      packageName: location.package?.name ?? null,
      purl: location.package?.purl ?? null,
    }),
  };
  return { cells, texts, sharedWords: shared.list };
}

/** The size of its numbers and short texts, each of which is also an element of an array. */
const sizeOfOthers = 250;

/** The approximate size of a row in characters. */
export const sizeOfRow = ({ cells, texts }: MergeRow): number =>
  sizeOfOthers +
  (cells.path?.length ?? 0) +
  (cells.url?.length ?? 0) +
  (cells.purl?.length ?? 0) +
  (cells.evidence?.length ?? 0) +
  cells.identifiers.length +
  cells.words.length +
  cells.title.length +
  (cells.places?.length ?? 0) +
  (cells.excerpts?.length ?? 0) +
  texts.members.length;

const split = (list: string | null): string[] | undefined => list?.split(' ');
const parsed = (json: string | null): object | null => (json === null ? null : JSON.parse(json));

const pick = <Row extends object, Name extends keyof Row>(row: Row, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>;

const ownFactsIn = (cells: FactCells): OwnFacts => ({
  ...pick(cells, ownNames),
  identifiers: JSON.parse(cells.identifiers),
});

const ownCellsOf = (row: FactsRow) => ({ ...pick(row, ownNames), identifiers: JSON.stringify(row.identifiers) });

export function toFactsRow(cells: FactCells): FactsRow {
  const { cves, advisories, aliases, problem, excerpts, weaknesses, cvss } = cells;
  return {
    fingerprint: cells.fingerprint,
    severity: cells.severity,
    title: cells.title,
    rule_id: cells.rule_id,
    occurrences: cells.occurrences,
    facts_hash: cells.facts_hash,
    ...ownFactsIn(cells),
    places: parsed(cells.places),
    urgency_points: cells.urgency_points,
    urgency_bits: cells.urgency_bits,
    words: cells.words === '' ? [] : cells.words.split(' '),
    text: cells.text,
    in_package: cells.in_package,
    ...(weaknesses !== null && { weaknesses: weaknesses.split(' ').map(Number) }),
    ...(cvss !== null && { cvss }),
    ...(cves !== null && { cves: split(cves) }),
    ...(advisories !== null && { advisories: split(advisories) }),
    ...(aliases !== null && { aliases: split(aliases) }),
    ...(problem !== null && { problem }),
    ...(excerpts !== null && { excerpts: JSON.parse(excerpts) }),
  } as FactsRow;
}

/** Returns the cells of a row, in which aliases may have been resolved. */
export const toCells = (row: FactsRow): FactCells => ({
  fingerprint: row.fingerprint,
  facts_hash: row.facts_hash,
  severity: row.severity,
  title: row.title,
  rule_id: row.rule_id,
  ...ownCellsOf(row),
  places: row.places && JSON.stringify(row.places),
  excerpts: row.excerpts ? JSON.stringify(row.excerpts) : null,
  occurrences: row.occurrences,
  words: row.words.join(' '),
  urgency_points: row.urgency_points,
  urgency_bits: row.urgency_bits,
  in_package: row.in_package ?? false,
  weaknesses: spaced(row.weaknesses ?? null),
  cvss: row.cvss ?? null,
  text: row.text,
  cves: spaced(row.cves ?? null),
  advisories: spaced(row.advisories ?? null),
  aliases: spaced(row.aliases ?? null),
  problem: row.problem ?? null,
});

type TextArrays = Record<keyof typeof textColumns, string[]>;

/** Returns the distinct texts of the rows. */
function textsOf(rows: MergeRow[]): TextArrays {
  const distinct = new Map(rows.map((row) => [row.cells.text, row]));
  const distinctRows = [...distinct.values()];
  return {
    shared_text: [...distinct.keys()],
    shared_rule: distinctRows.map(({ texts }) => texts.rule),
    shared_members: distinctRows.map(({ texts }) => texts.members),
    shared_words: distinctRows.map((row) => row.sharedWords),
  };
}

/** Returns a function that returns columns of these rows as parameters; null for a column without values. */
export function toParameters(rows: MergeRow[]): (columns: readonly MergeColumn[]) => Array<BinaryArray | null> {
  let texts: TextArrays | undefined;
  const elementsOf = (column: MergeColumn): Element[] => {
    if (column in factColumns) return rows.map(({ cells }) => cells[column as keyof FactCells]);
    texts ??= textsOf(rows);
    return texts[column as keyof TextArrays];
  };
  return (columns) =>
    columns.map((column) => {
      const elements = elementsOf(column);
      return elements.every((element) => element === null) ? null : new BinaryArray(mergeColumns[column], elements);
    });
}
