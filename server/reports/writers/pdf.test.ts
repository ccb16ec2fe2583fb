import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { inflateSync } from 'node:zlib';
import { severities } from '@assay/scanner/contract/severity.ts';
import { codePointsOf } from '../charts/font-coverage.ts';
import { fontFiles } from '../fonts.ts';
import { severityNames, statusNames } from '../labels.ts';
import { plainText } from '../plain-text.ts';
import { bytesOf, reportOf } from '../report.fixture.ts';
import { defaultDocument, tlpLabels } from '../report-document.ts';
import { hostileTitles, reportFinding, reportFindings } from '../report-finding.fixture.ts';
import { detailedFindings, type ReportFinding, type ReportHead } from '../report-model.ts';
import { writePdf } from './pdf.ts';

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'assay-pdf-'));
after(() => rm(folder, { recursive: true, force: true }));

/** Runs a program of Debian's poppler-utils, which reads the document independently. */
const poppler = async (command: string, ...options: string[]) =>
  (await run(command, options, { maxBuffer: 200_000_000 })).stdout;
let files = 0;

async function pdfOf(findings: ReportFinding[], changes: Partial<ReportHead> = {}) {
  const report = reportOf(findings, changes, detailedFindings);
  const detailed: ReportFinding[] = [];
  for await (const batch of reportOf(findings, changes, detailedFindings).findings) detailed.push(...batch);
  const bytes = await bytesOf(writePdf(report));
  const path = join(folder, `${files++}.pdf`);
  await writeFile(path, bytes);
  return { head: report.head, detailed, bytes, path };
}

/** Text without spaces: a line may break anywhere, and right-to-left text comes in visual order. */
const squeeze = (text: string) => text.replace(/[\s\u200B-\u200F\u00AD]+/g, '');
/** Selects the part of the pages between header and footer. */
const body = ['-raw', '-x', '0', '-y', '50', '-W', '600', '-H', '750'];
const textOf = async (path: string) => squeeze(await poppler('pdftotext', ...body, path, '-'));
const pagesOf = async (path: string) => Number(/^Pages:\s+(\d+)/m.exec(await poppler('pdfinfo', path))![1]);
const isWeb = (url: string | null) => url?.startsWith('https://') ?? false;
const latin = (text: string) => (/^[\x20-\x7E]+$/.test(text) ? text : '');

/** Returns the index of a finding's number in a text, at or after `from`, or -1. */
function indexOfNumber(text: string, number: string, from: number): number {
  const found = text.slice(from).search(new RegExp(`${number}(?!\\d)`));
  return found < 0 ? -1 : from + found;
}

/** Asserts that the findings follow each other in this order; each starts with its title and number. */
function assertFindingsInOrder(text: string, detailed: ReportFinding[]): void {
  let at = text.indexOf('Findingsaresortedbyseverity');
  for (const [index, finding] of detailed.entries()) {
    at = indexOfNumber(text, finding.number, at);
    assert.ok(at >= 0, `${finding.number} is missing or out of order`);
    const following = detailed[index + 1];
    const next = following ? indexOfNumber(text, following.number, at) : text.indexOf('Howtoreadthisreport', at);
    const section = text.slice(at, next);
    const title = squeeze(latin(plainText(finding.title, { line: true })).slice(0, 100));
    assert.ok(section.includes(title), `${finding.id} shows its title ${title}`);
    assert.ok(section.includes(squeeze(latin(finding.evidence ?? ''))), `${finding.id} shows its evidence`);
    const state = squeeze(severityNames[finding.severity] + statusNames[finding.status]);
    assert.ok(section.includes(state), `${finding.id} is ${state}`);
  }
}

