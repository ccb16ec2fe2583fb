import { Resvg } from '@resvg/resvg-js';
import type { Chart } from './chart.ts';

/**
 * The chart as PNG, `scale` pixels for each of its units, on white. Letters come from these font files alone, so that
 * it looks the same on every machine.
 */
export function rasterize(chart: Chart, scale: number, fontFiles: string[]): Uint8Array {
  return read(chart, fontFiles, { background: '#ffffff', fitTo: { mode: 'zoom', value: scale } })
    .render()
    .asPng();
}

/** Scripts whose letters join or change places: what is set by their glyphs can't be read back letter by letter. */
const shaped = /[\u0600-\u08FF\u0900-\u0DFF\u0F00-\u109F\u1780-\u17FF\u1800-\u18AF\uFB1D-\uFDFF\uFE70-\uFEFF]/;

/** The chart with its letters as shapes, if it holds such a script: PDF/UA wants a letter for each glyph of a text. */
export const withShapedTextDrawn = (chart: Chart, fontFiles: string[]): Chart =>
  shaped.test(chart.svg) ? { ...chart, svg: read(chart, fontFiles).toString() } : chart;

const read = (chart: Chart, fontFiles: string[], options = {}) =>
  new Resvg(chart.svg, {
    ...options,
    font: { loadSystemFonts: false, fontFiles, defaultFontFamily: 'Assay Sans' },
  });
