import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { textWidth } from '../../charts/text-width.ts';
import { reportHead } from '../../report.fixture.ts';
import { defaultDocument, reportLanguages, reportTemplates } from '../../report-document.ts';
import { reportFinding, reportFindings } from '../../report-finding.fixture.ts';
import type { ReportHead } from '../../report-model.ts';
import { wordingIn } from '../../sentences/wording.ts';
import { allBlocks, type Block, heading, headingsOf, paragraph, type Table } from '../blocks.ts';
import { documentOf } from '../document.ts';
import { withoutSparsePages } from './sections.ts';

const millimetre = 72 / 25.4;
/** Estimated widths are at least 5% too wide; the tests scale them by this factor. */
const surplus = 0.95;

const blocksOf = (
  count: number,
  head: Partial<ReportHead> = {},
  findings = reportFindings(count, { hostile: false }),
) => documentOf(reportHead(findings, head), findings).blocks;

const tablesIn = (blocks: Block[]): Table[] => [...allBlocks(blocks)].filter((block) => block.kind === 'table');

/** Returns the widths that columns have for their text on A4, in points. */
function roomIn({ columns, dense, tight }: Table): number[] {
  const taken = columns.reduce((sum, { width }) => sum + ('mm' in width ? width.mm : 0), 0);
  const shares = columns.reduce((sum, { width }) => sum + ('share' in width ? width.share : 0), 0);
  const beside = tight ? 6 : dense ? 8 : 12;
  return columns.map(
    ({ width }) => ('mm' in width ? width.mm : ((176 - taken) * width.share) / shares) * millimetre - beside,
  );
}

for (const template of reportTemplates)
  for (const language of reportLanguages)
    test(`no word of a table's header is wider than its column: ${template}, ${language}`, () => {
      const tables = tablesIn(blocksOf(60, { template, document: { ...defaultDocument, language } }));
      assert.ok(tables.length > 3);
      for (const shown of tables)
        for (const [index, room] of roomIn(shown).entries()) {
          const { label } = shown.columns[index]!;
          for (const word of label.split(' '))
            assert.ok(
              textWidth(word, shown.dense ? 6.65 : 8.1) * surplus <= room,
              `${shown.caption ?? shown.description}: ${word} needs more than ${room} points`,
            );
        }
    });

const newPagesIn = (blocks: Block[]) => headingsOf(blocks).flatMap(({ id, newPage }) => (newPage ? [id] : []));

describe('a section', () => {
  const lines = (count: number) => Array.from({ length: count }, () => paragraph('A line.'));
  const section = (id: string, count: number) => [heading(1, id, id, { newPage: true }), ...lines(count)];
  const joined = (...blocks: Block[]) => newPagesIn(withoutSparsePages(blocks, 'a4'));

  test('follows on the previous page if it fits there, or if that page is nearly empty', () => {
    assert.deepEqual(joined(...section('one', 8), ...section('two', 8)), ['one']);
    assert.deepEqual(joined(...section('one', 2), ...section('long', 90)), ['one']);
    assert.deepEqual(joined(...section('one', 2), ...section('two', 2), ...section('three', 2)), ['one']);
  });

  test('starts a page if it does not fit on one that is half full', () => {
    assert.deepEqual(joined(...section('one', 20), ...section('long', 40)), ['one', 'long']);
    assert.deepEqual(joined(...section('long', 60), ...section('two', 30)), ['long', 'two']);
    assert.deepEqual(joined(...section('very_long', 200), ...section('two', 2), ...section('long', 60)), [
      'very_long',
      'two',
    ]);
  });

  test('of a few lines does not have a separate page', () => {
    for (const language of reportLanguages) {
      const document = { ...defaultDocument, language, foreword: 'A line.', conclusion: 'A line.' };
      const pages = newPagesIn(blocksOf(0, { template: 'audit', document, analysis: null }));
      assert.deepEqual(pages, ['foreword']);
    }
  });
});

test('without an earlier report, a summary says so once', () => {
  for (const language of reportLanguages) {
    const findings = reportFindings(20, { hostile: false });
    const { analysis } = reportHead(findings);
    const document = { ...defaultDocument, language };
    const head = { document, analysis: { ...analysis!, comparison: null } };
    const shown = JSON.stringify(blocksOf(20, head, findings));
    assert.equal(shown.split(wordingIn(language).say('comparison.none')).length, 2);
  }
});

test('a text that title, description and evidence share is printed once', () => {
  const said = 'TLSv1 AECDH-AES256-SHA';
  const finding = reportFinding(3, {
    title: `cipher_xc019: ${said} (www.example.com:443)`,
    description: said.replace(' ', '   '),
    evidence: said,
    rule: { id: 'cipher', name: 'Cipher suite offered by the site', url: null, tags: [] },
  });
  const printed = (template: 'audit' | 'technical') =>
    JSON.stringify(blocksOf(1, { template, analysis: null }, [finding])).match(/AECDH-AES256-SHA/g)?.length;
  assert.deepEqual([printed('audit'), printed('technical')], [1, 1]);
});

test('no finding is kept with the next one, which would leave pages empty before a row of short findings', () => {
  const findings = reportFindings(40, { hostile: false }).map((finding, index) =>
    index % 2
      ? finding
      : { ...finding, description: '', evidence: null, remediation: null, references: [], comments: [] },
  );
  for (const template of ['audit', 'technical'] as const) {
    const blocks = blocksOf(40, { template }, findings);
    const begins = (block: Block | undefined) => block !== undefined && headingsOf([block])[0]?.level === 3;
    const tied = blocks.filter(
      (block, index) => block.kind === 'together' && block.withNext && begins(block) && begins(blocks[index + 1]),
    );
    assert.ok(blocks.filter(begins).length > 5);
    assert.deepEqual(tied, []);
  }
});
