import type { SgNode } from '@ast-grep/napi';
import { type Trail, withCode } from './value.ts';

/** Bounds of one search, except `stepsOfFile`, which all searches of a file share. */
export const limits = { steps: 1_000, stepsOfFile: 20_000, depth: 40, calls: 3 };

/** A function of the file that is being followed, with the arguments of the call. */
export type Call = { definition: SgNode; arguments: SgNode[]; outer: Call | null; count: number };

/**
 * The path of the tracker to an expression. `trail`: its steps. `isCaller`: it went from a function to a caller.
 * `isDecoded`: it went through a function that undoes encoders. `isPart`: it leads to an item or text that is joined or
 * changed before its use. `isField`: only a field of the value is used.
 */
export type Path = {
  open: Set<string>;
  depth: number;
  call: Call | null;
  isCaller: boolean;
  isDecoded?: boolean;
  isPart?: boolean;
  isField?: boolean;
  trail: Trail | null;
};

export const deeper = (path: Path): Path => ({ ...path, depth: path.depth + 1 });
export const asPart = (path: Path): Path => ({ ...deeper(path), isPart: true });

/** Continues at another place in the file. */
export const through = (path: Path, node: SgNode, words: string): Path => ({
  ...deeper(path),
  trail: { node, words, nearer: path.trail },
});

/** A function that is in no file: it may return what it gets, but that is not proven. */
export const unknownFunction = '?';

export const throughUnknown = (path: Path, node: SgNode, name: string): Path => ({
  ...path,
  trail: {
    node,
    words: withCode('Passed through', name),
    nearer: path.trail,
    through: { name: unknownFunction, part: '0' },
  },
});

export const isFollowed = (definition: SgNode, call: Call | null): boolean =>
  call !== null && (call.definition.id() === definition.id() || isFollowed(definition, call.outer));
