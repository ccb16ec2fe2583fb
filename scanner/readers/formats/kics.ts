import { codeResult } from '../code-result.ts';
import type { Format, ReadContext, ReadDetection } from '../format.ts';
import { hasPaths } from '../head.ts';
import { weaknesses } from '../identifiers.ts';
import { type JsonObject, type JsonPath, objectAt, readJson, requiredText, requireRootMember } from '../json/json.ts';
import { filePath } from '../paths.ts';
import { severityOf } from '../severity-words.ts';
import { firstText, list, position, text } from '../values.ts';

const source = 'kics';

/**
 * KICS' JSON: one finding for each query and place. Severity: KICS's word (TRACE is `info`). Identity: KICS's
 * similarity id, derived from query, file and key, not from lines.
 */
export const kics: Format = {
  name: 'kics',
  title: 'KICS',
  recognise: (head) => (hasPaths(head, 'queries', 'kics_version') || hasPaths(head, 'queries_total') ? 1 : 0),
  async *read(chunks, context) {
    context.covers(source);
    for await (const event of readJson(chunks, ['queries[*]', 'kics_version'])) {
      requireRootMember(event, ['queries', 'queries_total'], 'KICS');
      if (event.kind !== 'item') continue;
      if (event.pattern === 'kics_version') {
        context.version(source, event.value);
        continue;
      }
      const query = objectAt(event.value, event.path);
      for (const [index, value] of list(query.files).entries()) {
        const path = [...event.path, 'files', index];
        yield readPlace(query, event.path, objectAt(value, path), context);
      }
    }
  },
};

function readPlace(query: JsonObject, path: JsonPath, place: JsonObject, context: ReadContext): ReadDetection {
  const id = requiredText(query, 'query_id', path);
  const name = text(query.query_name) ?? id;
  const key = text(place.search_key);
  const details = [
    text(place.expected_value) && `Expected: ${place.expected_value}`,
    text(place.actual_value) && `Found: ${place.actual_value}`,
  ];
  const result = codeResult(
    {
      source,
      title: firstText(place.resource_name) ? `${name} (${place.resource_name})` : name,
      description: [text(query.description), ...details].filter(Boolean).join('\n\n'),
      severity: String(query.severity).toUpperCase() === 'TRACE' ? 'info' : severityOf(query.severity, undefined),
      rule: { id, name, url: text(query.query_url) },
      location: {
        path: filePath(text(place.file_name)),
        start_line: position(place.line),
        end_line: position(place.line),
      },
      content: key,
      identifiers: weaknesses([query.cwe]),
    },
    context,
  );
  const similarity = text(place.similarity_id);
  return similarity ? { ...result, identity: ['kics', id, similarity] } : result;
}
