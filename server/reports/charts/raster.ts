import { Resvg } from '@resvg/resvg-js';
import type { Chart } from './chart.ts';

/**
 * The chart as PNG, `scale` pixels for each of its units, on white. Letters come from these font files alone, so that
 * it looks the same on every machine; the first family among them stands in for one that is missing.
 */
export function rasterize(chart: Chart, scale: number, fontFiles: string[]): Uint8Array {
  const image = new Resvg(chart.svg, {
    background: '#ffffff',
    fitTo: { mode: 'zoom', value: scale },
    font: { loadSystemFonts: false, fontFiles, defaultFontFamily: 'Inter' },
  });
  return image.render().asPng();
}
