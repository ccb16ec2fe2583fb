import { createSecretEngine, type SecretEngine } from '../engine.ts';
import { genericRule } from '../files/generic-rule.ts';
import type { SecretRule } from '../rule.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
/** The characters of the encoded text that a prefix determines, regardless of the following text. */
const encodedStart = (start: string): string => base64(start).slice(0, Math.floor((start.length * 8) / 6));

/** A hostile file may start an encoded text every few bytes: each costs as much as its length. */
const maxEncoded = 1_000;
const minPrefix = 4;
/** Prefixes of whole files and settings. */
const fileStarts = ['{"auths":', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS', '[default]\naws'];

/**
 * Returns the rule for credentials of known forms that are encoded in base64, once or twice. They are found by their
 * encoded prefixes, so that no other text is decoded.
 */
export function encodedRule(rules: SecretRule[]): SecretRule {
  const tokens = rules.filter(({ anchored, generic }) => anchored === true && generic !== true);
  const starts = tokens.flatMap(({ pattern, keywords }) =>
    keywords.filter((keyword) => keyword.length >= minPrefix && pattern.includes(keyword)),
  );
  const once = [...new Set([...starts, ...fileStarts])].map(encodedStart);
  const words = [...once, ...once.map(encodedStart)].filter((word) => word.length >= 5 && !/^eyJ/i.test(word));
  let inner: SecretEngine | null = null;
  const holdsSecret = (text: string): boolean => {
    inner ??= createSecretEngine(rules);
    const content = Buffer.from(text, 'latin1');
    return inner.mayContainSecret(content, 'decoded') && inner.find(content, 'decoded').length > 0;
  };
  return genericRule({
    id: 'encoded-credential',
    name: 'Credential in base64',
    risk: 'Base64 hides nothing: anyone who reads it can decode and use the credential.',
    remediation: 'Decode it to see what it is, revoke that credential, and keep the new one out of the repository.',
    keywords: [...new Set(words.map((word) => word.toLowerCase()))],
    pattern: `(?P<secret>[A-Za-z0-9+/]{20,${maxEncoded}}={0,2})`,
    anchored: true,
    // Only from the start of base64 text: in the middle, every few bytes may look like a prefix.
    accept: ({ secret, text, start }) =>
      !/[A-Za-z0-9+/]/.test(text[start - 1] ?? '') && decodings(secret).some(holdsSecret),
    matches: [],
    misses: [],
  });
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
