import { listCell, textCell } from '../../platform/csv-cell.ts';
import { ageDays, closedBy, closedReason, consoleUrl, cvesOf, cwesOf } from '../document/finding-facts.ts';
import type { ReportFinding } from '../report-model.ts';

/** The time that ages refer to (milliseconds), and the URL of the console, if known. */
export type CsvContext = { now: number; baseUrl?: string | null | undefined };

/** Returns the cell of a column, ready to write. Only Assay's own texts may bypass `textCell`. */
type Column = [name: string, cell: (finding: ReportFinding, context: CsvContext) => string];

const optional = (text: string | null | undefined): string => (text ? textCell(text) : '');
const figure = (value: number | null): string => (value === null ? '' : String(value));

/** Returns `path:from-to @ commit`, as far as known. */
function placeText({ path, start_line, end_line, commit }: ReportFinding['places'][number]): string {
  const lines = start_line === null ? '' : `:${start_line}${end_line && end_line !== start_line ? `-${end_line}` : ''}`;
  return `${path ?? ''}${lines}${commit === null ? '' : ` @ ${commit}`}`;
}

const commentText = ({ author, created_at, comment }: ReportFinding['comments'][number]): string =>
  `${created_at} ${author ?? 'Assay'}: ${comment}`;

/** The columns in order. Names never change; new columns are added at the end. */
export const columns: Column[] = [
  ['id', (finding) => finding.id],
  ['title', (finding) => textCell(finding.title)],
  ['description', (finding) => textCell(finding.description)],
  ['severity', (finding) => finding.severity],
  ['status', (finding) => finding.status],
  ['resolution', (finding) => finding.resolution ?? ''],
  ['source', (finding) => textCell(finding.source)],
  ['data_source_id', (finding) => finding.data_source.id],
  ['data_source_name', (finding) => textCell(finding.data_source.name)],
  ['data_source_kind', (finding) => textCell(finding.data_source.kind)],
  ['rule_id', (finding) => textCell(finding.rule.id)],
  ['rule_name', (finding) => textCell(finding.rule.name)],
  ['rule_url', (finding) => optional(finding.rule.url)],
  ['location_path', ({ location }) => optional(location.path)],
  ['location_start_line', ({ location }) => figure(location.start_line)],
  ['location_end_line', ({ location }) => figure(location.end_line)],
  ['location_start_column', ({ location }) => figure(location.start_column)],
  ['location_end_column', ({ location }) => figure(location.end_column)],
  ['location_commit', ({ location }) => optional(location.commit)],
  ['location_url', ({ location }) => optional(location.url)],
  ['package_ecosystem', ({ location }) => optional(location.package?.ecosystem)],
  ['package_name', ({ location }) => optional(location.package?.name)],
  ['package_version', ({ location }) => optional(location.package?.version)],
  ['package_fixed_version', ({ location }) => optional(location.package?.fixed_version)],
  ['package_purl', ({ location }) => optional(location.package?.purl)],
  ['identifiers', (finding) => listCell(finding.identifiers)],
  ['cvss_score', (finding) => figure(finding.cvss_score)],
  ['evidence', (finding) => optional(finding.evidence)],
  ['remediation', (finding) => optional(finding.remediation)],
  ['references', (finding) => listCell(finding.references)],
  ['tags', (finding) => listCell(finding.tags)],
  ['assignee_id', ({ assignee }) => assignee?.id ?? ''],
  ['assignee_name', ({ assignee }) => optional(assignee?.name)],
  ['assignee_email', ({ assignee }) => optional(assignee?.email)],
  ['accepted_until', (finding) => finding.accepted_until ?? ''],
  ['fingerprint', (finding) => textCell(finding.fingerprint)],
  ['occurrences', (finding) => figure(finding.occurrences)],
  ['places', (finding) => listCell(finding.places.map(placeText))],
  ['comment_count', (finding) => figure(finding.comment_count)],
  ['comments', (finding) => listCell(finding.comments.map(commentText))],
  ['reopened_count', (finding) => figure(finding.reopened_count)],
  ['first_seen_at', (finding) => finding.first_seen_at],
  ['last_seen_at', (finding) => finding.last_seen_at],
  ['updated_at', (finding) => finding.updated_at],
  ['closed_at', (finding) => finding.closed_at ?? ''],
  ['age_days', (finding, { now }) => figure(ageDays(finding, now))],
  ['due_at', (finding) => finding.due_at ?? ''],
  ['cwe', (finding) => listCell(cwesOf(finding))],
  ['cve', (finding) => listCell(cvesOf(finding))],
  ['closed_by', (finding) => optional(closedBy(finding))],
  ['closed_reason', (finding) => optional(closedReason(finding))],
  ['console_url', ({ id }, { baseUrl }) => consoleUrl(baseUrl, id) ?? ''],
  ['context', ({ context }) => context ?? ''],
  ['priority', ({ priority }) => figure(priority)],
  ['priority_reasons', ({ priority_reasons: reasons }) => listCell(reasons)],
  ['epss', ({ epss }) => figure(epss)],
  ['epss_percentile', ({ epss_percentile: percentile }) => figure(percentile)],
  ['kev', ({ kev }) => kev ?? ''],
  ['rule_tags', ({ rule }) => listCell(rule.tags)],
  ['number', ({ number }) => number],
  ['standards', ({ standards }) => listCell(standards)],
  ['confidence', ({ confidence }) => confidence ?? ''],
  ['scanner_severity', ({ scanner_severity: severity }) => severity ?? ''],
];
