import { Resvg } from '@resvg/resvg-js';
import type { Chart } from './chart.ts';

/**
 * Returns the chart as PNG on white, with `scale` pixels per unit. It uses only these font files, so that it looks the
 * same on every machine.
 */
export function rasterize(chart: Chart, scale: number, fontFiles: string[]): Uint8Array {
  return read(chart, fontFiles, { background: '#ffffff', fitTo: { mode: 'zoom', value: scale } })
    .render()
    .asPng();
}

/** Scripts whose letters join or change places: their glyphs can't be mapped back to single letters. */
const shaped = /[\u0600-\u08FF\u0900-\u0DFF\u0F00-\u109F\u1780-\u17FF\u1800-\u18AF\uFB1D-\uFDFF\uFE70-\uFEFF]/;

/** Converts letters to shapes if the chart contains such a script, because PDF/UA requires a letter for each glyph. */
export const withShapedTextDrawn = (chart: Chart, fontFiles: string[]): Chart =>
  shaped.test(chart.svg) ? { ...chart, svg: read(chart, fontFiles).toString() } : chart;

const read = (chart: Chart, fontFiles: string[], options = {}) =>
  new Resvg(chart.svg, {
    ...options,
    font: { loadSystemFonts: false, fontFiles, defaultFontFamily: 'Assay Sans' },
  });
