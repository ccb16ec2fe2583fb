import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleAnalysis } from '../analysis/analysis.fixture.ts';
import type { CoveredDataSource } from '../analysis-model.ts';
import { reportHead } from '../report.fixture.ts';
import { lettersOf } from './blocks.ts';
import { coverageBlocks } from './coverage.ts';

/** Returns the cell with the tools of a data source whose scanners read these revisions. */
function toolsOf(...read: Array<[name: string, revision: string | null, isBehind?: boolean]>): string {
  const payments = sampleAnalysis.coverage.data_sources.find(({ state }) => state === 'ok')!;
  const [sample] = payments.tools;
  const tools = read.map(([name, revision, isBehind = false]) => ({ ...sample!, name, revision, is_behind: isBehind }));
  const source: CoveredDataSource = { ...payments, tools };
  const coverage = { ...sampleAnalysis.coverage, data_sources: [source] };
  const head = reportHead([], { analysis: { ...sampleAnalysis, coverage } });
  const table = coverageBlocks(head, { inShort: false }).find((block) => block.kind === 'table')!;
  return lettersOf(table.rows[0]!.cells[4]!);
}

test('coverage shows the revision of a repository that was read, and which tools are behind', () => {
  const [old, fresh] = ['a1b2c3d'.padEnd(40, '0'), 'f00ba12'.padEnd(40, '0')];
  assert.equal(toolsOf(['Code', fresh], ['Secrets', fresh]), 'Code and Secrets at f00ba12');
  assert.equal(
    toolsOf(['Code', old, true], ['Secrets', fresh], ['Semgrep', null]),
    'Code at a1b2c3d, Secrets at f00ba12 and Semgrep\nCode read an older revision than the newest one that was scanned.',
  );
  assert.equal(toolsOf(['Website', null]), 'Website');
});
