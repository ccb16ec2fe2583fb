import { formatMoment } from '../../labels.ts';
import type { ReportHead } from '../../report-model.ts';
import { appendix } from '../pdf/appendix.ts';
import { caption } from './caption.ts';
import { textParagraph } from './paragraph.ts';
import type { References } from './references.ts';
import { cell, table } from './table.ts';
import type { Xml } from './xml.ts';

/** Explains the report to readers who did not create it. */
export function appendixXml(head: ReportHead, references: References): Xml {
  const { severities, statuses } = appendix(head);
  return [
    textParagraph(
      'BodyText',
      `This report is a snapshot: it shows what was known on ${formatMoment(head.taken_at)} and does not change ` +
        'afterwards. All its exports (PDF, DOCX, CSV, JSON, SARIF, OCSF) are made from this snapshot. ' +
        `Its id is ${head.id}.`,
    ),
    textParagraph(
      'BodyText',
      'A finding is one problem in one data source, however often scans see it. If it occurs in several places, the ' +
        'report counts them and lists the first ones. Times are in UTC. Secrets in evidence were redacted when they were found.',
    ),
    meanings('What the severities mean', 'Severity', severities, references),
    meanings('What the statuses mean', 'Status', statuses, references),
    textParagraph('Note', `End of report ${head.id}.`),
  ].join('');
}

function meanings(
  label: string,
  first: string,
  terms: Array<{ word: string; meaning: string }>,
  references: References,
): Xml {
  return (
    caption('Table', label, references) +
    table({
      style: 'Summary',
      widths: [1_900, 7_700],
      header: [cell(first), cell('Meaning')],
      rows: terms.map(({ word, meaning }) => [cell(word), cell(meaning)]),
      rowHeaders: true,
      description: label,
    })
  );
}
