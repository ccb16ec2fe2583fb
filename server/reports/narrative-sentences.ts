import { type Severity, severities } from '@assay/scanner/contract/severity.ts';
import { plainText } from './plain-text.ts';
import { type ReportHead, selectionIn } from './report-model.ts';
import { coversAnyOpen, coversClosed, coversEveryStatus } from './selection.ts';
import { type Wording, wordingOf } from './sentences/wording.ts';

/** Returns a title or name for use in a sentence. */
export const nameOf = (text: string, { say }: Wording): string =>
  plainText(text, { line: true, max: 120 }) || say('unnamed');
const quoted = (text: string, words: Wording) => words.say('quoted', { name: nameOf(text, words) });

/** Returns the parts `3 are critical`, `12 high` and `40 medium`, without severities that have no findings. */
function bySeverity(figures: Record<Severity, number>, words: Wording) {
  const found = severities.filter((severity) => figures[severity] > 0);
  const parts = found.map((severity, index) =>
    words.say(index === 0 ? 'situation.first' : 'situation.next', {
      n: figures[severity],
      severity: words.severityWord(severity),
    }),
  );
  return { parts: words.list(parts), first: figures[found[0]!] };
}

/** Returns the most important sentence. */
export function lead(head: ReportHead): string {
  const { say } = wordingOf(head);
  const { total } = head.summary;
  if (total === 0) return say(selectionIn(head).length === 0 ? 'lead.none' : 'lead.no_match');
  if (head.open > 0) return say('lead.open', { n: head.open, how: howSevere(head) });
  if (!coversAnyOpen(head)) return say('lead.only_closed', { n: total });
  return total === 1 ? say('lead.closed_one') : say('lead.closed_all', { n: total });
}

function howSevere(head: ReportHead): string {
  const { open, open_by_severity: figures } = head;
  const { say, severityWord } = wordingOf(head);
  const { critical, high } = figures;
  const mostSevere = severities.find((severity) => figures[severity] > 0)!;
  const severity = severityWord(mostSevere);
  if (open === 1) return mostSevere === 'info' ? say('how.one_info') : say('how.one', { severity });
  if (mostSevere === 'info') return say('how.all_info');
  if (figures[mostSevere] === open) return say('how.all', { severity });
  if (critical + high === 0) return say('how.none_severe');
  return critical > 0 && high > 0
    ? say('how.both', { critical, high })
    : say('how.some', { n: critical + high, severity });
}

/** Returns the number of findings, the severities of the open ones, and how the others were closed. */
export function situation(head: ReportHead): string[] {
  const values = { n: head.summary.total, sources: head.summary.by_data_source.length };
  return [wordingOf(head).say('situation.covers', values), openOnes(head), closedOnes(head)];
}

function openOnes(head: ReportHead): string {
  const { open, open_by_severity: figures, summary } = head;
  const words = wordingOf(head);
  const kinds = severities.filter((severity) => figures[severity] > 0);
  // The lead already states it.
  if (open === 0 || kinds.length === 1) return '';
  const key = open === summary.total ? 'situation.of_these' : 'situation.of_open';
  return words.say(key, { n: open, ...bySeverity(figures, words) });
}

const waysToClose = ['resolved', 'false_positive', 'accepted_risk'] as const;

function closedOnes(head: ReportHead): string {
  const { open, summary } = head;
  const { say, list } = wordingOf(head);
  const closed = summary.total - open;
  const ways = waysToClose
    .map((status) => ({ n: summary.by_status[status], how: say(`way.${status}`, { n: summary.by_status[status] }) }))
    .filter(({ n }) => n > 0);
  const first = ways[0];
  if (closed === 0 || !first) return '';
  if (closed === 1) return say(open > 0 ? 'closed.one' : 'closed.it', { how: first.how });
  if (ways.length === 1) return say(open > 0 ? 'closed.the' : 'closed.all', { n: closed, how: first.how });
  const parts = ways.map((way, index) => say(index === 0 ? 'closed.first' : 'closed.next', way));
  return say(open > 0 ? 'closed.of_the' : 'closed.of_these', { n: closed, first: first.n, parts: list(parts) });
}

/**
 * Returns the findings opened and closed in the period; closings are left out if the filters exclude closed findings.
 */
export function inThePeriod(head: ReportHead): string[] {
  const { opened, closed } = head.in_period;
  const { say, period, day } = wordingOf(head);
  const isDay = day(head.period.from) === day(head.period.to);
  const when = say(isDay ? 'when.on' : 'when.from', { period: period(head.period) });
  const since = opened > 0 && coversEveryStatus(head) ? stillOpen(head) : '';
  return [
    opened === 0
      ? say(coversEveryStatus(head) ? 'period.none_new' : 'period.none_seen', { when })
      : say('period.new', { when, n: opened, since }),
    coversClosed(head) && closed > 0 ? closedInPeriod(head) : '',
  ];
}

