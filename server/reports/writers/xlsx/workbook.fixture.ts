import assert from 'node:assert/strict';
import { strFromU8, unzipSync } from 'fflate';
import { SaxesParser } from 'saxes';

/** A cell as a spreadsheet program reads it. */
export type Read = { text: string; type: string; style: string; formula: string };

/**
 * Returns the rows of all sheets by name, as a spreadsheet program reads them. Throws for XML that is not well-formed.
 */
export function readWorkbook(bytes: Buffer): Map<string, Read[][]> {
  const parts = Object.fromEntries(Object.entries(unzipSync(bytes)).map(([path, part]) => [path, strFromU8(part)]));
  const sheets = new Map<string, Read[][]>();
  parse(parts['[Content_Types].xml']!, () => {});
  for (const [index, [, name]] of [...parts['xl/workbook.xml']!.matchAll(/<sheet name="([^"]+)"/g)].entries())
    sheets.set(name!, readRows(parts[`xl/worksheets/sheet${index + 1}.xml`]!));
  return sheets;
}

function parse(xml: string, onNode: (name: string, attributes: Record<string, string>, text: string) => void) {
  const parser = new SaxesParser();
  const open: Array<{ attributes: Record<string, string>; text: string }> = [];
  parser.on('opentag', ({ attributes }) => open.push({ attributes: attributes as Record<string, string>, text: '' }));
  parser.on('text', (text) => {
    const node = open.at(-1);
    if (node) node.text += text;
  });
  parser.on('closetag', ({ name }) => {
    const { attributes, text } = open.pop()!;
    onNode(name, attributes, text);
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
}

function readRows(xml: string): Read[][] {
  const rows: Read[][] = [];
  let row: Read[] = [];
  let value = '';
  let formula = '';
  parse(xml, (name, attributes, text) => {
    if (name === 't' || name === 'v') value = text;
    else if (name === 'f') formula = text;
    else if (name === 'c') {
      const letters = /^[A-Z]+/.exec(attributes.r!)![0];
      const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
      assert.equal(attributes.r, `${letters}${rows.length + 1}`);
      const decoded = value.replaceAll(/_x([\dA-F]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
      row[column] = { text: decoded, type: attributes.t ?? 'n', style: attributes.s ?? '0', formula };
      value = '';
      formula = '';
    } else if (name === 'row') {
      rows.push(row);
      row = [];
    }
  });
  return rows;
}
