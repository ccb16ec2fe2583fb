import { type Severity, severities } from '../findings/severity.ts';
import { count, formatDay, formatNumber, formatPeriod, listed, severityNames, share } from './labels.ts';
import { plainText } from './plain-text.ts';
import type { ReportHead } from './report-model.ts';
import { coversAllTimes, coversAnyOpen, coversClosed, coversEveryStatus, coversHistory } from './selection.ts';

/** Returns a title or name for use in a sentence. */
export const nameOf = (text: string): string => plainText(text, { line: true, max: 120 }) || 'without a name';
const quoted = (text: string) => `“${nameOf(text)}”`;

const be = (value: number) => (value === 1 ? 'is' : 'are');
const was = (value: number) => (value === 1 ? 'was' : 'were');
const has = (value: number) => (value === 1 ? 'has' : 'have');

/** Returns `3 are critical, 12 high and 40 medium`, without severities that have no findings. */
const bySeverity = (figures: Record<Severity, number>) =>
  listed(
    severities
      .filter((severity) => figures[severity] > 0)
      .map((severity, index) => {
        const verb = index === 0 ? `${be(figures[severity])} ` : '';
        return `${formatNumber(figures[severity])} ${verb}${severityNames[severity].toLowerCase()}`;
      }),
  );

/** Returns the sentence that matters most. */
export function lead(head: ReportHead): string {
  const { total } = head.summary;
  if (total === 0) {
    return head.selection.length === 0 ? 'There are no findings.' : 'No findings match this selection.';
  }
  if (head.open > 0) return `${count(head.open, 'finding')} ${be(head.open)} open, ${howSevere(head)}.`;
  if (!coversAnyOpen(head)) return `${count(total, 'closed finding')}; this report leaves out open findings.`;
  return total === 1 ? 'The only finding is closed.' : `All ${formatNumber(total)} findings are closed.`;
}

function howSevere({ open, open_by_severity: figures }: ReportHead): string {
  const { critical, high } = figures;
  const mostSevere = severities.find((severity) => figures[severity] > 0)!;
  const name = severityNames[mostSevere].toLowerCase();
  if (open === 1) return mostSevere === 'info' ? 'for information only' : `of ${name} severity`;
  if (mostSevere === 'info') return 'all of them informational';
  if (figures[mostSevere] === open) return `all of them ${name}`;
  if (critical + high === 0) return 'none of them critical or high';
  return critical > 0 && high > 0
    ? `${formatNumber(critical)} of them critical and ${formatNumber(high)} high`
    : `${formatNumber(critical + high)} of them ${name}`;
}

/** Returns the number of findings, the severities of the open ones, and how the others were closed. */
export function situation(head: ReportHead): string[] {
  const sources = count(head.summary.by_data_source.length, 'data source');
  return [
    `This report covers ${count(head.summary.total, 'finding')} in ${sources}.`,
    openOnes(head),
    closedOnes(head),
  ];
}

function openOnes({ open, open_by_severity: figures, summary: { total } }: ReportHead): string {
  const kinds = severities.filter((severity) => figures[severity] > 0);
  // The lead already says it.
  if (open === 0 || kinds.length === 1) return '';
  return `Of ${open === total ? 'these' : `the ${formatNumber(open)} open findings`}, ${bySeverity(figures)}.`;
}

const waysToClose = [
  ['resolved', 'resolved', 'resolved'],
  ['false_positive', 'marked as a false positive', 'marked as false positives'],
  ['accepted_risk', 'accepted as a risk', 'accepted as risks'],
] as const;

function closedOnes({ open, summary: { total, by_status: figures } }: ReportHead): string {
  const closed = total - open;
  const ways = waysToClose
    .filter(([status]) => figures[status] > 0)
    .map(([status, one, many]) => ({ value: figures[status], how: figures[status] === 1 ? one : many }));
  if (closed === 0 || !ways[0]) return '';
  if (closed === 1) return `${open > 0 ? 'The closed finding' : 'It'} was ${ways[0].how}.`;
  if (ways.length === 1)
    return `${open > 0 ? `The ${formatNumber(closed)} closed findings` : 'All of them'} were ${ways[0].how}.`;
  const parts = ways.map(
    ({ value, how }, index) => `${formatNumber(value)} ${index === 0 ? `${was(value)} ` : ''}${how}`,
  );
  return `Of ${open > 0 ? `the ${formatNumber(closed)} closed findings` : 'these'}, ${listed(parts)}.`;
}

/** Returns what was opened and closed in the period; nothing about closing if the filters leave out closed findings. */
export function inThePeriod(head: ReportHead): string[] {
  const { opened, closed } = head.in_period;
  const period = formatPeriod(head.period);
  const when = period.includes(' to ') ? `From ${period}` : `On ${period}`;
  const none = coversEveryStatus(head) ? 'no new findings were found' : 'no finding was seen for the first time';
  const isNew = `${count(opened, 'finding')} ${was(opened)} seen for the first time`;
  const since = opened > 0 && coversEveryStatus(head) ? `; ${stillOpen(head)}` : '';
  return [
    `${when}, ${opened === 0 ? none : isNew}${since}.`,
    coversClosed(head) && closed > 0 ? closedInPeriod(head) : '',
  ];
}

function stillOpen({ in_period: { opened, opened_still_open: open } }: ReportHead): string {
  if (opened === 1) return open === 1 ? 'it is still open' : 'it has since been closed';
  if (open === opened) return 'all of them are still open';
  if (open === 0) return 'all of them have since been closed';
  return `${formatNumber(open)} of them ${be(open)} still open`;
}

