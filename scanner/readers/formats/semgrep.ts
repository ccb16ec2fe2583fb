import type { Suppression } from '../../contract/suppression.ts';
import { codeResult } from '../code-result.ts';
import { confidenceFromWord } from '../confidence.ts';
import type { Format, ReadContext, ReadDetection } from '../format.ts';
import { hasPaths } from '../head.ts';
import { weaknesses } from '../identifiers.ts';
import { type JsonObject, type JsonPath, objectAt, readJson, requiredText, requireRootMember } from '../json/json.ts';
import { packageResult } from '../package-result.ts';
import { filePath } from '../paths.ts';
import { severityOf } from '../severity-words.ts';
import { firstText, object, position, text, texts } from '../values.ts';

const source = 'semgrep';

/**
 * Semgrep's (and Opengrep's) JSON, and the `vulns` that Semgrep's platform lists for dependencies.
 *
 * Severity: ERROR is `high`, WARNING `medium`, INFO `low`, like Semgrep's own newer words. Semgrep's fingerprint
 * is the identity; without a login Semgrep writes “requires login” instead, which is ignored. `nosemgrep` results are
 * accepted risks.
 */
export const semgrep: Format = {
  name: 'semgrep',
  title: 'Semgrep',
  recognise(head) {
    if (head.paths.has('results[].check_id') || head.paths.has('vulns[].advisory')) return 1;
    if (!hasPaths(head, 'results', 'errors')) return 0;
    // The form without results: old versions then wrote nothing else.
    return head.paths.has('paths') || head.paths.size === 2 ? 0.8 : 0;
  },
  async *read(chunks, context) {
    context.covers(source);
    for await (const event of readJson(chunks, ['version', 'results[*]', 'vulns[*]', 'errors[*]'])) {
      requireRootMember(event, ['results', 'vulns'], 'Semgrep');
      if (event.kind !== 'item') continue;
      if (event.pattern === 'version') {
        context.version(source, event.value);
        continue;
      }
      const value = objectAt(event.value, event.path);
      if (event.pattern === 'results[*]') yield readResult(value, event.path, context);
      else if (event.pattern === 'vulns[*]') yield* readDependency(value, event.path);
      else if (text(value.level) === 'error') context.incomplete('Semgrep reports errors of its own in this run.');
    }
  },
};

function readResult(result: JsonObject, path: JsonPath, context: ReadContext): ReadDetection {
  const extra = object(result.extra);
  const metadata = object(extra.metadata);
  const id = requiredText(result, 'check_id', path);
  const message = text(extra.message) ?? id;
  const lines = text(extra.lines);
  const detection = codeResult(
    {
      source,
      title: firstSentence(message),
      description: message,
      severity: semgrepSeverity(extra.severity),
      rule: { id, name: id.split('.').at(-1), url: firstText(metadata.shortlink, metadata.source) },
      location: {
        path: filePath(text(result.path)),
        start_line: position(object(result.start).line),
        end_line: position(object(result.end).line),
        start_column: position(object(result.start).col),
        end_column: position(object(result.end).col),
      },
      content: lines === 'requires login' ? undefined : lines,
      confidence: confidenceFromWord(metadata.confidence),
      identifiers: weaknesses(texts(metadata.cwe)),
      references: texts(metadata.references),
      remediation: text(extra.fix) ? `Semgrep suggests: \`${text(extra.fix)}\`` : undefined,
      suppression:
        extra.is_ignored === true ? { status: 'accepted_risk', reason: 'Ignored in the code (nosemgrep).' } : undefined,
    },
    context,
  );
  const own = text(extra.fingerprint);
  const usable = own !== undefined && /^[0-9a-f]{16,}/i.test(own);
  return usable ? { ...detection, identity: ['semgrep', id, detection.location?.path ?? '', own] } : detection;
}

const firstSentence = (message: string): string => /^[\s\S]{10,200}?[.!](?=\s)/.exec(message)?.[0] ?? message;

const semgrepSeverity = (word: unknown) =>
  String(word).toUpperCase() === 'INFO' ? 'low' : severityOf(word, undefined, 'medium');

function* readDependency(found: JsonObject, path: JsonPath): Generator<ReadDetection> {
  const advisory = objectAt(found.advisory, [...path, 'advisory']);
  const references = object(advisory.references);
  const dependency = object(found.matchedDependency);
  const place = object(found.dependencyFileLocation);
  const triage = object(found.triage);
  if (text(triage.status) === 'FIXED') return;
  const result = packageResult({
    source,
    advisory: texts(references.cveIds)[0] ?? requiredText(advisory, 'ruleId', [...path, 'advisory']),
    aliases: [...texts(references.cveIds), ...texts(references.urls)],
    ecosystem: text(advisory.ecosystem) ?? '',
    name: requiredText(dependency, 'name', [...path, 'matchedDependency']),
    version: text(dependency.versionSpecifier),
    fixedVersion: text(object(found.closestSafeDependency).versionSpecifier),
    manifest: text(place.path),
    line: position(place.startLine),
    title: firstText(advisory.title, found.title),
    description: [text(advisory.description), text(advisory.reachableIf)].filter(Boolean).join('\n\nReachable if '),
    severity: semgrepSeverity(advisory.severity),
    weaknesses: weaknesses(texts(references.cweIds)),
    references: texts(references.urls),
    suppression: dismissed(triage),
  });
  yield { ...result, identity: [...result.identity, text(found.repositoryName) ?? ''] };
}

function dismissed(triage: JsonObject): Suppression | undefined {
  const reason = text(triage.dismissReason);
  if (reason === undefined || reason === 'UNKNOWN_REASON') return undefined;
  const status = reason === 'FALSE_POSITIVE' ? 'false_positive' : 'accepted_risk';
  return { status, reason: `Dismissed in Semgrep: ${reason.toLowerCase().replaceAll('_', ' ')}.` };
}
