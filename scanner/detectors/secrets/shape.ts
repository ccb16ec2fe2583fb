import { sample } from './sample.ts';

/**
 * Alphabets by their names in shapes. A literal hyphen comes last, so that the text also works as a character class.
 */
const alphabets = {
  digit: '0-9',
  hex: '0-9a-f',
  HEX: '0-9A-F',
  anyhex: '0-9a-fA-F',
  lower: '0-9a-z',
  upper: '0-9A-Z',
  alpha: 'A-Za-z',
  alnum: '0-9A-Za-z',
  word: '0-9A-Za-z_',
  url: '0-9A-Za-z_-',
  lowerurl: '0-9a-z_-',
  urleq: '0-9A-Za-z_=-',
  tilde: '0-9A-Za-z_.~-',
  b64: '0-9A-Za-z+/',
  base32: 'A-Z2-7',
  lower32: 'a-z2-7',
} as const;

type Part =
  | { kind: 'literal'; text: string }
  | { kind: 'pad' }
  | { kind: 'class'; alphabet: string; min: number; max: number };

const uuid = '{anyhex:8}-{anyhex:4}-{anyhex:4}-{anyhex:4}-{anyhex:12}';

function parse(shape: string): Part[] {
  const tokens = shape.replaceAll('{uuid}', uuid).match(/\{\w+(?::\d+(?:-\d+)?)?\}|[^{}]+/g) ?? [];
  return tokens.map((token): Part => {
    const found = /^\{(\w+)(?::(\d+)(?:-(\d+))?)?\}$/.exec(token);
    if (!found) return { kind: 'literal', text: token };
    if (found[1] === 'pad') return { kind: 'pad' };
    const alphabet = alphabets[found[1] as keyof typeof alphabets];
    if (!alphabet) throw new Error(`Unknown alphabet in shape: ${shape}`);
    return { kind: 'class', alphabet, min: Number(found[2]), max: Number(found[3] ?? found[2]) };
  });
}

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/**
 * Returns the RE2 source of a shape: literal text with `{alphabet:length}`, `{alphabet:min-max}`, `{uuid}` and `{pad}`
 * (base64 padding), for example `glsa_{alnum:32}_{hex:8}`.
 */
export function shapePattern(shape: string): string {
  const parts = parse(shape).map((part) => {
    if (part.kind === 'literal') return escapeRegExp(part.text);
    if (part.kind === 'pad') return '={0,3}';
    return `[${part.alphabet}]{${part.min === part.max ? part.min : `${part.min},${part.max}`}}`;
  });
  return parts.join('');
}

/** Returns the literal prefix of every secret of the shape. */
export function shapePrefix(shape: string): string {
  const [first] = parse(shape);
  return first?.kind === 'literal' ? first.text : '';
}

/**
 * Returns a made-up secret of the shape. `delta` makes the last variable part shorter (-1) or longer (1) than allowed.
 */
export function shapeSample(shape: string, delta: -1 | 0 | 1 = 0): string {
  const parts = parse(shape);
  const last = parts.findLastIndex((part) => part.kind === 'class');
  const texts = parts.map((part, index) => {
    if (part.kind === 'literal') return part.text;
    if (part.kind === 'pad') return '';
    const length = index === last && delta !== 0 ? (delta < 0 ? part.min : part.max) + delta : part.min;
    return sample(part.alphabet, length, `${shape} ${index}`);
  });
  return texts.join('');
}

/** Returns an obvious placeholder of the shape: every variable part repeats one character. */
export function shapePlaceholder(shape: string): string {
  const texts = parse(shape).map((part) => {
    if (part.kind === 'literal') return part.text;
    if (part.kind === 'pad') return '';
    return (part.alphabet.includes('a-z') ? 'x' : part.alphabet.startsWith('0') ? '0' : 'X').repeat(part.min);
  });
  return texts.join('');
}

/**
 * Returns the minimum entropy for a secret of the shape, in bits per character: well below that of random secrets,
 * above that of repetitions.
 */
export function shapeEntropy(shape: string): number {
  const classes = parse(shape).filter((part) => part.kind === 'class');
  const length = shapeSample(shape).length;
  const widths = classes.map((part) => (part.alphabet === '0-9' ? 10 : /^0-9(a-f|A-F)/.test(part.alphabet) ? 16 : 36));
  const bits = Math.log2(Math.min(length, Math.max(10, ...widths)));
  return Math.round(bits * 0.7 * 10) / 10;
}
