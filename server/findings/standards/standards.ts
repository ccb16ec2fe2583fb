import { type Severity, severityRank } from '@assay/scanner/contract/severity.ts';
import type { DataSourceKind } from '../../data-sources/kind.ts';
import type { Term } from '../columns/term.ts';
import type { Texts } from '../texts.ts';
import { hardCodedCredentials, knownRule, secretTools } from './known-rules.ts';
import data from './standards.json' with { type: 'json' };
import { weaknessName, weaknessNumber } from './weaknesses.ts';

/** The facts by which a finding counts for a row; all given ones must match. */
export type Match = {
  /** CWE numbers; the finding has at least one. */
  weaknesses?: number[];
  /** Whether it is about a package; by default about anything else. */
  in?: 'package' | 'any';
  /** The tools that found it, as a list of `sources` in the file. */
  sources?: keyof typeof data.sources;
  kinds?: DataSourceKind[];
  exposure?: 'internal' | 'public';
  severities?: Severity[];
  /** Whether its due date has passed. */
  overdue?: true;
};

/** A requirement, and the findings that count for it: those that match any of `matches`. */
export type StandardRow = {
  /** Its number in the standard. */
  id: string;
  name: Texts;
  /** Why an assessor accepts the findings. */
  because: string;
  matches: Match[];
};
/** `short` is the name used where space is limited. */
export type Standard = { id: string; name: string; short: string; source: string; rows: StandardRow[] };

type Given = { id: string; name?: Texts; because: string; matches: Match[] };

/** CWEs have no official German names. */
const named = ({ id, name = { en: weaknessName(id)!, de: weaknessName(id)! }, ...row }: Given) => ({
  id,
  name,
  ...row,
});

/** The standards with their rows, in the order of reports (standards.json). */
export const standards: Standard[] = data.standards.map((standard) => ({
  ...standard,
  rows: (standard.rows as Given[]).map(named),
}));

/** The tools of each kind that the rows refer to. */
export const standardSources: Record<string, string[]> = data.sources;

/** The value of a row in the API, such as `owasp-2021:A03`. */
export const standardValue = (standard: Standard, row: StandardRow): string => `${standard.id}:${row.id}`;

/** Each value of the filter with its name: a standard, followed by its rows. */
export const standardChoices: Array<{ value: string; label: Texts; rows: StandardRow[] }> = standards.flatMap(
  (standard) => [
    { value: standard.id, label: { en: standard.name, de: standard.name }, rows: standard.rows },
    ...standard.rows.map((row) => {
      const label = (name: string) => `${standard.name}, ${row.id}: ${name}`;
      return {
        value: standardValue(standard, row),
        label: { en: label(row.name.en), de: label(row.name.de) },
        rows: [row],
      };
    }),
  ],
);

/**
 * Returns requirements in one line: `OWASP 2021 A03, PCI DSS 6.2.4`. Rows of the CWE Top 25 are left out, since they
 * repeat the finding's CWEs.
 */
export const standardsLine = (values: readonly string[]): string =>
  standards
    .filter(({ id }) => !id.startsWith('cwe-'))
    .flatMap((standard) => {
      const rows = standard.rows.filter((row) => values.includes(standardValue(standard, row)));
      return rows.length === 0 ? [] : [`${standard.short} ${rows.map(({ id }) => id).join(', ')}`];
    })
    .join('; ');

const maxWeaknesses = 50;
/**
 * Misconfiguration and improper input validation: MITRE discourages mapping to them, and a known rule is more specific.
 */
const vagueWeaknesses = new Set([16, 20]);

/** Returns the CWE numbers of a finding, or else that of its known rule; null if there are none. */
export function weaknessesOf(identifiers: readonly string[], ruleId: string): number[] | null {
  const given = identifiers.map(weaknessNumber).filter((number) => number !== undefined);
  const specific = given.filter((number) => !vagueWeaknesses.has(number));
  const known = specific.length > 0 ? undefined : knownRule(ruleId)?.weakness;
  const numbers = specific.length > 0 ? specific : known ? [known] : given;
  return numbers.length === 0 ? null : [...new Set(numbers)].slice(0, maxWeaknesses);
}

const texts = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ');

/** SQL for whether finding `f` comes from a tool that only detects secrets. */
export const ofSecretTool = `f.source ~* '${secretTools.source}'`;

/** SQL for whether finding `f` has any of the weaknesses. A tool for secrets does not have to name one. */
function hasWeakness(numbers: readonly number[]): string {
  const own = `f.weaknesses && '{${numbers.join()}}'::integer[]`;
  return `COALESCE(${own}, ${numbers.includes(hardCodedCredentials) ? ofSecretTool : 'false'})`;
}

