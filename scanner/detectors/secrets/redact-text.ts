import { allRules } from './all-rules.ts';
import { createSecretEngine, type SecretEngine } from './engine.ts';

const mark = '…(redacted)';
let engine: SecretEngine | undefined;

/** Returns the engine with all built-in rules, which is created on first use. */
export function sharedEngine(): SecretEngine {
  engine ??= createSecretEngine(allRules);
  return engine;
}

/**
 * Weaknesses in which the text itself is the secret: hard-coded credentials, passwords and keys, plain-text secrets.
 */
const secretWeaknesses = new Set([
  'CWE-798',
  'CWE-259',
  'CWE-260',
  'CWE-321',
  'CWE-256',
  'CWE-312',
  'CWE-522',
  'CWE-540',
  'CWE-547',
]);

/** Returns whether a result is about a secret in the code: its quoted code then contains one. */
export const isAboutSecret = (identifiers: string[], ruleId = ''): boolean =>
  identifiers.some((identifier) => secretWeaknesses.has(identifier)) ||
  /secret|hard-?_?coded|password|credential|api-?_?key|private-?_?key/i.test(ruleId);

/**
 * Redacts the texts of a result: all secrets that the secrets detector finds and, if the result is about a secret
 * (`literals`), every quoted text and every assigned value.
 */
export function redactTexts(texts: string[], { literals = false, path = '' } = {}): string[] {
  const results = literals ? without(texts, texts.flatMap(literalsIn)) : texts;
  const bytes = Buffer.from(results.join('\n'));
  const hits = sharedEngine().mayContainSecret(bytes) ? sharedEngine().find(bytes, path) : [];
  return hits.length === 0
    ? results
    : without(
        results,
        hits.map((hit) => hit.secret),
      );
}

/** The longest first, so that no part of a longer secret remains. */
export function without(texts: string[], secrets: string[]): string[] {
  const ordered = [...new Set(secrets)].sort((left, right) => right.length - left.length).slice(0, 1_000);
  return texts.map((text) => ordered.reduce((left, secret) => left.replaceAll(secret, mark), text));
}

const quoted = /(["'`])((?:(?!\1)[^\\\n]|\\.){3,})\1|[“‘]([^”’\n]{3,500})[”’]/g;
const assigned =
  /(?:password|passwd|pwd|secret|token|key|credential)\w{0,40}\s{0,20}[=:]\s{0,20}(?!["'`])([^\s,;)"'`]{3,})/gi;

/** Quoted texts and the right side of assignments. The rest of the code still shows where to look. */
export const literalsIn = (text: string): string[] =>
  [...text.matchAll(quoted), ...text.matchAll(assigned)].map((match) => (match[2] ?? match[3] ?? match[1])!);

/** Replaces a secret completely. */
export const redactedSecret = mark;

/** Removes a secret from a line, for tools that report the secret. */
export function withoutSecret(line: string, secret: string): string {
  const bare = secret.trim();
  return redactTexts([bare.length >= 3 ? line.replaceAll(bare, mark) : line], { literals: true })[0]!;
}
