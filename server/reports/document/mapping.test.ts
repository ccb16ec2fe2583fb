import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleAnalysis } from '../analysis/analysis.fixture.ts';
import { reportHead } from '../report.fixture.ts';
import { reportFindings } from '../report-finding.fixture.ts';
import { lettersOf, type Table } from './blocks.ts';
import { mappingBlocks } from './mapping.ts';

function weaknessesWith(info: number): Table {
  const [first] = sampleAnalysis.mapping.weaknesses;
  const found = { ...first!, open: 21 + info, open_by_severity: { ...first!.open_by_severity, info } };
  const mapping = { ...sampleAnalysis.mapping, weaknesses: [found] };
  const head = reportHead(reportFindings(30), { analysis: { ...sampleAnalysis, mapping } });
  return mappingBlocks(head).find((block) => block.kind === 'table')!;
}

test('the severities of a weakness add up to what is open: info has a column where there is any', () => {
  const { columns, rows } = weaknessesWith(4);
  assert.deepEqual(
    columns.slice(2).map(({ label }) => label),
    ['Critical', 'High', 'Medium', 'Low', 'Info', 'Open'],
  );
  const figures = rows[0]!.cells.slice(2).map((cell) => Number(lettersOf(cell).replace(/\D/g, '')));
  assert.equal(
    figures.slice(0, -1).reduce((sum, figure) => sum + figure, 0),
    figures.at(-1),
  );
  assert.deepEqual(
    weaknessesWith(0)
      .columns.slice(2)
      .map(({ label }) => label),
    ['Critical', 'High', 'Medium', 'Low', 'Open'],
  );
});
