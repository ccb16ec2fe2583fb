import type { Severity } from '../../../../findings/severity.ts';
import { type Expectation, readExpectation } from './expectation.ts';

/** What the rows of a table have in common. */
export type Family = {
  severity: Severity;
  cwe: string[];
  risk: string;
  /** Follows the sentence that names the attribute. */
  advice?: string;
};

export type TableRow = {
  id: string;
  title: string;
  types: string[];
  /** The resources that the row is for: those whose attribute has one of the values, or has none of them. */
  condition: { attribute: string; words: string[]; isMet: boolean } | null;
  attribute: string;
  expectation: Expectation;
  knownAs: string[];
  severity: Severity;
  cwe: string[];
  risk: string;
  remediation: string;
};

/**
 * Reads rows of `id | title | types | attribute | what it must be | names in other tools | severity`. The severity may be
 * left out: it is that of the family. Types may be followed by `where ATTRIBUTE = A, B` or `unless ATTRIBUTE = A, B`.
 */
export function readTable(family: Family, text: string): TableRow[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [id, title, types, attribute, must, knownAs, severity] = line.split('|').map((cell) => cell.trim());
      if (!id || !title || !types || !attribute || !must || !knownAs) throw new Error(`A cell is missing: ${line}`);
      const expectation = readExpectation(must);
      // Where no attribute is wrong but the resource itself, the cell says what to do instead.
      const advice = attribute.startsWith('- ')
        ? attribute.slice(2)
        : expectation.advice(attribute.split(' or ')[0]!.replaceAll('?', ''));
      return {
        id,
        title,
        ...readTypes(types),
        attribute,
        expectation,
        knownAs: knownAs.split(' '),
        severity: (severity as Severity) || family.severity,
        cwe: family.cwe,
        risk: family.risk,
        remediation: family.advice ? `${advice} ${family.advice}` : advice,
      };
    });
}

export function readTypes(text: string): Pick<TableRow, 'types' | 'condition'> {
  const [, types = '', word, attribute = '', words = ''] = /^(.*?)(?: (where|unless) (\S+) = (.*))?$/.exec(text)!;
  return {
    types: types.split(' '),
    condition: word ? { attribute, words: words.split(', '), isMet: word === 'where' } : null,
  };
}
