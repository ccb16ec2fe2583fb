import type { SecretCandidate, SecretRule } from '../rule.ts';
import { providerRules } from './index.ts';

/** Beginnings that name a provider: what starts so and isn't found by the provider's rule has the wrong length, alphabet or checksum. */
const tooCommon =
  /^(?:key-|api-|cli-|sdk-|ext_|dev:|prod:|token-|secret_|sha256~|_gitlab_session=|https?:|prisma:|cloudinary:|unseal key)/;
const claimedPrefixes = providerRules
  .filter((rule) => rule.anchored === true && rule.generic !== true)
  .flatMap((rule) => rule.keywords)
  .filter((prefix) => prefix.length >= 4 && !tooCommon.test(prefix));

/** Vendors without a prefix, with the form that their credentials have. */
const vendorFormats = providerRules.flatMap((rule) =>
  rule.generic ? [{ words: rule.keywords, form: formOf(rule) }] : [],
);

function formOf(rule: SecretRule): RegExp {
  const start = rule.pattern.indexOf('(?<secret>') + '(?<secret>'.length;
  return new RegExp(`^(?:${rule.pattern.slice(start, rule.pattern.lastIndexOf(')(?:[^'))})$`);
}

const nearby = (secret: string) => [
  secret.slice(0, -1),
  secret.slice(0, -2),
  `${secret}0`,
  `${secret}00`,
  secret.slice(1),
];

/** A credential that its vendor's rules know, but for one or two characters too many or too few. */
function missesVendorFormat({ text, start, secret }: SecretCandidate): boolean {
  const line = text
    .slice(text.lastIndexOf('\n', start - 1) + 1, start)
    .slice(-80)
    .toLowerCase();
  const formats = vendorFormats.filter(({ words }) => words.some((word) => line.includes(word)));
  if (formats.length === 0 || formats.some(({ form }) => form.test(secret))) return false;
  return formats.some(({ form }) => nearby(secret).some((variant) => form.test(variant)));
}

/**
 * Whether a value claims to be some provider's credential and can't be one: a token cut short, one with a wrong checksum, a made-up one.
 * Rules that know a credential only by the name it is assigned to leave such values out; the provider's own rule has the say.
 */
export function isMalformed(candidate: SecretCandidate): boolean {
  const secret = candidate.secret.toLowerCase();
  if (secret.length >= 12 && claimedPrefixes.some((prefix) => secret.startsWith(prefix))) return true;
  return missesVendorFormat(candidate);
}

/** The rule, save that it leaves malformed credentials of known providers out. */
export function leaveToProviders(rule: SecretRule): SecretRule {
  if (rule.generic !== true) return rule;
  return { ...rule, accept: (candidate) => (rule.accept?.(candidate) ?? true) && !isMalformed(candidate) };
}
