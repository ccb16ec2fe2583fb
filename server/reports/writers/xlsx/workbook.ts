import { accentColor } from '../../labels.ts';
import type { ReportHead } from '../../report-model.ts';
import { columnName, escapeAttribute, escapeText, headerCellXml } from './cells.ts';

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const packageNames = 'http://schemas.openxmlformats.org/package/2006';

/** A column of a sheet; its width is in characters. */
export type Column = { header: string; width: number };

/** A sheet that is written: its name and the cells that its filter covers. */
export type WrittenSheet = { name: string; columns: number; rows: number };

/** Returns a sheet up to its first row after the header. */
export const sheetStart = (columns: Column[]): string =>
  `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">` +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>' +
  columns
    .map(({ width }, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`)
    .join('') +
  `</cols><sheetData><row r="1">${columns.map(({ header }, index) => headerCellXml(header, index)).join('')}</row>`;

const filtered = ({ columns, rows }: WrittenSheet) => `A1:${columnName(columns - 1)}${rows}`;
const absolute = ({ columns, rows }: WrittenSheet) => `$A$1:$${columnName(columns - 1)}$${rows}`;

/** Returns the end of a sheet after its last row. */
export const sheetEnd = (sheet: WrittenSheet): string =>
  `</sheetData><autoFilter ref="${filtered(sheet)}"/></worksheet>`;

export const sheetPath = (index: number): string => `xl/worksheets/sheet${index + 1}.xml`;

const contentTypes = (sheets: WrittenSheet[]) =>
  `${declaration}<Types xmlns="${packageNames}/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  '<Default Extension="xml" ContentType="application/xml"/>' +
  '<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>' +
  `<Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${spreadsheet}.styles+xml"/>` +
  sheets
    .map((_, index) => `<Override PartName="/${sheetPath(index)}" ContentType="${spreadsheet}.worksheet+xml"/>`)
    .join('') +
  '</Types>';

const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`;
const relationsOf = (list: string[]) =>
  `${declaration}<Relationships xmlns="${packageNames}/relationships">${list.join('')}</Relationships>`;

const workbook = (sheets: WrittenSheet[]) =>
  `${declaration}<workbook xmlns="${main}" xmlns:r="${relationships}"><bookViews><workbookView activeTab="0"/></bookViews><sheets>` +
  sheets
    .map(({ name }, index) => `<sheet name="${escapeAttribute(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
    .join('') +
  '</sheets><definedNames>' +
  sheets
    .map(
      (sheet, index) =>
        `<definedName name="_xlnm._FilterDatabase" localSheetId="${index}" hidden="1">'${escapeText(sheet.name)}'!${absolute(sheet)}</definedName>`,
    )
    .join('') +
  '</definedNames></workbook>';

const rgb = `FF${accentColor.slice(1).toUpperCase()}`;

/** The cell formats, in the order of `styles`. */
const styleSheet = `${declaration}<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/></numFmts>
<fonts count="3"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><color rgb="FFFFFFFF"/><name val="Calibri"/></font><font><u/><sz val="11"/><color rgb="${rgb}"/><name val="Calibri"/></font></fonts>
<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="${rgb}"/><bgColor indexed="64"/></patternFill></fill></fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="6"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="2" borderId="0" xfId="0" applyFont="1" applyFill="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="2" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

/** The properties of a workbook's file. */
type About = Pick<ReportHead, 'title' | 'organization' | 'taken_at'>;

const properties = ({ title, organization, taken_at }: About) =>
  `${declaration}<cp:coreProperties xmlns:cp="${packageNames}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${escapeText(title)}</dc:title><dc:creator>${escapeText(organization.name)}</dc:creator><dcterms:created xsi:type="dcterms:W3CDTF">${taken_at}</dcterms:created></cp:coreProperties>`;

/** Returns the parts of the package besides its sheets. */
export function workbookParts(head: About, sheets: WrittenSheet[]): Array<{ path: string; text: string }> {
  const ofWorkbook = sheets.map((_, index) =>
    relation(`rId${index + 1}`, `${relationships}/worksheet`, sheetPath(index).slice('xl/'.length)),
  );
  ofWorkbook.push(relation(`rId${sheets.length + 1}`, `${relationships}/styles`, 'styles.xml'));
  const core = `${packageNames}/relationships/metadata/core-properties`;
  const ofPackage = [
    relation('rId1', `${relationships}/officeDocument`, 'xl/workbook.xml'),
    relation('rId2', core, 'docProps/core.xml'),
  ];
  return [
    { path: 'xl/styles.xml', text: styleSheet },
    { path: 'xl/workbook.xml', text: workbook(sheets) },
    { path: 'xl/_rels/workbook.xml.rels', text: relationsOf(ofWorkbook) },
    { path: 'docProps/core.xml', text: properties(head) },
    { path: '_rels/.rels', text: relationsOf(ofPackage) },
    { path: '[Content_Types].xml', text: contentTypes(sheets) },
  ];
}