function stillOpen(head: ReportHead): string {
  const { opened, opened_still_open: open } = head.in_period;
  const { say } = wordingOf(head);
  if (opened === 1) return say(open === 1 ? 'since.one_open' : 'since.one_closed');
  if (open === opened) return say('since.all_open');
  return open === 0 ? say('since.all_closed') : say('since.some', { n: open });
}

function closedInPeriod(head: ReportHead): string {
  const { closed, resolved } = head.in_period;
  const { say } = wordingOf(head);
  const decided = closed - resolved;
  if (decided === 0) return say(closed === 1 ? 'closing.one_resolved' : 'closing.all_resolved', { n: closed });
  return resolved === 0
    ? say('closing.decided', { n: decided })
    : say('closing.both', { n: closed, resolved, decided });
}

/** Compares the number of open findings with that at the start of the roll-forward. */
export function trend(head: ReportHead): string {
  const roll = head.analysis?.roll_forward;
  if (!roll) return '';
  const { say, day } = wordingOf(head);
  const { open_then: before, open_now: now } = roll.total;
  const values = { n: before, day: day(roll.since) };
  if (before === now) return before === 0 ? '' : say('trend.same', values);
  const orNone = (value: number) => (value === 0 ? say('trend.none') : value);
  return say(`trend.${direction(before, now)}`, { ...values, now: orNone(now), before: orNone(before) });
}

/** A change by one finding or by 2% is not a trend. */
function direction(before: number, now: number): 'steady' | 'rising' | 'falling' {
  if (Math.abs(now - before) <= Math.max(1, before * 0.02)) return 'steady';
  return now > before ? 'rising' : 'falling';
}

/** Names the data source with the most open findings, if there are several and one stands out. */
export function concentration(head: ReportHead): string {
  const words = wordingOf(head);
  const [most, second] = head.top_data_sources;
  if (!most || head.summary.by_data_source.length < 2 || most.open === second?.open) return '';
  const name = quoted(most.name, words);
  if (!second) return head.open === 1 ? '' : words.say('concentration.all', { name });
  const share = words.share(most.open, head.open);
  return words.say('concentration.most', { name, part: most.open, all: head.open, share });
}

export function oldestOpen(head: ReportHead): string {
  const words = wordingOf(head);
  const oldest = head.oldest_open[0];
  if (!oldest || oldest.age_days < 1) return '';
  return words.say(head.open === 1 ? 'oldest.only' : 'oldest.first', {
    n: oldest.age_days,
    day: words.day(oldest.first_seen_at),
    title: quoted(oldest.title, words),
    source: quoted(oldest.data_source, words),
    severity: words.severityWord(oldest.severity),
  });
}

/** Returns the severe findings without an assignee, and the reopened ones. */
export function needsAttention(head: ReportHead): string[] {
  const { say } = wordingOf(head);
  const severe = head.open_by_severity.critical + head.open_by_severity.high;
  const unassigned = head.unassigned_open.critical + head.unassigned_open.high;
  const whose = severe === 1 ? 'only' : unassigned === severe ? 'any' : 'some';
  const { reopened } = head;
  return [
    unassigned > 0 ? say(`attention.${whose}`, { n: unassigned, all: severe }) : '',
    reopened > 0 ? say('attention.reopened', { n: reopened }) : '',
  ];
}

export function acceptedRisks(head: ReportHead): string {
  const { total, ending_soon: ending } = head.accepted_risks;
  const { say } = wordingOf(head);
  if (ending === 0) return '';
  if (total === 1) return say('risks.only');
  if (ending < total) return say('risks.some', { n: ending, all: total });
  return total === 2 ? say('risks.both') : say('risks.all', { n: total });
}

/** Names the rule to start with, and the share of the open findings that the first rules account for. */
export function firstStep(head: ReportHead): string[] {
  const words = wordingOf(head);
  const [first, ...others] = head.first_steps;
  if (!first) return [];
  const covered = head.first_steps.reduce((sum, step) => sum + step.open, 0);
  const share = words.share(covered, head.open);
  return [
    words.say(first.open === 1 ? 'start.one' : 'start.several', {
      rule: quoted(first.rule.name || first.rule.id, words),
      n: first.open,
      sources: first.data_sources,
      severity: words.severityWord(first.severity),
    }),
    others.length > 0 && covered < head.open
      ? words.say('start.share', { rules: head.first_steps.length, n: covered, open: head.open, share })
      : '',
  ];
}
