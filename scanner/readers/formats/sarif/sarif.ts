import type { Format, Gaps, ReadContext, ReadResult } from '../../format.ts';
import { FormatError, jsonPathName } from '../../format-error.ts';
import {
  type JsonEvent,
  type JsonObject,
  type JsonPath,
  objectAt,
  readJson,
  requireRootMember,
} from '../../json/json.ts';
import { ownGaps, ownResult } from '../../own-result.ts';
import { sourceName } from '../../source-name.ts';
import { Spool } from '../../spool.ts';
import { object, objects, text } from '../../values.ts';

import { needsArtifacts, type SarifRun } from './sarif-location.ts';
import { isProblem, problemsOf, readSarifResult, suppressionOf } from './sarif-result.ts';

import { readTool } from './sarif-rules.ts';

const patterns = [
  'version',
  'runs[*].tool',
  'runs[*].versionControlProvenance',
  'runs[*].invocations[*]',
  'runs[*].artifacts[*].location',
  'runs[*].results[*]',
];

/**
 * SARIF 2.1.0, any number of runs; the source of each is its driver's name (`CodeQL` is `codeql`).
 *
 * One finding for each result, with all its locations (SARIF: several locations are one problem that must be fixed in
 * all of them); for tools that list several problems in one result, one for each location. Results whose `kind` is not
 * `fail`, or that are absent from this run (`baselineState`), are not findings. Suppressed ones arrive suppressed, with
 * the justification. Identity and severity: sarif-result.ts; without an identity, rule, file and snippet. Results
 * before their run's tool or artifacts wait until these are known.
 */
export const sarif: Format = {
  name: 'sarif',
  title: 'SARIF',
  isShared: true,
  recognise(head) {
    if (!head.paths.has('runs')) return 0;
    if (/sarif/i.test(head.values.get('$schema') ?? '') || head.values.get('version')?.startsWith('2.')) return 1;
    return head.paths.has('runs[].tool') || head.paths.has('runs[].results') ? 0.9 : 0;
  },
  async *read(chunks, context) {
    let run = newRun();
    await using waiting = new Spool<JsonObject>();
    for await (const event of readJson(chunks, patterns)) {
      requireRootMember(event, ['runs'], 'SARIF');
      if (event.kind === 'end') {
        if (event.pattern !== 'runs[*]') continue;
        const ended = closeRun(run, event.path, context);
        for await (const result of waiting.drain()) yield* readResult(result, ended, event.path, context);
        run = newRun();
      } else if (event.pattern === 'runs[*].results[*]') {
        const result = objectAt(event.value, event.path);
        if (!isProblem(result)) continue;
        if (run.tool === null || needsArtifacts(result, run.artifacts)) await waiting.add(result);
        else yield* readResult(result, run as SarifRun, event.path, context);
      } else takeRunMember(event, run);
    }
  },
};

function* readResult(result: JsonObject, run: SarifRun, path: JsonPath, context: ReadContext): Generator<ReadResult> {
  const { own } = run.tool;
  if (own !== undefined) {
    const fingerprint = object(result.partialFingerprints)[ownFingerprint];
    const place = { source: own, fingerprint, path, suppression: suppressionOf(result) };
    yield ownResult(object(result.properties), place, context);
    return;
  }
  for (const problem of problemsOf(result, run.source)) yield readSarifResult(problem, run, context);
}

/** The name of the fingerprint in Assay's own results. */
const ownFingerprint = 'assay/v1';

type OpenRun = Omit<SarifRun, 'tool'> & { tool: SarifRun['tool'] | null; failed: boolean; gaps: Gaps | null };

const newRun = (): OpenRun => ({
  source: 'sarif',
  tool: null,
  artifacts: new Map(),
  commit: undefined,
  failed: false,
  gaps: null,
});

function closeRun(run: OpenRun, path: JsonPath, context: ReadContext): SarifRun {
  if (run.tool === null) throw new FormatError('A run must say its tool.', { path: jsonPathName([...path, 'tool']) });
  const { own } = run.tool;
  if (own !== undefined) context.gaps(own, run.gaps ?? ownGaps(null));
  else if (run.failed) context.incomplete('The tool says that it did not end well (executionSuccessful is false).');
  context.covers(run.source);
  context.version(run.source, run.tool.version);
  return { ...run, tool: run.tool };
}

function takeRunMember(event: JsonEvent & { kind: 'item' }, run: OpenRun): void {
  const { pattern, value, path } = event;
  if (pattern === 'version') requireVersion(value);
  else if (pattern === 'runs[*].tool') {
    run.tool = readTool(objectAt(value, path));
    run.source = run.tool.own ?? sourceName(run.tool.name, 'sarif');
  } else if (pattern === 'runs[*].artifacts[*].location') {
    const uri = text(object(value).uri);
    if (uri !== undefined) run.artifacts.set(path.at(-2) as number, uri);
  } else if (pattern === 'runs[*].versionControlProvenance') run.commit = text(objects(value)[0]?.revisionId);
  else {
    const invocation = object(value);
    run.failed ||= invocation.executionSuccessful === false;
    run.gaps ??= ownGaps(invocation.properties);
  }
}

/** Version 1 and the drafts of version 2 have other members; GitHub and others reject them too. */
function requireVersion(version: unknown): void {
  if (version === '2.1.0') return;
  throw new FormatError('Only SARIF 2.1.0 is read; let the tool write that version.', { path: '$.version' });
}
