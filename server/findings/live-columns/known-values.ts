import { countValues, selectionOf } from '../columns/counting.ts';
import type { FindingColumns } from '../columns/finding-columns.ts';
import { compareBytes } from './questions.ts';

/** A value that findings have, and how many. */
export type KnownValue = { value: string; name: string; count: number };

/** A page of the values behind `after` that contain a text, or whose name does, in any case. */
export type KnownQuestion = { after: string; q?: string | undefined; limit: number };

/** Returns the name of a rule as its newest finding of the highest severity has it; null when no finding is of the rule. */
function nameOfRule(columns: FindingColumns, rule: string): string | null {
  const newest = { key: ['severity', 'firstSeenAt'] as const, descending: true, after: null, limit: 1 };
  const [row] = columns.page([{ text: 'ruleId', in: [rule] }], newest);
  const { ruleName } = columns.texts;
  return row === undefined ? null : ruleName.value(ruleName.codes[row]!);
}

/** Returns the names of rules by their ids, of those that findings have. */
export const nameRules = (columns: FindingColumns, rules: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    rules.flatMap((rule) => {
      const name = nameOfRule(columns, rule);
      return name === null ? [] : [[rule, name]];
    }),
  );

const contains = (text: string, q: string) => text.toLowerCase().includes(q.toLowerCase());

/** Returns the rules of which some finding has a name that contains the text. */
function rulesNamed(columns: FindingColumns, q: string): Set<string | null> {
  const names = columns.texts.ruleName.values().filter((name) => contains(name!, q));
  const bits = columns.select([{ text: 'ruleName', in: names }]);
  return new Set(countValues(columns, selectionOf(bits), 'ruleId').keys());
}

/** Lists the rules or tags of findings in the order of their bytes. The name of a tag is the tag. */
export function listKnown(
  columns: FindingColumns,
  field: 'rule' | 'tag',
  { after, q, limit }: KnownQuestion,
): KnownValue[] {
  const all = countValues(columns, selectionOf(columns.select([])), field === 'rule' ? 'ruleId' : 'tags');
  const named = field === 'rule' && q !== undefined ? rulesNamed(columns, q) : null;
  const known: KnownValue[] = [];
  const values = [...all.keys()].filter((value) => value !== null && compareBytes(value, after) > 0) as string[];
  for (const value of values.sort(compareBytes)) {
    if (known.length === limit) break;
    const hasText = q === undefined || contains(value, q);
    if (!hasText && !named?.has(value)) continue;
    const name = field === 'rule' ? nameOfRule(columns, value)! : value;
    if (hasText || contains(name, q)) known.push({ value, name, count: all.get(value)! });
  }
  return known;
}
