import { codeResult } from '../code-result.ts';
import type { Format, ReadContext, ReadDetection } from '../format.ts';
import { FormatError, jsonPathName } from '../format-error.ts';
import { type JsonObject, type JsonPath, objectAt, readJson, requireRootMember } from '../json/json.ts';
import { filePath } from '../paths.ts';
import { severityOf } from '../severity-words.ts';
import { firstText, object, position, text, texts } from '../values.ts';

const source = 'tfsec';

/**
 * tfsec's JSON, of all its versions. Severity: its word; ERROR and WARNING of the older ones are `high` and `medium`.
 * Passed and ignored results (`passed`, `status` 1 and 2) are not findings. Identity: rule, file and resource, or else
 * the description.
 */
export const tfsec: Format = {
  name: 'tfsec',
  title: 'tfsec',
  recognise(head) {
    if (head.paths.has('results[].rule_provider') || head.paths.has('results[].long_id')) return 1;
    // tfsec writes this without results; osv-scanner writes an empty list.
    return /^\{\s*"results"\s*:\s*null\s*\}\s*$/.test(head.text) ? 0.8 : 0;
  },
  async *read(chunks, context) {
    context.covers(source);
    for await (const event of readJson(chunks, ['results[*]'])) {
      requireRootMember(event, ['results'], 'tfsec');
      if (event.kind !== 'item') continue;
      const result = objectAt(event.value, event.path);
      if (result.passed !== true && result.status !== 1 && result.status !== 2)
        yield readResult(result, event.path, context);
    }
  },
};

function readResult(result: JsonObject, path: JsonPath, context: ReadContext): ReadDetection {
  const id = firstText(result.long_id, result.rule_id);
  if (id === undefined)
    throw new FormatError('The member “rule_id” must be a text.', { path: jsonPathName([...path, 'rule_id']) });
  const place = object(result.location);
  const resource = text(result.resource);
  const description = text(result.description) ?? id;
  const detection = codeResult(
    {
      source,
      title: text(result.rule_description) ?? description,
      description: [description, text(result.impact)].filter(Boolean).join('\n\n'),
      severity: severityOf(result.severity, undefined, 'medium'),
      rule: {
        id,
        name: text(result.rule_description),
        url: texts(result.links)[0] ?? text(result.link)?.match(/https?:\S+/)?.[0],
      },
      location: {
        path: filePath(text(place.filename)),
        start_line: position(place.start_line),
        end_line: position(place.end_line),
      },
      content: undefined,
      instead: description,
      remediation: text(result.resolution),
      references: texts(result.links),
    },
    context,
  );
  return resource ? { ...detection, identity: ['resource', id, detection.location?.path ?? '', resource] } : detection;
}
