import type { EChartsOption } from 'echarts';
import { init, setPlatformAPI } from 'echarts/dist/echarts.esm.min.mjs';
import { textWidth } from './text-width.ts';

// There is no canvas to measure with. The estimate is generous, so that no name is cut off.
setPlatformAPI({
  measureText: (text, font) => ({ width: textWidth(text, Number(font?.match(/([\d.]+)px/)?.[1] ?? 12)) }),
});

/** Draws ECharts options as an SVG document without style sheet, script or ids. The same options give the same SVG. */
export function drawSvg(options: EChartsOption, width: number, height: number): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption(options);
    return tidy(chart.renderToSVGString());
  } finally {
    chart.dispose();
  }
}

/** Removes markup for pointers, and ids that differ between drawings. */
const tidy = (svg: string): string =>
  svg
    .replace(/<(style|clipPath)\b[\s\S]*?<\/\1>\n?/g, '')
    .replace(/<defs\s*>\s*<\/defs>\n?/g, '')
    .replace(/\bzr\d+-/g, '')
    .replace(/<[^<>]*>/g, (tag) => tag.replace(/ (?:ecmeta_\w+|class|clip-path|pointer-events)="[^"]*"/g, ''));
