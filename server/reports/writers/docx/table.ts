import { textParagraph } from './paragraph.ts';
import { type Xml, xmlText } from './xml.ts';

/** A cell: its paragraphs, and how many columns it spans. */
export type Cell = { content: Xml; span?: number };

export type Table = {
  style: string;
  /** The widths of the columns, in twentieths of a point. */
  widths: number[];
  /** Repeated on each page. */
  header?: Cell[];
  rows: Cell[][];
  /** Whether the first cell of a row is its header. */
  rowHeaders?: boolean;
  lastRowTotals?: boolean;
  /** The description for assistive technology. */
  description: string;
};

/** Rows with a cell of at least this length may break across pages, because they could be taller than a page. */
const tallRow = 3_000;

export const cell = (text: string, style = 'TableText'): Cell => ({ content: textParagraph(style, text) });

/** Returns a table of fixed columns, so that text without spaces wraps within its cell. A paragraph must follow it. */
export function table(parts: Table): Xml {
  const { widths, header, rows } = parts;
  const grid = widths.map((width) => `<w:gridCol w:w="${width}"/>`).join('');
  return [
    `<w:tbl>${properties(parts)}<w:tblGrid>${grid}</w:tblGrid>`,
    header ? rowXml(header, widths, '<w:cantSplit/><w:tblHeader/>') : '',
    ...rows.map((cells) => rowXml(cells, widths, isTall(cells) ? '' : '<w:cantSplit/>')),
    '</w:tbl>',
  ].join('');
}

/** In the order of the schema: tblStyle, tblW, tblLayout, tblLook, tblCaption. */
function properties({ style, widths, header, rowHeaders, lastRowTotals, description }: Table): Xml {
  const width = widths.reduce((sum, one) => sum + one, 0);
  const bits = (header ? 0x20 : 0) | (lastRowTotals ? 0x40 : 0) | (rowHeaders ? 0x80 : 0) | 0x600;
  const look = [
    `w:val="${bits.toString(16).padStart(4, '0').toUpperCase()}"`,
    `w:firstRow="${header ? 1 : 0}" w:lastRow="${lastRowTotals ? 1 : 0}"`,
    `w:firstColumn="${rowHeaders ? 1 : 0}" w:lastColumn="0" w:noHBand="1" w:noVBand="1"`,
  ].join(' ');
  return (
    `<w:tblPr><w:tblStyle w:val="${style}"/><w:tblW w:w="${width}" w:type="dxa"/><w:tblLayout w:type="fixed"/>` +
    `<w:tblLook ${look}/><w:tblCaption w:val="${xmlText(description)}"/></w:tblPr>`
  );
}

const isTall = (cells: Cell[]) => cells.some(({ content }) => content.length > tallRow);

function rowXml(cells: Cell[], widths: number[], rowProperties: Xml): Xml {
  let column = 0;
  const content = cells.map(({ content, span = 1 }) => {
    const width = widths.slice(column, column + span).reduce((sum, one) => sum + one, 0);
    column += span;
    const columns = span > 1 ? `<w:gridSpan w:val="${span}"/>` : '';
    return `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/>${columns}</w:tcPr>${content}</w:tc>`;
  });
  return `<w:tr>${rowProperties ? `<w:trPr>${rowProperties}</w:trPr>` : ''}${content.join('')}</w:tr>`;
}
