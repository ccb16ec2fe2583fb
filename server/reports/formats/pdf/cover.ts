import { severities } from '../../../findings/severity.ts';
import { formatMoment, formatNumber, formatPeriod, severityColors, severityNames } from '../../labels.ts';
import type { ReportHead } from '../../report-model.ts';
import { type RichInline, textInline } from './rich.ts';
import { lineOf, words } from './text.ts';

const shownValues = 12;

/** Returns the first page: organization, title, period, key figures and scope. */
export function cover(head: ReportHead, title: string, organization: string) {
  return {
    organization: words(organization),
    title: words(title),
    'title-size': title.length > 60 ? 24 : 34,
    period: formatPeriod(head.period),
    figures: [
      { value: formatNumber(head.open), label: head.open === 1 ? 'open finding' : 'open findings' },
      { value: formatNumber(head.summary.total), label: 'in total, including closed' },
    ],
    severities: severities.map((severity) => ({
      name: severityNames[severity],
      color: severityColors[severity],
      open: head.open_by_severity[severity],
      count: formatNumber(head.open_by_severity[severity]),
    })),
    /** The minimum size of a part of the strip, so that one finding of thousands is visible. */
    thinnest: head.open / 80,
    rows: rows(head),
    confidential: `Confidential. For ${organization} and its authorized recipients.`,
  };
}

function rows(head: ReportHead): Array<{ label: string; value: RichInline[] }> {
  const plain = (text: string): RichInline[] => [textInline(text)];
  const selection = head.selection.map(({ label, values }) => {
    const others = values.length - shownValues;
    const shown = values
      .slice(0, shownValues)
      .map((value) => lineOf(value, 100))
      .join(', ');
    return { label: lineOf(label, 40), value: plain(others > 0 ? `${shown} and ${formatNumber(others)} more` : shown) };
  });
  const author = head.created_by ? lineOf(head.created_by.name, 100) : null;
  return [
    { label: 'As of', value: plain(formatMoment(head.taken_at)) },
    { label: 'Period', value: plain(formatPeriod(head.period)) },
    ...(selection.length > 0 ? selection : [{ label: 'Selection', value: plain('All findings') }]),
    {
      label: 'Prepared by',
      value: plain(
        head.scheduled_report_id === null
          ? (author ?? 'Assay')
          : `Assay, on a schedule${author ? ` set up by ${author}` : ''}`,
      ),
    },
    { label: 'Report', value: [{ kind: 'code', text: head.id }] },
  ];
}
