import { type Severity, severities } from '@assay/scanner/contract/severity.ts';
import { type DueFigures, keyFigureNames, type ReportAnalysis, type RollForwardFigures } from '../../analysis-model.ts';
import { kindName, severityNames, statusNames } from '../../labels.ts';
import { wordingIn } from '../../sentences/wording.ts';
import { type Cell, moment } from './cells.ts';
import { columnsOf, type Linked, severityCells, severityColumns, type Table } from './table.ts';

/** The terms of the English document, so that a figure has one name in all formats. */
const { say } = wordingIn('en');
const noOwner = say('no_owner');

/** The open findings by the owner of their data source. */
const owners = ({ owners: { owners: list } }: ReportAnalysis): Table => ({
  name: 'Owners',
  columns: columnsOf(
    ['Owner', 24],
    ['Data sources', 13],
    ['Open', 8],
    ...severityColumns,
    ['Overdue', 9],
    ['Unassigned', 11],
  ),
  rows: list.map((figure) => [
    figure.owner?.name ?? noOwner,
    figure.data_sources,
    figure.open,
    ...severityCells(figure.open_by_severity),
    figure.overdue,
    figure.unassigned,
  ]),
});

const dueColumns = (['in_time', 'overdue', 'no_due_date', 'kept', 'missed', 'fixed_no_due_date'] as const).map(
  (name): [string, number] => [say(`column.${name}`), 17],
);
const dueCells = (figure: DueFigures): Cell[] => [
  figure.open_in_time,
  figure.overdue,
  figure.without_due_date,
  figure.kept,
  figure.missed,
  figure.resolved_without_due_date,
];

const dueBySeverity = ({ due_dates: { by_severity } }: ReportAnalysis): Table => ({
  name: 'Due dates by severity',
  columns: columnsOf(['Severity', 12], ...dueColumns),
  rows: severities.map((severity: Severity) => [severityNames[severity], ...dueCells(by_severity[severity])]),
});

const dueByOwner = ({ due_dates: { by_owner } }: ReportAnalysis): Table => ({
  name: 'Due dates by owner',
  columns: columnsOf(['Owner', 24], ...dueColumns),
  rows: by_owner.map((figure) => [figure.owner?.name ?? noOwner, ...dueCells(figure)]),
});

const actionKinds = { upgrade: 'Upgrade', rotate_secret: 'Rotate', fix: 'Fix' } as const;

const names = (list: Array<{ name: string }>): string => list.map(({ name }) => name).join('\n');
/** Returns a sheet for each table of the analysis. */
export const analysisTables = (analysis: ReportAnalysis, linked: Linked): Table[] => [
  figures(analysis),
  actions(analysis, linked),
  rollForward(analysis),
  changes(analysis, linked),
  coverage(analysis),
  owners(analysis),
  dueBySeverity(analysis),
  dueByOwner(analysis),
  register(analysis, linked),
  standards(analysis),
  weaknesses(analysis),
  tools(analysis),
  disagreements(analysis),
];

const figures = ({ key_figures, comparison }: ReportAnalysis): Table => ({
  name: 'Key figures',
  columns: columnsOf(['Figure', 52], ['Value', 10], ['Change', 10], ['Since the report of (UTC)', 24]),
  rows: keyFigureNames.map((figure) => [
    say(`key_figure.${figure}`),
    key_figures[figure].value,
    key_figures[figure].change,
    moment(comparison?.taken_at ?? null),
  ]),
});

const actions = ({ actions: { first } }: ReportAnalysis, linked: Linked): Table => ({
  name: 'Actions',
  columns: columnsOf(
    ['Action', 10],
    ['What', 40],
    ['To version', 14],
    ['From versions', 18],
    ['Closes', 8],
    ...severityColumns,
    ['Priority', 9],
    ['Overdue', 9],
    ['Due (UTC)', 16],
    ['Data sources', 13],
    ['Most affected', 30],
    ['Owners', 24],
    ['Example', 31],
    ['Remediation', 80],
  ),
  rows: first.map((action) => [
    actionKinds[action.kind],
    action.name,
    action.package?.version ?? null,
    action.package?.current.join('\n') ?? null,
    action.findings,
    ...severityCells(action.by_severity),
    action.priority,
    action.overdue,
    moment(action.earliest_due_at),
    action.data_source_count,
    names(action.data_sources),
    names(action.owners),
    linked(action.finding_id),
    action.remediation,
  ]),
});

const rollForwardRows: Record<keyof RollForwardFigures, string> = {
  open_then: 'Open at the start of the day',
  new: '+ New',
  reopened: '+ Reopened',
  resolved: '− Resolved',
  removed: '− Resolved, data source deleted',
  accepted: '− Accepted',
  false_positive: '− False positives',
  reclassified: '± Severity changed',
  open_now: 'Open now',
};

const rollForward = ({ roll_forward: roll }: ReportAnalysis): Table => ({
  name: 'Roll-forward',
  columns: columnsOf(['Findings', 32], ...severityColumns, ['Total', 10], ['Since (UTC)', 16], ['Of', 36]),
  rows: (roll ? (Object.keys(rollForwardRows) as Array<keyof RollForwardFigures>) : []).map((row) => [
    rollForwardRows[row],
    ...severities.map((severity) => roll!.by_severity[severity][row]),
    roll!.total[row],
    moment(roll!.since),
    roll!.basis === 'at_the_time' ? 'All, by the severity of then' : 'Those selected now, by their severity',
  ]),
});

