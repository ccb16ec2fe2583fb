import type { SecretCandidate, SecretRule } from '../rule.ts';
import { providerRules } from './index.ts';

/** Beginnings that name a provider: what starts so and isn't found by the provider's rule has the wrong length, alphabet or checksum. */
const tooCommon =
  /^(?:key-|api-|cli-|sdk-|ext_|dev:|prod:|token-|secret_|sha256~|_gitlab_session=|https?:|prisma:|cloudinary:|unseal key)/;
const claimedPrefixes = providerRules
  .filter((rule) => rule.anchored === true && rule.generic !== true)
  .flatMap((rule) => rule.keywords)
  .filter((prefix) => prefix.length >= 4 && !tooCommon.test(prefix));

type Format = { words: string[]; exact: RegExp; anyCase: RegExp };

/** What a rule's secrets look like from end to end, where its pattern says so plainly. */
function formatOf(rule: SecretRule): Format[] {
  const start = rule.pattern.indexOf('(?<secret>') + '(?<secret>'.length;
  const end = rule.pattern.lastIndexOf(')(?:[^');
  if (end <= start) return [];
  const source = `^(?:${rule.pattern.slice(start, end)})$`;
  return [{ words: rule.keywords, exact: new RegExp(source), anyCase: new RegExp(source, 'i') }];
}

/** Credentials without a prefix are told by the vendor's word before them, the others by one of their own. */
const vendorFormats = providerRules.filter((rule) => rule.generic === true).flatMap(formatOf);
const tokenFormats = providerRules.filter((rule) => rule.generic !== true).flatMap(formatOf);

const nearby = (secret: string) => [
  secret.slice(0, -1),
  secret.slice(0, -2),
  `${secret}0`,
  `${secret}00`,
  secret.slice(1),
];

/** A credential of one of the formats, but for its case or one or two characters too many or too few. */
function misses(secret: string, formats: Format[]): boolean {
  if (formats.length === 0 || formats.some(({ exact }) => exact.test(secret))) return false;
  return formats.some(
    ({ exact, anyCase }) => anyCase.test(secret) || nearby(secret).some((variant) => exact.test(variant)),
  );
}

/**
 * Whether a value claims to be some provider's credential and can't be one: a token cut short, one with a wrong checksum, a made-up one.
 * Rules that know a credential only by the name it is assigned to leave such values out; the provider's own rule has the say.
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

/** The rule, save that it leaves malformed credentials of known providers out. */
export function leaveToProviders(rule: SecretRule): SecretRule {
  if (rule.generic !== true) return rule;
  return { ...rule, accept: (candidate) => (rule.accept?.(candidate) ?? true) && !isMalformed(candidate) };
}
