import { sample } from './sample.ts';

/** Alphabets by the name that shapes use. A hyphen of its own stands last, so that the same text serves as a character class. */
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
  | { kind: 'class'; alphabet: string; least: number; most: number };

const uuid = '{anyhex:8}-{anyhex:4}-{anyhex:4}-{anyhex:4}-{anyhex:12}';

function parse(shape: string): Part[] {
  const tokens = shape.replaceAll('{uuid}', uuid).match(/\{\w+(?::\d+(?:-\d+)?)?\}|[^{}]+/g) ?? [];
  return tokens.map((token): Part => {
    const found = /^\{(\w+)(?::(\d+)(?:-(\d+))?)?\}$/.exec(token);
    if (!found) return { kind: 'literal', text: token };
    if (found[1] === 'pad') return { kind: 'pad' };
    const alphabet = alphabets[found[1] as keyof typeof alphabets];
    if (!alphabet) throw new Error(`Unknown alphabet in shape: ${shape}`);
    return { kind: 'class', alphabet, least: Number(found[2]), most: Number(found[3] ?? found[2]) };
  });
}

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/**
 * The RE2 source of a shape: literal text with `{alphabet:length}`, `{alphabet:least-most}`, `{uuid}` and `{pad}` (base64 padding) in it,
 * for example `glsa_{alnum:32}_{hex:8}`.
 */
export function shapePattern(shape: string): string {
  const parts = parse(shape).map((part) => {
    if (part.kind === 'literal') return escapeRegExp(part.text);
    if (part.kind === 'pad') return '={0,3}';
    return `[${part.alphabet}]{${part.least === part.most ? part.least : `${part.least},${part.most}`}}`;
  });
  return parts.join('');
}

/** The literal text that every secret of the shape begins with. */
export function shapePrefix(shape: string): string {
  const [first] = parse(shape);
  return first?.kind === 'literal' ? first.text : '';
}

/** A made-up secret of the shape. `delta` makes the last variable part shorter (-1) or longer (1) than the shape allows. */
export function shapeSample(shape: string, delta: -1 | 0 | 1 = 0): string {
  const parts = parse(shape);
  const last = parts.findLastIndex((part) => part.kind === 'class');
  const texts = parts.map((part, index) => {
    if (part.kind === 'literal') return part.text;
    if (part.kind === 'pad') return '';
    const length = index === last && delta !== 0 ? (delta < 0 ? part.least : part.most) + delta : part.least;
    return sample(part.alphabet, length, `${shape} ${index}`);
  });
  return texts.join('');
}

/** A secret of the right shape that nobody would mistake for one: every variable part is one character over and over. */
export function shapePlaceholder(shape: string): string {
  const texts = parse(shape).map((part) => {
    if (part.kind === 'literal') return part.text;
    if (part.kind === 'pad') return '';
    return (part.alphabet.includes('a-z') ? 'x' : part.alphabet.startsWith('0') ? '0' : 'X').repeat(part.least);
  });
  return texts.join('');
}

/** The least entropy to ask of a secret of the shape, in bits a character: well below what random ones have, above what repetition has. */
export function shapeEntropy(shape: string): number {
  const classes = parse(shape).filter((part) => part.kind === 'class');
  const length = shapeSample(shape).length;
  const widths = classes.map((part) => (part.alphabet === '0-9' ? 10 : /^0-9(a-f|A-F)/.test(part.alphabet) ? 16 : 36));
  const bits = Math.log2(Math.min(length, Math.max(10, ...widths)));
  return Math.round(bits * 0.7 * 10) / 10;
}
