import type { SgNode } from '@ast-grep/napi';

/** A function of the file that is followed, with the arguments of the call. */
type Call = { definition: SgNode; arguments: SgNode[]; outer: Call | null; count: number };

/**
 * How the tracker came to an expression. `isCaller`: from a function to one that calls it. `isDecoded`: through a function
 * that undoes what encoders do.
 */
export type Path = { open: Set<string>; depth: number; call: Call | null; isCaller: boolean; isDecoded?: boolean };

export const deeper = (path: Path): Path => ({ ...path, depth: path.depth + 1 });

export const isFollowed = (definition: SgNode, call: Call | null): boolean =>
  call !== null && (call.definition.id() === definition.id() || isFollowed(definition, call.outer));
