import { normalisedContent } from '../contract/fingerprint.ts';
import type { Severity } from '../contract/severity.ts';
import { redactedSecret, withoutSecret } from '../detectors/secrets/redact-text.ts';
import type { ReadContext, ReadDetection } from './format.ts';
import { filePath } from './paths.ts';

/** A secret as tools report it. `secret` and `line` are in plain text here, and nowhere later. */
export type FoundSecret = {
  source: string;
  rule: ReadDetection['rule'];
  secret: string | undefined;
  line?: string;
  path: string | undefined;
  startLine?: number | null;
  endLine?: number | null;
  startColumn?: number | null;
  endColumn?: number | null;
  commit?: string;
  url?: string;
  severity: Severity;
  description?: string;
  remediation?: string;
  identifiers?: string[];
};

const hiddenPattern = /^[\s*.…#x]*$|redacted|\*{3,}|^\.{3}/i;

/** Tools can be configured to write a mark or only a part of the secret, neither of which identifies it. */
const isHidden = (secret: string | undefined): boolean => secret === undefined || hiddenPattern.test(secret);

/** The first line of a key, which is the same in every key. Some tools report only this line. */
const keyHeader = /^-----BEGIN [A-Z0-9 ]{1,60}-----$/;

/**
 * Identity: the rule and the keyed hash of the secret, so that one secret is one problem in all its locations. If the
 * tool hides the secret: rule, file and the redacted line, numbered by position. If it reports only the header of a
 * key: rule and file.
 */
export function secretResult(found: FoundSecret, context: ReadContext): ReadDetection {
  const path = filePath(found.path);
  const hidden = isHidden(found.secret);
  const isHeader = keyHeader.test(found.secret?.trim() ?? '');
  const shown =
    found.line === undefined ? '' : hidden ? withoutSecret(found.line, '') : withoutSecret(found.line, found.secret!);
  const name = found.rule.name ?? found.rule.id;
  const content = context.keyedHash(normalisedContent(found.line ?? found.secret ?? ''));
  return {
    source: found.source,
    identity: hidden
      ? ['hidden-secret', found.rule.id, path ?? '', content]
      : isHeader
        ? ['key-in-file', found.rule.id, path ?? '']
        : ['secret', found.rule.id, context.keyedHash(found.secret!.trim())],
    equals: hidden ? 'problems' : 'places',
    title: `${name} in ${path ?? 'a commit'}`,
    description: found.description ?? `${name} found${path === null ? '' : ` in \`${path.replaceAll('`', "'")}\``}.`,
    severity: found.severity,
    rule: found.rule,
    location: {
      path,
      start_line: found.startLine ?? null,
      end_line: found.endLine ?? found.startLine ?? null,
      start_column: found.startColumn ?? null,
      end_column: found.endColumn ?? null,
      commit: found.commit || null,
      url: found.url ?? null,
    },
    identifiers: found.identifiers ?? ['CWE-798'],
    evidence: shown || redactedSecret,
    remediation:
      found.remediation ??
      'Revoke the credential at once: it counts as known. Make a new one, read it from a secret store or the environment, and remove the old one from the history of the repository.',
  };
}