test('a long title is never printed over the number beside it', async () => {
  const titles = [
    'x'.repeat(300),
    'Ab9'.repeat(100),
    'src/a-b/'.repeat(40),
    'longerword '.repeat(30),
    '漢'.repeat(300),
  ];
  const findings = titles.map((title, index) => reportFinding(index, { title, description: '' }));
  const { path } = await pdfOf(findings, { template: 'technical', analysis: null });
  const word = /xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)<\/word>/g;
  let compared = 0;
  for (const page of (await poppler('pdftotext', '-bbox', path, '-')).split('<page ')) {
    const words = [...page.matchAll(word)].map(([, left, top, right, bottom, text]) => ({
      ...{ left: Number(left), top: Number(top), right: Number(right), bottom: Number(bottom) },
      text: text!,
    }));
    for (const id of words.filter(({ text, left }) => /^F-\d+$/.test(text) && left > 300)) {
      const beside = words.filter((other) => other !== id && other.top < id.bottom - 1 && other.bottom > id.top + 1);
      assert.ok(beside.length > 0);
      for (const { right, text } of beside)
        assert.ok(right < id.left, `${text} ends at ${right}, ${id.text} begins at ${id.left}`);
      compared += 1;
    }
  }
  assert.equal(compared, titles.length);
});

test("a TLP label is in the header and footer of every page, right-aligned and in 12 points; the organization's own words are not", async () => {
  const approval = {
    state: 'reviewed',
    reviewed: { name: 'Grace Hopper', at: '2026-11-21T08:15:00Z' },
    finalized: null,
  } as const;
  for (const label of Object.keys(tlpLabels)) {
    const document = { ...defaultDocument, classification: label };
    const changes = { template: 'executive', document, approval } as const;
    const { path } = await pdfOf(reportFindings(5), changes);
    const pages = (await poppler('pdftotext', '-bbox', path, '-')).split('<page ').slice(1);
    for (const page of pages) {
      const marks = [...page.matchAll(/yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(TLP:[A-Z+]+)</g)]
        .map(([, top, right, bottom, text]) => ({
          top: Number(top),
          right: Number(right),
          bottom: Number(bottom),
          text,
        }))
        .filter(({ right }) => right > 500);
      assert.deepEqual(new Set(marks.map(({ text }) => text)), new Set([label]));
      assert.ok(marks.some(({ top }) => top < 60) && marks.some(({ top }) => top > 770), JSON.stringify(marks));
      for (const { top, bottom } of marks) assert.ok(bottom - top >= 11.5, `${bottom - top} points`);
    }
    assert.match(await poppler('pdfinfo', path), /^Keywords:.*, reviewed$/m);
    assert.match(await poppler('pdftotext', '-f', '2', '-l', '2', path, '-'), /reviewed · 20 November 2026/);
  }
  const { path } = await pdfOf([], { document: { ...defaultDocument, classification: 'Internal' } });
  assert.doesNotMatch(await poppler('pdftotext', path, '-'), /TLP:/);
});

test('the author of a document is a person, or the schedule that created it', async () => {
  const authorIn = async (changes: Parameters<typeof reportOf>[1]) =>
    /^Author:\s+(.*)$/m.exec(
      await poppler('pdfinfo', (await pdfOf([], { template: 'executive', ...changes })).path),
    )?.[1];
  assert.equal(await authorIn({}), 'Ada Lovelace');
  assert.equal(await authorIn({ document: { ...defaultDocument, author: 'Grace Hopper' } }), 'Grace Hopper');
  const scheduled = { scheduled_report_id: 'srp_01jd3zb8m9n0p1q2r3s4t5v6w7', title: 'Weekly' };
  assert.equal(await authorIn(scheduled), 'Assay, scheduled report Weekly');
});

test('a report without findings is a complete document that says so', async () => {
  const { path } = await pdfOf([], { analysis: null });
  const text = await textOf(path);
  for (const words of ['ExampleIndustries', 'Contents', 'Executivesummary', 'Thisreporthasnofindings', 'Statuses'])
    assert.ok(text.includes(words), words);
  assert.ok((await pagesOf(path)) <= 6);
});