const changeNames = { new: 'New', fixed: 'Resolved', reopened: 'Reopened', accepted: 'Accepted' } as const;

const changes = ({ changes: { since, ...kinds } }: ReportAnalysis, linked: Linked): Table => ({
  name: 'Changes',
  columns: columnsOf(
    ['Change', 10],
    ['At (UTC)', 16],
    ['ID', 31],
    ['Title', 60],
    ['Place', 40],
    ['Severity', 10],
    ['Status', 14],
    ['Data source', 24],
    ['Since (UTC)', 16],
  ),
  rows: (Object.keys(changeNames) as Array<keyof typeof changeNames>).flatMap((kind) =>
    kinds[kind].most_severe.map((finding): Cell[] => [
      changeNames[kind],
      moment(finding.at),
      linked(finding.id),
      finding.title,
      finding.place,
      severityNames[finding.severity],
      statusNames[finding.status],
      finding.data_source.name,
      moment(since),
    ]),
  ),
});

const coverage = ({ coverage: { data_sources, stale_after_days } }: ReportAnalysis): Table => ({
  name: 'Coverage',
  columns: columnsOf(
    ['Data source', 30],
    ['Kind', 16],
    ['State', 14],
    ['Last complete scan (UTC)', 23],
    ['Stale after (days)', 17],
    ['Owner', 24],
    ['Criticality', 12],
    ['Exposure', 12],
    ['Open', 8],
    ['Tools', 40],
    ['Revisions', 24],
    ['Reasons', 60],
  ),
  rows: data_sources.map((dataSource) => [
    dataSource.name,
    kindName(dataSource.kind),
    say(`state.${dataSource.state}`),
    moment(dataSource.last_complete_scan_at),
    stale_after_days,
    dataSource.owner?.name ?? null,
    dataSource.criticality,
    dataSource.exposure,
    dataSource.open,
    names(dataSource.tools),
    dataSource.tools
      .flatMap(({ name, revision, is_behind: isBehind }) =>
        revision === null ? [] : [`${name}: ${revision.slice(0, 7)}${isBehind ? ' (behind)' : ''}`],
      )
      .join('\n'),
    dataSource.tools.flatMap(({ name, reason }) => (reason === null ? [] : [`${name}: ${reason}`])).join('\n'),
  ]),
});

const register = ({ register: { entries } }: ReportAnalysis, linked: Linked): Table => ({
  name: 'Accepted and false positives',
  columns: columnsOf(
    ['ID', 31],
    ['Title', 60],
    ['Place', 40],
    ['Severity', 10],
    ['Decision', 16],
    ['Data source', 24],
    ['Decided by', 20],
    ['Decided (UTC)', 16],
    ['Reason', 60],
    ['Accepted until (UTC)', 19],
  ),
  rows: entries.map((entry) => [
    linked(entry.id),
    entry.title,
    entry.place,
    severityNames[entry.severity],
    statusNames[entry.status],
    entry.data_source.name,
    entry.decided_by?.name ?? null,
    moment(entry.decided_at),
    entry.reason ?? entry.justification?.replaceAll('_', ' ') ?? null,
    moment(entry.accepted_until),
  ]),
});

const standards = ({ mapping: { standards: list } }: ReportAnalysis): Table => ({
  name: 'Standards',
  columns: columnsOf(['Standard', 24], ['Category', 12], ['Name', 60], ['Open', 8], ...severityColumns),
  rows: list.flatMap(({ name, categories, unmapped }) => [
    ...categories.map((category): Cell[] => [
      name,
      category.id,
      category.name,
      category.open,
      ...severityCells(category.open_by_severity),
    ]),
    [name, null, 'In no category', unmapped],
  ]),
});

const weaknesses = ({ mapping }: ReportAnalysis): Table => ({
  name: 'Weaknesses',
  columns: columnsOf(['CWE', 12], ['Name', 60], ['Open', 8], ...severityColumns),
  rows: mapping.weaknesses.map(({ id, name, open, open_by_severity }) => [
    id,
    name,
    open,
    ...severityCells(open_by_severity),
  ]),
});

const tools = ({ tools: list }: ReportAnalysis): Table => ({
  name: 'Tools',
  columns: columnsOf(
    ['Tool', 24],
    ['Type', 20],
    ['Version', 14],
    ['Findings', 10],
    ['Data sources', 13],
    ['Last complete scan (UTC)', 23],
  ),
  rows: list.map(({ name, source, version, findings, data_sources, last_complete_scan_at }) => [
    name,
    source,
    version,
    findings,
    data_sources,
    moment(last_complete_scan_at),
  ]),
});

const disagreements = ({ severity_comparison: { pairs } }: ReportAnalysis): Table => ({
  name: 'Severity and CVSS',
  columns: columnsOf(['Severity of the tool', 20], ['Severity of the CVSS score', 26], ['Open findings', 14]),
  rows: pairs.map(({ tool, cvss, findings }) => [severityNames[tool], severityNames[cvss], findings]),
});
