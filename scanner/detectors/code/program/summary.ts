import type { PlaceKind } from '../languages/inputs.ts';
import type { CodeHit } from '../rule.ts';
import type { Alias } from './declarations.ts';

/** A step of a flow: its line, counted from 1, and its words. */
export type Step = [line: number, words: string];

/**
 * An origin of a value. `name` and `part`: the parameter of a function, or the function whose result it is; of a
 * request, the parameter that is probably its input. `through`: functions that the value went through, with the
 * parameter, and whether only a field of the result is used. `cleanFor`: the sinks for which it is harmless. `before`:
 * the constant text before it. `steps` lead from the origin to the use.
 */
export type Origin = {
  from: 'request' | 'parameter' | 'result';
  name?: string;
  part?: string;
  through?: Array<[name: string, part: string, isField?: true]>;
  cleanFor?: PlaceKind[];
  before: string;
  steps: Step[];
};

/**
 * A use that a rule matches, with the origins of its value. `text`: the constant text around the value. `hit` is the
 * number of a hit that the file alone shows; a use without it, with a hit of its `own`, is a problem only if
 * another file passes input. `isRequest`: the file alone shows input of a request.
 */
export type Use = {
  hit?: number;
  rule?: string;
  isRequest?: true;
  own?: CodeHit;
  used: Step;
  origins: Origin[];
  text: string;
};

/** A call, with the origins of the values that it passes; `text` is the constant text around them; `step` is the call. */
export type Call = {
  callee: string;
  step: Step;
  passed: Array<{ part: string; text: string; origins: Origin[] }>;
};

/**
 * A function. Once it was asked for, the names of its parameters, and the origins of its result; null if the result is
 * unknown, for example because it yields.
 */
export type FunctionSummary = { name: string; parameters?: string[]; results?: Origin[] | null };

/** A file's answer: the functions that were asked for, and the calls of functions with a name that was asked for. */
export type Answer = { functions: FunctionSummary[]; calls: Call[]; declared?: DeclaredNames };

/**
 * The functions, by their names in the file, and the last names of functions in any file, with the arguments that
 * matter. `declared`: asks for the names that the file declares, too.
 */
export type Questions = { functions: string[]; calls: AskedCall[]; declared?: true };

/** `parts`: positions of arguments, names of arguments after `=`, or `*` for all. */
export type AskedCall = { name: string; parts: string[] };

/** The names that a file declares, in terms of its `Declarations`. */
export type DeclaredNames = {
  package?: string;
  aliases: Array<[string, Alias]>;
  exports: Array<[string, Alias]>;
  stars: string[];
  bases: Array<[string, string]>;
  classes: string[];
  functions: FunctionSummary[];
};

/**
 * The words of an unparsed file that may be names of its functions, classes and variables, those of its methods, and
 * those of its base classes.
 */
export type Outline = { names?: string[]; methods?: string[]; bases?: string[] };

/** The parts of a file that concern other files. */
export type FileSummary = DeclaredNames & {
  /** Until another file asks for it, a file without uses is not parsed: its names are unknown. */
  outline?: Outline;
  calls: Call[];
  uses: Use[];
  /** Whether the text contains input of a request. */
  hasInput?: true;
  /** Hashes of the names that the file's text contains as those of functions and modules. */
  mentions: number[];
  /** The questions that were answered; `calls` are names, each with one of its parts. */
  asked: { functions: string[]; calls: string[] };
};
