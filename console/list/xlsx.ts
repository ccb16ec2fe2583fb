import { strToU8, zipSync } from 'fflate';

export type Cell = string | number;

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaging = 'http://schemas.openxmlformats.org/package/2006';
const sheets = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const typeOf = (part: string) => `application/vnd.openxmlformats-officedocument.spreadsheetml.${part}+xml`;

export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The limit of a cell, in UTF-16 code units. */
const maxLength = 32_767;
/** In characters: a wider column leaves no room for others. */
const maxWidth = 60;

/** Returns text in the form that XML can contain. */
const escaped = (text: string) =>
  text
    .slice(0, maxLength)
    .toWellFormed()
    .replaceAll(/[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

/** A text is inline, so that nothing evaluates it. */
const cellXml = (cell: Cell) =>
  typeof cell === 'number'
    ? `<c><v>${cell}</v></c>`
    : `<c t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;

function sheetXml(rows: readonly (readonly Cell[])[]): string {
  const columns = (rows[0] ?? []).map((_, column) => {
    const longest = Math.max(...rows.map((row) => String(row[column]).length));
    return `<col min="${column + 1}" max="${column + 1}" width="${Math.min(longest + 2, maxWidth)}" customWidth="1"/>`;
  });
  return `<worksheet xmlns="${sheets}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns.join('')}</cols><sheetData>${rows
    .map((row) => `<row>${row.map(cellXml).join('')}</row>`)
    .join('')}</sheetData></worksheet>`;
}

/** Returns an Excel workbook with one sheet, whose first row has the headings and stays in sight. */
export function xlsxOf(name: string, rows: readonly (readonly Cell[])[]): Uint8Array<ArrayBuffer> {
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${packaging}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${typeOf('sheet.main')}"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${typeOf('worksheet')}"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${packaging}/relationships"><Relationship Id="r1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${sheets}" xmlns:r="${office}"><sheets><sheet name="${escaped(name.slice(0, 31))}" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packaging}/relationships"><Relationship Id="r1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': sheetXml(rows),
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([path, xml]) => [path, strToU8(declaration + xml)])));
}
