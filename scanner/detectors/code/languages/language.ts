import type { NapiLang } from '@ast-grep/napi/types/lang.js';
import type { Template } from './templates.ts';

export const languageNames = ['javascript', 'python', 'go', 'java', 'ruby', 'php', 'csharp', 'template'] as const;
export type LanguageName = (typeof languageNames)[number];

/** Two fields of a node: the target of an assignment, and its value. */
type Assignment = [left: string, right: string];

/**
 * The properties of a language for following values through a function: the kinds and fields of its grammar
 * (tree-sitter's names). The forms of input in its frameworks are in the YAML file of the same name.
 */
export type Language = {
  name: LanguageName;
  /** File name extensions and their grammars. */
  parsers: Record<string, NapiLang>;
  /** The template languages with embedded code of this language; `parsers` has their extensions too. */
  template?: Template;
  functions: string[];
  /** Fields of a function that contain its parameters. */
  parameterFields: string[];
  assignments: Record<string, Assignment>;
  /** Kinds of assignment that append to the earlier value. */
  augmented: string[];
  blocks: string[];
  identifiers: string[];
  literals: string[];
  /** Strings with interpolation. */
  templates: string[];
  /** Parts of a template that are text. */
  templateTexts: string[];
  binaries: string[];
  /** A call: the fields whose texts, joined by a dot, form the function's name, and the field of the receiver. */
  calls: Record<string, { name: string[]; receiver: string | null }>;
  /** An access to a part of a value: the field of the whole value. */
  members: Record<string, string>;
  /** Kinds that contain no text from outside: comparisons, functions, types. */
  inert: string[];
  conditionals: Record<string, string[]>;
  /** Matches names of calls that build a string. */
  builders: RegExp;
  /** Completes a pattern that the grammar can't parse on its own. */
  completePattern?(pattern: string): string | { context: string; selector: string };
};
