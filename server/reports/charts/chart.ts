/**
 * A picture of a report's figures. `width` and `height` are those of the SVG: 640 wide is the whole width of the text,
 * 310 half of it; if all are scaled alike, so are their letters (12 units make 9 points on A4 between usual margins).
 * Text in it is text, in `Assay Sans`. `caption` says what it shows; `alternative` gives its figures in words.
 */
export type Chart = {
  id: 'severity' | 'source' | 'weekly' | 'age' | 'data_sources';
  caption: string;
  alternative: string;
  svg: string;
  width: number;
  height: number;
};
