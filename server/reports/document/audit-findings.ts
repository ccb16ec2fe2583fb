import { isOpen } from '../../findings/lifecycle.ts';
import { severities } from '../../findings/severity.ts';
import { count, formatNumber, severityNames } from '../labels.ts';
import { shorten } from '../plain-text.ts';
import type { ReportHead } from '../report-model.ts';
import { type Block, heading, paragraph, type Row, table, text } from './blocks.ts';
import { cardBlocks, titleOf } from './card.ts';
import { findingsOf, type Group, numbersOf } from './groups.ts';

/** Longer titles would take two lines. */
const maxIndexTitle = 85;

/** Returns the findings as an index and a card for each package or rule, by severity. */
export function auditFindingBlocks(head: ReportHead, groups: Group[]): Block[] {
  const { total } = head.summary;
  const detailed = groups.reduce((sum, group) => sum + findingsOf(group).length, 0);
  const start = heading(1, 'findings', 'Findings');
  if (total === 0)
    return [start, paragraph('This report has no findings: none matched its selection when the snapshot was taken.')];
  return [
    start,
    paragraph(introduction(head, groups.length, detailed)),
    heading(2, 'index', 'Index of findings'),
    ...index(groups),
    ...severities.flatMap((severity) => {
      const own = groups.filter((group) => group.severity === severity);
      if (own.length === 0) return [];
      const title = `${severityNames[severity]}: ${count(own.length, 'problem')}`;
      return [
        heading(2, `severity_${severity}`, title, { severity }),
        ...own.flatMap((group) => cardBlocks(group, head)),
      ];
    }),
  ];
}

function introduction(head: ReportHead, problems: number, detailed: number): string {
  const { total } = head.summary;
  const which =
    detailed < total
      ? `This report covers ${count(total, 'finding')}. The ${formatNumber(detailed)} most severe are shown here`
      : `The ${count(total, 'finding')} of this report are shown here`;
  return (
    `${which} as ${count(problems, 'problem')}: one for each package or rule, at the severity of its most severe ` +
    'finding. Findings in the same file or package with the same owner and status share a row. Texts that end in […] ' +
    `are shortened; the technical document and the CSV export of report ${head.id} contain them in full` +
    `${detailed < total ? ', and the CSV export contains all findings' : ''}.`
  );
}

/** Returns a table for each severity. */
const index = (groups: Group[]): Block[] =>
  [...Map.groupBy(groups, ({ severity }) => severity)].map(([severity, own]) =>
    table({
      caption: `${severityNames[severity]} problems`,
      description: `${severityNames[severity]} problems with the short ids of their findings`,
      dense: true,
      tight: true,
      columns: [
        { label: 'No.', width: { mm: 24 } },
        { label: 'Problem', width: { share: 1 } },
        { label: 'Findings', width: { mm: 15 }, align: 'right' },
        { label: 'Open', width: { mm: 12 }, align: 'right' },
      ],
      rows: own.map(indexRow),
    }),
  );

function indexRow(group: Group): Row {
  const findings = findingsOf(group);
  return {
    cells: [
      [text(numbersOf(group.rows.flat()))],
      [{ kind: 'goto', target: group.id, text: shorten(titleOf(group), maxIndexTitle) }],
      [text(formatNumber(findings.length))],
      [text(formatNumber(findings.filter(({ status }) => isOpen(status)).length))],
    ],
  };
}
