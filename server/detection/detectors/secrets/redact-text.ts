import { allRules } from './all-rules.ts';
import { createSecretEngine, type SecretEngine } from './engine.ts';

const mark = '…(redacted)';
let engine: SecretEngine | undefined;

/** Weaknesses that say that the text itself is the secret: hard-coded credentials, passwords and keys, secrets in clear. */
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

/** Whether a result is about a secret in the code, so that the code that it quotes is one. */
export const isAboutSecret = (identifiers: string[], ruleId = ''): boolean =>
  identifiers.some((identifier) => secretWeaknesses.has(identifier)) ||
  /secret|hard-?_?coded|password|credential|api-?_?key|private-?_?key/i.test(ruleId);

/**
 * Texts of one result without the secrets in them: those that the secrets detector knows, wherever in them they stand, and, when the
 * result is about one (`literals`), every text in quotes and every value that is assigned.
 */
export function redactTexts(texts: string[], { literals = false, path = '' } = {}): string[] {
  const results = literals ? without(texts, texts.flatMap(literalsIn)) : texts;
  engine ??= createSecretEngine(allRules);
  const bytes = Buffer.from(results.join('\n'));
  const hits = engine.mayContainSecret(bytes) ? engine.find(bytes, path) : [];
  return hits.length === 0
    ? results
    : without(
        results,
        hits.map((hit) => hit.secret),
      );
}

/** The longest first, so that none leaves the rest of another behind. */
function without(texts: string[], secrets: string[]): string[] {
  const ordered = [...new Set(secrets)].sort((left, right) => right.length - left.length).slice(0, 1_000);
  return texts.map((text) => ordered.reduce((left, secret) => left.replaceAll(secret, mark), text));
}

const quoted = /(["'`])((?:(?!\1)[^\\\n]|\\.){3,})\1|[“‘]([^”’\n]{3,500})[”’]/g;
const assigned =
  /(?:password|passwd|pwd|secret|token|key|credential)\w{0,40}\s{0,20}[=:]\s{0,20}(?!["'`])([^\s,;)"'`]{3,})/gi;

/** Quoted texts and the right side of assignments: without them the code shows where to look, not what stands there. */
const literalsIn = (text: string): string[] =>
  [...text.matchAll(quoted), ...text.matchAll(assigned)].map((match) => (match[2] ?? match[3] ?? match[1])!);

/** For a secret of which nothing may be shown. */
export const redactedSecret = mark;

/** A line with this secret taken out, for tools that name the secret in it. */
export function withoutSecret(line: string, secret: string): string {
  const bare = secret.trim();
  return redactTexts([bare.length >= 3 ? line.replaceAll(bare, mark) : line], { literals: true })[0]!;
}
