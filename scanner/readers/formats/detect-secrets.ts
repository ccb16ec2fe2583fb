import type { Format, ReadContext, ReadDetection } from '../format.ts';
import { FormatError, jsonPathName } from '../format-error.ts';
import { hasPaths } from '../head.ts';
import { type JsonObject, type JsonPath, objectAt, readJson, requiredText, requireRootMember } from '../json/json.ts';
import { secretResult } from '../secret-result.ts';
import { position, text } from '../values.ts';

const source = 'detect-secrets';

/** Detectors that depend on randomness or names, and so are often wrong. */
const isGuess = (type: string): boolean => /entropy|keyword/i.test(type);

/**
 * A baseline of detect-secrets (`detect-secrets scan`), of version 1 and before (its source:
 * `core/secrets_collection.py` and `core/potential_secret.py`). It contains the secrets' SHA-1, which identifies them
 * here as a keyed hash and is not stored. Severity: verified secrets are `critical`, those found by entropy or a
 * keyword `medium`, others `high`. Results that the audit rejected (`is_secret`: false) are suppressed.
 */
export const detectSecrets: Format = {
  name: 'detect-secrets',
  title: 'detect-secrets',
  recognise: (head) =>
    hasPaths(head, 'plugins_used', 'results') || hasPaths(head, 'plugins_used', 'filters_used') ? 1 : 0,
  async *read(chunks, context) {
    context.covers(source);
    for await (const event of readJson(chunks, ['version', 'results.*'])) {
      requireRootMember(event, ['plugins_used'], 'detect-secrets');
      if (event.kind !== 'item') continue;
      if (event.pattern === 'version') {
        context.version(source, event.value);
        continue;
      }
      if (!Array.isArray(event.value))
        throw new FormatError('The secrets of a file must be a list.', { path: jsonPathName(event.path) });
      for (const [index, value] of event.value.entries()) {
        const path = [...event.path, index];
        yield readSecret(objectAt(value, path), path, String(event.path.at(-1)), context);
      }
    }
  },
};

function readSecret(found: JsonObject, path: JsonPath, file: string, context: ReadContext): ReadDetection {
  const type = requiredText(found, 'type', path);
  const isVerified = found.is_verified === true;
  const result = secretResult(
    {
      source,
      rule: { id: type.toLowerCase().replace(/[^a-z0-9]+/g, '-'), name: type },
      secret: requiredText(found, 'hashed_secret', path),
      path: text(found.filename) ?? file,
      startLine: position(found.line_number),
      severity: isVerified ? 'critical' : isGuess(type) ? 'medium' : 'high',
      description: `${type}.${isVerified ? ' detect-secrets has verified that it works.' : ''}`,
    },
    context,
  );
  if (found.is_secret !== false) return result;
  return { ...result, suppression: { status: 'false_positive', reason: 'Audited with detect-secrets: no secret.' } };
}
