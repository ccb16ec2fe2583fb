import type { EChartsOption } from 'echarts';
import { init, setPlatformAPI } from 'echarts/dist/echarts.esm.min.mjs';
import { textWidth } from './text-width.ts';

// Where there is no canvas to measure with; kept on the safe side, so that no name is cut off.
setPlatformAPI({
  measureText: (text, font) => ({ width: textWidth(text, Number(font?.match(/([\d.]+)px/)?.[1] ?? 12)) }),
});

/** Draws ECharts options as an SVG document without style sheet, script or ids. The same options give the same text. */
export function drawSvg(options: EChartsOption, width: number, height: number): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption(options);
    return tidy(chart.renderToSVGString());
  } finally {
    chart.dispose();
  }
}

/** Leaves out what serves pointers and clips nothing, and with it the ids that count up from one drawing to the next. */
const tidy = (svg: string): string =>
  svg
    .replace(/<(style|defs)\b[\s\S]*?<\/\1>\n?/g, '')
    .replace(/<[^<>]*>/g, (tag) => tag.replace(/ (?:ecmeta_\w+|class|clip-path|pointer-events)="[^"]*"/g, ''));
