import { knownWeakness } from '../../findings/standards/known-rules.ts';
import { weaknessNumber } from '../../findings/standards/weaknesses.ts';
import { formatTime } from '../../platform/times.ts';
import type { Named, ReportAction, ReportActions } from '../analysis-model.ts';
import { remediationFor, secretNames } from '../mappings/remediations.ts';
import type { ExampleRow, OpenWork, ReplacementRow, RuleWorkRow, UpgradeRow, WorkRow } from './action-queries.ts';
import type { DataSourceRow } from './head-queries.ts';
import { neededVersion } from './needed-version.ts';
import { readableName } from './readable-name.ts';
import { criticalAndHigh, fromRanks } from './tallies.ts';

const maxNamed = 5;
/** The maximum number of current versions of a package that an action lists. */
const maxVersions = 5;

export type DataSources = ReadonlyMap<string, Pick<DataSourceRow, 'name' | 'ownerId' | 'ownerName'>>;

/** The weaknesses that are secrets in the code. */
const secretWeaknesses = new Set([259, 321, 798]);

/** Returns the number of the first CWE that the tool names, or else the CWE known for the rule. */
const weaknessIn = (example: ExampleRow | undefined, row: { source: string; ruleId: string }): number | undefined =>
  example?.identifiers.map(weaknessNumber).find((number) => number !== undefined) ??
  knownWeakness({ ...row, isPackage: Boolean(example?.package) });

function ownersOf(ids: string[], dataSources: DataSources): Named[] {
  const owners = new Map<string, Named>();
  for (const id of ids) {
    const source = dataSources.get(id);
    if (source?.ownerId) owners.set(source.ownerId, { id: source.ownerId, name: source.ownerName ?? source.ownerId });
  }
  return [...owners.values()].slice(0, maxNamed);
}

/** Merges the work of rules with the same name: two tools may find the same problem. */
function joined(one: RuleAction, other: RuleAction): RuleAction {
  const [first, second] = one.row.score >= other.row.score ? [one, other] : [other, one];
  const ids = [...new Set([...first.row.dataSourceIds, ...second.row.dataSourceIds])];
  const dueAts = [first.row.dueAt, second.row.dueAt].filter((dueAt) => dueAt !== null);
  const row = {
    ...first.row,
    findings: first.row.findings + second.row.findings,
    bySeverity: first.row.bySeverity.map((count, rank) => count + second.row.bySeverity[rank]!),
    score: first.row.score + second.row.score,
    priority: Math.max(first.row.priority, second.row.priority),
    dueAt: dueAts.sort((a, b) => a.getTime() - b.getTime())[0] ?? null,
    overdue: first.row.overdue + second.row.overdue,
    dataSourceIds: ids,
    dataSourceCount: Math.max(ids.length, first.row.dataSourceCount, second.row.dataSourceCount),
  };
  return { row, example: first.example };
}

type RuleAction = { row: RuleWorkRow; example: ExampleRow | undefined };

const nameOf = ({ row, example }: RuleAction): string =>
  example ? readableName({ ...example, location: { package: example.package } }) : row.ruleId;

function common(row: WorkRow, weakness: number | undefined, dataSources: DataSources) {
  return {
    cwe: weakness === undefined ? null : `CWE-${weakness}`,
    findings: row.findings,
    by_severity: fromRanks(row.bySeverity),
    priority: row.priority,
    data_sources: row.dataSourceIds.slice(0, maxNamed).map((id) => ({ id, name: dataSources.get(id)?.name ?? id })),
    data_source_count: row.dataSourceCount,
    owners: ownersOf(row.dataSourceIds, dataSources),
    earliest_due_at: row.dueAt && formatTime(row.dueAt),
    overdue: row.overdue,
    finding_id: row.findingId,
  };
}

/** Go scanners report the standard library as a package; it is part of Go itself. */
const packageName = ({ ecosystem, name }: Pick<UpgradeRow, 'ecosystem' | 'name'>) =>
  ecosystem === 'Go' && name === 'stdlib' ? 'Go' : name;

