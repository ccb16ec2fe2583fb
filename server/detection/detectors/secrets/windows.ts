import type { CompiledRule } from './compiled-rule.ts';

/**
 * A stretch of the blob in which a rule is to look: one byte more than its longest match reaches, so that no word boundary or line start
 * arises from the cut.
 */
export type Window = { rule: number; start: number; end: number };

/** Matches of unbounded patterns are looked for within this many bytes of a keyword (a PEM block of a 16384-bit key has 12 KB). */
const reachWithinLine = 4096;
const reachAcrossLines = 16_384;
/**
 * Neighbouring windows grow together up to here (or four times the rule's reach, so that crowded keywords have the same bytes searched three
 * times at most), and a slow pattern never sees a large text at once.
 */
const maxWindow = 16_384;

export function reachOf(rule: CompiledRule): number {
  return Math.min(rule.shape.maxLength, rule.shape.crossesLines ? reachAcrossLines : reachWithinLine);
}

export type WindowCollector = {
  /** Hits must come in the order of their ends. */
  add(rule: number, start: number, end: number): void;
  finish(): Window[];
};

/** Gathers, for every rule, the stretches around the keywords' places. The cost is linear in the blob, however the lines are cut. */
export function collectWindows(content: Uint8Array, rules: CompiledRule[], reaches: Int32Array): WindowCollector {
  const pending = new Map<number, Window>();
  const windows: Window[] = [];
  let lineStart = 0;
  let lineEnd = -1;

  function moveToLine(offset: number): void {
    if (offset <= lineEnd) return;
    const before = content.subarray(Math.max(lineEnd, 0), offset).lastIndexOf(10);
    lineStart = before === -1 ? Math.max(lineEnd, 0) : Math.max(lineEnd, 0) + before + 1;
    const next = content.indexOf(10, offset);
    lineEnd = next === -1 ? content.length : next;
  }

  return {
    add(rule, start, end) {
      if (rules[rule]!.rule.anchored) {
        windows.push({ rule, start, end });
        return;
      }
      let from = Math.max(0, end - reaches[rule]! - 1);
      let to = Math.min(content.length, start + reaches[rule]! + 1);
      if (!rules[rule]!.shape.crossesLines) {
        moveToLine(start);
        from = Math.max(from, lineStart);
        to = Math.min(to, lineEnd);
      }
      const last = pending.get(rule);
      if (last && from <= last.end && to - last.start <= Math.max(maxWindow, 4 * reaches[rule]!)) {
        last.end = Math.max(last.end, to);
        last.start = Math.min(last.start, from);
        return;
      }
      if (last) windows.push(last);
      pending.set(rule, { rule, start: from, end: to });
    },
    finish: () => [...windows, ...pending.values()],
  };
}
