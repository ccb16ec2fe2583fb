import type { ReportModel } from '../report-model.ts';
import { columns } from './csv-columns.ts';
import type { ReportWriter } from './format.ts';
import { inPieces } from './pieces.ts';

const cells = columns.map(([, cell]) => cell);

export const writeCsv: ReportWriter = (report) => inPieces(textOf(report));

async function* textOf({ findings }: ReportModel): AsyncGenerator<string> {
  yield `${columns.map(([name]) => name).join(',')}\r\n`;
  for await (const batch of findings) {
    let rows = '';
    for (const finding of batch) {
      rows += cells[0]!(finding);
      for (let index = 1; index < cells.length; index++) rows += `,${cells[index]!(finding)}`;
      rows += '\r\n';
    }
    yield rows;
  }
}
