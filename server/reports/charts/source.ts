import type { ReportHead } from '../report-model.ts';
import { type Wording, wordingOf } from '../sentences/wording.ts';
import type { Chart } from './chart.ts';
import { drawSvg } from './draw.ts';
import { type Bar, barsHeight, horizontalBars } from './horizontal-bars.ts';
import { accentOf, halfWidth, pale, text } from './look.ts';
import { fittedName, nameInSentence } from './text-width.ts';

/** Further sources share one row, so that the chart is as tall as the one beside it. */
const maxRows = 5;
const nameWidth = 130;

/** Returns the detection sources with open findings, most first; the last row may combine all others. */
function sourcesOf(head: ReportHead): Array<Bar & { said: string }> {
  const sources = Object.entries(head.open_by_source)
    .filter(([, open]) => open > 0)
    .sort(([a, openInA], [b, openInB]) => openInB - openInA || (a < b ? -1 : 1))
    .map(([source, open]) => ({
      said: nameInSentence(head.source_names[source] ?? source),
      name: fittedName(head.source_names[source] ?? source, text.fontSize, nameWidth),
      value: open,
      color: accentOf(head),
    }));
  if (sources.length <= maxRows) return sources;
  const rest = sources.slice(maxRows - 1);
  const value = rest.reduce((sum, bar) => sum + bar.value, 0);
  const others = wordingOf(head).say('count.others', { n: rest.length });
  return [...sources.slice(0, maxRows - 1), { said: others, name: others, value, color: pale(accentOf(head)) }];
}

/** Draws open findings by detection source: a bar for each. */
const sourceOptions = (head: ReportHead, words: Wording) => horizontalBars(sourcesOf(head), halfWidth, words);

export function drawSource(head: ReportHead): Chart | null {
  const sources = sourcesOf(head);
  const [most, second] = sources;
  if (!most) return null;
  const height = barsHeight(sources.length);
  const words = wordingOf(head);
  const { say, list } = words;
  const values = { name: most.said, n: most.value, open: head.open, share: words.share(most.value, head.open) };
  const key = !second ? 'chart.source_all' : most.value > second.value ? 'chart.source_most' : 'chart.source';
  const figures = list(sources.map(({ said, value }) => say('chart.figure', { name: said, n: value })));
  return {
    id: 'source',
    caption: say(key, values),
    alternative: say('chart.source_alternative', { n: head.open, figures }),
    svg: drawSvg(sourceOptions(head, words), halfWidth, height),
    width: halfWidth,
    height,
  };
}