function upgrade(row: UpgradeRow, example: ExampleRow | undefined, dataSources: DataSources): ReportAction {
  const current = [...new Set(row.versions.flatMap(({ version }) => (version === null ? [] : [version])))].sort();
  const version = neededVersion(row.ecosystem, row.versions);
  return {
    kind: 'upgrade',
    name: packageName(row),
    package: { ecosystem: row.ecosystem, name: row.name, version, current: current.slice(0, maxVersions) },
    rule: null,
    ...common(row, weaknessIn(example, { source: '', ruleId: '' }), dataSources),
    remediation: null,
  };
}

/** Returns the action for a package version without a known fix: replace it. */
const replacement = (row: ReplacementRow, example: ExampleRow | undefined, dataSources: DataSources): ReportAction => ({
  kind: 'upgrade',
  name: packageName(row),
  package: {
    ecosystem: row.ecosystem,
    name: row.name,
    version: null,
    current: row.version === '' ? [] : [row.version],
  },
  rule: null,
  ...common(row, weaknessIn(example, { source: '', ruleId: '' }), dataSources),
  remediation: null,
});

function ruleWork({ row, example }: RuleAction, dataSources: DataSources): ReportAction {
  const rule = example?.rule;
  const weakness = weaknessIn(example, row);
  const name = nameOf({ row, example });
  const isSecret = weakness === undefined ? secretNames.test(name) : secretWeaknesses.has(weakness);
  return {
    kind: isSecret ? 'rotate_secret' : 'fix',
    name,
    package: example?.package ? { ...packageOf(example.package), version: null } : null,
    rule: { id: row.ruleId, name: rule?.name ?? row.ruleId },
    ...common(row, weakness, dataSources),
    remediation: example ? remediationFor({ ...example, source: row.source, location: example }, 'en') : null,
  };
}

const packageOf = ({ ecosystem, name, version }: NonNullable<ExampleRow['package']>) => ({
  ecosystem,
  name,
  current: version === null ? [] : [version],
});

/** Chooses the actions that close most findings from the packages and rules with the highest scores. */
export function chooseActions(
  { upgrades, replacements, rules }: Pick<OpenWork, 'upgrades' | 'replacements' | 'rules'>,
  examples: ExampleRow[],
  dataSources: DataSources,
  max: number,
): ReportActions {
  const exampleOf = new Map(examples.map((example) => [example.id, example]));
  const byName = new Map<string, RuleAction>();
  for (const row of rules) {
    const work = { row, example: exampleOf.get(row.findingId) };
    const known = byName.get(nameOf(work));
    byName.set(nameOf(work), known ? joined(known, work) : work);
  }
  const works = [...byName.values()];
  const counts = ({ score }: WorkRow) => score > 0;
  const scored = [
    ...upgrades.map((row) => ({ row, action: upgrade(row, exampleOf.get(row.findingId), dataSources) })),
    ...replacements.map((row) => ({ row, action: replacement(row, exampleOf.get(row.findingId), dataSources) })),
    ...works.map((work) => ({ row: work.row, action: ruleWork(work, dataSources) })),
  ]
    .filter(({ row }) => counts(row))
    .sort((one, other) => other.row.score - one.row.score || (one.row.findingId < other.row.findingId ? -1 : 1));
  const first = scored.slice(0, max).map(({ action }) => action);
  return {
    first,
    // Rules with the same name are one action.
    total: [upgrades, replacements, rules].reduce(
      (sum, [row]) => sum + (row?.total ?? 0),
      works.filter(({ row }) => counts(row)).length - rules.filter(counts).length,
    ),
    covered: {
      open: first.reduce((sum, action) => sum + action.findings, 0),
      critical_high: first.reduce((sum, action) => sum + criticalAndHigh(action.by_severity), 0),
    },
  };
}
