import { textWidth } from '../../charts/text-width.ts';
import type { Column, Fact, Inline, Row, Table } from '../../document/blocks.ts';
import { factLines } from '../../document/facts.ts';
import { rowsKeptTogether } from '../../document/layout/pages.ts';
import { caption } from './caption.ts';
import { inlineRuns, inlineText } from './inlines.ts';
import { keptWithNext, paragraph, textParagraph } from './paragraph.ts';
import type { References } from './references.ts';
import { isRightToLeft } from './run.ts';
import { type Cell, cell, table } from './table.ts';
import type { Xml } from './xml.ts';

/** The width of the text, in twentieths of a point. */
const fullWidth = 9_600;
const perMillimetre = 1_440 / 25.4;

const inlineCell = (inlines: Inline[], style: string, references: References): Cell => ({
  content: paragraph(style, inlineRuns(inlines, references), { rightToLeft: isRightToLeft(inlineText(inlines)) }),
});

/** Returns facts as a table of labels and values, two short ones in a row. */
export function factsTable(
  facts: Fact[],
  references: References,
  description = references.words.say('layout.details'),
): Xml {
  const value = ({ inlines }: Fact) => inlineCell(inlines, 'TableText', references);
  return (
    table({
      style: 'Facts',
      widths: factWidths(facts),
      rowHeaders: true,
      description,
      rows: factLines(facts).map(([first, second]) => [
        cell(first!.label, 'FactLabel'),
        ...(second ? [value(first!), cell(second.label, 'FactLabel'), value(second)] : [{ ...value(first!), span: 3 }]),
      ]),
    }) + textParagraph('Spacer', ' ')
  );
}

/** Returns the widths of a label, a value, and both again, so that no label wraps. */
function factWidths(facts: Fact[]): number[] {
  const label = Math.max(1_500, ...facts.map((fact) => widthOf(fact.label, 10)));
  const left = fullWidth - 2 * label;
  return [label, Math.floor(left * 0.55), label, Math.ceil(left * 0.45)];
}

/** Returns the width of a cell with this text on one line. */
const widthOf = (text: string, size: number): number => Math.ceil(textWidth(text, size) * widerFont * 20) + cellMargins;

/** Returns the widths of columns: millimeters as given, and shares of the rest. */
function givenWidths(columns: Column[]): number[] {
  const fixed = columns.map(({ width }) => ('mm' in width ? Math.round(width.mm * perMillimetre) : 0));
  const left = fullWidth - fixed.reduce((sum, width) => sum + width, 0);
  const shares = columns.reduce((sum, { width }) => sum + ('share' in width ? width.share : 0), 0);
  const widths = columns.map(({ width }, index) =>
    'share' in width ? Math.floor((left * width.share) / shares) : fixed[index]!,
  );
  widths[0]! += fullWidth - widths.reduce((sum, width) => sum + width, 0);
  return widths;
}

/** The left and right margins of a cell, with some tolerance. */
const cellMargins = 240;
/** If the font is missing, its replacement is up to this much wider than Inter; headers are bold. */
const widerFont = 1.12;
/** Longer words, such as paths, may break; dates and numbers don't. */
const maxWholeWord = 14;

/** Returns the width that the words of a column need: all of its header, and the short ones of its cells. */
function neededWidth({ label }: Column, cells: string[], size: number): number {
  const words = cells.flatMap((text) => text.split(/\s+/)).filter((word) => word.length <= maxWholeWord);
  return Math.max(...[...label.split(/\s+/), ...words].map((word) => widthOf(word, size)));
}

const neededWidths = ({ columns, rows }: Table, size: number): number[] =>
  columns.map((column, index) =>
    neededWidth(
      column,
      rows.map(({ cells }) => inlineText(cells[index] ?? [])),
      size,
    ),
  );

/** Returns the table in a smaller font if words of the usual size would break in its columns. */
const withRoom = (table: Table): Table =>
  neededWidths(table, 10).reduce((sum, width) => sum + width, 0) > fullWidth ? { ...table, dense: true } : table;

/** Returns the widths of columns so that no word breaks: wide columns give space to narrow ones. */
function widthsOf(table: Table): number[] {
  const given = givenWidths(table.columns);
  const needed = neededWidths(table, table.tight ? 7 : table.dense ? 8 : 10);
  const missing = given.reduce((sum, width, index) => sum + Math.max(0, needed[index]! - width), 0);
  const spare = given.reduce((sum, width, index) => sum + Math.max(0, width - needed[index]!), 0);
  const share = Math.min(1, missing / Math.max(1, spare));
  const filled = Math.min(1, spare / Math.max(1, missing));
  const widths = given.map((width, index) => {
    const room = width - needed[index]!;
    return Math.floor(room > 0 ? width - room * share : width - room * filled);
  });
  widths[0]! += fullWidth - widths.reduce((sum, width) => sum + width, 0);
  return widths;
}

/** Returns a table of the document. If it breaks across pages, the first and last rows stay together. */
export function figureTable(given: Table, references: References): Xml {
  const content = withRoom(given);
  const { caption: label, description, columns, rows, dense, tight } = content;
  const styleOf = (index: number) =>
    `${tight ? 'Tight' : dense ? 'Dense' : 'Table'}${columns[index]!.align === 'right' ? 'Number' : 'Text'}`;
  const kept = rowsKeptTogether(rows);
  const isKept = (index: number) =>
    index < rows.length - 1 && (kept.whole || index < kept.first - 1 || index >= rows.length - kept.last);
  const rowCells = ({ cells }: Row, index: number) =>
    cells.map((inlines, column) => {
      const made = inlineCell(inlines, styleOf(column), references);
      return isKept(index) ? { ...made, content: keptWithNext(made.content) } : made;
    });
  return (
    (label === null ? '' : caption('Table', label, references)) +
    table({
      style: 'Summary',
      widths: widthsOf(content),
      header: columns.map((column, index) => {
        const made = cell(column.label, styleOf(index));
        return { ...made, content: keptWithNext(made.content) };
      }),
      rows: rows.map(rowCells),
      lastRowTotals: rows.at(-1)?.total === true,
      rowHeaders: false,
      description,
    }) +
    textParagraph('Spacer', ' ')
  );
}
