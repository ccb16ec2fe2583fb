import { characterClasses, entropy } from './entropy.ts';
import type { SecretRule } from './rule.ts';
import { fromByteText } from './text.ts';

const mark = '…(redacted)';
/** Replaces the mark while text is one character per byte; no searched text contains it. */
const byteMark = '\0';
const maxEvidence = 200;
const around = 90;
/** The maximum number of a file's secrets whose further copies are searched for. */
const maxKnown = 200;

/** A range of byte text that contains a secret; end exclusive. */
export type SecretRange = { start: number; end: number };

/** Returns the only part of a secret that may be shown: the fixed prefix that identifies its kind. */
export function shownPrefix(rule: SecretRule, secret: string): string {
  const lower = secret.toLowerCase();
  const prefix = rule.generic ? undefined : rule.keywords.find((keyword) => lower.startsWith(keyword.toLowerCase()));
  return prefix && prefix.length <= secret.length / 2 ? secret.slice(0, prefix.length) : '';
}

/** Merges overlapping ranges. The result is sorted and disjoint. */
export function mergeRanges(ranges: SecretRange[]): SecretRange[] {
  const merged: SecretRange[] = [];
  for (const { start, end } of ranges.toSorted((left, right) => left.start - right.start)) {
    const last = merged.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}

/**
 * Returns the line around a secret with all its secrets redacted, at most 200 characters. `secrets`: merged ranges of
 * all candidates in the blob, one of which covers `target`. `prefix` is the part that may be shown.
 */
export function redactedLine(
  text: string,
  lineStart: number,
  target: SecretRange & { prefix: string },
  secrets: SecretRange[],
): string {
  const from = Math.max(lineStart, target.start - around);
  const tail = text.slice(target.start, target.end + around);
  const to = target.start + (tail.includes('\n') ? tail.indexOf('\n') : tail.length);
  const nearby = secrets.slice(...rangesBetween(secrets, from, to));
  const known = new Set(nearby.map((range) => text.slice(range.start, range.end)).filter(({ length }) => length >= 4));
  let line = '';
  let at = from;
  for (const range of nearby) {
    if (range.start > at) line += clear(text.slice(at, range.start), known);
    line += (range.start <= target.start && range.end >= target.end ? target.prefix : '') + byteMark;
    at = range.end;
  }
  if (at < to) line += clear(text.slice(at, to), known);
  return shorten(fromByteText(line).replaceAll(byteMark, mark).trim());
}

/**
 * Converts byte text to text without its secrets: each line of a secret becomes a mark, and so does each further copy.
 */
export function redactedText(text: string, secrets: SecretRange[]): string {
  if (secrets.length === 0) return fromByteText(text);
  const hidden = (secret: string) => secret.replace(/[^\n]+/g, byteMark);
  const parts: string[] = [];
  const known = new Set<string>();
  let at = 0;
  for (const { start, end } of secrets) {
    const secret = text.slice(start, end);
    if (secret.length >= 4 && known.size < maxKnown) known.add(secret);
    parts.push(text.slice(at, start), hidden(secret));
    at = end;
  }
  let result = parts.join('') + text.slice(at);
  for (const secret of known) if (result.includes(secret)) result = result.replaceAll(secret, hidden(secret));
  return fromByteText(result).replaceAll(byteMark, mark);
}

/** Redacts everything in a line that looks as random as a secret. */
export const withoutRandom = (line: string): string => clear(line, new Set()).replaceAll(byteMark, mark);

function rangesBetween(ranges: SecretRange[], from: number, to: number): [number, number] {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ranges[middle]!.end <= from) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < ranges.length && ranges[end]!.start < to) end += 1;
  return [low, end];
}

/** Redacts text between secrets: further copies of them, and anything that looks as random as a secret. */
function clear(text: string, secrets: ReadonlySet<string>): string {
  let result = text;
  for (const secret of secrets) if (secret.length <= result.length) result = result.replaceAll(secret, byteMark);
  return result.replace(/[A-Za-z0-9+/_=-]{12,}/g, (token) =>
    /[0-9]/.test(token) && characterClasses(token) >= 2 && entropy(token) >= 3 ? byteMark : token,
  );
}

function shorten(line: string): string {
  if (line.length <= maxEvidence) return line;
  const start = Math.min(Math.max(0, line.indexOf(mark) - maxEvidence / 2), line.length - maxEvidence);
  return line.slice(start, start + maxEvidence);
}
