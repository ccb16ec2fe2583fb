import { normalisedContent } from '../../findings/fingerprint.ts';
import { isAboutSecret, redactTexts } from '../detectors/secrets/redact-text.ts';
import type { ReadContext, ReadDetection } from './format.ts';

/** A result about a place in code or configuration. `content` is what the tool quotes of it, `message` what it says. */
export type CodeResult = Omit<ReadDetection, 'identity' | 'equals' | 'evidence' | 'title'> & {
  title: string;
  content: string | undefined;
  /** What the content's place is taken by when the tool quotes none: the resource, or the message. */
  instead?: string;
};

/** More than is kept of any text, so that a secret at the end is not cut in two before it is found. */
const longestShown = 24_000;

/** Numbers of lines and columns in a message move with the code. */
const withoutNumbers = (message: string): string =>
  normalisedContent(message).replace(/\b(lines?|columns?|at)[ :#]*\d+(?:[-:,]\d+)*|:\d+(?::\d+)?\b/gi, '$1');

/**
 * Identity: rule, file, and the content with white space folded (the message, when the tool quotes no code), numbered by position
 * among equals. Secrets are taken out of all that is shown; a content that holds one goes in as a keyed hash.
 */
export function codeResult({ content, instead, ...result }: CodeResult, context: ReadContext): ReadDetection {
  const path = result.location?.path ?? '';
  const literals = isAboutSecret(result.identifiers ?? [], result.rule.id);
  const shown = [result.title, result.description ?? '', content ?? ''].map((text) => text.slice(0, longestShown));
  const [title, told, evidence] = redactTexts(shown, { literals, path });
  const known = content?.trim()
    ? normalisedContent(content)
    : withoutNumbers(instead || result.description || result.title);
  const isSecret = literals || evidence !== shown[2] || told !== shown[1];
  return {
    ...result,
    identity: ['code', result.rule.id, path, isSecret ? context.keyedHash(known) : known],
    equals: 'problems',
    title: title!,
    description: told || undefined,
    evidence: evidence || undefined,
  };
}
