import type { Severity } from '../findings/severity.ts';
import { count, formatDay, formatMoment, formatNumber, listed, severityNames } from './labels.ts';
import {
  acceptedRisks,
  concentration,
  firstStep,
  inThePeriod,
  lead,
  nameOf,
  needsAttention,
  oldestOpen,
  situation,
  trend,
} from './narrative-sentences.ts';
import { plainText } from './plain-text.ts';
import type { ReportHead } from './report-model.ts';
import { coversAnyOpen, coversClosed, coversEveryStatus } from './selection.ts';

/**
 * The executive summary of a report. All texts are single lines of plain text, except `remediation`, which is Markdown.
 */
export type Narrative = {
  /** The key point, in one or two sentences. */
  lead: string;
  paragraphs: string[];
  /** Key figures, at most four; none if there are no findings. */
  figures: Array<{ label: string; value: string; note: string }>;
  /** The first steps, in order, at most five. */
  steps: Array<{ title: string; why: string; remediation: string | null; finding_id: string }>;
  /** The open findings that were first seen longest ago, at most five. */
  oldest: Array<{ title: string; detail: string; severity: Severity; finding_id: string }>;
};

/** Writes the executive summary: a pure function of the report's figures. */
export function narrate(head: ReportHead): Narrative {
  return {
    lead: lead(head),
    paragraphs: paragraphs(head),
    figures: figures(head),
    steps: head.first_steps.map((step) => ({
      title: nameOf(step.rule.name || step.rule.id),
      why: whyFirst(step),
      remediation: step.remediation === null ? null : plainText(step.remediation),
      finding_id: step.finding_id,
    })),
    oldest: head.oldest_open.map((finding) => ({
      title: nameOf(finding.title),
      detail: `In ${nameOf(finding.data_source)}, first seen on ${formatDay(finding.first_seen_at)}, ${ago(finding.age_days)}.`,
      severity: finding.severity,
      finding_id: finding.id,
    })),
  };
}

function whyFirst({ open, data_sources: dataSources, severity }: ReportHead['first_steps'][number]): string {
  const name = severityNames[severity].toLowerCase();
  if (open === 1) return `1 open finding, of ${name} severity.`;
  return `${count(open, 'open finding')} in ${count(dataSources, 'data source')}, of up to ${name} severity.`;
}

const ago = (days: number) => (days < 1 ? 'less than a day ago' : `${count(days, 'day')} ago`);

function paragraphs(head: ReportHead): string[] {
  if (head.summary.total === 0) {
    return [
      'No scan or import has reported a finding that this report covers. This does not prove that there are no problems: ' +
        'the result depends on the connected data sources, the scans that ran on them, and the filters of this report.',
    ];
  }
  const sentences: string[][] = [
    situation(head),
    inThePeriod(head),
    [trend(head)],
    [concentration(head), oldestOpen(head)],
    [...needsAttention(head), acceptedRisks(head)],
    firstStep(head),
  ];
  return sentences
    .map((paragraph) => paragraph.filter((sentence) => sentence !== '').join(' '))
    .filter((paragraph) => paragraph !== '');
}

function figures(head: ReportHead): Narrative['figures'] {
  if (head.summary.total === 0) return [];
  return [...(coversAnyOpen(head) ? openFigures(head) : [closedFigure(head)]), newFigure(head), lastFigure(head)];
}

function openFigures({ open, open_by_severity: { critical, high }, summary, filters }: ReportHead) {
  const whole = filters.status ? 'in this selection' : `of ${formatNumber(summary.total)} in total`;
  const severe = critical + high === 0 ? 'none open' : `${formatNumber(critical)} critical, ${formatNumber(high)} high`;
  return [
    { label: 'Open findings', value: formatNumber(open), note: whole },
    { label: 'Critical or high', value: formatNumber(critical + high), note: severe },
  ];
}

const closedFigure = ({ summary }: ReportHead) => ({
  label: 'Closed findings',
  value: formatNumber(summary.total),
  note: 'open findings left out',
});

function newFigure(head: ReportHead) {
  const { opened, opened_still_open: open } = head.in_period;
  const since = coversEveryStatus(head) ? `${formatNumber(open)} still open` : 'first seen then';
  return { label: 'New in the period', value: formatNumber(opened), note: opened === 0 ? 'nothing new' : since };
}

/** Returns the number of closed findings or, if the filters leave those out, the age of the oldest finding. */
function lastFigure(head: ReportHead) {
  const { closed, resolved } = head.in_period;
  const oldest = head.oldest_open[0];
  if (!coversClosed(head) && oldest)
    return { label: 'Oldest open', value: count(oldest.age_days, 'day'), note: severityNames[oldest.severity] };
  const note = closed === 0 ? 'nothing closed' : `${formatNumber(resolved)} resolved`;
  return { label: 'Closed in the period', value: formatNumber(closed), note };
}

const shownValues = 6;
const nameOrTime = (value: string) => (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? formatMoment(value) : nameOf(value));

/** Says what the report covers: the organization, the time and the filters. */
export function selectionSentence(head: ReportHead): string {
  const organization = plainText(head.organization.name, { line: true, max: 120 });
  const at = formatMoment(head.taken_at);
  if (head.selection.length === 0) return `All findings of ${organization} as of ${at}.`;
  const parts = head.selection.map(({ label, values }) => {
    const shown = values.slice(0, shownValues).map(nameOrTime);
    const others = values.length - shown.length;
    if (others > 0) shown.push(count(others, 'other'));
    return `${plainText(label, { line: true, max: 60 }).toLowerCase()} ${listed(shown, others > 0 ? 'and' : 'or')}`;
  });
  return `Findings of ${organization} as of ${at}, with ${parts.join('; ')}.`;
}
