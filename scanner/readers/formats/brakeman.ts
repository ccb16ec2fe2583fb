import { codeResult } from '../code-result.ts';
import { confidenceFromWord } from '../confidence.ts';
import type { Format, ReadContext, ReadDetection } from '../format.ts';
import { hasPaths } from '../head.ts';
import { weaknesses } from '../identifiers.ts';
import { type JsonObject, type JsonPath, objectAt, readJson, requiredText, requireRootMember } from '../json/json.ts';
import { filePath } from '../paths.ts';
import { list, position, text } from '../values.ts';

const source = 'brakeman';

/**
 * Brakeman's JSON. Brakeman reports a confidence but no severity: all are `medium`. Identity: its fingerprint. Ignored
 * warnings arrive as accepted risks with their note.
 */
export const brakeman: Format = {
  name: 'brakeman',
  title: 'Brakeman',
  recognise: (head) =>
    hasPaths(head, 'scan_info.brakeman_version') || hasPaths(head, 'warnings', 'ignored_warnings') ? 1 : 0,
  async *read(chunks, context) {
    context.covers(source);
    for await (const event of readJson(chunks, [
      'scan_info.brakeman_version',
      'warnings[*]',
      'ignored_warnings[*]',
      'errors[*]',
    ])) {
      requireRootMember(event, ['scan_info', 'ignored_warnings'], 'Brakeman');
      if (event.kind !== 'item') continue;
      if (event.pattern === 'scan_info.brakeman_version') context.version(source, event.value);
      else if (event.pattern === 'errors[*]') context.incomplete('Brakeman could not read all files.');
      else
        yield readWarning(
          objectAt(event.value, event.path),
          event.path,
          event.pattern === 'ignored_warnings[*]',
          context,
        );
    }
  },
};

function readWarning(warning: JsonObject, path: JsonPath, ignored: boolean, context: ReadContext): ReadDetection {
  const type = requiredText(warning, 'warning_type', path);
  const message = text(warning.message) ?? type;
  const own = text(warning.fingerprint);
  const result = codeResult(
    {
      source,
      title: `${type}: ${message}`,
      description: message,
      confidence: confidenceFromWord(warning.confidence),
      severity: 'medium',
      rule: { id: text(warning.check_name) ?? type, name: type, url: text(warning.link) },
      location: {
        path: filePath(text(warning.file)),
        start_line: position(warning.line),
        end_line: position(warning.line),
      },
      content: text(warning.code),
      instead: message,
      identifiers: weaknesses(list(warning.cwe_id)),
      suppression: ignored
        ? { status: 'accepted_risk', reason: text(warning.note) ?? 'Ignored in Brakeman’s configuration.' }
        : undefined,
    },
    context,
  );
  return own ? { ...result, identity: ['brakeman', own] } : result;
}
