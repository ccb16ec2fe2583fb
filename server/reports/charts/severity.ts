import { severities } from '../../findings/severity.ts';
import { count, formatNumber, listed, severityFills, severityNames, share } from '../labels.ts';
import type { ReportHead } from '../report-model.ts';
import type { Chart } from './chart.ts';
import { drawSvg } from './draw.ts';
import { barsHeight, horizontalBars } from './horizontal-bars.ts';
import { halfWidth } from './look.ts';

/** Draws open findings by severity: a bar for each. */
const severityOptions = (head: ReportHead) =>
  horizontalBars(
    severities.map((severity) => ({
      name: severityNames[severity],
      value: head.open_by_severity[severity],
      color: severityFills[severity].fill,
    })),
    halfWidth,
  );

export function drawSeverity(head: ReportHead): Chart | null {
  if (head.open === 0) return null;
  const height = barsHeight(severities.length);
  const severe = head.open_by_severity.critical + head.open_by_severity.high;
  const figures = severities.map(
    (severity) => `${severityNames[severity].toLowerCase()} ${formatNumber(head.open_by_severity[severity])}`,
  );
  return {
    id: 'severity',
    caption: `Open findings by severity: ${
      severe === 0
        ? 'none is critical or high'
        : `${formatNumber(severe)} of ${formatNumber(head.open)} (${share(severe, head.open)}) ${severe === 1 ? 'is' : 'are'} critical or high`
    }.`,
    alternative: `Bar chart of ${count(head.open, 'open finding')} by severity: ${listed(figures)}.`,
    svg: drawSvg(severityOptions(head), halfWidth, height),
    width: halfWidth,
    height,
  };
}
