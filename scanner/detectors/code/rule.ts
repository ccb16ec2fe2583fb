import type { NapiConfig } from '@ast-grep/napi/types/config.js';
import type { Confidence } from '../../contract/confidence.ts';
import type { Severity } from '../../contract/severity.ts';
import type { PlaceKind } from './languages/inputs.ts';
import type { LanguageName } from './languages/language.ts';

/** A match is a problem only when this value comes from outside. */
export type InputCondition = {
  /** The argument of a matched call, by position (from 1) or by name, or any of them. */
  argument?: number | string | Array<number | string>;
  /** Or a metavariable of the rule. Without either, the value is the whole match. */
  variable?: string;
  /**
   * `request`: it contains input of a request. `caller`: that, or text built with a parameter of the function. `any`:
   * that, or a plain parameter. `source`: an expression that the pattern `source` matches. `varying`: anything but a
   * constant.
   */
  from: 'request' | 'caller' | 'any' | 'source' | 'varying';
  /** Matches the start of an expression that counts as input in place of requests. */
  source?: string;
  /**
   * Matches the start of an input that does not count here, such as the browser's address for a server-side weakness.
   */
  except?: string;
  /** Matches the start of an expression whose result the program trusts, such as the response to its own request. */
  own?: string;
  /** The kind of sink: only its encoders make the value harmless. Without it, any encoder does. */
  into?: PlaceKind;
  /** Whether the match looks up the class that input names: a check of the class afterwards makes it harmless. */
  looksUpClass?: boolean;
  /** Whether to ignore input that went through a function of another file. */
  unchanged?: boolean;
  /** Whether only the whole input counts: not a part of it, nor an object that contains it. */
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
  /** The highest confidence of its hits. */
  confidence: Confidence;
  cwe: string[];
  description: string;
  remediation: string;
  references: string[];
  /** Every file that the rule can match contains at least one of these. Other files are skipped. */
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

/** The part of a rule that the checker process needs. */
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
  /** The flow of the input to this place; missing if the rule follows no input. */
  flow?: CodeStep[];
  /**
   * Confidence in the flow. `high`: each step was followed, or the rule follows none. `medium`: input went through an
   * unknown function, or no call of the function was found. `low`: no call of the function passes input.
   */
  confidence: Confidence;
};

/** A step, in the same file if it has no path; lines count from 1. */
export type CodeStep = { path?: string; line: number; message: string };
