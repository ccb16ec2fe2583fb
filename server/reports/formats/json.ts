import type { ReportModel } from '../report-model.ts';
import type { ReportWriter } from './format.ts';
import { jsonText } from './json-text.ts';
import { inPieces } from './pieces.ts';

/** `{"report": {…}, "findings": […]}`: the head and every finding as the report holds them, one finding a line. */
export const writeJson: ReportWriter = (report) => inPieces(textOf(report));

async function* textOf({ head, findings }: ReportModel): AsyncGenerator<string> {
  yield `{"report":${jsonText(head)},\n"findings":[`;
  let separator = '\n';
  for await (const batch of findings) {
    let text = '';
    for (const finding of batch) {
      text += separator + jsonText(finding);
      separator = ',\n';
    }
    yield text;
  }
  yield '\n]}\n';
}
