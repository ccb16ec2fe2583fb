import { accentColor, count, formatNumber, listed, share } from '../labels.ts';
import type { ReportHead } from '../report-model.ts';
import type { Chart } from './chart.ts';
import { drawSvg } from './draw.ts';
import { type Bar, barsHeight, horizontalBars } from './horizontal-bars.ts';
import { halfWidth, text } from './look.ts';
import { fittedName } from './text-width.ts';

/** More than that are told together, so that the chart stays as high as the one beside it. */
const mostRows = 5;
const nameWidth = 130;
const otherColor = '#9db3ea';

/** Detection sources with open findings, most first; the last row may stand for all others. */
function sourcesOf(head: ReportHead): Array<Bar & { others?: number }> {
  const sources = Object.entries(head.open_by_source)
    .filter(([, open]) => open > 0)
    .sort(([a, openInA], [b, openInB]) => openInB - openInA || (a < b ? -1 : 1))
    .map(([source, open]) => ({
      name: fittedName(head.source_names[source] ?? source, text.fontSize, nameWidth),
      value: open,
      color: accentColor,
    }));
  if (sources.length <= mostRows) return sources;
  const rest = sources.slice(mostRows - 1);
  const value = rest.reduce((sum, one) => sum + one.value, 0);
  return [
    ...sources.slice(0, mostRows - 1),
    { name: count(rest.length, 'other'), value, color: otherColor, others: rest.length },
  ];
}

/** Open findings by detection source: a bar for each. */
const sourceOptions = (head: ReportHead) => horizontalBars(sourcesOf(head), halfWidth);

export function drawSource(head: ReportHead): Chart | null {
  const sources = sourcesOf(head);
  const [most, second] = sources;
  if (!most) return null;
  const height = barsHeight(sources.length);
  const part = `${formatNumber(most.value)} of ${formatNumber(head.open)} (${share(most.value, head.open)})`;
  const ahead = second && most.value > second.value ? `: ${most.name} leads with ${part}` : '';
  const lead = second ? ahead : `: all are from ${most.name}`;
  return {
    id: 'source',
    caption: `Open findings by source${lead}.`,
    alternative: `Bar chart of ${count(head.open, 'open finding')} by detection source: ${listed(
      sources.map(({ name, value }) => `${name} ${formatNumber(value)}`),
    )}.`,
    svg: drawSvg(sourceOptions(head), halfWidth, height),
    width: halfWidth,
    height,
  };
}
