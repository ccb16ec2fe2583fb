import type { RegisterEntry } from '../analysis/analysis-model.ts';
import { count, formatNumber } from '../labels.ts';
import type { ReportHead } from '../report-model.ts';
import { type Block, heading, type Inline, note, paragraph, severityBadge, table, text } from './blocks.ts';
import { findingInline } from './summary.ts';
import { lineOf, shortened } from './texts.ts';

const maxReason = 400;

/** Returns who decided not to fix what, when, why and until when. */
export function registerBlocks(head: ReportHead, targets: Map<string, string>): Block[] {
  const register = head.analysis?.register;
  if (!register || register.accepted_risk.total + register.false_positive.total === 0) return [];
  const { accepted_risk: accepted, false_positive: wrong, entries } = register;
  const of = (status: RegisterEntry['status']) => entries.filter((entry) => entry.status === status);
  return [
    heading(1, 'register', 'Accepted risks and false positives', { newPage: true }),
    ...part(head, 'accepted', 'Accepted risks', accepted.total, of('accepted_risk'), targets, [
      missing(accepted.without_reason, 'has no reason', 'have no reason'),
      missing(accepted.without_end, 'has no end date', 'have no end date'),
    ]),
    ...part(head, 'false_positives', 'False positives', wrong.total, of('false_positive'), targets, [
      missing(wrong.without_reason, 'has no reason', 'have no reason'),
    ]),
  ];
}

const missing = (value: number, one: string, many: string) =>
  value === 0 ? '' : `${formatNumber(value)} ${value === 1 ? one : many}.`;

function part(
  head: ReportHead,
  id: string,
  title: string,
  total: number,
  entries: RegisterEntry[],
  targets: Map<string, string>,
  notes: string[],
): Block[] {
  if (total === 0) return [];
  const isAccepted = id === 'accepted';
  const rest =
    entries.length < total
      ? ` The ${formatNumber(entries.length)} most severe are listed; the CSV export of report ${head.id} contains all.`
      : '';
  return [
    heading(2, id, title),
    paragraph(`${count(total, 'finding')}. ${notes.filter((value) => value !== '').join(' ')}${rest}`.trim()),
    ...(entries.length === 0
      ? []
      : [
          table({
            caption: null,
            description: `${title}: finding, who decided, when and why`,
            dense: true,
            columns: [
              { label: 'Finding', width: { share: 1.6 } },
              { label: 'Decided by', width: { mm: 24 } },
              { label: 'On', width: { mm: 17 } },
              { label: 'Reason', width: { share: 1 } },
              ...(isAccepted ? [{ label: 'Until', width: { mm: 17 } }] : []),
            ],
            rows: entries.map((entry) => ({ cells: cells(entry, targets, isAccepted) })),
          }),
        ]),
  ];
}

const cells = (entry: RegisterEntry, targets: Map<string, string>, isAccepted: boolean): Inline[][] => [
  [
    severityBadge(entry.severity),
    text('  '),
    findingInline(entry.id, lineOf(entry.title, 120), targets),
    note(`  ${lineOf(entry.data_source.name, 60)}`),
  ],
  [text(entry.decided_by ? lineOf(entry.decided_by.name, 60) : 'Not known')],
  [text(entry.decided_at?.slice(0, 10) ?? 'Not known')],
  [text(entry.reason ? shortened(lineOf(entry.reason, 1_000), maxReason) : 'None given')],
  ...(isAccepted ? [[text(entry.accepted_until?.slice(0, 10) ?? 'No end')]] : []),
];
