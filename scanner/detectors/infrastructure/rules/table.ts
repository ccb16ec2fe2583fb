import type { Severity } from '../../../contract/severity.ts';
import { type Expectation, type Must, readExpectation } from './expectation.ts';

/** The parts that all rows of a table share: the weakness and its risk. */
export type Family = {
  cwe: string[];
  risk: string;
  /** Follows the sentence that names the attribute. */
  advice?: string;
};

export type TableRow = {
  id: string;
  title: string;
  severity: Severity;
  cwe: string[];
  knownAs: string[];
  types: string[];
  /** The row's resources: those whose attribute has one of the values, or none of them. */
  condition: { attribute: string; words: string[]; isMet: boolean } | null;
  attribute: string;
  expectation: Expectation;
  risk: string;
  remediation: string;
};

/**
 * A check in one line, which the type checker parses: `id | title | severity | names in other tools | types | attribute
 * | what it must be`. Types may be followed by `where ATTRIBUTE = A, B` or `unless ATTRIBUTE = A, B`.
 */
export type RowText = `${string} | ${string} | ${Severity} | ${string} | ${string} | ${string} | ${Must}`;

type Cells = [string, string, Severity, string, string, string, Must];

/** Returns the cells of a row. Throws if it has more or fewer. */
export function cellsOf(row: string, count: number): string[] {
  const cells = row.split(' | ');
  if (cells.length !== count || cells.includes('')) throw new Error(`It does not have ${count} cells: ${row}`);
  return cells;
}

export const readTable = (family: Family, rows: RowText[]): TableRow[] =>
  rows.map((row) => {
    const [id, title, severity, knownAs, types, attribute, must] = cellsOf(row, 7) as Cells;
    const expectation = readExpectation(must);
    // If the resource itself is wrong and not an attribute, the cell says what to do instead.
    const advice = attribute.startsWith('- ')
      ? attribute.slice(2)
      : expectation.advice(attribute.split(' or ')[0]!.replaceAll('?', ''));
    return {
      id,
      title,
      severity,
      cwe: family.cwe,
      knownAs: knownAs.split(' '),
      ...readTypes(types),
      attribute,
      expectation,
      risk: family.risk,
      remediation: family.advice ? `${advice} ${family.advice}` : advice,
    };
  });

export function readTypes(text: string): Pick<TableRow, 'types' | 'condition'> {
  const [, types = '', word, attribute = '', words = ''] = /^(.*?)(?: (where|unless) (\S+) = (.*))?$/.exec(text)!;
  return {
    types: types.split(' '),
    condition: word ? { attribute, words: words.split(', '), isMet: word === 'where' } : null,
  };
}
