import { severities } from '@assay/scanner/contract/severity.ts';
import { severityFills } from '../labels.ts';
import type { ReportHead } from '../report-model.ts';
import { type Wording, wordingOf } from '../sentences/wording.ts';
import type { Chart } from './chart.ts';
import { drawSvg } from './draw.ts';
import { barsHeight, horizontalBars } from './horizontal-bars.ts';
import { halfWidth } from './look.ts';

/** Draws open findings by severity: a bar for each. */
const severityOptions = (head: ReportHead, words: Wording) =>
  horizontalBars(
    severities.map((severity) => ({
      name: words.severity(severity),
      value: head.open_by_severity[severity],
      color: severityFills[severity].fill,
    })),
    halfWidth,
    words,
  );

export function drawSeverity(head: ReportHead): Chart | null {
  if (head.open === 0) return null;
  const words = wordingOf(head);
  const { say, severityWord, list, share } = words;
  const height = barsHeight(severities.length);
  const severe = head.open_by_severity.critical + head.open_by_severity.high;
  const figures = severities.map((severity) =>
    say('chart.figure', { name: severityWord(severity), n: head.open_by_severity[severity] }),
  );
  const values = { n: severe, open: head.open, share: share(severe, head.open) };
  return {
    id: 'severity',
    caption: severe === 0 ? say('chart.severity_none') : say('chart.severity', values),
    alternative: say('chart.severity_alternative', { n: head.open, figures: list(figures) }),
    svg: drawSvg(severityOptions(head, words), halfWidth, height),
    width: halfWidth,
    height,
  };
}
