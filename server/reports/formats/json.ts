import type { ReportModel } from '../report-model.ts';
import type { ReportWriter } from './format.ts';
import { jsonText } from './json-text.ts';
import { inPieces, jsonList } from './pieces.ts';

/** `{"report": {…}, "findings": […]}`: the head and every finding as the report holds them, one finding a line. */
export const writeJson: ReportWriter = (report) => inPieces(textOf(report));

async function* textOf({ head, findings }: ReportModel): AsyncGenerator<Iterable<string>> {
  yield* jsonList(`{"report":${jsonText(head)},\n"findings":[`, findings, jsonText);
  yield [']}\n'];
}
