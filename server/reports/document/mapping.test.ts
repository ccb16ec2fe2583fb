import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleAnalysis } from '../analysis/analysis.fixture.ts';
import { reportHead } from '../report.fixture.ts';
import { reportFindings } from '../report-finding.fixture.ts';
import { type Inline, lettersOf, type Table } from './blocks.ts';
import { mappingBlocks } from './mapping.ts';
import { targetsOf } from './targets.ts';

function weaknessesWith(info: number): Table {
  const [first] = sampleAnalysis.mapping.weaknesses;
  const found = { ...first!, open: 21 + info, open_by_severity: { ...first!.open_by_severity, info } };
  const mapping = { ...sampleAnalysis.mapping, weaknesses: [found] };
  const head = reportHead(reportFindings(30), { analysis: { ...sampleAnalysis, mapping } });
  return mappingBlocks(head, targetsOf(new Map(), 'https://assay.example')).find((block) => block.kind === 'table')!;
}

test('the severities of a weakness add up to the open findings: info has a column if there are any', () => {
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

test('a row of a standard links to its findings, in the language of the document', () => {
  const head = reportHead(reportFindings(30), { analysis: sampleAnalysis, filters: { source: ['code'] } });
  const german = { ...head, document: { ...head.document, language: 'de' as const } };
  const rows = (url: string | null) =>
    mappingBlocks(german, targetsOf(new Map(), url)).flatMap((block) => (block.kind === 'table' ? block.rows : []));
  const cell = (url: string | null) => rows(url).find(({ cells }) => lettersOf(cells[0]!) === 'A07')!.cells;
  const [id, name] = cell('https://assay.example') as [Inline[], Inline[]];
  assert.equal(lettersOf(name), 'Fehlerhafte Authentifizierung');
  const link = id[0] as Extract<Inline, { kind: 'link' }>;
  const { searchParams } = new URL(link.url);
  assert.deepEqual(Object.fromEntries(searchParams), {
    source: 'code',
    status: 'new,triaged,in_progress',
    standard: 'owasp-2021:A07',
  });
  assert.equal(cell(null)[0]![0]!.kind, 'text');
});
