import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { strFromU8, unzipSync } from 'fflate';
import { sampleAnalysis } from '../analysis/analysis.fixture.ts';
import { keyFigureNames } from '../analysis-model.ts';
import { severityNames } from '../labels.ts';
import { bySeverityStatusAndAge, bytesOf, reportOf } from '../report.fixture.ts';
import { reportFinding, reportFindings, takenAt, time } from '../report-finding.fixture.ts';
import type { ReportFinding, ReportHead } from '../report-model.ts';
import { wordingIn } from '../sentences/wording.ts';
import { findMistakes } from './docx/open-xml-sdk.fixture.ts';
import { Spool } from './spool.ts';
import { type Read, readWorkbook } from './xlsx/workbook.fixture.ts';
import { Workbook, writeXlsx } from './xlsx.ts';
import { zipped } from './zip.ts';

const baseUrl = 'https://assay.example.com/';
const write = async (findings: ReportFinding[], changes: Partial<ReportHead> = {}) =>
  bytesOf(writeXlsx(reportOf(findings, changes), { baseUrl }));

/** Returns the cells of a sheet's column below its header. */
function columnOf(rows: Read[][], header: string): Array<Read | undefined> {
  const index = rows[0]!.findIndex(({ text }) => text === header);
  assert.notEqual(index, -1, header);
  return rows.slice(1).map((row) => row[index]);
}

/** Text in the form that XML can contain. */
const shown = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/[\0-\x08\x0B\x0C\x0E-\x1F\x7F\uFFFE\uFFFF]/g, '\uFFFD')
    .slice(0, 32_000);

test('the sheet of findings has each in a row, with its texts, numbers, dates and a link', async () => {
  const findings = [...reportFindings(1_200)].sort(bySeverityStatusAndAge);
  const rows = readWorkbook(await write(findings)).get('Findings')!;
  const texts = (header: string) => columnOf(rows, header).map((cell) => cell?.text ?? '');
  assert.deepEqual(
    texts('ID'),
    findings.map(({ id }) => id),
  );
  assert.deepEqual(
    texts('Title').map((text) => text.slice(0, 32_000)),
    findings.map(({ title }) => shown(title)),
  );
  assert.deepEqual(
    texts('Severity'),
    findings.map(({ severity }) => severityNames[severity]),
  );
  assert.deepEqual(
    texts('CVSS'),
    findings.map(({ cvss_score }) => (cvss_score === null ? '' : String(cvss_score))),
  );
  const [first] = columnOf(rows, 'ID');
  const { formula, type } = first!;
  assert.deepEqual(
    [formula, type],
    [`HYPERLINK("https://assay.example.com/findings/${findings[0]!.id}","${findings[0]!.id}")`, 'str'],
  );
  for (const [index, cell] of columnOf(rows, 'First seen (UTC)').entries()) {
    assert.deepEqual([cell!.type, cell!.style], ['n', '2']);
    const at = Math.round((Number(cell!.text) - 25_569) * 86_400) * 1000;
    assert.equal(time(at), findings[index]!.first_seen_at);
  }
});

test('text that a spreadsheet would evaluate, decode or reject stays text', async () => {
  const titles = ['=1+1', ' @SUM(A1)', '-2+3', 'a _x0041_ & <b>\u0000\r\n"quoted"', '  spaced  '];
  const rows = readWorkbook(await write(titles.map((title, index) => reportFinding(index, { title })))).get(
    'Findings',
  )!;
  const cells = columnOf(rows, 'Title').map((cell) => cell!);
  assert.deepEqual(cells.map(({ text }) => text).sort(), titles.map(shown).sort());
  for (const { text, type, formula, style } of cells) {
    assert.deepEqual([type, formula], ['inlineStr', '']);
    // The format "text" keeps it text when somebody edits the cell.
    assert.equal(style, /^\s*[=@-]/.test(text) ? '4' : '0', text);
  }
});