test('a finding is shown in full', async () => {
  const finding = reportFinding(0, {
    title: 'AWS key in deploy/prod.env',
    status: 'accepted_risk',
    closed_at: '2026-11-01T08:00:00Z',
    accepted_until: '2026-12-24T00:00:00Z',
    description: 'Gives **access** to `s3://bucket`, see [the rule](https://example.com/rule).',
    evidence: 'if (a <  b) {\n    key = "AKIA…(redacted)"\n}',
    references: ['https://cwe.mitre.org/data/definitions/798.html', 'javascript:alert(1)'],
    comment_count: 30,
    comments: [{ author: 'Ada', created_at: '2026-11-02T08:00:00Z', comment: `Long ${'word '.repeat(1_000)}` }],
  });
  const { path, detailed } = await pdfOf([finding]);
  const text = await textOf(path);
  for (const words of [
    'AWS key in deploy/prod.env',
    finding.location.path!,
    `:${finding.location.start_line}`,
    'Closed Accepted risk on 1 November 2026, until 24 December 2026',
    'Gives access to s3://bucket, see the rule.',
    'if (a < b) { key = "AKIA…(redacted)" }',
    'Replace it, then revoke what stood there.',
    '1. Make a new one.',
    'https://cwe.mitre.org/data/definitions/798.html javascript:alert(1)',
    'Comments (newest 1 of 30)',
    'Ada 2 November 2026, 08:00 UTC',
    'Truncated: the full text has 5,005 characters.',
    finding.rule.name,
    'Ada Lovelace',
    '9.8',
  ])
    assert.ok(text.includes(squeeze(words)), words);
  assertFindingsInOrder(text, detailed);
});

test('the summary has the figures of the snapshot, and all findings in order', async () => {
  const { path, head, detailed, bytes } = await pdfOf(reportFindings(200));
  // It has 102 pages and 725 kB: a tenth of the size for the maximum number of findings.
  assert.ok((await pagesOf(path)) <= 110 && bytes.length <= 800_000);
  const text = await textOf(path);
  assertFindingsInOrder(text, detailed);
  for (const severity of severities) {
    const row = [...Object.values(head.by_severity_and_status[severity]), head.summary.by_severity[severity]];
    assert.ok(text.toLowerCase().includes(`${severity}${row.join('')}`), `${severity} ${row}`);
  }
  for (const { name, open, total } of head.summary.by_data_source)
    assert.ok(text.includes(`${name}${open}${total - open}${total}`), name);
  assert.ok(text.includes(`${head.open}openfindings200intotal`));
});

test('titles that look like markup stay text', async () => {
  const { path } = await pdfOf(reportFindings(20));
  const text = await textOf(path);
  for (const title of hostileTitles.filter((title) => latin(title) !== ''))
    assert.ok(text.includes(squeeze(title)), title);
  for (const words of ['漢字かな交じり文', '한국어', 'ไทย', 'Ελληνικά', 'Кириллица', '🔥'])
    assert.ok(text.includes(words), words);
});

test('the document is tagged, has a language and a title, and is marked PDF/UA-1', async () => {
  const { path, bytes } = await pdfOf(reportFindings(40));
  const information = await poppler('pdfinfo', path);
  assert.match(information, /^Title:\s+Example Industries: Findings of the third quarter$/m);
  assert.match(information, /^Tagged:\s+yes$/m);
  assert.match(information, /^CreationDate:\s+Fri Nov 20 12:00:00 2026/m);
  assert.match(bytes.toString('latin1'), /\/Lang \(en\)/);
  assert.match(bytes.toString('latin1'), /<pdfuaid:part>1</);
  const structure = await poppler('pdfinfo', '-struct', path);
  for (const kind of ['H1', 'H2', 'H3', 'Table', 'TH', 'Figure', 'Caption', 'Link', 'TOC', 'LI'])
    assert.match(structure, new RegExp(`^ *${kind}\\b`, 'm'), kind);
});

