import type { NapiConfig } from '@ast-grep/napi/types/config.js';
import type { Severity } from '../../../findings/severity.ts';
import type { LanguageName } from './languages/language.ts';

/** The value that must come from outside for a match to be a problem. */
export type InputCondition = {
  /** Of a matched call, the argument by position (from 1) or by name, or any of them. */
  argument?: number | string | Array<number | string>;
  /** A metavariable of the rule instead. Without either, the whole match is looked at. */
  variable?: string;
  /**
   * `request`: it carries input of a request. `caller`: that, or text put together with a parameter of the function.
   * `any`: that, or a parameter as it is.
   */
  from: 'request' | 'caller' | 'any';
  /** Pattern that the constant text around the input must match, e.g. SQL keywords. */
  containing?: string;
  /** Pattern of text before the input that makes it harmless, e.g. a fixed host. */
  unlessAfter?: string;
};

/** A static check: an ast-grep rule, what it means, and examples that prove it. */
export type CodeRule = {
  id: string;
  language: LanguageName;
  title: string;
  severity: Severity;
  cwe: string[];
  description: string;
  remediation: string;
  references: string[];
  /** At least one of them stands in every file that the rule can match: spares reading the others. */
  keywords: string[];
  /** Pattern that a file must match besides, e.g. an import. */
  fileContaining: string | null;
  config: NapiConfig;
  input: InputCondition | null;
  matches: string[];
  misses: string[];
};

/** What the process that checks files needs of a rule. */
export type RuleCheck = Pick<CodeRule, 'id' | 'language' | 'keywords' | 'fileContaining' | 'config' | 'input'>;

/** A place where a rule matches. Lines and columns count from 1; the end column is exclusive. */
export type CodeHit = {
  rule: string;
  startLine: number;
  endLine: number;
  startColumn: number;
  endColumn: number;
  /** A hash of the matched code with white space folded: what the finding is known by. */
  content: string;
  /** The first line, as it stands. */
  line: string;
};
