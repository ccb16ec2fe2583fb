import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleAnalysis } from '../analysis/analysis.fixture.ts';
import type { RegisterEntry } from '../analysis-model.ts';
import { reportHead } from '../report.fixture.ts';
import { defaultDocument, type ReportTemplate } from '../report-document.ts';
import { reportFindings } from '../report-finding.fixture.ts';
import { inLanguage } from '../report-model.ts';
import { type Block, lettersOf } from './blocks.ts';
import { pagesOf } from './layout/heights.ts';
import { registerBlocks } from './register.ts';
import { summaryBlocks } from './summary.ts';
import { targetsOf } from './targets.ts';

const targets = targetsOf(new Map(), 'https://assay.example.com');

const entry = (index: number, changes: Partial<RegisterEntry> = {}): RegisterEntry => ({
  id: `fnd_${String(index).padStart(26, '0')}`,
  title: `Problem ${index} in services/backend/src/main/java/com/example/handlers/Module${index}.java`,
  place: null,
  severity: 'high',
  status: 'accepted_risk',
  data_source: { id: 'ds_1', name: 'payments-api' },
  decided_by: { id: 'usr_1', name: 'Ada Lovelace' },
  decided_at: '2026-11-01T10:00:00Z',
  reason: `Only reachable from the administration network; see change ${index} of the firewall, which closes the port.`,
  accepted_until: '2027-02-01T00:00:00Z',
  ...changes,
});

const decided = (count: number, changes: (index: number) => Partial<RegisterEntry>) =>
  Array.from({ length: count }, (_, index) => entry(index, { title: 'Errors unhandled.', ...changes(index) }));

function blocksOf(
  entries: RegisterEntry[],
  template: ReportTemplate = 'audit',
  total = entries.length,
  own = targets,
): Block[] {
  const figures = { by_severity: sampleAnalysis.register.accepted_risk.by_severity, without_reason: 0, without_end: 0 };
  const register = {
    entries,
    accepted_risk: { ...figures, total },
    false_positive: { ...figures, total: 0 },
  };
  const head = reportHead(reportFindings(3), { template, analysis: { ...sampleAnalysis, register } });
  return registerBlocks(head, own);
}

const lettersIn = (block: Block): string => {
  if (block.kind === 'together') return block.blocks.map(lettersIn).join('\n');
  if (block.kind === 'paragraph') return lettersOf(block.inlines);
  if (block.kind !== 'table') return '';
  return block.rows.map(({ cells }) => cells.map(lettersOf).join(' | ')).join('\n');
};
const all = (blocks: Block[]) => blocks.map(lettersIn).join('\n');

test('a decision on several findings is shown once: who, when, until when and why, then each finding', () => {
  const shared = Array.from({ length: 40 }, (_, index) => entry(index, { reason: 'Replaced in February.' }));
  const text = all(blocksOf([...shared, entry(50)]));
  assert.match(text, /40 findings, decided by Ada Lovelace on 2026-11-01, until: 2027-02-01\. Replaced in February\./);
  assert.equal(text.match(/Replaced in February/g)!.length, 1);
  for (const { title } of shared) assert.ok(text.includes(title), title);
  assert.match(
    text,
    /Problem 50 .*payments-api \| Ada Lovelace \| 2026-11-01 \| Only reachable .* port\. \| 2027-02-01/,
  );
});

test('a decision with the class of its reason alone shows the class in the language of the report', () => {
  const entries = [entry(1, { reason: null, justification: 'test_or_example' })];
  const register = { ...sampleAnalysis.register, entries };
  const head = reportHead(reportFindings(3), { template: 'audit', analysis: { ...sampleAnalysis, register } });
  const textIn = (language: 'en' | 'de') => all(registerBlocks(inLanguage(head, language), targets));
  assert.match(textIn('en'), /Test or example code/);
  assert.match(textIn('de'), /Test- oder Beispielcode/);
});

