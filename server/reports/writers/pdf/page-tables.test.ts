import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Block, paragraph, table, text } from '../../document/blocks.ts';
import { withPageTables } from './template-data.ts';

const long = (count: number, lines: number | undefined = 2) =>
  table({
    caption: 'Problems',
    description: 'Problems',
    dense: true,
    tight: true,
    columns: [{ label: 'No.', width: { share: 1 } }],
    rows: Array.from({ length: count }, (_, index) => ({ cells: [[text(String(index))]], ...(lines && { lines }) })),
  });

const rowsOf = (block: Block) => (block.kind === 'table' ? block.rows : []);

test('a long table becomes one table per page: all rows in order, the caption once, no page with a single row', () => {
  for (const lines of [1, 2])
    for (let count = 150; count < 260; count++) {
      const [first, ...pages] = withPageTables([long(3), long(count, lines)], 'a4');
      assert.equal(first!.newPage, false);
      assert.ok(pages.length > 1 && pages.every(({ newPage }) => newPage));
      assert.deepEqual(
        pages.flatMap(({ block }) => rowsOf(block)),
        long(count, lines).rows,
      );
      assert.ok(pages.every(({ block }) => rowsOf(block).length >= 3));
      assert.deepEqual(
        pages.map(({ block }) => block.kind === 'table' && block.caption),
        pages.map((_, index) => (index === 0 ? 'Problems' : null)),
      );
    }
});

test('a table is not split if it is short, has rows of unknown height, or follows the text that introduces it', () => {
  const blocks = [paragraph('Problems:'), long(400), long(149), long(400, 0)];
  assert.deepEqual(
    withPageTables(blocks, 'letter'),
    blocks.map((block) => ({ block, newPage: false })),
  );
});
