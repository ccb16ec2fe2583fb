import type { Column, Fact, Inline, Row, Table } from '../../document/blocks.ts';
import { factLines } from '../../document/facts.ts';
import { rowsKeptTogether } from '../../document/pages.ts';
import { caption } from './caption.ts';
import { inlineRuns, inlineText } from './inlines.ts';
import { keptWithNext, paragraph, textParagraph } from './paragraph.ts';
import type { References } from './references.ts';
import { isRightToLeft } from './run.ts';
import { type Cell, cell, table } from './table.ts';
import type { Xml } from './xml.ts';

/** The width of the text, in twentieths of a point. */
const textWidth = 9_600;
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
      widths: [1_500, 3_600, 1_500, 3_000],
      rowHeaders: true,
      description,
      rows: factLines(facts).map(([first, second]) => [
        cell(first!.label, 'FactLabel'),
        ...(second ? [value(first!), cell(second.label, 'FactLabel'), value(second)] : [{ ...value(first!), span: 3 }]),
      ]),
    }) + textParagraph('Spacer', ' ')
  );
}

/** Returns the widths of columns: millimetres as given, and shares of the rest. */
function widthsOf(columns: Column[]): number[] {
  const fixed = columns.map(({ width }) => ('mm' in width ? Math.round(width.mm * perMillimetre) : 0));
  const left = textWidth - fixed.reduce((sum, width) => sum + width, 0);
  const shares = columns.reduce((sum, { width }) => sum + ('share' in width ? width.share : 0), 0);
  const widths = columns.map(({ width }, index) =>
    'share' in width ? Math.floor((left * width.share) / shares) : fixed[index]!,
  );
  widths[0]! += textWidth - widths.reduce((sum, width) => sum + width, 0);
  return widths;
}

/** Returns a table of the document, which keeps the first and last rows together where it breaks. */
export function figureTable({ caption: label, description, columns, rows, dense }: Table, references: References): Xml {
  const styleOf = (index: number) =>
    `${dense ? 'Dense' : 'Table'}${columns[index]!.align === 'right' ? 'Number' : 'Text'}`;
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
      widths: widthsOf(columns),
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
