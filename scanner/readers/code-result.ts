import { normalisedContent } from '../contract/fingerprint.ts';
import { isAboutSecret, redactTexts } from '../detectors/secrets/redact-text.ts';
import type { ReadContext, ReadDetection } from './format.ts';

/**
 * A result about a place in code or configuration. `content` is the code that the tool quotes, `message` its finding.
 */
export type CodeResult = Omit<ReadDetection, 'identity' | 'equals' | 'evidence' | 'title'> & {
  title: string;
  content: string | undefined;
  /** The part of the identity if the tool quotes no code: the resource, or the message. */
  instead?: string;
};

/** Longer than any stored text, so that a secret at the end is found before the text is truncated. */
const maxShownLength = 24_000;

/** Line and column numbers in a message change when code moves. */
const withoutNumbers = (message: string): string =>
  normalisedContent(message).replace(/\b(lines?|columns?|at)[ :#]*\d+(?:[-:,]\d+)*|:\d+(?::\d+)?\b/gi, '$1');

/**
 * Identity: rule, file, and the content with white space folded (the message, if the tool quotes no code), numbered by
 * position among equals. Secrets are redacted in every visible text; content with a secret enters the identity as a
 * keyed hash.
 */
export function codeResult({ content, instead, ...result }: CodeResult, context: ReadContext): ReadDetection {
  const path = result.location?.path ?? '';
  const literals = isAboutSecret(result.identifiers ?? [], result.rule.id);
  const shown = [result.title, result.description ?? '', content ?? ''].map((text) => text.slice(0, maxShownLength));
  const [title, description, evidence] = redactTexts(shown, { literals, path });
  const known = content?.trim()
    ? normalisedContent(content)
    : withoutNumbers(instead || result.description || result.title);
  const isSecret = literals || evidence !== shown[2] || description !== shown[1];
  return {
    ...result,
    identity: ['code', result.rule.id, path, isSecret ? context.keyedHash(known) : known],
    equals: 'problems',
    title: title!,
    description: description || undefined,
    evidence: evidence || undefined,
  };
}
