import { keyFigureNames } from '../analysis-model.ts';
import { plainText } from '../plain-text.ts';
import type { ReportHead } from '../report-model.ts';
import { type Wording, wordingOf } from '../sentences/wording.ts';
import type { KeyFigure } from './blocks.ts';

/** Returns the sentence with the overall verdict, before its reasons. */
export function verdict(head: ReportHead): string {
  const { analysis, open_by_severity: open } = head;
  const { say } = wordingOf(head);
  const overdue = analysis?.key_figures.overdue.value ?? 0;
  const severe = open.critical + open.high;
  const [first, second] = [
    ...(severe > 0 ? [say('verdict.severe', { n: severe, change: changeOf(head) })] : []),
    ...(overdue > 0 ? [say('verdict.overdue', { n: overdue })] : []),
  ];
  if (head.summary.total === 0) return say('verdict.none');
  if (first === undefined) return say('verdict.quiet');
  const reasons = second === undefined ? first : say('verdict.both', { first, second });
  return say(overdue > 0 || open.critical > 0 ? 'verdict.now' : 'verdict.plan', { reasons });
}

function changeOf(head: ReportHead): string {
  const change = head.analysis?.key_figures.open_critical_high.change;
  const comparison = head.analysis?.comparison;
  if (!comparison || change === null || change === undefined) return '';
  const { say, day } = wordingOf(head);
  const which = change === 0 ? 'same' : change > 0 ? 'more' : 'fewer';
  return say(`verdict.${which}`, { n: Math.abs(change), day: day(comparison.taken_at) });
}

/** Returns the six key figures with their change since the earlier report; none if they were not computed. */
export function sixFigures(head: ReportHead): KeyFigure[] {
  const { analysis } = head;
  if (!analysis) return [];
  const words = wordingOf(head);
  return keyFigureNames.map((name) => {
    const { value, change } = analysis.key_figures[name];
    return {
      label: words.say(`key_figure.${name}`),
      value: value === null ? '–' : words.number(value),
      note: noteOf(value, change, analysis.comparison !== null, words),
    };
  });
}

function noteOf(value: number | null, change: number | null, isCompared: boolean, { say }: Wording): string {
  if (value === null) return say('key_figure_note.unknown');
  if (!isCompared) return '';
  if (change === null) return say('key_figure_note.unknown_earlier');
  if (change === 0) return say('key_figure_note.same');
  return say(change > 0 ? 'key_figure_note.more' : 'key_figure_note.fewer', { n: Math.abs(change) });
}

/** States what the changes refer to, or that there is no earlier report; empty if nothing was computed. */
export function comparisonNote(head: ReportHead): string {
  if (!head.analysis) return '';
  const { comparison } = head.analysis;
  const { say, day } = wordingOf(head);
  if (!comparison) return say('comparison.none');
  const title = say('quoted', { name: plainText(comparison.report.title, { line: true, max: 120 }) });
  const since = say('comparison.since', { title, day: day(comparison.taken_at) });
  return comparison.same_filters ? since : since + say('comparison.other_filters');
}
