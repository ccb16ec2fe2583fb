import type { Severity } from '../../../findings/severity.ts';

/** A match before it is accepted. Offsets count from 0 into `text`, the blob with one character for each byte. */
export type SecretCandidate = {
  secret: string;
  text: string;
  matchStart: number;
  start: number;
  end: number;
  path: string;
};

/**
 * One kind of credential. A rule is data: it carries its own proof, which rules.test.ts runs.
 * Sample secrets in `matches` are assembled at run time (`'AKIA' + sample('A-Z2-7', 16)`), so that the source holds nothing that looks live.
 */
export type SecretRule = {
  /** Lower-case kebab, stable for ever: findings are identified by it. Use the field's own names where there are (Gitleaks'), e.g. `github-pat`. */
  id: string;
  /** "GitHub personal access token" */
  name: string;
  severity: Severity;
  /** What somebody can do with it, one sentence. */
  risk: string;
  /** How to revoke or rotate it, one or two sentences naming the place in the product. */
  remediation: string;
  references?: string[];
  /**
   * Lower-case ASCII substrings, at least 3 long; a blob that holds none of them (case folded) is never matched against the pattern.
   * Every match must contain at least one. Empty only with `path` and for formats that have no fixed part: such a rule sees the first 64 KB
   * of every file whose path matches.
   */
  keywords: string[];
  /**
   * RE2 syntax source (no look-around, no back references: it runs on a linear-time engine; see engine.ts), matched against lines or a bounded window of the blob.
   * The named group `secret` (in other alternatives `secret2`, `secret3` …) is the credential itself; without one, the whole match is.
   */
  pattern: string;
  /** `i`: ignore case. */
  flags?: 'i';
  /** Only in files whose path matches (a JavaScript RegExp on the repository path with `/`); all files otherwise. */
  path?: RegExp;
  /** Least Shannon entropy of the secret in bits a character. */
  minEntropy?: number;
  /** A further test of the secret (checksum, decoded structure); false leaves the candidate out. Must be quick and never throw. */
  verify?: (secret: string) => boolean;
  /**
   * True where the pattern begins exactly at one of the keywords: it is then tried at their places alone, which is many times faster.
   * Such a pattern must have a greatest length (no `*`, `+` or `{n,}`).
   */
  anchored?: boolean;
  /** A test of the secret in its surroundings, after `verify`; false leaves the candidate out. Must be quick and never throw. */
  accept?: (candidate: SecretCandidate) => boolean;
  /** True for rules that recognise an assignment rather than a format of its own; those yield to a specific rule at the same place. */
  generic?: boolean;
  /** Texts in which the rule finds exactly one secret, and near-misses in which it finds none. `path` where the rule needs one. */
  matches: Array<string | { path: string; text: string }>;
  misses: Array<string | { path: string; text: string }>;
};
