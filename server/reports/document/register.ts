import type { RegisterEntry } from '../analysis-model.ts';
import type { ReportHead } from '../report-model.ts';
import { wordingOf } from '../sentences/wording.ts';
import { type Block, heading, paragraph } from './blocks.ts';
import { heightOf, usable } from './layout/heights.ts';
import { aloneTable, lineTable, togetherBlocks } from './register-tables.ts';
import type { Targets } from './targets.ts';

/** From this many findings on, a decision is shown once, with its findings as lines. */
const minTogether = 3;
/** The pages of an audit for decisions on single findings. Further decisions get a line each. */
const maxPagesInFull = 8;

/** Returns the decisions not to fix findings: who, what, when, why and until when. */
export function registerBlocks(head: ReportHead, targets: Targets): Block[] {
  const register = head.analysis?.register;
  if (!register || register.accepted_risk.total + register.false_positive.total === 0) return [];
  const { accepted_risk: accepted, false_positive: wrong } = register;
  const { say } = wordingOf(head);
  const without = (key: 'register.no_reason' | 'register.no_end', n: number) => (n === 0 ? '' : say(key, { n }));
  return [
    heading(1, 'register', say('heading.register'), { newPage: true }),
    ...part(head, 'accepted_risk', targets, [
      without('register.no_reason', accepted.without_reason),
      without('register.no_end', accepted.without_end),
    ]),
    ...part(head, 'false_positive', targets, [without('register.no_reason', wrong.without_reason)]),
  ];
}

function part(head: ReportHead, status: RegisterEntry['status'], targets: Targets, notes: string[]): Block[] {
  const register = head.analysis!.register;
  const { total } = register[status];
  if (total === 0) return [];
  const { say } = wordingOf(head);
  const id = status === 'accepted_risk' ? 'accepted' : 'false_positives';
  const entries = register.entries.filter((entry) => entry.status === status);
  const decisions = [...Map.groupBy(entries, decisionOf).values()];
  const together = decisions.filter((members) => members.length >= minTogether);
  const alone = decisions.filter((members) => members.length < minTogether).flat();
  const full = alone.slice(0, roomFor(alone, head, targets));
  const lines = alone.slice(full.length);
  const rest = entries.length < total ? say('register.cut', { n: entries.length, id: head.id }) : '';
  const counts = [say('register.count', { n: total }), ...notes, rest];
  return [
    heading(2, id, say(`heading.${id}`)),
    paragraph(counts.filter((value) => value !== '').join(' ')),
    ...together.flatMap((members) => togetherBlocks(members, head, targets)),
    ...(together.length > 0 && alone.length > 0 ? [paragraph(say('register.alone'), 'note')] : []),
    ...(full.length > 0 ? [aloneTable(full, head, targets)] : []),
    ...(lines.length > 0
      ? [paragraph(say('register.lines', { n: lines.length, id: head.id }), 'note'), lineTable(lines, head, targets)]
      : []),
  ];
}

/**
 * Returns the same key for entries decided together: by the same person, on the same day, for the same reason and time.
 */
const decisionOf = (entry: RegisterEntry): string => {
  const { decided_by: by, decided_at: at, reason, justification, accepted_until: until } = entry;
  return JSON.stringify([by?.id, by?.name, at?.slice(0, 10), reason, justification, until?.slice(0, 10)]);
};

/**
 * Returns how many decisions an audit shows in full, so that pages are left for its findings; other documents show all.
 */
function roomFor(entries: RegisterEntry[], head: ReportHead, targets: Targets): number {
  if (head.template !== 'audit') return entries.length;
  const { paper } = head.document;
  let left = usable(maxPagesInFull, paper) / 2;
  const fits = entries.findIndex((entry) => {
    left -= heightOf(aloneTable([entry], head, targets), paper) - heightOf(aloneTable([], head, targets), paper);
    return left < 0;
  });
  return fits < 0 ? entries.length : fits;
}
