import type { Formats } from './formats.ts';

type Changes = { new: number; fixed: number; reopened: number; accepted: number };

/** Returns the counts that are not zero with their words, for one and for several. */
export const kindsOfChange = (
  counts: Changes,
  { number }: Formats,
  words: Record<keyof Changes, [one: string, many: string]>,
): string[] =>
  (['new', 'fixed', 'reopened', 'accepted'] as const)
    .filter((kind) => counts[kind] > 0)
    .map((kind) => `${number(counts[kind])} ${words[kind][counts[kind] === 1 ? 0 : 1]}`);
