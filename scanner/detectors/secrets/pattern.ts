import { withoutCaseGroups } from '../../platform/case-groups.ts';

/** The properties of a pattern that the engine needs before it runs it. */
export type PatternShape = {
  /** The maximum length of a match; Infinity when unbounded. */
  maxLength: number;
  /** Whether a match can cross the end of a line. */
  crossesLines: boolean;
  /** Whether an unbounded repetition is inside a long one, which could make a backtracking engine run away. */
  nested: boolean;
};

type Part = PatternShape & { unbounded: boolean };

const empty: Part = { maxLength: 0, crossesLines: false, nested: false, unbounded: false };
/** The number of repetitions above which variable parts count as long. */
const longRepetition = 12;

/** Translates RE2 syntax (as rules write it) into a JavaScript regular expression source with RE2's meaning. */
export function toJavaScript(pattern: string): { source: string; ignoreCase: boolean } {
  const ignoreCase = pattern.startsWith('(?i)');
  const source = withoutCaseGroups(ignoreCase ? pattern.slice(4) : pattern)
    .replaceAll('(?P<', '(?<')
    .replaceAll('[[:alnum:]]', '[0-9A-Za-z]')
    .replaceAll('[:alnum:]', '0-9A-Za-z')
    .replaceAll('[:alpha:]', 'A-Za-z')
    .replaceAll('[:digit:]', '0-9')
    .replaceAll('[:xdigit:]', '0-9A-Fa-f')
    .replaceAll('[:space:]', '\\t-\\r ');
  return { source: asciiSpaces(source), ignoreCase };
}

/** `\s` is ASCII in RE2; JavaScript's would also split UTF-8 characters that contain the byte A0. */
function asciiSpaces(source: string): string {
  let inClass = false;
  return source.replace(/\\[\s\S]|[[\]]/g, (token) => {
    if (token === '[') inClass = true;
    else if (token === ']') inClass = false;
    else if (token === '\\s') return inClass ? '\\t-\\r ' : '[\\t-\\r ]';
    else if (token === '\\S' && !inClass) return '[^\\t-\\r ]';
    else if (token === '\\z') return '$';
    else if (token === '\\A') return '^';
    return token;
  });
}

/**
 * Analyses a JavaScript source from `toJavaScript`. Throws on look-around and back references, which linear engines
 * lack.
 */
export function analysePattern(source: string): PatternShape {
  const reader = { source, at: 0 };
  const { maxLength, crossesLines, nested } = readAlternation(reader);
  if (reader.at < source.length) throw new Error(`unbalanced parenthesis at ${reader.at} in /${source}/`);
  return { maxLength, crossesLines, nested };
}

type Reader = { source: string; at: number };

function readAlternation(reader: Reader): Part {
  let whole = readSequence(reader);
  while (reader.source[reader.at] === '|') {
    reader.at += 1;
    const branch = readSequence(reader);
    whole = { ...merge(whole, branch), maxLength: Math.max(whole.maxLength, branch.maxLength) };
  }
  return whole;
}

function readSequence(reader: Reader): Part {
  let whole = empty;
  while (reader.at < reader.source.length && !'|)'.includes(reader.source[reader.at]!)) {
    const part = readQuantifier(reader, readAtom(reader));
    whole = { ...merge(whole, part), maxLength: whole.maxLength + part.maxLength };
  }
  return whole;
}

function merge(left: Part, right: Part): Omit<Part, 'maxLength'> {
  return {
    crossesLines: left.crossesLines || right.crossesLines,
    nested: left.nested || right.nested,
    unbounded: left.unbounded || right.unbounded,
  };
}

function readQuantifier(reader: Reader, part: Part): Part {
  const quantifier = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(reader.source.slice(reader.at, reader.at + 16));
  if (!quantifier) return part;
  reader.at += quantifier[0].length;
  const [text, min, comma, max] = quantifier;
  const times = text[0] === '?' ? 1 : text[0] !== '{' ? Infinity : max ? Number(max) : comma ? Infinity : Number(min);
  return {
    maxLength: part.maxLength === 0 ? 0 : part.maxLength * times,
    crossesLines: part.crossesLines,
    nested: part.nested || (part.unbounded && times > longRepetition),
    unbounded: part.unbounded || times === Infinity,
  };
}

function readAtom(reader: Reader): Part {
  const character = reader.source[reader.at]!;
  if (character === '(') return readGroup(reader);
  if (character === '[') return readClass(reader);
  if (character === '\\') return readEscape(reader);
  reader.at += 1;
  return character === '^' || character === '$' ? empty : oneCharacter(character === '\n');
}

const oneCharacter = (crossesLines: boolean): Part => ({ ...empty, maxLength: 1, crossesLines });

function readGroup(reader: Reader): Part {
  const opening = /^\((?:\?(?:<[A-Za-z]\w*>|[a-z-]*:))?/.exec(reader.source.slice(reader.at, reader.at + 64))![0];
  if (opening === '(' && reader.source[reader.at + 1] === '?') {
    throw new Error(`unsupported group at ${reader.at} in /${reader.source}/`);
  }
  reader.at += opening.length;
  const part = readAlternation(reader);
  if (reader.source[reader.at] !== ')') throw new Error(`unclosed group in /${reader.source}/`);
  reader.at += 1;
  return opening.includes('s:') && opening.startsWith('(?') ? { ...part, crossesLines: true } : part;
}

function readClass(reader: Reader): Part {
  const close = /^\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]/.exec(reader.source.slice(reader.at));
  if (!close) throw new Error(`unclosed class in /${reader.source}/`);
  reader.at += close[0].length;
  const names = /\\n|\n|\\t-\\r|\\[sDW]|\\x0[aA]/.test(close[0]);
  return oneCharacter(close[0].startsWith('[^') ? !names : names);
}

function readEscape(reader: Reader): Part {
  const letter = reader.source[reader.at + 1] ?? '';
  if (/[1-9k]/.test(letter)) throw new Error(`back reference in /${reader.source}/`);
  const hex = /^\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4})/.exec(reader.source.slice(reader.at, reader.at + 6));
  reader.at += hex ? hex[0].length : 2;
  if (letter === 'b' || letter === 'B') return empty;
  return oneCharacter('nsDW'.includes(letter) || hex?.[0].toLowerCase() === '\\x0a');
}
