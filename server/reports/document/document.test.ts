import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { severityRank } from '@assay/scanner/contract/severity.ts';
import { bytesOf, reportHead, reportOf } from '../report.fixture.ts';
import { defaultDocument, type ReportTemplate, reportTemplates } from '../report-document.ts';
import { findingsOfRules, reportFinding, reportFindings } from '../report-finding.fixture.ts';
import { detailedFindings } from '../report-model.ts';
import { type Element, named, readPackage, textOf } from '../writers/docx/word-package.fixture.ts';
import { writeDocx } from '../writers/docx.ts';
import { writePdf } from '../writers/pdf.ts';
import { type Block, headingsOf, lettersOf } from './blocks.ts';
import { documentOf, readDetailed } from './document.ts';
import { findingFacts } from './facts.ts';

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'assay-document-'));
after(() => rm(folder, { recursive: true, force: true }));

const squeeze = (text: string) => text.replace(/[\s\u00A0\u200B-\u200F\u00AD]+/g, '');

async function pdfOf(template: ReportTemplate, count: number, findings = reportFindings(count, { hostile: false })) {
  const bytes = await bytesOf(writePdf(reportOf(findings, { template }, detailedFindings)));
  const path = join(folder, `${template}-${count}.pdf`);
  await writeFile(path, bytes);
  const { stdout: information } = await run('pdfinfo', [path]);
  return { bytes, path, pages: Number(/^Pages:\s+(\d+)/m.exec(information)![1]) };
}

async function docxOf(template: ReportTemplate, findings: number): Promise<Element> {
  const report = reportOf(reportFindings(findings, { hostile: false }), { template }, detailedFindings);
  return readPackage(await bytesOf(writeDocx(report))).xml.get('word/document.xml')!;
}

describe('PDF and DOCX', () => {
  for (const template of reportTemplates)
    test(`have the same headings and the same tables, in the same order: ${template}`, async () => {
      const { path } = await pdfOf(template, 60);
      const { stdout } = await run('pdftotext', ['-raw', path, '-'], { maxBuffer: 50_000_000 });
      // Without headers and footers, which interrupt the rows of a table.
      const text = squeeze(
        stdout
          .split('\n')
          .filter((line) => !/^\f?Example Industries · |Page \d+ of \d+$/.test(line))
          .join('\n'),
      );
      const body = await docxOf(template, 60);
      let at = text.lastIndexOf('Contents');
      assert.ok(template === 'executive' ? at < 0 : at > 0);
      at = Math.max(at, 0);
      const blocks = body.children[0]!.children.filter(({ name }) => name === 'w:p' || name === 'w:tbl');
      let compared = 0;
      for (const block of blocks) {
        const style = named(block, block.name === 'w:tbl' ? 'w:tblStyle' : 'w:pStyle')[0]?.attributes['w:val'] ?? '';
        const isHeading = /^Heading[12]$/.test(style);
        if (!isHeading && style !== 'Summary') continue;
        for (const part of isHeading ? [block] : named(block, 'w:tr').slice(1)) {
          const expected = squeeze(textOf(part)).replace('■', '');
          const found = text.indexOf(expected, at);
          assert.ok(found >= 0, `${style} is not in the PDF, or not in this order: ${expected}`);
          at = found;
          compared++;
        }
      }
      assert.ok(compared > 15, `${compared} headings and rows`);
    });
});

test('a report above 2,000 findings details the most severe ones and says where the rest is', async () => {
  const { head, findings } = reportOf(reportFindings(3_000), { template: 'technical' });
  const detailed = await readDetailed(findings);
  const { blocks } = documentOf(head, detailed);
  assert.deepEqual(
    headingsOf(blocks).flatMap(({ level, id }) => (level === 3 ? [id] : [])),
    detailed.slice(0, detailedFindings).map(({ id }) => id),
  );
  assert.match(JSON.stringify(blocks), /The 2,000 most severe are shown in detail here\. The CSV export/);
});

/** Returns the first column of the index and of the problems in short form. */
function numbersIn(blocks: Block[]): string[] {
  const tables = blocks.filter((block) => block.kind === 'table' && block.columns[0]!.label === 'No.');
  const start = blocks.findIndex((block) => block.kind === 'heading' && block.id === 'index');
  return tables
    .filter((block) => blocks.indexOf(block) > start && 'caption' in block && block.caption !== null)
    .flatMap((block) => ('rows' in block ? block.rows : []))
    .map(({ cells }) => lettersOf(cells[0]!));
}

