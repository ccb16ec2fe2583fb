import type { Severity } from '@assay/scanner/contract/severity.ts';
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
import { type ReportHead, selectionIn } from './report-model.ts';
import { coversAnyOpen, coversClosed, coversEveryStatus } from './selection.ts';
import { type Wording, wordingOf } from './sentences/wording.ts';

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
  const words = wordingOf(head);
  return {
    lead: lead(head),
    paragraphs: paragraphs(head),
    figures: figures(head),
    steps: head.first_steps.map((step) => ({
      title: nameOf(step.rule.name || step.rule.id, words),
      why: words.say(step.open === 1 ? 'why.one' : 'why.several', {
        n: step.open,
        sources: step.data_sources,
        severity: words.severityWord(step.severity),
      }),
      remediation: step.remediation === null ? null : plainText(step.remediation),
      finding_id: step.finding_id,
    })),
    oldest: head.oldest_open.map((finding) => ({
      title: nameOf(finding.title, words),
      detail: words.say(finding.age_days < 1 ? 'oldest.today' : 'oldest.detail', {
        source: nameOf(finding.data_source, words),
        day: words.day(finding.first_seen_at),
        n: finding.age_days,
      }),
      severity: finding.severity,
      finding_id: finding.id,
    })),
  };
}

function paragraphs(head: ReportHead): string[] {
  if (head.summary.total === 0) return [wordingOf(head).say('nothing_found')];
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

type Figure = Narrative['figures'][number];

function figures(head: ReportHead): Figure[] {
  if (head.summary.total === 0) return [];
  const words = wordingOf(head);
  return [
    ...(coversAnyOpen(head) ? openFigures(head, words) : [closedFigure(head, words)]),
    newFigure(head, words),
    lastFigure(head, words),
  ];
}

function openFigures(head: ReportHead, { say, number }: Wording): Figure[] {
  const { critical, high } = head.open_by_severity;
  const whole = head.filters.status ? say('figure.in_selection') : say('figure.of_total', { n: head.summary.total });
  const severe = critical + high === 0 ? say('figure.none_open') : say('figure.severe_note', { critical, high });
  return [
    { label: say('figure.open'), value: number(head.open), note: whole },
    { label: say('figure.severe'), value: number(critical + high), note: severe },
  ];
}

const closedFigure = ({ summary }: ReportHead, { say, number }: Wording): Figure => ({
  label: say('figure.closed'),
  value: number(summary.total),
  note: say('figure.open_left_out'),
});

function newFigure(head: ReportHead, { say, number }: Wording): Figure {
  const { opened, opened_still_open: open } = head.in_period;
  const since = coversEveryStatus(head) ? say('figure.still_open', { n: open }) : say('figure.seen_then');
  return { label: say('figure.new'), value: number(opened), note: opened === 0 ? say('figure.nothing_new') : since };
}

/** Returns the number of closed findings or, if the filters exclude those, the age of the oldest finding. */
function lastFigure(head: ReportHead, { say, number, severity }: Wording): Figure {
  const { closed, resolved } = head.in_period;
  const oldest = head.oldest_open[0];
  if (!coversClosed(head) && oldest) {
    const value = say('count.days', { n: oldest.age_days });
    return { label: say('figure.oldest'), value, note: severity(oldest.severity) };
  }
  const note = closed === 0 ? say('figure.nothing_closed') : say('figure.resolved', { n: resolved });
  return { label: say('figure.closed_then'), value: number(closed), note };
}

const shownValues = 6;
const nameOrTime = (value: string, words: Wording) =>
  /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? words.moment(value) : nameOf(value, words);

/** States the scope of the report: the organization, the time and the filters. */
export function selectionSentence(head: ReportHead): string {
  const words = wordingOf(head);
  const organization = plainText(head.organization.name, { line: true, max: 120 });
  const at = words.moment(head.taken_at);
  if (selectionIn(head).length === 0) return words.say('selection.all', { organization, at });
  const parts = selectionIn(head).map((filter) => {
    const shown = filter.values.slice(0, shownValues).map((value) => nameOrTime(value, words));
    const others = filter.values.length - shown.length;
    if (others > 0) shown.push(words.say('count.others', { n: others }));
    const label = plainText(filter.label, { line: true, max: 60 });
    const values = words.list(shown, others > 0 ? 'and' : 'or');
    return words.say('selection.part', { label, lower_label: label.toLowerCase(), values });
  });
  return words.say('selection.some', { organization, at, parts: parts.join('; ') });
}
