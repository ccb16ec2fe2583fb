import type { Severity } from '../../contract/severity.ts';

/** A match that is not yet accepted. Offsets count from 0 in `text`, which is the blob with one character per byte. */
export type SecretCandidate = {
  secret: string;
  text: string;
  matchStart: number;
  start: number;
  end: number;
  path: string;
};

/**
 * A kind of credential. A rule is data, with examples that prove it. rules.test.ts runs them. Sample secrets in
 * `matches` are assembled at run time (`'AKIA' + sample('A-Z2-7', 16)`), so that the source contains nothing that looks
 * live.
 */
export type SecretRule = {
  /**
   * In kebab case. It never changes, because it identifies findings. Use established names (Gitleaks') if they exist,
   * such as `github-pat`.
   */
  id: string;
  /** "GitHub personal access token" */
  name: string;
  severity: Severity;
  /** An attacker's use of it, in one sentence. */
  risk: string;
  /** Steps to revoke or rotate it, in one or two sentences that name the place in the product. */
  remediation: string;
  references?: string[];
  /**
   * ASCII substrings of at least 3 characters, in any case if they are lower case, exactly if they have a capital. A
   * blob without any of them is never matched against the pattern, so every match must contain at least one. Write
   * short ones in their exact case: case-insensitively, those of Discord tokens occur in every third line of English.
   * Empty only with `path`, for formats without a fixed part: such a rule reads the first 64 KB of every file whose
   * path matches.
   */
  keywords: string[];
  /**
   * Source in RE2 syntax (no look-around or back references, since it runs on a linear-time engine; see engine.ts),
   * matched against lines or a bounded window of the blob. The named group `secret` (in other alternatives `secret2`,
   * `secret3` …) is the credential; without one, it is the whole match.
   */
  pattern: string;
  /** `i`: ignore case. */
  flags?: 'i';
  /** Only in files whose path matches (a JavaScript RegExp on the repository path with `/`); all files otherwise. */
  path?: RegExp;
  /** Minimum Shannon entropy of the secret in bits per character. */
  minEntropy?: number;
  /**
   * A further test of the secret (checksum, decoded structure); false rejects the candidate. It must be fast and never
   * throw.
   */
  verify?: (secret: string) => boolean;
  /**
   * True when the pattern starts exactly at one of the keywords: it is then tried only at their positions, which is
   * many times faster. Such a pattern must have a maximum length (no `*`, `+` or `{n,}`).
   */
  anchored?: boolean;
  /**
   * A test of the secret in its context, after `verify`; false rejects the candidate. It must be fast and never throw.
   */
  accept?: (candidate: SecretCandidate) => boolean;
  /**
   * True for rules that recognise an assignment instead of a distinct format; a specific rule at the same location
   * wins.
   */
  generic?: boolean;
  /**
   * Texts in which the rule finds exactly one secret, and near-misses in which it finds none. `path` if the rule needs
   * one.
   */
  matches: Array<string | { path: string; text: string }>;
  misses: Array<string | { path: string; text: string }>;
};
