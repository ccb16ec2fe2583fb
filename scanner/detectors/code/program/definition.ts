import type { Alias } from './declarations.ts';
import type { ProgramFile } from './modules.ts';
import type { FunctionSummary } from './summary.ts';

/** A function of the program. */
export type Definition = { file: ProgramFile; summary: FunctionSummary; isAmbiguous?: true };

/** Returns the origins of a function's result; null if they are unknown. */
export const resultsOf = ({ summary, isAmbiguous }: Definition) => (isAmbiguous ? null : (summary.results ?? null));

/** The names that a file declares, for looking them up. */
export type FileTables = {
  aliases: Map<string, Alias>;
  exports: Map<string, Alias>;
  bases: Map<string, string[]>;
  functions: Map<string, Definition>;
};

/** The number of parameters at the end of an overloaded method's name. */
export const arity = /\.\d+$/;

/** Splits a dotted name at each dot, the longest start first: `a.b.c` → [`a.b.c`, ``], [`a.b`, `.c`], [`a`, `.b.c`]. */
export function prefixesOf(name: string): Array<[string, string]> {
  const splits: Array<[string, string]> = [[name, '']];
  for (let at = name.lastIndexOf('.'); at > 0 && splits.length < 8; at = name.lastIndexOf('.', at - 1))
    splits.push([name.slice(0, at), name.slice(at)]);
  return splits;
}
