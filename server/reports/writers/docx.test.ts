import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { severities } from '@assay/scanner/contract/severity.ts';
import { strFromU8, unzipSync } from 'fflate';
import { statuses } from '../../findings/lifecycle.ts';
import { drawCharts } from '../charts/index.ts';
import { asEvidence } from '../document/texts.ts';
import { formatNumber } from '../labels.ts';
import { plainText } from '../plain-text.ts';
import { bySeverityStatusAndAge, bytesOf, reportOf } from '../report.fixture.ts';
import { defaultDocument } from '../report-document.ts';
import { reportFindings } from '../report-finding.fixture.ts';
import { detailedFindings, type ReportFinding, type ReportHead } from '../report-model.ts';
import {
  assertSound,
  type Element,
  named,
  readPackage,
  textOf,
  type WordPackage,
} from './docx/word-package.fixture.ts';
import { writeDocx } from './docx.ts';

const write = (findings: ReportFinding[], head: Partial<ReportHead> = {}) =>
  bytesOf(writeDocx(reportOf(findings, head, detailedFindings)));
const bodyOf = (word: WordPackage): Element => word.xml.get('word/document.xml')!;
const flat = (text: string) => text.replace(/\s+/g, '');

/** Returns the text of each finding by its id, from its heading to the next one. */
function shownFindings(word: WordPackage): Map<string, string> {
  const shown = new Map<string, string>();
  let current = '';
  for (const block of bodyOf(word).children[0]!.children) {
    const style = named(block, 'w:pStyle')[0]?.attributes['w:val'] ?? '';
    const bookmark = named(block, 'w:bookmarkStart')[0]?.attributes['w:name'] ?? '';
    if (style === 'Heading3') current = bookmark;
    else if (/^Heading[12]$/.test(style)) current = '';
    if (current) shown.set(current, (shown.get(current) ?? '') + textOf(block));
  }
  return shown;
}

const sizes = [0, 1, 200] as const;
/** More than the documents show in detail. */
const many = detailedFindings + 1;

