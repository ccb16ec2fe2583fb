import type { NapiLang } from '@ast-grep/napi/types/lang.js';

export const languageNames = ['javascript', 'python', 'go', 'java', 'ruby', 'php', 'csharp'] as const;
export type LanguageName = (typeof languageNames)[number];

/** Two fields of a node: what is written to, and what is written there. */
type Assignment = [left: string, right: string];

/**
 * What following values through a function needs to know of a language: the kinds and fields of its grammar (tree-sitter's names), and how
 * input arrives in its frameworks. Patterns are tested against source text.
 */
export type Language = {
  name: LanguageName;
  /** File name extensions and the grammar that reads each. */
  parsers: Record<string, NapiLang>;
  functions: string[];
  /** Fields of a function that hold its parameters. */
  parameterFields: string[];
  assignments: Record<string, Assignment>;
  /** Kinds of assignment that add to what was there. */
  augmented: string[];
  blocks: string[];
  identifiers: string[];
  literals: string[];
  /** Strings that may have values inserted. */
  templates: string[];
  /** Parts of a template that are text. */
  templateTexts: string[];
  binaries: string[];
  /** A call: the fields whose texts, joined by a point, name what is called, and the one that it is called on. */
  calls: Record<string, { name: string[]; receiver: string | null }>;
  /** A part of a value: the field with the whole. */
  members: Record<string, string>;
  /** What carries no text from outside: comparisons, functions, types. */
  inert: string[];
  conditionals: Record<string, string[]>;
  /** An expression that is input of a request, tested at its beginning. */
  request: RegExp;
  /** Calls whose result is harmless, by name. */
  sanitizers: RegExp;
  /** Calls that put a string together, by name. */
  builders: RegExp;
  parameters: {
    /** Never input: the object itself, connections, contexts. */
    ignored: RegExp;
    /** Types that can't carry text. */
    harmless: RegExp;
    /** Declarations that say the value comes from a request. */
    request: RegExp | null;
    /** Functions (text before their body) whose parameters come from a request. */
    requestFunction: RegExp | null;
  };
  /** Makes a pattern that can stand alone of one that the grammar would read otherwise. */
  completePattern?(pattern: string): string | { context: string; selector: string };
};
