import type { RegisterEntry } from '../analysis/analysis-model.ts';
import type { ReportHead } from '../report-model.ts';
import { type Wording, wordingOf } from '../sentences/wording.ts';
import { type Block, heading, type Inline, note, paragraph, severityBadge, table, text } from './blocks.ts';
import { findingInline, type Targets } from './targets.ts';
import { lineOf, shortened } from './texts.ts';

const maxReason = 400;
/** The rows of an audit, whose findings need the other pages. */
const shownInAudit = 300;

/** Returns who decided not to fix what, when, why and until when. */
export function registerBlocks(head: ReportHead, targets: Targets): Block[] {
  const register = head.analysis?.register;
  if (!register || register.accepted_risk.total + register.false_positive.total === 0) return [];
  const { accepted_risk: accepted, false_positive: wrong, entries } = register;
  const { say } = wordingOf(head);
  const without = (key: 'register.no_reason' | 'register.no_end', n: number) => (n === 0 ? '' : say(key, { n }));
  const shown = head.template === 'audit' ? entries.slice(0, shownInAudit) : entries;
  const of = (status: RegisterEntry['status']) => shown.filter((entry) => entry.status === status);
  return [
    heading(1, 'register', say('heading.register'), { newPage: true }),
    ...part(head, 'accepted', accepted.total, of('accepted_risk'), targets, [
      without('register.no_reason', accepted.without_reason),
      without('register.no_end', accepted.without_end),
    ]),
    ...part(head, 'false_positives', wrong.total, of('false_positive'), targets, [
      without('register.no_reason', wrong.without_reason),
    ]),
  ];
}

function part(
  head: ReportHead,
  id: 'accepted' | 'false_positives',
  total: number,
  entries: RegisterEntry[],
  targets: Targets,
  notes: string[],
): Block[] {
  if (total === 0) return [];
  const isAccepted = id === 'accepted';
  const words = wordingOf(head);
  const { say } = words;
  const title = say(`heading.${id}`);
  const rest = entries.length < total ? [say('register.cut', { n: entries.length, id: head.id })] : [];
  return [
    heading(2, id, title),
    paragraph([say('register.count', { n: total }), ...notes.filter((value) => value !== ''), ...rest].join(' ')),
    ...(entries.length === 0
      ? []
      : [
          table({
            caption: null,
            description: say('register.description', { title }),
            dense: true,
            columns: [
              { label: say('column.finding'), width: { share: 1.6 } },
              { label: say('column.decided_by'), width: { mm: 24 } },
              { label: say('column.on'), width: { mm: 17 } },
              { label: say('column.reason'), width: { share: 1 } },
              ...(isAccepted ? [{ label: say('column.until'), width: { mm: 17 } }] : []),
            ],
            rows: entries.map((entry) => ({ cells: cells(entry, targets, isAccepted, words) })),
          }),
        ]),
  ];
}

const cells = (entry: RegisterEntry, targets: Targets, isAccepted: boolean, { say, date }: Wording): Inline[][] => [
  [
    severityBadge(entry.severity),
    text('  '),
    findingInline(entry.id, lineOf(entry.title, 120), targets),
    note(`  ${lineOf(entry.data_source.name, 60)}`),
  ],
  [text(entry.decided_by ? lineOf(entry.decided_by.name, 60) : say('not_known'))],
  [text(entry.decided_at ? date(entry.decided_at) : say('not_known'))],
  [text(entry.reason ? shortened(lineOf(entry.reason, 1_000), maxReason) : say('register.no_reason_given'))],
  ...(isAccepted ? [[text(entry.accepted_until ? date(entry.accepted_until) : say('register.endless'))]] : []),
];
