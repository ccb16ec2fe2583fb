import type { ReportModel } from '../report-model.ts';
import type { ReportWriter } from './format.ts';
import { jsonText } from './json-text.ts';
import { inPieces, jsonList } from './pieces.ts';

/** Writes `{"report": {…}, "findings": […]}`: the head and all findings of the report, one finding per line. */
export const writeJson: ReportWriter = (report) => inPieces(textOf(report));

async function* textOf({ head: { approval: _, ...head }, findings }: ReportModel): AsyncGenerator<Iterable<string>> {
  yield* jsonList(`{"report":${jsonText(head)},\n"findings":[`, findings, jsonText);
  yield [']}\n'];
}