test('an audit of 2,000 findings of as many rules has at most 80 pages and 3 MB, and is marked PDF/UA-1', async () => {
  const findings = findingsOfRules(2_000);
  const { bytes, pages } = await pdfOf('audit', 2_000, findings);
  assert.ok(pages <= 80 && pages > 40, `${pages} pages`);
  assert.ok(bytes.length <= 3_000_000, `${bytes.length} bytes`);
  assert.ok(bytes.includes('<pdfuaid:part>1<'));
});

test('with three rules of 700 places each, every template keeps to its pages, and an audit counts every finding', async () => {
  const findings = findingsOfRules(2_100).map((finding, index) => ({
    ...finding,
    severity: (['high', 'medium', 'low'] as const)[index % 3]!,
    title: `Value of the user in a query in module ${index % 3}`,
    rule: { ...finding.rule, id: `rule-${index % 3}`, name: `Value of the user in a query ${index % 3}` },
    location: { ...finding.location, path: `src/module${index}.ts` },
  }));
  const pages = new Map<ReportTemplate, number>();
  for (const template of ['executive', 'audit'] as const)
    pages.set(template, (await pdfOf(template, 2_100, findings)).pages);
  // Every finding in detail takes long, and as many pages as it needs.
  pages.set('technical', (await pdfOf('technical', 210, findings.slice(0, 210))).pages);
  assert.ok(pages.get('executive')! <= 6, `${pages.get('executive')} pages`);
  assert.ok(pages.get('audit')! <= 80, `${pages.get('audit')} pages`);
  assert.ok(pages.get('technical')! <= 210, `${pages.get('technical')} pages`);
  const { head, findings: batches } = reportOf(findings, { template: 'audit' });
  const { blocks } = documentOf(head, await readDetailed(batches));
  assert.equal(headingsOf(blocks).filter(({ id }) => id.startsWith('card_')).length, 3);
  const counted = numbersIn(blocks).map((cell) => 1 + Number(/ \+(\d+)$/.exec(cell)![1]));
  assert.equal(
    counted.reduce((sum, count) => sum + count, 0),
    detailedFindings,
  );
});

test('the most important problems have a card, the others a row, and every finding has its number in one of them', () => {
  const findings = findingsOfRules(2_000);
  const exploited = { ...findings[1_999]!, status: 'new' as const, kev: '2026-10-01' };
  const all = [...findings.slice(0, -1), exploited].sort(
    (one, other) => severityRank[other.severity] - severityRank[one.severity],
  );
  const { blocks } = documentOf(reportHead(all, { template: 'audit' }), all, { baseUrl: 'https://assay.example.com' });
  assert.deepEqual(numbersIn(blocks).toSorted(), all.map(({ number }) => number).toSorted());
  const cards = headingsOf(blocks).filter(({ id }) => id.startsWith('card_'));
  assert.ok(cards.length > 20 && cards.length < 400, `${cards.length} cards`);
  assert.ok(cards.some(({ text }) => text.includes('elements 1999')));
  const words = JSON.stringify(blocks);
  for (const where of [
    'in the console, to which the numbers lead',
    'template “technical”',
    'CSV export of report rpt_',
  ])
    assert.ok(words.includes(where), where);
  assert.ok(words.includes(`https://assay.example.com/findings/${all.at(-1)!.id}`));
});

test('custom sections add to the 6 pages of an executive document and change nothing else', () => {
  const findings = reportFindings(60, { hostile: false });
  const blocksOf = (own: object) =>
    documentOf(reportHead(findings, { template: 'executive', document: { ...defaultDocument, ...own } }), []).blocks;
  const long = 'A long paragraph. '.repeat(500);
  const ids = (blocks: Block[]) => headingsOf(blocks).flatMap(({ id, level }) => (level === 1 ? [id] : []));
  const plain = blocksOf({});
  const [heading, text, ...others] = blocksOf({ foreword: long, conclusion: long });
  assert.deepEqual(ids([heading!, ...others.slice(-2)]), ['foreword', 'conclusion']);
  assert.deepEqual([text!.kind, others.slice(0, -2)], ['markdown', plain]);
});

test('an executive document has at most 6 pages, however many findings there are', async () => {
  const { bytes, pages } = await pdfOf('executive', 2_000);
  assert.ok(pages <= 6, `${pages} pages`);
  assert.ok(bytes.includes('<pdfuaid:part>1<'));
});

test('the facts of a demoted finding have the severity that its scanner reports', () => {
  const factsOf = (scanner_severity: 'high' | null) =>
    findingFacts(reportFinding(1, { severity: 'info', scanner_severity }), reportHead([]), 3)
      .filter(({ label }) => label === 'Demoted')
      .map(({ inlines }) => lettersOf(inlines));
  assert.deepEqual(factsOf('high'), ['By a decision about the rule; the scanner reports the severity “High”']);
  assert.deepEqual(factsOf(null), []);
});
