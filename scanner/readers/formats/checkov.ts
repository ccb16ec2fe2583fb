import { codeResult } from '../code-result.ts';
import type { Format, ReadContext, ReadDetection } from '../format.ts';
import { FormatError, jsonPathName } from '../format-error.ts';
import { hasPaths } from '../head.ts';
import {
  type JsonEvent,
  type JsonObject,
  type JsonPath,
  objectAt,
  readJson,
  requiredText,
  requireRootMember,
} from '../json/json.ts';
import { filePath } from '../paths.ts';
import { secretResult } from '../secret-result.ts';
import { severityOf } from '../severity-words.ts';
import { firstText, list, object, position, text } from '../values.ts';

const source = 'checkov';

/**
 * Checkov's JSON: one report, an array of them (one for each framework), or the short summary that it writes without
 * findings. Severity: Checkov's word, which only its platform provides, or else `medium`. Identity: check, file and
 * resource, anywhere in the file. Skipped checks arrive as accepted risks with the comment that skips them.
 */
export const checkov: Format = {
  name: 'checkov',
  title: 'Checkov',
  recognise(head) {
    const has = (name: string) => hasPaths(head, name) || hasPaths(head, `[].${name}`);
    if (has('check_type')) return 1;
    return hasPaths(head, 'passed', 'failed', 'checkov_version') ? 1 : has('results.failed_checks') ? 0.9 : 0;
  },
  async *read(chunks, context) {
    context.covers(source);
    const patterns = ['', '[*].'].flatMap((start) => [
      `${start}results.failed_checks[*]`,
      `${start}results.skipped_checks[*]`,
      `${start}results.parsing_errors[*]`,
      `${start}summary.checkov_version`,
      `${start}checkov_version`,
    ]);
    for await (const event of readJson(chunks, patterns)) {
      requireRootMember(event, ['check_type', 'results', 'checkov_version'], 'Checkov');
      if (event.kind === 'end') {
        requireChecks(event);
        continue;
      }
      if (event.pattern.endsWith('checkov_version')) context.version(source, event.value);
      else if (event.pattern.endsWith('parsing_errors[*]')) context.incomplete('Checkov could not parse all files.');
      else {
        const skipped = event.pattern.endsWith('skipped_checks[*]');
        yield readCheck(objectAt(event.value, event.path), event.path, skipped, context);
      }
    }
  },
};

/** Many tools write `results`; Checkov's are lists of checks. */
function requireChecks({ pattern, path, keys }: JsonEvent & { kind: 'end' }): void {
  if (!pattern.endsWith('results') || keys === null || keys.some((key) => checkLists.has(key))) return;
  throw new FormatError('This is not a file of Checkov: its results have no “failed_checks”.', {
    path: jsonPathName(path),
  });
}

const checkLists = new Set(['passed_checks', 'failed_checks', 'skipped_checks', 'parsing_errors']);

function readCheck(check: JsonObject, path: JsonPath, skipped: boolean, context: ReadContext): ReadDetection {
  const id = requiredText(check, 'check_id', path);
  const name = text(check.check_name) ?? id;
  const file = firstText(check.repo_file_path, check.file_path);
  const [start, end] = list(check.file_line_range).map(position);
  const code = list(check.code_block)
    .map((line) => (Array.isArray(line) ? text(line[1]) : undefined))
    .filter((line) => line !== undefined)
    .join('');
  if (id.startsWith('CKV_SECRET_')) {
    return secretResult(
      {
        source,
        rule: { id, name, url: text(check.guideline) },
        secret: undefined,
        line: code,
        path: file,
        startLine: start,
        severity: severityOf(check.severity, undefined, 'high'),
      },
      context,
    );
  }
  const resource = text(check.resource);
  const result = codeResult(
    {
      source,
      title: resource ? `${name} (${resource})` : name,
      description: [name, text(check.description), resource && `Resource: \`${resource}\``]
        .filter(Boolean)
        .join('\n\n'),
      severity: severityOf(check.severity, undefined, 'medium'),
      rule: { id, name, url: text(check.guideline) },
      location: { path: filePath(file), start_line: start ?? null, end_line: end ?? null },
      content: code || undefined,
      identifiers: [],
      suppression: skipped
        ? {
            status: 'accepted_risk',
            reason: text(object(check.check_result).suppress_comment) ?? 'Skipped in the code (checkov:skip).',
          }
        : undefined,
    },
    context,
  );
  return resource ? { ...result, identity: ['resource', id, result.location?.path ?? '', resource] } : result;
}
