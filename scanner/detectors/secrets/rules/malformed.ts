import type { SecretCandidate, SecretRule } from '../rule.ts';
import { providerRules } from './index.ts';

/**
 * Prefixes that identify a provider. A value with such a prefix that the provider's rule doesn't find has the wrong
 * length, alphabet or checksum.
 */
const tooCommon =
  /^(?:key-|api-|cli-|sdk-|ext_|oauth:|dev:|prod:|token-|secret_|sha256~|_gitlab_session=|https?:|prisma:|cloudinary:|unseal key)/;
const foldedKeywords = (rule: SecretRule): string[] => rule.keywords.map((keyword) => keyword.toLowerCase());
const claimedPrefixes = providerRules
  .filter((rule) => rule.anchored === true && rule.generic !== true)
  .flatMap(foldedKeywords)
  .filter((prefix) => prefix.length >= 4 && !tooCommon.test(prefix));

type Format = { words: string[]; exact: RegExp; anyCase: RegExp };

/** Returns the complete form of a rule's secrets, if its pattern states it plainly. */
function formatOf(rule: SecretRule): Format[] {
  const start = rule.pattern.indexOf('(?<secret>') + '(?<secret>'.length;
  const end = rule.pattern.lastIndexOf(')(?:[^');
  if (end <= start) return [];
  const source = `^(?:${rule.pattern.slice(start, end)})$`;
  return [{ words: foldedKeywords(rule), exact: new RegExp(source), anyCase: new RegExp(source, 'i') }];
}

/** Credentials without a prefix are recognised by the vendor's name before them, the others by their own prefix. */
const vendorFormats = providerRules.filter((rule) => rule.generic === true).flatMap(formatOf);
const tokenFormats = providerRules.filter((rule) => rule.generic !== true).flatMap(formatOf);

const nearby = (secret: string) => [
  secret.slice(0, -1),
  secret.slice(0, -2),
  `${secret}0`,
  `${secret}00`,
  secret.slice(1),
];

/**
 * Returns whether a value has one of the formats except for its case, or has one or two characters too many or too few.
 */
function misses(secret: string, formats: Format[]): boolean {
  if (formats.length === 0 || formats.some(({ exact }) => exact.test(secret))) return false;
  return formats.some(
    ({ exact, anyCase }) => anyCase.test(secret) || nearby(secret).some((variant) => exact.test(variant)),
  );
}

/**
 * Returns whether a value looks like a provider's credential but can't be valid: truncated, with a wrong checksum, or
 * made up. Rules that depend only on the name of an assignment skip such values: the provider's own rule decides.
 */
function isMalformed({ text, start, secret }: SecretCandidate): boolean {
  const folded = secret.toLowerCase();
  if (secret.length < 12) return false;
  if (claimedPrefixes.some((prefix) => folded.startsWith(prefix))) return true;
  const line = text
    .slice(text.lastIndexOf('\n', start - 1) + 1, start)
    .slice(-80)
    .toLowerCase();
  const holds = (words: string[], place: string) => words.some((word) => place.includes(word));
  if (
    misses(
      secret,
      tokenFormats.filter(({ words }) => holds(words, folded)),
    )
  )
    return true;
  return misses(
    secret,
    vendorFormats.filter(({ words }) => holds(words, line)),
  );
}

/** Returns the rule without matches for malformed credentials of known providers. */
export function leaveToProviders(rule: SecretRule): SecretRule {
  if (rule.generic !== true) return rule;
  return { ...rule, accept: (candidate) => (rule.accept?.(candidate) ?? true) && !isMalformed(candidate) };
}
