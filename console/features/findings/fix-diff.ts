import type { FindingCode, FindingFix, FixChange } from '@assay/client';

/**
 * A line of a diff with its number in the old and in the new text. The text of a `gap` describes what it stands for.
 */
export type DiffLine = {
  kind: 'same' | 'removed' | 'added' | 'gap';
  old: number | null;
  new: number | null;
  text: string;
};
export type FileDiff = { path: string; lines: DiffLine[] };

/** Returns the changes of a fix in each file, with the surrounding lines if the code has them complete. */
export function fixDiff(fix: FindingFix, code: FindingCode | null, codePath: string | null): FileDiff[] {
  const files = Map.groupBy(fix.changes, ({ path }) => path);
  return [...files].map(([path, changes]) => {
    const parts = joinedByLine(changes.toSorted((a, b) => a.start_line - b.start_line || columnOf(a) - columnOf(b)));
    const known = code !== null && path === codePath && parts.every((part) => isWhole(part, code));
    return { path, lines: known ? diffWith(code, parts) : parts.flatMap(withoutOld) };
  });
}

const signs = { same: ' ', removed: '-', added: '+' } as const;

/** Returns the change as a patch for `git apply`; null if lines of a file are unknown. */
export function patchOf(fix: FindingFix, code: FindingCode | null, codePath: string | null): string | null {
  const files = fixDiff(fix, code, codePath);
  if (files.some(({ lines }) => lines.some(({ kind }) => kind === 'gap'))) return null;
  return files
    .map(({ path, lines }) => {
      const [old, added] = [lines.filter(({ old: n }) => n !== null), lines.filter(({ new: n }) => n !== null)];
      const range = (start: number, count: number) => `${count === 0 ? start - 1 : start},${count}`;
      const first = old[0]?.old ?? 1;
      const head = `@@ -${range(first, old.length)} +${range(added[0]?.new ?? first, added.length)} @@`;
      const body = lines.map(({ kind, text }) => `${signs[kind as keyof typeof signs]}${text}`);
      return [`--- a/${path}`, `+++ b/${path}`, head, ...body, ''].join('\n');
    })
    .join('');
}

const columnOf = ({ start_column }: FixChange): number => start_column ?? 1;

/** Changes of the same line belong to one hunk. */
function joinedByLine(changes: FixChange[]): FixChange[][] {
  const parts: FixChange[][] = [];
  for (const change of changes) {
    const last = parts.at(-1);
    if (last && change.start_line <= Math.max(...last.map(({ end_line }) => end_line))) last.push(change);
    else parts.push([change]);
  }
  return parts;
}

const firstOf = (part: FixChange[]): number => part[0]!.start_line;
const lastOf = (part: FixChange[]): number => Math.max(...part.map(({ end_line }) => end_line));

/** Whether the code has all lines of a hunk. Columns don't fit a redacted or truncated line. */
function isWhole(part: FixChange[], { start_line, lines }: FindingCode): boolean {
  const own = lines.slice(Math.max(0, firstOf(part) - start_line), lastOf(part) - start_line + 1);
  return (
    firstOf(part) >= start_line &&
    own.length === lastOf(part) - firstOf(part) + 1 &&
    own.every((line) => !line.includes('…'))
  );
}

function diffWith({ start_line, lines }: FindingCode, parts: FixChange[][]): DiffLine[] {
  const diff: DiffLine[] = [];
  let at = start_line;
  let shift = 0;
  const keepUntil = (end: number) => {
    for (; at < end; at++) diff.push({ kind: 'same', old: at, new: at + shift, text: lines[at - start_line]! });
  };
  for (const part of parts) {
    const old = lines.slice(firstOf(part) - start_line, lastOf(part) - start_line + 1);
    const changed = applied(old, part);
    let begin = 0;
    while (begin < Math.min(old.length, changed.length) && old[begin] === changed[begin]) begin++;
    let end = 0;
    while (end < Math.min(old.length, changed.length) - begin && old.at(-1 - end) === changed.at(-1 - end)) end++;
    keepUntil(firstOf(part) + begin);
    const removed = old.slice(begin, old.length - end);
    const added = changed.slice(begin, changed.length - end);
    for (const [index, text] of removed.entries()) diff.push({ kind: 'removed', old: at + index, new: null, text });
    for (const [index, text] of added.entries()) diff.push({ kind: 'added', old: null, new: at + shift + index, text });
    at += removed.length;
    shift += added.length - removed.length;
  }
  keepUntil(start_line + lines.length);
  return diff;
}

/** Applies changes from the last to the first, so that positions stay valid. */
function applied(old: string[], part: FixChange[]): string[] {
  let lines = old;
  for (const { start_line, end_line, start_column, end_column, text } of part.toReversed()) {
    const [first, last] = [start_line - firstOf(part), end_line - firstOf(part)];
    const before = start_column === null ? '' : lines[first]!.slice(0, start_column - 1);
    const after = end_column === null ? '' : lines[last]!.slice(end_column - 1);
    const isRemoval = text === '' && start_column === null && end_column === null;
    const between = isRemoval ? [] : `${before}${text}${after}`.split('\n');
    lines = [...lines.slice(0, first), ...between, ...lines.slice(last + 1)];
  }
  return lines;
}

/** The old lines are unknown: only the new text is shown, below a sentence that gives its position. */
function withoutOld(part: FixChange[]): DiffLine[] {
  return part.flatMap((change) => {
    const gap: DiffLine = { kind: 'gap', old: null, new: null, text: placeOfChange(change) };
    const added = change.text === '' ? [] : change.text.split('\n');
    return [gap, ...added.map((text): DiffLine => ({ kind: 'added', old: null, new: null, text }))];
  });
}

function placeOfChange({ start_line, end_line, start_column, end_column, text }: FixChange): string {
  const lines = start_line === end_line ? `Line ${start_line}` : `Lines ${start_line} to ${end_line}`;
  const from = start_column === null ? '' : `, from column ${start_column}`;
  const to = end_column === null ? '' : ` to before column ${end_column}`;
  return `${lines}${from}${to}: ${text === '' ? 'removed' : 'replaced by'}`;
}
