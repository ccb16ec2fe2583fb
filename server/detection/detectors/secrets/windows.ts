import type { CompiledRule } from './compiled-rule.ts';

/**
 * A range of the blob that a rule searches: one byte more than its longest match, so that the cut creates no word
 * boundary or line start.
 */
export type Window = { rule: number; start: number; end: number };

/** Unbounded patterns match within this many bytes of a keyword (a PEM block of a 16384-bit key has 12 KB). */
const reachWithinLine = 4096;
const reachAcrossLines = 16_384;
/**
 * Neighbouring windows merge up to this size, or four times the rule's reach, so that the bytes between crowded
 * keywords are searched three times at most. A slow pattern never gets a large text at once.
 */
const maxWindow = 16_384;

export function reachOf(rule: CompiledRule): number {
  return Math.min(rule.shape.maxLength, rule.shape.crossesLines ? reachAcrossLines : reachWithinLine);
}

export type WindowCollector = {
  /** Hits must be added in the order of their ends. */
  add(rule: number, start: number, end: number): void;
  finish(): Window[];
};

/** Collects the ranges around the keywords for every rule. Takes time linear in the blob, whatever its lines. */
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
