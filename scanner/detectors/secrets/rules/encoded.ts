import { createSecretEngine, type SecretEngine } from '../engine.ts';
import { genericRule } from '../files/generic-rule.ts';
import { isBasicCredential } from '../files/headers-and-commands.ts';
import type { SecretRule } from '../rule.ts';
import { afterBase64, base64LineBreak, unwrapBase64 } from '../wrapped-base64.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
/** The characters of the encoded text that a prefix determines, regardless of the following text. */
const encodedStart = (start: string): string => base64(start).slice(0, Math.floor((start.length * 8) / 6));

/** A hostile file may start an encoded text every few bytes: each costs as much as its length. */
const maxEncoded = 1_000;
const maxLines = 14;
const minPrefix = 4;
/** Prefixes of whole files and settings. */
const fileStarts = [
  ...['{"auths":', '{\n  "auths":', '{\n\t"auths":'],
  ...['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS', '[default]\naws'],
  ...['{"type":"service_acc', '{"type": "service_acc', '{\n  "type": "service_acc', '{\n    "type": "service_acc'],
];

/** The key of a Google service account is longer than the text that is decoded. */
const truncatedKey = /"private_key"\s*:\s*"-----BEGIN (?:RSA )?PRIVATE KEY-----\\n[A-Za-z0-9+/]{60}/;

/** The login of a registry in Docker's configuration. */
const registryLogin = /"auths"\s*:[\s\S]{0,400}?"auth"\s*:\s*"([A-Za-z0-9+/]{8,400}={0,2})"/;

/**
 * Returns the rule for credentials of known forms that are encoded in base64, once or twice. They are found by their
 * encoded prefixes, so that no other text is decoded.
 */
export function encodedRule(rules: SecretRule[]): SecretRule {
  const tokens = rules.filter(({ anchored, generic }) => anchored === true && generic !== true);
  const starts = tokens.flatMap(({ pattern, keywords }) =>
    keywords.filter((keyword) => keyword.length >= minPrefix && pattern.includes(keyword)),
  );
  // Tokens of three parts have a rule; files that start with the same bracket do not.
  const encoded = [...new Set(starts)].map(encodedStart).filter((word) => !/^eyJ/i.test(word));
  const once = [...encoded, ...fileStarts.map(encodedStart)];
  const words = [...once, ...once.map(encodedStart)].filter((word) => word.length >= 5);
  let inner: SecretEngine | null = null;
  const holdsSecret = (text: string): boolean => {
    inner ??= createSecretEngine(rules);
    const content = Buffer.from(text, 'latin1');
    return (
      truncatedKey.test(text) ||
      isBasicCredential(registryLogin.exec(text)?.[1] ?? '') ||
      (inner.mayContainSecret(content, 'decoded') && inner.find(content, 'decoded').length > 0)
    );
  };
  return genericRule({
    id: 'encoded-credential',
    name: 'Credential in base64',
    risk: 'Base64 hides nothing: anyone who reads it can decode and use the credential.',
    remediation: 'Decode it to see what it is, revoke that credential, and keep the new one out of the repository.',
    keywords: [...new Set(words.map((word) => word.toLowerCase()))],
    pattern: `(?:(?P<secret>(?:[A-Za-z0-9+/]{60,76}${base64LineBreak}){1,${maxLines}}[A-Za-z0-9+/]{1,76}={0,2})${afterBase64}|(?P<secret2>[A-Za-z0-9+/]{20,${maxEncoded}}={0,2}))`,
    anchored: true,
    // Only from the start of base64 text: in the middle, every few bytes may look like a prefix.
    accept: ({ secret, text, start }) =>
      !/[A-Za-z0-9+/]/.test(text[start - 1] ?? '') && readings(secret).flatMap(decodings).some(holdsSecret),
    matches: [],
    misses: [],
  });
}

/** Returns the encoded text with and without its last line: the text that follows may look like one. */
function readings(secret: string): string[] {
  const lastBreak = secret.lastIndexOf('\n');
  return lastBreak < 0 ? [secret] : [secret, secret.slice(0, lastBreak + 1)].map(unwrapBase64);
}

/** Returns the decoded text, with any encoded text in it decoded too. */
function decodings(encoded: string): string[] {
  const once = decode(encoded);
  if (once === null) return [];
  const twice = /^[A-Za-z0-9+/]{20,}={0,2}\s*$/.test(once) ? decode(once.trim()) : null;
  return twice === null ? [once] : [once, twice];
}

function decode(text: string): string | null {
  const decoded = Buffer.from(text, 'base64').toString('latin1');
  return /^[\t\r\n\x20-\x7e]+$/.test(decoded) ? decoded : null;
}
