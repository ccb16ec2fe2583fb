/**
 * A chart of a report's figures. `width` and `height` are those of the SVG: 640 is the full width of the text, 310 half
 * of it. If all charts are scaled by the same factor, their letters have the same size (12 units are 9 points on A4
 * with usual margins). Text stays text, in `Assay Sans`. `caption` describes the chart; `alternative` has its figures
 * in words.
 */
export type Chart = {
  id: 'severity' | 'source' | 'weekly' | 'age' | 'data_sources';
  caption: string;
  alternative: string;
  svg: string;
  width: number;
  height: number;
};
