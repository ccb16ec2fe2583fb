import { ageDays, closedBy, closedReason, consoleUrl, cvesOf, cwesOf } from '../../document/finding-facts.ts';
import { kindName, resolutionNames, severityNames, statusNames } from '../../labels.ts';
import type { ReportFinding, ReportHead } from '../../report-model.ts';
import { type Cell, moment } from './cells.ts';
import type { Column } from './workbook.ts';

export type FindingColumn = Column & { cell(finding: ReportFinding): Cell };

const lines = (texts: string[]): string => texts.join('\n');

const commentText = ({ author, created_at, comment }: ReportFinding['comments'][number]): string =>
  `${created_at} ${author ?? 'Assay'}: ${comment}`;

/** Returns the columns of findings; numbers and ids are links if the URL of the console is known. */
export function findingColumns(
  head: Pick<ReportHead, 'taken_at' | 'source_names'>,
  baseUrl: string | null | undefined,
): FindingColumn[] {
  const now = Date.parse(head.taken_at);
  const linked = (id: string, text = id): Cell => {
    const link = consoleUrl(baseUrl, id);
    return link === null ? text : { link, text };
  };
  const column = (header: string, width: number, cell: FindingColumn['cell']): FindingColumn => ({
    header,
    width,
    cell,
  });
  return [
    column('Number', 10, ({ id, number }) => linked(id, number)),
    column('ID', 31, ({ id }) => linked(id)),
    column('Title', 60, ({ title }) => title),
    column('Severity', 10, ({ severity }) => severityNames[severity]),
    column('Status', 14, ({ status }) => statusNames[status]),
    column('Priority', 9, ({ priority }) => priority),
    column('Due (UTC)', 16, ({ due_at }) => moment(due_at)),
    column('Age (days)', 11, (finding) => ageDays(finding, now)),
    column('Data source', 24, ({ data_source }) => data_source.name),
    column('Kind', 16, ({ data_source }) => kindName(data_source.kind)),
    column('Source', 16, ({ source }) => head.source_names[source] ?? source),
    column('Assignee', 20, ({ assignee }) => assignee?.name ?? null),
    column('Assignee e-mail', 26, ({ assignee }) => assignee?.email ?? null),
    column('Path', 40, ({ location }) => location.path),
    column('Line', 8, ({ location }) => location.start_line),
    column('URL', 40, ({ location }) => location.url),
    column('Commit', 14, ({ location }) => location.commit),
    column('Package', 24, ({ location }) => location.package?.name ?? null),
    column('Version', 12, ({ location }) => location.package?.version ?? null),
    column('Fixed in', 12, ({ location }) => location.package?.fixed_version ?? null),
    column('Ecosystem', 12, ({ location }) => location.package?.ecosystem ?? null),
    column('CVE', 17, (finding) => lines(cvesOf(finding))),
    column('CWE', 12, (finding) => lines(cwesOf(finding))),
    column('Standards', 24, ({ standards }) => lines(standards)),
    column('CVSS', 7, ({ cvss_score }) => cvss_score),
    column('Rule', 30, ({ rule }) => rule.name),
    column('Rule ID', 30, ({ rule }) => rule.id),
    column('First seen (UTC)', 16, ({ first_seen_at }) => moment(first_seen_at)),
    column('Last seen (UTC)', 16, ({ last_seen_at }) => moment(last_seen_at)),
    column('Closed (UTC)', 16, ({ closed_at }) => moment(closed_at)),
    column('Resolution', 20, ({ resolution }) => (resolution === null ? null : resolutionNames[resolution])),
    column('Closed by', 20, closedBy),
    column('Closed because', 40, closedReason),
    column('Accepted until (UTC)', 19, ({ accepted_until }) => moment(accepted_until)),
    column('Reopened', 10, ({ reopened_count }) => reopened_count),
    column('Places', 8, ({ occurrences }) => occurrences),
    column('Tags', 20, ({ tags }) => tags.join(', ')),
    column('Description', 60, ({ description }) => description),
    column('Remediation', 60, ({ remediation }) => remediation),
    column('Evidence', 40, ({ evidence }) => evidence),
    column('References', 40, ({ references }) => lines(references)),
    column('Comments', 40, ({ comments }) => lines(comments.map(commentText))),
    column('Identifiers', 24, ({ identifiers }) => lines(identifiers)),
    column('Confidence', 11, ({ confidence }) => confidence ?? null),
    column('Context', 10, ({ context }) => context ?? null),
    column('Fingerprint', 28, ({ fingerprint }) => fingerprint),
    column('EPSS', 8, ({ epss }) => epss ?? null),
    column('Exploited since (KEV)', 19, ({ kev }) => kev ?? null),
    column('Severity before demotion', 23, ({ scanner_severity: severity }) =>
      severity ? severityNames[severity] : null,
    ),
  ];
}