test('links within the document lead to headings, whose texts screen readers announce', async () => {
  const { bytes } = await pdfOf(reportFindings(12, { hostile: false }), { template: 'audit' });
  const file = bytes.toString('latin1');
  const streams = [...file.matchAll(/\/Type \/ObjStm .* \/Length (\d+) >>\nstream\n/g)];
  const objects = streams
    .map(({ index, 0: start, 1: length }) =>
      inflateSync(bytes.subarray(index + start.length).subarray(0, Number(length))),
    )
    .join('\n');
  assert.doesNotMatch(objects, /goto:/);
  const links = [...objects.matchAll(/\/Dest (\d+) 0 R[^>]*?\/Contents <FEFF([\da-fA-F]+)>/g)];
  const texts = links.map(([, , hex]) => Buffer.from(hex!, 'hex').swap16().toString('utf16le'));
  assert.ok(texts.length >= 8 && texts.some((text) => text === 'AWS access key'), texts.join());
  const place = /\/Title [(<].*\s*\/Dest (\d+) 0 R/g;
  const places = new Set([...objects.matchAll(place)].map(([, number]) => number));
  assert.deepEqual(
    links.filter(([, number]) => !places.has(number)),
    [],
  );
});

test('a document has no active content, and links only to addresses of its findings', async () => {
  const findings = reportFindings(40);
  const hostile = reportFinding(41, {
    rule: { id: 'x', name: 'x', url: 'javascript:alert(1)', tags: [] },
    references: ['file:///etc/passwd', 'https://example.com/ok'],
    description:
      '[a](javascript:alert(1)) [b](https://example.com/described) <script>x</script> ![c](https://example.com/c.png)',
  });
  const { path } = await pdfOf([...findings, hostile], { analysis: null });
  const given = new Set([
    ...[...findings, hostile]
      .flatMap(({ location, rule, references }) => [location.url, rule.url, ...references])
      .filter(isWeb),
    'https://example.com/described',
  ]);
  const links = (await poppler('pdfinfo', '-url', path))
    .split('\n')
    .slice(1, -1)
    .map((line) => line.trim().split(/\s+/).at(-1)!);
  assert.ok(links.includes('https://example.com/ok') && links.includes('https://example.com/described'));
  assert.deepEqual([...new Set(links.filter((link) => !given.has(link)))], []);
  assert.match(await poppler('pdfinfo', path), /^JavaScript:\s+no$/m);
  assert.match(await poppler('pdfdetach', '-list', path), /^0 embedded files/);
});

test('the same report gives the same bytes, even in another process', async () => {
  const { bytes } = await pdfOf(reportFindings(30));
  const script = `
    const { writePdf } = await import(${JSON.stringify(join(import.meta.dirname, 'pdf.ts'))});
    const { bytesOf, reportOf } = await import(${JSON.stringify(join(import.meta.dirname, '../report.fixture.ts'))});
    const { reportFindings } = await import(${JSON.stringify(join(import.meta.dirname, '../report-finding.fixture.ts'))});
    process.stdout.write(await bytesOf(writePdf(reportOf(reportFindings(30)))));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'buffer',
    maxBuffer: 50_000_000,
    env: { TZ: 'Asia/Tokyo', LANG: 'de_DE.UTF-8' },
  });
  assert.ok(bytes.equals(stdout));
});

test('every character that our fonts cover has a glyph, as PDF/UA requires', async () => {
  const codes = new Set(fontFiles().flatMap((file) => [...codePointsOf(readFileSync(file))]));
  const characters = [...codes].sort((a, b) => a - b).map((code) => String.fromCodePoint(code));
  assert.ok(characters.length > 30_000);
  const findings = Array.from({ length: Math.ceil(characters.length / 4_000) }, (_, index) => {
    const some = characters.slice(index * 4_000, (index + 1) * 4_000).join(' ');
    return reportFinding(index, { evidence: some, description: some.slice(0, 8_000).replace(/[\\`*_<>[\]&#|~]/g, '') });
  });
  const { bytes } = await pdfOf(findings);
  assert.ok(bytes.includes('<pdfuaid:part>'));
});
