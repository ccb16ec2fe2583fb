import { isTestPath } from '../../../contract/test-path.ts';
import { fileKind } from '../file-kind.ts';
import { isLeftOut } from '../placeholders.ts';
import type { SecretCandidate } from '../rule.ts';

/** Returns a pattern of a quoted text in two named groups: `secret` and `secret1` for 0. */
export const quotedKey = (group: number, maxLength = 200): string => {
  const [first, second] = [group === 0 ? 'secret' : `secret${group}`, `secret${group + 1}`];
  return `(?:"(?P<${first}>[^"\\n]{3,${maxLength}})"|'(?P<${second}>[^'\\n]{3,${maxLength}})')`;
};

/** Names of settings, algorithms and files; public keys and formats. */
const noKey =
  /^(?:[HRPE]S\d{3}|none|base64|utf-?8|hex|ascii|latin1)$|^-----BEGIN|\.(?:pem|key|pub|crt|cer|json|ya?ml|env|txt)$|^[\w.]+\(|%[sd]|\\x00|^\.{0,2}\/|^\w+:\/\//i;
const isSettingName = (value: string) => /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(value) || /^\w+(?:\.\w+)+$/.test(value);

/**
 * Returns whether a text is a signing key of an application. Even a dictionary word counts, since it is easy to guess.
 * Ignores tests, documents and comments.
 */
export function isSigningKey({ secret, text, path, matchStart, start }: SecretCandidate): boolean {
  if (['document', 'ignored'].includes(fileKind(path)) || isTestPath(path)) return false;
  if (isLeftOut(secret) || isSettingName(secret) || noKey.test(secret.trim())) return false;
  return !isInComment(text, matchStart) && !(path.endsWith('.py') && isInDocstring(text, start));
}

function isInComment(text: string, place: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', place - 1) + 1, place);
  return /^\s*(?:\/\/|#|\*|\/\*|--|<!--|;)|\s\/\/\s|\bError\(\s*["'`]/.test(line);
}

const maxDocstring = 100_000;

function isInDocstring(text: string, place: number): boolean {
  return text.slice(Math.max(0, place - maxDocstring), place).split(/"""|'''/).length % 2 === 0;
}
