import { at, isFalse, isRecord, isTrue, textOf, textsOf, type Value } from '../value.ts';

type Required = 'true' | 'false' | `one of ${string}` | `not ${string}` | `>= ${number}`;

/**
 * The allowed values of an attribute, in the words of the tables; `never` if the resource itself is the problem. `X*`
 * is every text that starts with X. With `, set`, a missing attribute is wrong too; with `, if set`, only a present
 * one.
 */
export type Must = Required | `${Required}, set` | `${Required}, if set` | 'set' | 'not set' | 'never';

export type Expectation = {
  isGood(value: Value): boolean;
  isMissingWrong: boolean;
  /** Returns the advice for an attribute's name. */
  advice(attribute: string): string;
  /** Values for samples; null if every value is good. */
  good: Value;
  bad: Value;
};

const matcher = (words: string[]) => {
  const patterns = words.map((word) => {
    const escaped = word.replace(/[^\w]/g, '\\$&');
    return new RegExp(`^${word.length > 1 ? escaped.replace(/\\\*$/, '.*') : escaped}$`, 'is');
  });
  return (text: string) => patterns.some((pattern) => pattern.test(text));
};

const example = (word: string) => (word.length > 1 ? word.replace(/\*$/, 'x') : word);

const mustNotBeSet: Expectation = {
  isGood: () => false,
  isMissingWrong: false,
  advice: (attribute) => `Remove \`${attribute}\`.`,
  good: null,
  bad: 'something',
};

export function readExpectation(text: Must): Expectation {
  const [, words = '', suffix] = /^(.*?)(?:, (set|if set))?$/.exec(text)!;
  const withMissing = (isMissingWrong: boolean) => (suffix === undefined ? isMissingWrong : suffix === 'set');
  const [, operator, rest = ''] = /^(one of|not|>=) (.*)$/.exec(words) ?? [];
  const list = rest.split(', ');
  if (words === 'not set') return mustNotBeSet;
  switch (operator ?? words) {
    case 'true':
      return {
        isGood: (value) => !isFalse(value),
        isMissingWrong: withMissing(true),
        advice: (attribute) => `Set \`${attribute} = true\`.`,
        good: true,
        bad: false,
      };
    case 'false':
      return {
        // `public_network_access = "Enabled"` is the same as `public_network_access_enabled = true`.
        isGood: (value) => !isTrue(value) && !/^enabled$/i.test(textOf(value)),
        isMissingWrong: withMissing(false),
        advice: (attribute) => `Set \`${attribute} = false\`.`,
        good: false,
        bad: true,
      };
    case 'set':
      return {
        isGood: () => true,
        isMissingWrong: true,
        advice: (attribute) => `Set \`${attribute}\`.`,
        good: 'something',
        bad: null,
      };
    case 'one of':
      return {
        isGood: (value) => textsOf(value).every(matcher(list)),
        isMissingWrong: withMissing(true),
        advice: (attribute) => `Set \`${attribute}\` to ${list.map((word) => `\`${word}\``).join(' or ')}.`,
        good: example(list[0]!),
        bad: 'wrong',
      };
    case 'not':
      return {
        isGood: (value) => !textsOf(value).some(matcher(list)),
        isMissingWrong: withMissing(false),
        advice: (attribute) =>
          `Set \`${attribute}\` to something other than ${list.map((word) => `\`${word}\``).join(' or ')}.`,
        good: 'right',
        bad: example(list[0]!),
      };
    case '>=':
      return {
        isGood: (value) => !(Number(textOf(value)) < Number(rest)),
        isMissingWrong: withMissing(true),
        advice: (attribute) => `Set \`${attribute}\` to ${rest} or more.`,
        good: Number(rest),
        bad: Number(rest) - 1,
      };
    case 'never':
      return { isGood: () => false, isMissingWrong: true, advice: () => '', good: null, bad: null };
    default:
      throw new Error(`"${text}" is not an expectation`);
  }
}

const isUnknown = (value: Value) => textOf(value).includes('${');
const isEmpty = (value: Value) =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isRecord(value) && Object.keys(value).length === 0);

const isReference = /^\$\{(?!var\.|local\.|each\.|data\.|module\.)[a-z]+_\w+\.[\w-]+(?:\[[^\]?]*\])?\.\w+\}$/;

type Judgement = { verdict: 'good' | 'missing' | 'unknown' } | { verdict: 'bad'; value: Value };

/** Checks an attribute in all repetitions of its blocks. `name?` is a block that need not be there. */
function judge(body: Value, path: string[], expectation: Expectation): Judgement[] {
  const [step = '', ...rest] = path;
  const name = step.replace(/\?$/, '');
  const value = at(body, name);
  // A resource’s id is unknown but not empty.
  if (expectation === mustNotBeSet && rest.length === 0 && isReference.test(textOf(value)))
    return [{ verdict: 'bad', value }];
  if (isUnknown(value) || isUnknown(body)) return [{ verdict: 'unknown' }];
  const isGenerated = at(body, 'dynamic', name) !== undefined;
  if (rest.length === 0) {
    if (isEmpty(value)) return [{ verdict: isGenerated ? 'unknown' : 'missing' }];
    // In a list with unknown items, only the known ones can be wrong.
    const known = Array.isArray(value) ? value.filter((item) => !isUnknown(item)) : value;
    if (!expectation.isGood(known)) return [{ verdict: 'bad', value }];
    return [{ verdict: 'good' }];
  }
  const inner = (Array.isArray(value) ? value : [value]).filter((item) => isRecord(item) || isUnknown(item));
  const judged = inner.flatMap((item) => judge(item, rest, expectation));
  if (isGenerated) return [...judged.filter(({ verdict }) => verdict === 'bad'), { verdict: 'unknown' }];
  if (judged.length > 0) return judged;
  return [{ verdict: step.endsWith('?') ? 'good' : 'missing' }];
}

/** Returns whether an attribute certainly has one of some values; null if that is unknown. */
export function hasValue(body: Value, attribute: string, words: string[]): boolean | null {
  const judged = judge(body, attribute.split('.'), readExpectation(`one of ${words.join(', ')}`));
  if (judged.some(({ verdict }) => verdict === 'unknown')) return null;
  return judged.some(({ verdict }) => verdict === 'good');
}

/**
 * Returns what is wrong with an attribute, or null. `attribute` is the path of blocks and the attribute, joined by
 * dots; alternatives, one of which is enough, are joined by ` or `.
 */
export function whatIsWrong(body: Value, attribute: string, expectation: Expectation): string | null {
  if (attribute.startsWith('- ')) return 'it is there';
  let isMissing = true;
  let wrong: string | null = null;
  for (const alternative of attribute.split(' or ')) {
    const judged = judge(body, alternative.split('.'), expectation);
    const name = alternative.replaceAll('?', '');
    const bad = judged.find((judgement) => judgement.verdict === 'bad');
    if (bad?.verdict === 'bad') {
      wrong ??= `${name} = ${JSON.stringify(bad.value).slice(0, 100)}`;
      continue;
    }
    if (judged.some(({ verdict }) => verdict === 'unknown')) return null;
    if (judged.some(({ verdict }) => verdict === 'missing')) continue;
    isMissing = false;
    if (attribute.includes(' or ')) return null;
  }
  if (wrong !== null) return wrong;
  return isMissing && expectation.isMissingWrong
    ? `${attribute.split(' or ')[0]!.replaceAll('?', '')} is not set`
    : null;
}
