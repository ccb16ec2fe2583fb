import { severities } from '../../../findings/severity.ts';
import { count, formatMoment, formatNumber, formatPeriod, severityNames } from '../../labels.ts';
import { selectionSentence } from '../../narrative.ts';
import { plainText } from '../../plain-text.ts';
import type { ReportHead } from '../../report-model.ts';
import { textParagraph } from './paragraph.ts';
import { cell, table } from './table.ts';
import type { Xml } from './xml.ts';

/** Returns the first page: organization, title, scope, time and number of findings. */
export function cover(head: ReportHead): Xml {
  const name = plainText(head.organization.name, { line: true, max: 200 });
  const facts: Array<[string, string]> = [
    ['Period', formatPeriod(head.period)],
    ['Covers', selectionSentence(head)],
    ['As of', formatMoment(head.taken_at)],
    ['Prepared by', preparedBy(head)],
    ['Findings', totals(head)],
    ['Report', head.id],
  ];
  return [
    textParagraph('CoverOrganization', name),
    textParagraph('Title', plainText(head.title, { line: true, max: 300 })),
    textParagraph('Subtitle', 'Security findings report'),
    table({
      style: 'Facts',
      widths: [1_900, 7_700],
      rowHeaders: true,
      description: 'What this report covers',
      rows: facts.map(([label, value]) => [cell(label, 'FactLabel'), cell(value)]),
    }),
    textParagraph('Note', `Confidential. For ${name} and its authorized recipients.`),
  ].join('');
}

function preparedBy(head: ReportHead): string {
  const name = head.created_by && plainText(head.created_by.name, { line: true, max: 120 });
  if (head.scheduled_report_id === null) return name ? `${name}, with Assay` : 'Assay';
  return name ? `Assay, on a schedule set up by ${name}` : 'Assay, on a schedule';
}

function totals(head: ReportHead): string {
  const { total } = head.summary;
  if (total === 0) return 'None';
  const open = severities
    .filter((severity) => head.open_by_severity[severity] > 0)
    .map((severity) => `${formatNumber(head.open_by_severity[severity])} ${severityNames[severity].toLowerCase()}`);
  const ofThem = open.length === 0 ? 'none of them open' : `${formatNumber(head.open)} open: ${open.join(', ')}`;
  return `${count(total, 'finding')}, ${ofThem}`;
}