test('findings of a decision with the same title share a row with their numbers and the first places', () => {
  const entries = [
    ...decided(15, (index) => ({ place: `cmd/main${index}.go:${index}` })),
    entry(20, { title: 'Weak hash in src/old.ts', place: 'src/old.ts:7' }),
    entry(21, { title: 'Cookie without Secure', place: 'https://www.example.com/login' }),
  ].map((one) => ({ ...one, reason: 'Replaced in February.' }));
  const numbers = Object.fromEntries(entries.map(({ id }, index) => [id, `F-${101 + index}`]));
  const numbered = targetsOf(new Map(), null, numbers);
  const text = all(blocksOf(entries, 'audit', entries.length, numbered));
  assert.equal(text.match(/Errors unhandled/g)!.length, 1);
  assert.match(
    text,
    /High \| Errors unhandled\. \(15 findings\): F-101 cmd\/main0\.go:0, F-102 .*F-105 cmd\/main4\.go:4 and 10 more places \|/,
  );
  assert.match(text, /High \| F-116 Weak hash in src\/old\.ts:7 \| payments-api/);
  assert.match(text, /High \| F-117 Cookie without Secure {2}https:\/\/www\.example\.com\/login \|/);
  // Without numbers, the places identify them.
  assert.match(all(blocksOf(entries, 'technical')), /\(15 findings\): cmd\/main0\.go:0, cmd\/main1\.go:1,/);
});

test('a decision on a single finding has its number and its place, even in a line', () => {
  const entries = Array.from({ length: 400 }, (_, index) => entry(index, { place: `lib/a.go:${index}` }));
  const numbers = Object.fromEntries(entries.map(({ id }, index) => [id, `F-${index + 101}`]));
  const text = all(blocksOf(entries, 'audit', 400, targetsOf(new Map(), null, numbers)));
  assert.match(text, / {2}F-101 Problem 0 in .*\.java {2}lib\/a\.go:0 {2}payments-api \| Ada/);
  assert.match(text, /High \| F-500 Problem 399 .*… \| Ada/);
});

test('an audit lists every decision of the snapshot, in one line each if space is short, and says so', () => {
  const entries = Array.from({ length: 1_000 }, (_, index) => entry(index));
  const blocks = blocksOf(entries, 'audit', 1_200);
  const text = all(blocks);
  for (const { title } of entries) assert.ok(text.includes(`${title.slice(0, 20)}`), title);
  assert.match(text, /The 1,000 most severe are listed; the CSV export of report rpt_\w+ contains all\./);
  assert.match(text, /\d+ more decisions have a line each\..* CSV export of report rpt_/);
  assert.ok(pagesOf(blocks, 'a4') <= 24, `${pagesOf(blocks, 'a4')} pages`);
  assert.doesNotMatch(all(blocksOf(entries, 'technical')), /have a line each/);
});

test('a decision that no person made comes from a file', () => {
  assert.match(all(blocksOf([entry(1, { decided_by: null })])), /\| Results file \| 2026-11-01/);
  assert.match(all(blocksOf([entry(1, { decided_by: null, decided_at: null })])), /\| Not known \| Not known/);
});

test('the summary of every template says when each feed was loaded, or that it never was', () => {
  const coverage = {
    ...sampleAnalysis.coverage,
    feeds: [
      { name: 'kev', loaded_at: '2026-11-19T03:00:00Z' },
      { name: 'epss', loaded_at: null },
      { name: 'advisories', loaded_at: '2026-11-18T03:00:00Z' },
    ] as const,
  };
  const analysis = { ...sampleAnalysis, coverage: { ...coverage, feeds: [...coverage.feeds] } };
  for (const template of ['executive', 'audit', 'technical'] as const) {
    const summary = all(summaryBlocks(reportHead(reportFindings(60), { analysis, template }), targets));
    assert.match(
      summary,
      /exploited vulnerabilities \(KEV\) of 2026-11-19, scores \(EPSS\): not loaded, so unknown here and advisories of 2026-11-18/,
    );
  }
});

test('a summary states once how many findings are open and, if none is, that this proves nothing', () => {
  for (const language of ['en', 'de'] as const) {
    const document = { ...defaultDocument, language };
    const some = all(summaryBlocks(reportHead(reportFindings(60), { analysis: sampleAnalysis, document }), targets));
    assert.doesNotMatch(some, /findings are open, \d+ of them|Befunde sind offen, davon/);
    const none = all(summaryBlocks(reportHead([], { analysis: sampleAnalysis, document }), targets));
    assert.match(none, /does not prove that there are no problems|belegt nicht, dass es keine Probleme gibt/);
  }
});
