import { codeResult } from '../code-result.ts';
import { confidenceFromWord } from '../confidence.ts';
import type { Format, ReadContext, ReadDetection } from '../format.ts';
import { hasPaths } from '../head.ts';
import { weaknesses } from '../identifiers.ts';
import { type JsonObject, type JsonPath, objectAt, readJson, requiredText, requireRootMember } from '../json/json.ts';
import { filePath } from '../paths.ts';
import { severityOf } from '../severity-words.ts';
import { object, objects, position, text } from '../values.ts';

const source = 'gosec';

/**
 * gosec's JSON. Severity: gosec's word (LOW, MEDIUM, HIGH). Results with `nosec` or with suppressions are accepted
 * risks. The line numbers in `code` are removed, because they move.
 */
export const gosec: Format = {
  name: 'gosec',
  title: 'gosec',
  recognise: (head) =>
    hasPaths(head, 'Issues', 'Stats') || hasPaths(head, 'Issues', 'Golang errors') || head.paths.has('Issues[].rule_id')
      ? 1
      : 0,
  async *read(chunks, context) {
    context.covers(source);
    for await (const event of readJson(chunks, ['Issues[*]', 'Golang errors.*', 'GosecVersion'])) {
      requireRootMember(event, ['Issues'], 'gosec');
      if (event.kind !== 'item') continue;
      if (event.pattern === 'GosecVersion') context.version(source, event.value);
      else if (event.pattern === 'Issues[*]') yield readIssue(objectAt(event.value, event.path), event.path, context);
      else if (Array.isArray(event.value) && event.value.length > 0)
        context.incomplete('gosec could not read all packages.');
    }
  },
};

function readIssue(issue: JsonObject, path: JsonPath, context: ReadContext): ReadDetection {
  const id = requiredText(issue, 'rule_id', path);
  const details = text(issue.details) ?? id;
  const [start, end] = (typeof issue.line === 'string' ? issue.line : String(issue.line ?? '')).split('-');
  const code = text(issue.code)?.replace(/^\d+: ?/gm, '');
  const reason = objects(issue.suppressions).map((one) => text(one.justification) ?? 'nosec');
  const isSuppressed = issue.nosec === true || reason.length > 0;
  return codeResult(
    {
      source,
      title: details,
      description: details,
      confidence: confidenceFromWord(issue.confidence),
      severity: severityOf(issue.severity, undefined, 'medium'),
      rule: { id, name: details, url: `https://github.com/securego/gosec#available-rules` },
      location: {
        path: filePath(text(issue.file)),
        start_line: position(start),
        end_line: position(end ?? start),
        start_column: position(issue.column),
      },
      content: code,
      identifiers: weaknesses([object(issue.cwe).id ?? object(issue.cwe).ID]),
      suppression: isSuppressed
        ? { status: 'accepted_risk', reason: reason.join('; ') || 'Marked with #nosec.' }
        : undefined,
    },
    context,
  );
}
