import { severities } from '@assay/scanner/contract/severity.ts';
import { statuses } from '../../../findings/lifecycle.ts';
import { consoleUrl } from '../../document/finding-facts.ts';
import { severityNames, statusNames } from '../../labels.ts';
import type { ReportHead } from '../../report-model.ts';
import { analysisTables } from './analysis-tables.ts';
import { type Cell, moment } from './cells.ts';
import { columnsOf, type Linked, severityCells, severityColumns, type Table } from './table.ts';

/** Returns the tables of a report, in the order of their sheets: its summary, its figures, and its analysis. */
export function tablesOf(head: ReportHead, baseUrl: string | null | undefined): Table[] {
  const linked: Linked = (id) => {
    const link = consoleUrl(baseUrl, id);
    return link === null ? id : { link, text: id };
  };
  return [
    summary(head),
    bySeverity(head),
    sources(head),
    dataSources(head),
    weeks(head),
    ages(head),
    oldest(head, linked),
    ...(head.analysis === null ? [firstSteps(head, linked)] : analysisTables(head.analysis, linked)),
  ].filter(({ rows }) => rows.length > 0);
}

const summary = (head: ReportHead): Table => ({
  name: 'Summary',
  columns: columnsOf(['Item', 36], ['Value', 40]),
  rows: [
    ['Title', head.title],
    ['Organization', head.organization.name],
    ['Report', head.id],
    ['Created by', head.created_by?.name ?? null],
    ['As of (UTC)', moment(head.taken_at)],
    ['Period from (UTC)', moment(head.period.from)],
    ['Period to (UTC)', moment(head.period.to)],
    ...head.selection.en.map(({ label, values }): Cell[] => [`Filter: ${label}`, values.join('\n')]),
    ['Findings', head.summary.total],
    ['Open', head.open],
    ...severities.map((severity): Cell[] => [
      `Open, ${severityNames[severity].toLowerCase()}`,
      head.open_by_severity[severity],
    ]),
    ['New in the period', head.in_period.opened],
    ['New in the period, still open', head.in_period.opened_still_open],
    ['Closed in the period', head.in_period.closed],
    ['Closed in the period, resolved', head.in_period.resolved],
    ['Open, had been resolved before', head.reopened],
    ['Accepted risks', head.accepted_risks.total],
    ['Accepted risks ending in 30 days', head.accepted_risks.ending_soon],
  ],
});

const bySeverity = (head: ReportHead): Table => ({
  name: 'Severity and status',
  columns: columnsOf(['Severity', 12], ...statuses.map((status): [string, number] => [statusNames[status], 14]), [
    'Total',
    10,
  ]),
  rows: severities.map((severity) => [
    severityNames[severity],
    ...statuses.map((status) => head.by_severity_and_status[severity][status]),
    head.summary.by_severity[severity],
  ]),
});

const sources = (head: ReportHead): Table => ({
  name: 'Sources',
  columns: columnsOf(['Detection source', 24], ['Type', 20], ['Findings', 10], ['Open', 10]),
  rows: Object.entries(head.summary.by_source).map(([type, total]) => [
    head.source_names[type] ?? type,
    type,
    total,
    head.open_by_source[type] ?? 0,
  ]),
});

const dataSources = (head: ReportHead): Table => ({
  name: 'Data sources',
  columns: columnsOf(['Data source', 30], ['ID', 31], ['Findings', 10], ['Open', 10]),
  rows: head.summary.by_data_source.map(({ id, name, open, total }) => [name, id, total, open]),
});

const weeks = (head: ReportHead): Table => ({
  name: 'Weeks',
  columns: columnsOf(['Week of', 12], ['New', 10], ['Closed', 10], ['Open at its end', 16]),
  rows: head.weekly.map(({ week, opened, closed, open }) => [{ day: week }, opened, closed, open]),
});

const ages = (head: ReportHead): Table => ({
  name: 'Age',
  columns: columnsOf(['Open for up to (days)', 22], ...severityColumns),
  rows: head.age.map(({ up_to_days, by_severity }) => [up_to_days ?? 'longer', ...severityCells(by_severity)]),
});

const oldest = (head: ReportHead, linked: Linked): Table => ({
  name: 'Oldest',
  columns: columnsOf(
    ['ID', 31],
    ['Title', 60],
    ['Severity', 10],
    ['Data source', 24],
    ['First seen (UTC)', 16],
    ['Age (days)', 11],
  ),
  rows: head.oldest_open.map(({ id, title, severity, data_source, first_seen_at, age_days }) => [
    linked(id),
    title,
    severityNames[severity],
    data_source,
    moment(first_seen_at),
    age_days,
  ]),
});

const firstSteps = (head: ReportHead, linked: Linked): Table => ({
  name: 'First steps',
  columns: columnsOf(
    ['Rule', 40],
    ['Severity', 10],
    ['Open', 10],
    ['Data sources', 13],
    ['Example', 31],
    ['Remediation', 80],
  ),
  rows: head.first_steps.map(({ rule, severity, open, data_sources, finding_id, remediation }) => [
    rule.name || rule.id,
    severityNames[severity],
    open,
    data_sources,
    linked(finding_id),
    remediation,
  ]),
});