test('a text longer than a cell continues on the sheet of long texts, without loss', async () => {
  const description = `${'x'.repeat(32_700)}${'🔥'.repeat(40_000)}`;
  const workbook = readWorkbook(await write([reportFinding(0, { description }), reportFinding(1)]));
  const { text: id } = columnOf(workbook.get('Findings')!, 'ID')[0]!;
  const [, ...rest] = workbook.get('Long texts')!;
  const first = columnOf(workbook.get('Findings')!, 'Description').find((cell) => cell!.text.length > 1_000)!.text;
  assert.match(first, /… \(continued on the sheet “Long texts”\)$/);
  assert.ok(first.length <= 32_767);
  assert.equal(first.replace(/… \(continued.*$/, '') + rest.map((row) => row[3]!.text).join(''), description);
  for (const [index, row] of rest.entries())
    assert.deepEqual([row[0]!.text, row[1]!.text, row[2]!.text], [id, 'Description', String(index + 2)]);
});

test('findings beyond the row limit of a sheet continue on the next one', async () => {
  const findings = reportFindings(1_000);
  await using spool = new Spool();
  const content = { ...reportOf(findings), tables: [], baseUrl: null };
  const workbook = new Workbook(content, spool, { rows: 501, length: 1e9 });
  const sheets = readWorkbook(await bytesOf(zipped(workbook.files())));
  const parts = [...sheets].filter(([name]) => name.startsWith('Findings'));
  assert.deepEqual(
    parts.map(([name, rows]) => [name, rows.length]),
    [
      ['Findings', 501],
      ['Findings 2', 501],
    ],
  );
  const ids = parts.flatMap(([, rows]) => columnOf(rows, 'ID').map((cell) => cell!.text));
  assert.deepEqual(
    ids,
    [...findings].sort(bySeverityStatusAndAge).map(({ id }) => id),
  );
});

test('each table of the report and of its analysis is a sheet, with a filter and a fixed header', async () => {
  const bytes = await write(reportFindings(400), { analysis: sampleAnalysis });
  const sheets = readWorkbook(bytes);
  for (const name of [
    'Summary',
    'Severity and status',
    'Sources',
    'Data sources',
    'Weeks',
    'Age',
    'Oldest',
    'Key figures',
    'Actions',
    'Changes',
    'Coverage',
    'Owners',
    'Due dates by severity',
    'Accepted and false positives',
    'Standards',
    'Weaknesses',
    'Tools',
  ])
    assert.ok((sheets.get(name)?.length ?? 0) > 1, name);
  for (const [path, part] of Object.entries(unzipSync(bytes)))
    if (path.includes('worksheets/'))
      assert.match(strFromU8(part), /ySplit="1".*<\/sheetData><autoFilter ref="A1:[A-Z]+\d+"\/>/s, path);
});

test("Microsoft's Open XML SDK finds no error in a workbook", async () => {
  const directory = await mkdtemp(join(tmpdir(), 'assay-xlsx-'));
  try {
    const path = join(directory, 'report.xlsx');
    const long = reportFinding(400, { description: '=x'.repeat(20_000) });
    await writeFile(path, await write([...reportFindings(60), long], { analysis: sampleAnalysis }));
    assert.deepEqual(await findMistakes(path), []);
  } finally {
    await rm(directory, { recursive: true });
  }
});

test('the same report gives the same bytes, and one without findings is a workbook too', async () => {
  assert.deepEqual(await write(reportFindings(300)), await write(reportFindings(300)));
  const empty = readWorkbook(await write([], { taken_at: time(takenAt) }));
  assert.deepEqual([empty.get('Findings')!.length, empty.get('Summary')!.length > 5], [1, true]);
});

test('figures and states have the same names as in the document', async () => {
  const workbook = readWorkbook(await write(reportFindings(60), { analysis: sampleAnalysis }));
  const shown = (sheet: string) =>
    workbook
      .get(sheet)!
      .flat()
      .map((cell) => cell?.text);
  const { say } = wordingIn('en');
  for (const name of keyFigureNames) assert.ok(shown('Key figures').includes(say(`key_figure.${name}`)), name);
  for (const { state } of sampleAnalysis.coverage.data_sources)
    assert.ok(shown('Coverage').includes(say(`state.${state}`)), state);
  for (const name of ['in_time', 'kept', 'missed'] as const)
    assert.ok(shown('Due dates by severity').includes(say(`column.${name}`)), name);
});