describe('a report as a Word document', () => {
  const files = new Map<number, Buffer>();
  const findings = new Map<number, ReportFinding[]>();
  before(async () => {
    for (const size of sizes) {
      findings.set(size, reportFindings(size));
      files.set(size, await write(findings.get(size)!));
    }
  });

  for (const size of sizes) {
    test(`of ${size} findings is sound: parts, relationships, ids and the order of elements`, () => {
      assertSound(readPackage(files.get(size)!));
    });

    test(`of ${size} findings shows at most ${detailedFindings} in detail, most severe first`, () => {
      const shown = shownFindings(readPackage(files.get(size)!));
      assert.equal(shown.size, Math.min(size, detailedFindings));
      const byId = new Map(findings.get(size)!.map((finding) => [finding.id, finding]));
      const ranks = [...shown.keys()].map((id) => severities.indexOf(byId.get(id)!.severity));
      assert.deepEqual(
        ranks,
        ranks.toSorted((a, b) => a - b),
      );
      for (const [id, text] of shown) assertShown(text, byId.get(id)!);
    });
  }

  test('in German has columns in which every word of their header fits', async () => {
    const german = { ...defaultDocument, language: 'de' } as const;
    const word = readPackage(await write(reportFindings(4), { template: 'audit', document: german }));
    for (const table of named(bodyOf(word), 'w:tbl')) {
      const widths = named(table, 'w:gridCol').map(({ attributes }) => Number(attributes['w:w']));
      const row = named(table, 'w:tr')[0]!;
      if (named(row, 'w:tblHeader').length === 0) continue;
      for (const [index, cell] of named(row, 'w:tc').entries()) {
        const style = named(cell, 'w:pStyle')[0]!.attributes['w:val']!;
        const points = style.startsWith('Tight') ? 7 : style.startsWith('Dense') ? 8 : 10;
        const letters = Math.max(
          ...textOf(cell)
            .split(/\s+/)
            .map((part) => part.length),
        );
        assert.ok(widths[index]! >= letters * points * 0.52 * 20 + 200, `${textOf(cell)}: ${widths[index]}`);
      }
    }
  });

  test('with more findings than it shows has the most severe ones, says where the others are, and reads all', async () => {
    const given = reportFindings(many);
    const { head, findings: batches } = reportOf(given);
    let read = 0;
    async function* counted() {
      for await (const batch of batches) {
        read += batch.length;
        yield batch;
      }
    }
    const file = await bytesOf(writeDocx({ head, findings: counted() }));
    assert.equal(read, many);
    const text = strFromU8(unzipSync(file)['word/document.xml']!);
    const last = given.toSorted(bySeverityStatusAndAge).at(-1)!;
    const shown = new Set(Array.from(text.matchAll(/w:name="(fnd_\w+)"/g), ([, id]) => id));
    assert.deepEqual([shown.size, shown.has(last.id)], [detailedFindings, false]);
    assert.match(text, /This report covers 2,001 findings\. The 2,000 most severe are shown in detail here\./);
    assert.match(text, /The CSV export of the same report \(rpt_\w+\) contains every finding with all its fields\./);
    assert.match(text, /[\d,]+ of them are shown here; the others are in the CSV export\./);
  });

  test('without findings says so, and has no empty tables or charts', () => {
    const body = bodyOf(readPackage(files.get(0)!));
    assert.match(textOf(body), /This report has no findings/);
    for (const table of named(body, 'w:tbl')) assert.ok(named(table, 'w:tr').length > 0);
  });

  test('has the figures of the report in its tables', () => {
    const { head } = reportOf(findings.get(200)!);
    const tables = named(bodyOf(readPackage(files.get(200)!)), 'w:tbl').map((table) =>
      named(table, 'w:tr').map((row) =>
        row.children.filter((element) => element.name === 'w:tc').map((element) => textOf(element).trim()),
      ),
    );
    const counts = tables.find((rows) => rows[0]![0] === 'Severity' && rows[0]!.length === 8)!;
    severities.forEach((severity, index) => {
      const expected = statuses.map((status) => formatNumber(head.by_severity_and_status[severity][status]));
      assert.deepEqual(counts[index + 1]!.slice(1, -1), expected);
    });
    assert.equal(counts.at(-1)!.at(-1), '200');
    const sources = tables.find((rows) => rows[0]![0] === 'Data source' && rows[0]!.length === 4)!;
    assert.deepEqual(
      sources.slice(1, -1),
      head.summary.by_data_source.map(({ name, open, total }) => [
        name,
        ...[open, total - open, total].map(formatNumber),
      ]),
    );
  });

  test('has each chart with its figures in words, and a numbered caption', () => {
    const { head } = reportOf(findings.get(200)!);
    const charts = drawCharts(head);
    const body = bodyOf(readPackage(files.get(200)!));
    assert.deepEqual(
      named(body, 'wp:docPr').map((element) => element.attributes.descr),
      charts.map((chart) => chart.alternative),
    );
    for (const [index, chart] of charts.entries())
      assert.ok(textOf(body).includes(`Figure ${index + 1}. ${chart.caption}`));
    assert.equal(
      named(body, 'w:instrText').filter((element) => element.text.includes('SEQ Figure')).length,
      charts.length,
    );
  });

  test('has contents that link to its headings, a language, names, and header rows that repeat', () => {
    const word = readPackage(files.get(200)!);
    const body = bodyOf(word);
    assert.match(named(body, 'w:instrText')[0]!.text, /TOC \\o "1-2"/);
    const contents = named(body, 'w:sdtContent')[0]!;
    const headings = named(body, 'w:p').filter((element) =>
      /^Heading[12]$/.test(named(element, 'w:pStyle')[0]?.attributes['w:val'] ?? ''),
    );
    const entries = named(contents, 'w:p')
      .slice(1)
      .map((element) => textOf(element).trim().split('\t'));
    assert.deepEqual(
      entries.map(([title]) => title),
      headings.map((element) => textOf(element).trim()),
    );
    const pages = entries.map(([, page]) => Number(page));
    assert.ok(pages[0] === 3 && pages.every((page, index) => index === 0 || page >= pages[index - 1]!), String(pages));
    const styles = word.xml.get('word/styles.xml')!;
    assert.equal(named(styles, 'w:lang')[0]!.attributes['w:val'], 'en-GB');
    const core = word.xml.get('docProps/core.xml')!;
    assert.equal(named(core, 'dc:title')[0]!.text, 'Findings of the third quarter');
    assert.equal(named(core, 'dcterms:created')[0]!.text, '2026-11-20T12:00:00Z');
    const summaries = named(body, 'w:tbl').filter(
      (element) => named(element, 'w:tblStyle')[0]!.attributes['w:val'] === 'Summary',
    );
    for (const table of summaries) assert.equal(named(table.children[2]!, 'w:tblHeader').length, 1);
    for (const paragraph of named(body, 'w:p')) assert.notEqual(paragraph.children.length, 1, 'an empty paragraph');
  });

  test('is the same, byte for byte, each time, however the findings come', async () => {
    assert.deepEqual(await write(findings.get(200)!), files.get(200));
    const report = reportOf(findings.get(200)!);
    async function* oneByOne() {
      for await (const batch of report.findings) for (const finding of batch) yield [finding];
    }
    assert.deepEqual(await bytesOf(writeDocx({ head: report.head, findings: oneByOne() })), files.get(200));
  });
});

