import { type Compare, compareDigits, compareTexts, isDigits } from './compare.ts';

/**
 * Maven's order (ComparableVersion of the POM reference, "Version Order Specification"): tokens separated by `.`, `-`
 * and every change between digits and letters, empty values at the end trimmed, qualifiers ranked, unknown ones after
 * them by name.
 */
export const compareMaven: Compare = (one, other) => {
  const [left, right] = [read(one), read(other)];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const [a, b] = [left[index], right[index]];
    const order = compareTokens(a ?? padFor(b!), b ?? padFor(a!));
    if (order !== 0) return order;
  }
  return 0;
};

type Token = { separator: '.' | '-'; value: string };

const empty = new Set(['', '0', 'ga', 'final', 'release']);
/** In ascending order; '' is the release itself. */
const ranked = ['alpha', 'beta', 'milestone', 'rc', 'snapshot', '', 'sp'];
const short: Record<string, string> = { a: 'alpha', b: 'beta', m: 'milestone' };

function read(version: string): Token[] {
  const tokens: Token[] = [];
  const pieces = version.toLowerCase().matchAll(/([.-]?)(\d+|[^\d.-]+|(?=[.-]|$))/g);
  for (const [whole, separator, value] of pieces) {
    if (whole === '' && tokens.length > 0) continue;
    const previous = tokens.at(-1)?.value ?? '';
    // A change between digits and letters separates like a hyphen.
    const between = separator === '' && tokens.length > 0 ? '-' : separator || '-';
    if (separator === '' && /^[abm]$/.test(previous) && isDigits(value!)) tokens.at(-1)!.value = short[previous]!;
    tokens.push({ separator: between as Token['separator'], value: plain(value!) });
  }
  return trim(tokens);
}

function plain(value: string): string {
  if (value === '' || isDigits(value)) return value.replace(/^0+/, '') || '0';
  if (value === 'cr') return 'rc';
  return empty.has(value) ? '' : value;
}

/** Empty values before a hyphen or the end are ignored: 1.0.0 is 1, 1.0-foo is 1-foo. The first value stays. */
function trim(tokens: Token[]): Token[] {
  const kept: Token[] = [];
  for (const [index, token] of tokens.entries()) {
    kept.push(token);
    const next = tokens[index + 1];
    if (next && next.separator !== '-') continue;
    while (kept.length > 1 && empty.has(kept.at(-1)!.value)) kept.pop();
  }
  return kept;
}

const padFor = ({ separator, value }: Token): Token => ({ separator, value: isDigits(value) ? '0' : '' });

function compareTokens(one: Token, other: Token): number {
  const [isNumber, isOtherNumber] = [isDigits(one.value), isDigits(other.value)];
  // ".qualifier" < "-qualifier" < "-number" < ".number"
  const kindOf = ({ separator }: Token, number: boolean) => (number === (separator === '.') ? 1 : 0) + (number ? 2 : 0);
  const order = kindOf(one, isNumber) - kindOf(other, isOtherNumber);
  if (order !== 0) return order;
  return isNumber ? compareDigits(one.value, other.value) : compareQualifiers(one.value, other.value);
}

function compareQualifiers(one: string, other: string): number {
  const [rank, otherRank] = [ranked.indexOf(one), ranked.indexOf(other)];
  if (rank >= 0 && otherRank >= 0) return rank - otherRank;
  if (rank < 0 && otherRank < 0) return compareTexts(one, other);
  return rank < 0 ? 1 : -1;
}
