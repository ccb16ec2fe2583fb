import type { Fix, FixChange } from '../../../../findings/detection.ts';
import type { GivenExcerpts } from '../../excerpts.ts';
import type { ReadContext } from '../../format.ts';
import type { JsonObject } from '../../json/json.ts';
import { decodedPath } from '../../paths.ts';
import { list, object, objects, position, text, texts } from '../../values.ts';
import { type Artifacts, readLocation, type SarifRun } from './sarif-location.ts';
import { messageOf } from './sarif-message.ts';
import type { SarifRule } from './sarif-rules.ts';

/**
 * Returns the code around the first location (`contextRegion`), the first flow and the first fix of a result; null when it
 * has none of them.
 */
export function excerptsOf(
  result: JsonObject,
  rule: SarifRule | undefined,
  run: SarifRun,
  context: ReadContext,
): GivenExcerpts | null {
  const code = codeOf(object(object(objects(result.locations)[0]).physicalLocation)) ?? ownCode(result, run);
  const hasMore = result.codeFlows !== undefined || result.fixes !== undefined;
  if (code === null && !hasMore) return null;
  return { code, flow: flowOf(result, rule, run, context), fix: fixOf(result, run.artifacts, context) };
}

function codeOf({ contextRegion }: JsonObject): GivenExcerpts['code'] {
  const around = object(contextRegion);
  const [start, end] = [position(around.startLine), position(around.endLine)];
  const snippet = text(object(around.snippet).text);
  if (start === null || snippet === undefined) return null;
  const lines = snippet.split('\n');
  if (lines.at(-1) === '' && (end === null || lines.length > end - start + 1)) lines.pop();
  return { start, text: lines.join('\n') };
}

/** Assay's own files have the code apart where SARIF doesn't allow a `contextRegion`. */
function ownCode(result: JsonObject, { tool }: SarifRun): GivenExcerpts['code'] {
  const { start_line, lines } = object(tool.name === 'Assay' ? object(result.properties).code : null);
  const start = position(start_line);
  return start === null ? null : { start, text: texts(lines).join('\n') };
}

/** A flow may go through several threads; the first is the one that reaches the place. */
function flowOf(
  result: JsonObject,
  rule: SarifRule | undefined,
  run: SarifRun,
  context: ReadContext,
): GivenExcerpts['flow'] {
  const flows = list(result.codeFlows);
  const threads = list(object(flows[0]).threadFlows);
  const steps = list(object(threads[0]).locations);
  if (steps.length === 0) return null;
  if (flows.length > 1 || threads.length > 1) context.leftOut('several flows');
  return {
    count: steps.length,
    at(index) {
      const step = object(steps[index]);
      const location = object(step.location);
      const { path, start_line } = readLocation(location, run.artifacts);
      // Other tools' order of execution is a time, and may jump.
      const number = run.tool.name === 'Assay' ? position(step.executionOrder) : null;
      const message = messageOf(object(location.message), rule, run.tool) ?? null;
      return { path, start_line, message, ...(number === null ? {} : { number }) };
    },
  };
}

function fixOf(result: JsonObject, artifacts: Artifacts, context: ReadContext): Fix | null {
  const fixes = objects(result.fixes);
  const [fix] = fixes;
  if (!fix) return null;
  if (fixes.length > 1) context.leftOut('several fixes');
  const changes: FixChange[] = [];
  for (const { artifactLocation, replacements } of objects(fix.artifactChanges)) {
    const artifact = object(artifactLocation);
    const path = decodedPath(text(artifact.uri) ?? artifacts.get(artifact.index as number));
    for (const { deletedRegion, insertedContent } of objects(replacements)) {
      const region = object(deletedRegion);
      const start_line = position(region.startLine);
      if (path === null || start_line === null) {
        context.leftOut('a fix without lines');
        return null;
      }
      const inserted = object(insertedContent).text;
      changes.push({
        path,
        start_line,
        end_line: Math.max(start_line, position(region.endLine) ?? start_line),
        start_column: position(region.startColumn),
        end_column: position(region.endColumn),
        text: typeof inserted === 'string' ? inserted : '',
      });
    }
  }
  const description = object(fix.description);
  return { description: text(description.text) ?? text(description.markdown) ?? null, changes };
}
