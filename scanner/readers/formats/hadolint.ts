import { codeResult } from '../code-result.ts';
import type { Format } from '../format.ts';
import { hasPaths } from '../head.ts';
import { objectAt, readJson, requiredText } from '../json/json.ts';
import { filePath } from '../paths.ts';
import { severityOf } from '../severity-words.ts';
import { position, text } from '../values.ts';

const source = 'hadolint';

/**
 * hadolint's JSON. Severity: error `high`, warning `medium`, info and style `info`. hadolint quotes no code: rule, file
 * and message are the identity, numbered by line.
 */
export const hadolint: Format = {
  name: 'hadolint',
  title: 'Hadolint',
  recognise: (head) => (hasPaths(head, '[].code', '[].level', '[].message', '[].file') ? 1 : 0),
  async *read(chunks, context) {
    context.covers(source);
    for await (const event of readJson(chunks, ['[*]'])) {
      if (event.kind !== 'item') continue;
      const found = objectAt(event.value, event.path);
      const id = requiredText(found, 'code', event.path);
      const message = text(found.message) ?? id;
      yield codeResult(
        {
          source,
          title: message,
          severity: severityOf(found.level, undefined, 'medium'),
          rule: {
            id,
            url: /^DL\d+$/.test(id)
              ? `https://github.com/hadolint/hadolint/wiki/${id}`
              : `https://www.shellcheck.net/wiki/${encodeURIComponent(id)}`,
          },
          location: {
            path: filePath(text(found.file)),
            start_line: position(found.line),
            end_line: position(found.line),
            start_column: position(found.column),
          },
          content: undefined,
          instead: message,
        },
        context,
      );
    }
  },
};