function matchSql({ weaknesses, in: place, sources, kinds, exposure, severities, overdue }: Match, at: string): string {
  const dataSource = [kinds && `kind IN (${texts(kinds)})`, exposure && `exposure = '${exposure}'`].filter(Boolean);
  const parts = [
    place !== 'any' && (place === 'package' ? 'f.in_package' : 'NOT f.in_package'),
    severities && `f.severity IN (${severities.map((severity) => severityRank[severity]).join()})`,
    overdue && `f.due_at < ${at}`,
    sources && `f.source IN (${texts(standardSources[sources]!)})`,
    weaknesses && hasWeakness(weaknesses),
    dataSource.length > 0 &&
      `f.data_source_id IN (SELECT id FROM data_sources WHERE org_id = $1 AND ${dataSource.join(' AND ')})`,
  ];
  return parts.filter((part) => part).join(' AND ');
}

/**
 * Returns SQL for whether finding `f` counts for any of the rows at a time; `$1` is the organization. It is never null.
 */
export const rowsCondition = (rows: readonly StandardRow[], at: string): string =>
  `(${rows.flatMap(({ matches }) => matches.map((match) => `(${matchSql(match, at)})`)).join(' OR ')})`;

const isOfSecretTool: Term = { text: 'source', name: 'secret tools', where: (source) => secretTools.test(source!) };

function matchTerm(match: Match, at: Date | null): Term {
  const { weaknesses, in: place, sources, kinds, exposure, severities, overdue } = match;
  const ofWeakness = (numbers: readonly number[]): Term[] => [
    { list: 'weaknesses', anyOf: numbers.map(String) },
    ...(numbers.includes(hardCodedCredentials)
      ? [{ every: [{ list: 'weaknesses', isEmpty: true }, isOfSecretTool] } satisfies Term]
      : []),
  ];
  const every: Array<Term | false | undefined> = [
    place !== 'any' && { flag: 'inPackage', is: place === 'package' },
    severities && { number: 'severity', in: severities.map((severity) => severityRank[severity]) },
    overdue && { number: 'dueAt', before: (at ?? new Date()).getTime() * 1000 },
    sources && { text: 'source', in: standardSources[sources]! },
    weaknesses && { some: ofWeakness(weaknesses) },
    kinds && { dataSource: ({ kind }) => (kinds as readonly string[]).includes(kind) },
    exposure && { dataSource: (source) => source.exposure === exposure },
  ];
  return { every: every.filter((term) => term !== undefined && term !== false) };
}

/**
 * Returns the same condition as `rowsCondition` on columns in memory; `at` may be null if no row depends on the time.
 */
export const rowsTerm = (rows: readonly StandardRow[], at: Date | null): Term => ({
  some: rows.flatMap(({ matches }) => matches.map((match) => matchTerm(match, at))),
});

/** The facts of a finding that decide for which rows it counts; `severity` is the rank (0-4). */
export type StandardFacts = {
  weaknesses: number[] | null;
  inPackage: boolean;
  severity: number;
  isOverdue: boolean;
  source: string;
  kind: string;
  exposure: string | null;
};

function isMatch(match: Match, facts: StandardFacts): boolean {
  const { weaknesses, in: place, sources, kinds, exposure, severities, overdue } = match;
  const hasAny = (numbers: readonly number[]) =>
    facts.weaknesses?.some((number) => numbers.includes(number)) ??
    (numbers.includes(hardCodedCredentials) && secretTools.test(facts.source));
  return (
    (place === 'any' || facts.inPackage === (place === 'package')) &&
    (severities?.some((severity) => severityRank[severity] === facts.severity) ?? true) &&
    (!overdue || facts.isOverdue) &&
    (sources === undefined || standardSources[sources]!.includes(facts.source)) &&
    (weaknesses === undefined || hasAny(weaknesses)) &&
    (kinds === undefined || (kinds as readonly string[]).includes(facts.kind)) &&
    (exposure === undefined || facts.exposure === exposure)
  );
}

/**
 * Returns the values of the rows for which a finding counts, like `standardsJson`. For one finding the SQL is a
 * third of the time of reading it: PostgreSQL prepares some 150 expressions and reads every data source.
 */
export const standardsOf = (facts: StandardFacts): string[] =>
  standards.flatMap((standard) =>
    standard.rows
      .filter(({ matches }) => matches.some((match) => isMatch(match, facts)))
      .map((row) => standardValue(standard, row)),
  );

/** Returns SQL for the JSON text of the rows for which finding `f` counts at a time, in the order of the standards. */
export function standardsJson(at: string): string {
  const ofStandard = standards.map((standard) => {
    const rows = standard.rows.map(
      (row) => `CASE WHEN ${rowsCondition([row], at)} THEN ',"${standardValue(standard, row)}"' END`,
    );
    return `concat(${rows.join(', ')})`;
  });
  return `concat('[', ltrim(concat(${ofStandard.join(', ')}), ','), ']')`;
}
