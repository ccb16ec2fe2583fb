import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportHead } from '../report.fixture.ts';
import { reportFindings } from '../report-finding.fixture.ts';
import { type Block, lettersOf } from './blocks.ts';
import { numberBlocks } from './figures.ts';

/** Returns the number of rows in the table of data sources, including the total, and the note below it. */
function dataSources(count: number): { rows: number; note: string | null } {
  const head = reportHead(reportFindings(60));
  const [first] = head.summary.by_data_source;
  const sources = Array.from({ length: count }, (_, index) => ({
    ...first!,
    id: `ds_${index}`,
    name: `source ${index}`,
  }));
  const blocks = numberBlocks({ ...head, summary: { ...head.summary, by_data_source: sources } });
  const isTable = (block: Block) => block.kind === 'table' && block.caption === 'Findings by data source';
  const at = blocks.findIndex(isTable);
  const [found, note] = [blocks[at]!, blocks[at + 1]];
  assert.ok(found.kind === 'table');
  return { rows: found.rows.length, note: note?.kind === 'paragraph' ? lettersOf(note.inlines) : null };
}

test('a single data source is never left out: the note would take the space of its row', () => {
  assert.deepEqual(dataSources(26), { rows: 27, note: null });
  assert.deepEqual(dataSources(27), {
    rows: 26,
    note: 'The total includes 2 more data sources, with no more open findings than any of those listed.',
  });
});