function closedInPeriod({ in_period: { closed, resolved } }: ReportHead): string {
  const decided = closed - resolved;
  const start = `In the same period, ${count(closed, 'finding')} ${was(closed)} closed`;
  if (decided === 0) return closed === 1 ? `${start} as resolved.` : `${start}, all of them as resolved.`;
  const decision = decided === 1 ? 'as a false positive or accepted risk' : 'as false positives or accepted risks';
  if (resolved === 0) return `${start} ${decision}.`;
  return `${start}: ${formatNumber(resolved)} resolved and ${formatNumber(decided)} marked ${decision}.`;
}

/** Compares the number of open findings with four weeks and half a year ago. */
export function trend(head: ReportHead): string {
  const ago = head.weekly.at(-5)?.open;
  if (ago === undefined || !coversHistory(head) || !coversAllTimes(head)) return '';
  if (head.weekly.slice(0, -4).every(({ open }) => open === 0)) return '';
  const first = head.weekly.length === 26 ? head.weekly[0]!.open : 0;
  const halfYear = first > 0 ? [`${formatNumber(first)} half a year ago`] : [];
  if (ago === head.open) {
    const same =
      ago === 0
        ? 'No finding is open, the same as four weeks ago'
        : `The number of open findings is the same as four weeks ago: ${formatNumber(ago)}`;
    return `${[same, ...halfYear].join('; there were ')}.`;
  }
  const earlier = listed([`${numberOrNone(ago)} four weeks ago`, ...halfYear]);
  return `${direction(ago, head.open)}: ${numberOrNone(head.open)} now, compared with ${earlier}.`;
}

const numberOrNone = (value: number) => (value === 0 ? 'none' : formatNumber(value));

/** A change by one finding or by 2% is not a trend. */
function direction(before: number, now: number): string {
  if (Math.abs(now - before) <= Math.max(1, before * 0.02)) return 'The number of open findings has hardly changed';
  return `The number of open findings is ${now > before ? 'rising' : 'falling'}`;
}

/** Names the data source with the most open findings, if there are several and one stands out. */
export function concentration(head: ReportHead): string {
  const [most, second] = head.top_data_sources;
  if (!most || head.summary.by_data_source.length < 2 || most.open === second?.open) return '';
  if (!second) return head.open === 1 ? '' : `All open findings are in ${quoted(most.name)}.`;
  const part = `${formatNumber(most.open)} of ${formatNumber(head.open)}`;
  return `${quoted(most.name)} has the most open findings: ${part} (${share(most.open, head.open)}).`;
}

export function oldestOpen(head: ReportHead): string {
  const oldest = head.oldest_open[0];
  if (!oldest || oldest.age_days < 1) return '';
  const which = head.open === 1 ? 'The open finding' : 'The oldest open finding';
  const when = `${count(oldest.age_days, 'day')} ago, on ${formatDay(oldest.first_seen_at)}`;
  const severity = severityNames[oldest.severity].toLowerCase();
  return `${which} was first seen ${when}: ${quoted(oldest.title)} in ${quoted(oldest.data_source)} (${severity}).`;
}

/** Returns the severe findings without an assignee, and the reopened ones. */
export function needsAttention(head: ReportHead): string[] {
  const severe = head.open_by_severity.critical + head.open_by_severity.high;
  const unassigned = head.unassigned_open.critical + head.unassigned_open.high;
  const whose =
    severe === 1
      ? 'the only open finding of critical or high severity'
      : `${unassigned === severe ? 'any' : formatNumber(unassigned)} of the ${formatNumber(severe)} open findings of critical or high severity`;
  const { reopened } = head;
  return [
    unassigned > 0 ? `Nobody is assigned to ${whose}.` : '',
    reopened > 0 ? `${count(reopened, 'open finding')} ${has(reopened)} come back after being resolved.` : '',
  ];
}

export function acceptedRisks({ accepted_risks: { total, ending_soon: ending } }: ReportHead): string {
  if (ending === 0) return '';
  if (total === 1)
    return 'The acceptance of the only accepted risk expires within 30 days; the finding is then open again.';
  const all = total === 2 ? 'both' : `all ${formatNumber(total)}`;
  const which = ending === total ? all : `${formatNumber(ending)} of the ${formatNumber(total)}`;
  return `The acceptance of ${which} accepted risks expires within 30 days; ${ending === 1 ? 'that finding is' : 'those findings are'} then open again.`;
}

/** Names the rule to start with, and the share of the open findings that the first rules account for. */
export function firstStep(head: ReportHead): string[] {
  const [first, ...others] = head.first_steps;
  if (!first) return [];
  const where = first.open === 1 ? '' : ` in ${count(first.data_sources, 'data source')}`;
  const severity = severityNames[first.severity].toLowerCase();
  const covered = head.first_steps.reduce((sum, step) => sum + step.open, 0);
  const rules = `The ${head.first_steps.length} most urgent rules account for`;
  return [
    `Start with ${quoted(first.rule.name || first.rule.id)}: ${count(first.open, 'open finding')}${where}, ${first.open === 1 ? 'of' : 'up to'} ${severity} severity.`,
    others.length > 0 && covered < head.open
      ? `${rules} ${formatNumber(covered)} of the ${formatNumber(head.open)} open findings (${share(covered, head.open)}).`
      : '',
  ];
}
