import { codeResult } from '../code-result.ts';
import { confidenceFromWord } from '../confidence.ts';
import type { Format, ReadContext, ReadDetection } from '../format.ts';
import { hasPaths } from '../head.ts';
import { weaknesses } from '../identifiers.ts';
import { type JsonObject, type JsonPath, objectAt, readJson, requiredText, requireRootMember } from '../json/json.ts';
import { filePath } from '../paths.ts';
import { severityOf } from '../severity-words.ts';
import { list, object, objects, position, text } from '../values.ts';

const source = 'bandit';

/** The tests whose messages and code contain the password itself; Bandit before version 1.7.3 reports no weaknesses. */
const oldWeaknesses: Record<string, string> = { B105: 'CWE-259', B106: 'CWE-259', B107: 'CWE-259' };

/**
 * Bandit's JSON. Severity: Bandit's word (LOW, MEDIUM, HIGH). Only the result's own lines among the quoted ones are
 * part of the identity: their neighbours may change.
 */
export const bandit: Format = {
  name: 'bandit',
  title: 'Bandit',
  recognise(head) {
    if (head.paths.has('results[].test_id')) return 1;
    return hasPaths(head, 'metrics', 'generated_at') || hasPaths(head, 'metrics._totals') ? 0.9 : 0;
  },
  async *read(chunks, context) {
    context.covers(source);
    for await (const event of readJson(chunks, ['results[*]', 'errors[*]'])) {
      requireRootMember(event, ['results'], 'Bandit');
      if (event.kind !== 'item') continue;
      if (event.pattern === 'errors[*]') context.incomplete('Bandit could not read all files.');
      else yield readIssue(objectAt(event.value, event.path), event.path, context);
    }
  },
};

function readIssue(issue: JsonObject, path: JsonPath, context: ReadContext): ReadDetection {
  const id = requiredText(issue, 'test_id', path);
  const message = text(issue.issue_text) ?? id;
  const range = list(issue.line_range)
    .map(position)
    .filter((line) => line !== null);
  const start = position(issue.line_number) ?? range[0] ?? null;
  const own = weaknesses([object(issue.issue_cwe).id]);
  return codeResult(
    {
      source,
      title: message,
      description: message,
      confidence: confidenceFromWord(issue.issue_confidence),
      severity: severityOf(issue.issue_severity, undefined, 'low'),
      rule: { id, name: text(issue.test_name) ?? id, url: text(issue.more_info) },
      location: {
        path: filePath(text(issue.filename)),
        start_line: start,
        end_line: range.at(-1) ?? start,
        start_column: start === null ? null : position((issue.col_offset as number) + 1),
      },
      content: ownLines(text(issue.code), range.length > 0 ? range : [start]),
      identifiers: own.length > 0 ? own : oldWeaknesses[id] ? [oldWeaknesses[id]] : [],
      references: objects([issue.issue_cwe]).flatMap((one) => text(one.link) ?? []),
    },
    context,
  );
}

/**
 * Returns the lines of the result from `code` (`12 text` for each line), without their numbers; all lines if none is
 * numbered.
 */
function ownLines(code: string | undefined, lines: Array<number | null>): string | undefined {
  if (code === undefined) return undefined;
  const numbered = code.split('\n').map((line) => /^(\d+) ?(.*)$/.exec(line));
  const own = numbered.filter((match) => match && lines.includes(Number(match[1]))).map((match) => match![2]);
  return own.length > 0 ? own.join('\n') : code.replace(/^\d+ ?/gm, '');
}