/** Asserts that a text contains all facts of a finding, however its lines break. */
function assertShown(text: string, finding: ReportFinding): void {
  const shown = flat(text);
  const expected = [
    finding.number,
    plainText(finding.title, { line: true }),
    finding.data_source.name,
    finding.location.path ?? '',
    finding.rule.id,
    ...finding.identifiers,
    ...finding.tags,
    ...finding.references,
    finding.assignee?.name ?? 'None',
    plainText(asEvidence(finding.evidence ?? '')),
    ...finding.comments.filter(({ comment }) => comment.length <= 2_000).map(({ comment }) => plainText(comment)),
  ];
  for (const part of expected) assert.ok(shown.includes(flat(part)), `${finding.id} lacks ${part.slice(0, 80)}`);
}

test('a Word document has author, state and version in its properties, and a TLP label on every page', async () => {
  const document = { ...defaultDocument, classification: 'TLP:RED', version: '2 & 3', author: 'Grace Hopper' };
  const approval = {
    state: 'reviewed',
    reviewed: { name: 'Ada', at: '2026-11-21T08:15:00Z' },
    finalized: null,
  } as const;
  const parts = unzipSync(await bytesOf(writeDocx(reportOf([], { document, approval }))));
  const core = strFromU8(parts['docProps/core.xml']!);
  assert.match(core, /<dc:creator>Grace Hopper</);
  assert.match(core, /<cp:contentStatus>reviewed</);
  assert.match(core, /<cp:version>2 &amp; 3</);
  const around = Object.keys(parts).filter((path) => /word\/(header|footer)\d\.xml$/.test(path));
  assert.equal(around.length, 4);
  for (const path of around) {
    const xml = strFromU8(parts[path]!);
    const line = xml.match(/<w:p>(?:(?!<w:p>).)*TLP:RED.*?<\/w:p>/s)![0];
    assert.match(line, /<w:jc w:val="right"\/>/);
    assert.match(line, /<w:sz w:val="(24|12pt)"\/>/);
    assert.match(line, /<w:color w:val="(?:#)?ff2b2b"\/>/i);
    assert.match(line, /w:fill="000000"/);
  }
  const own = unzipSync(
    await bytesOf(writeDocx(reportOf([], { document: { ...document, classification: 'Secret' } }))),
  );
  assert.ok(around.every((path) => !own[path] || !strFromU8(own[path]!).includes('TLP:')));
});
