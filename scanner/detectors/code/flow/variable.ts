import type { SgNode } from '@ast-grep/napi';
import type { Language } from '../languages/language.ts';
import { itemOf, type Key } from './containers.ts';
import type { FileIndex } from './file-index.ts';
import type { Change } from './scope.ts';
import { isWithin, type Span } from './syntax.ts';

/** An expression that another expression may have as its value, possibly only in a part. */
export type Source = { value: SgNode; key: Key | null };

/** `isComplete`: nothing in the variable predates these changes. */
export type Sources = { sources: Source[]; isInput: boolean; isComplete: boolean };

/** Returns the value of a known key; null for others. */
export function keyOf(file: FileIndex, key: Change['key']): Key | null {
  const values = key.map((part) => (typeof part === 'object' ? file.constants.valueOf(part) : part));
  if (values.length === 0 || values.some((value) => typeof value !== 'string' && typeof value !== 'number'))
    return null;
  return values.length === 1 ? (values[0] as Key) : values.join('\0');
}

/**
 * Returns the possible values of a variable, or of its part under `key`, at a place after some changes that may have
 * been executed. `takesInput` says which changes add input of a request.
 */
export function sourcesOf(
  language: Language,
  file: FileIndex,
  changes: Change[],
  key: Key | null,
  place: Span,
  takesInput: (change: Change) => boolean,
): Sources {
  const executions = changes.map((change) => file.executionOf(change.node));
  const isCertain = (index: number) => !executions[index]!.within || isWithin(place, executions[index]!.within!);
  if (typeof key === 'number') {
    const item = positionOf(language, file, changes, key, isCertain);
    if (item) return item;
  }
  const sources: Source[] = [];
  const halves = new Map<number, string>();
  let isInput = false;
  for (const [index, change] of [...changes.entries()].reverse()) {
    const { operation } = change;
    if (operation === 'remove') continue;
    const own = operation === 'store' ? keyOf(file, change.key) : null;
    if (operation === 'store' && key !== null && own !== null && String(own) !== String(key)) continue;
    if (takesInput(change)) isInput = true;
    else sources.unshift({ value: change.value, key: operation === 'assign' ? key : null });
    if (operation !== 'assign' && (operation !== 'store' || key === null || own === null)) continue;
    const { half } = executions[index]!;
    const isOtherHalf = half !== null && (halves.get(half.id) ?? half.side) !== half.side;
    if (isCertain(index) || (isOtherHalf && file.isCertainAt(half.around, place)))
      return { sources, isInput, isComplete: true };
    if (half) halves.set(half.id, half.side);
  }
  return { sources, isInput, isComplete: false };
}

/** Returns the item of a list at a position if all its changes are certain. */
function positionOf(
  language: Language,
  file: FileIndex,
  changes: Change[],
  position: number,
  isCertain: (index: number) => boolean,
): Sources | null {
  const start = changes.findLastIndex((change, index) => change.operation === 'assign' && isCertain(index));
  const own = changes.slice(Math.max(0, start));
  if (start < 0 || own.some((_, index) => !isCertain(start + index))) return null;
  const item = itemOf(language, own, position, file.constants);
  if (item === 'unknown') return null;
  return { sources: item === 'none' ? [] : [{ value: item, key: null }], isInput: false, isComplete: true };
}
