import type { NapiConfig } from '@ast-grep/napi/types/config.js';
import type { Severity } from '../../contract/severity.ts';
import type { PlaceKind } from './languages/inputs.ts';
import type { LanguageName } from './languages/language.ts';

/** A match is a problem only when this value comes from outside. */
export type InputCondition = {
  /** The argument of a matched call, by position (from 1) or by name, or any of them. */
  argument?: number | string | Array<number | string>;
  /** A metavariable of the rule instead. Without either, the value is the whole match. */
  variable?: string;
  /**
   * `request`: it contains input of a request. `caller`: that, or text built with a parameter of the function. `any`:
   * that, or a plain parameter. `source`: what the pattern `source` matches. `varying`: anything but a constant.
   */
  from: 'request' | 'caller' | 'any' | 'source' | 'varying';
  /** Matches the beginning of an expression that counts as input instead of requests. */
  source?: string;
  /** Matches the beginning of an input that does not count here: an address of the browser where a server is meant. */
  except?: string;
  /** The place that the value goes into: only its encoders make the value harmless. Without a place, any encoder does. */
  into?: PlaceKind;
  /** Whether input that a function of another file has changed doesn't count. */
  unchanged?: boolean;
  /** Whether neither a part of the input counts nor an object that has it in one of its parts. */
  whole?: boolean;
  /** Pattern that the constant text around the input must match, e.g. SQL keywords. */
  containing?: string;
  /** Pattern of text before the input that makes it harmless, e.g. a fixed host. */
  unlessAfter?: string;
};

/** A static check: an ast-grep rule, its texts, and examples that prove it. */
export type CodeRule = {
  id: string;
  language: LanguageName;
  title: string;
  severity: Severity;
  cwe: string[];
  description: string;
  remediation: string;
  references: string[];
  /** Every file that the rule can match contains at least one of these, so other files are skipped. */
  keywords: string[];
  /** Pattern that a file must also match, e.g. an import. */
  fileContaining: string | null;
  /** Pattern of the paths at which the rule reports nothing, such as settings of developers' machines. */
  exceptPaths: string | null;
  config: NapiConfig;
  input: InputCondition | null;
  matches: string[];
  misses: string[];
};

/** The part of a rule that the checking process needs. */
export type RuleCheck = Pick<CodeRule, 'id' | 'language' | 'keywords' | 'fileContaining' | 'config' | 'input'>;

/** A place where a rule matches. Lines and columns count from 1; the end column is exclusive. */
export type CodeHit = {
  rule: string;
  startLine: number;
  endLine: number;
  startColumn: number;
  endColumn: number;
  /** A hash of the matched code with white space folded, which identifies the finding. */
  content: string;
  /** The first line, unchanged. */
  line: string;
  /** The way of the input to this place; missing when the rule follows none. */
  flow?: CodeStep[];
};

/** A step in the same file; lines count from 1. */
export type CodeStep = { line: number; message: string };
