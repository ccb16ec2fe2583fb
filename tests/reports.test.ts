import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { unzipSync } from 'fflate';
import { formats } from '../server/detection/readers/index.ts';
import { formatOfFolder } from '../server/detection/readers/testing/expected-differences.fixture.ts';
import { readAll } from '../server/detection/readers/testing/formats.fixture.ts';
import { newId } from '../server/platform/id.ts';
import { type JobRunner, startJobRunner } from '../server/platform/jobs/job-runner.ts';
import { silentLog } from '../server/platform/log.ts';
import { openExport } from '../server/reports/exports/exports.ts';
import { renderExportJob } from '../server/reports/exports/render-export.ts';
import { detailedFindings, type ReportFinding, type ReportHead } from '../server/reports/report-model.ts';
import { takeSnapshotJob } from '../server/reports/take-snapshot.ts';
import { findMistakes } from '../server/reports/writers/docx/open-xml-sdk.fixture.ts';
import type { ReportFormatName } from '../server/reports/writers/index.ts';
import { type Application, startApplication } from './harness/application.ts';
import { recordScan, succeeded } from './harness/furnished.ts';
import { eventually } from './harness/installation.ts';
import { createTenant, type Person } from './harness/people.ts';

type Made = { id: string; snapshot: { report: ReportHead; findings: ReportFinding[] } };

const results = process.env.ASSAY_TEST_DATA && join(process.env.ASSAY_TEST_DATA, 'results');
const skip = results && existsSync(results) ? false : 'ASSAY_TEST_DATA names no folder with results of real tools';

describe('a report of what real tools found', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-reports-'));
  let app: Application;
  let runner: JobRunner | undefined;
  let tenant: Person;
  let whole: Made;
  let detailed: Made;

  before(async () => {
    app = await startApplication();
    tenant = await createTenant(app.database, 'Real Results & Sons');
    for (const tool of readdirSync(results!)) await recordResults(tool);
    const services = { database: app.database, log: silentLog, stopping: new AbortController().signal };
    const jobs = [takeSnapshotJob, renderExportJob];
    const connectionString = app.appUrl;
    runner = await startJobRunner({ connectionString, jobs, services, concurrency: 2, log: silentLog, ticks: [] });
    whole = await makeReport({ template: 'audit' });
    // Every detail of a few hundred findings: that 2,000 fit is tested with a document alone.
    detailed = await makeReport({ template: 'technical', filters: { severity: ['critical', 'high'] } });
  });
  after(async () => {
    await runner?.stop();
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Imports every file of a tool's folder into a data source of its name. */
  async function recordResults(tool: string): Promise<void> {
    const format = formatOfFolder[tool] ?? tool;
    if (!formats.some((one) => one.name === format)) return;
    const dataSourceId = newId('ds');
    await app.database.single(tenant.orgId, {
      text: `INSERT INTO data_sources (org_id, id, kind, name, config) VALUES ($1, $2, 'upload', $3, '{}')`,
      values: [tenant.orgId, dataSourceId, tool],
    });
    const files: Array<{ file: string; findings: number }> = JSON.parse(
      readFileSync(join(results!, tool, 'expected.json'), 'utf8'),
    );
    for (const { file } of files.filter(({ findings }) => findings > 0)) {
      const { all } = await readAll(readFileSync(join(results!, tool, file)), { format: formatOf(tool, file) });
      const bySource = Map.groupBy(all, (one) => one.source);
      for (const [source, detections] of bySource)
        await recordScan(app.database, tenant.orgId, dataSourceId, detections, { source, close: false });
    }
  }

  /** Returns the format of a folder: SARIF of any tool is SARIF. */
  const formatOf = (tool: string, file: string) =>
    /"runs"\s*:/.test(readFileSync(join(results!, tool, file), 'utf8').slice(0, 2_000))
      ? 'sarif'
      : (formatOfFolder[tool] ?? tool);

  async function makeReport(json: object): Promise<Made> {
    const created = succeeded(
      await app.call(tenant.token, 'POST', '/reports', { json: { title: 'What tools say', ...json } }),
    );
    await eventually(
      async () => (await app.call(tenant.token, 'GET', `/reports/${created.id}`)).body.status === 'ready',
    );
    return { id: created.id, snapshot: JSON.parse(String(await fileOf(created.id, 'json'))) };
  }

  async function fileOf(reportId: string, format: ReportFormatName): Promise<Buffer> {
    const opened = (await openExport(app.database, tenant.orgId, reportId, format, { waitMs: 600_000 }))!;
    return buffer(opened.content);
  }

  test('has every finding, in every format for machines', async () => {
    const { report, findings } = whole.snapshot;
    assert.ok(findings.length > 1_500, `${findings.length}`);
    assert.equal(report.summary.total, findings.length);
    const rows: Array<Record<string, string>> = parse(await fileOf(whole.id, 'csv'), { columns: true });
    assert.deepEqual(
      rows.map(({ id, severity, status, fingerprint, first_seen_at }) => [
        id,
        severity,
        status,
        fingerprint,
        first_seen_at,
      ]),
      findings.map(({ id, severity, status, fingerprint, first_seen_at }) => [
        id,
        severity,
        status,
        fingerprint,
        first_seen_at,
      ]),
    );
    // Text that a spreadsheet would compute begins with an apostrophe.
    for (const [index, { title }] of findings.entries()) assert.equal(rows[index]!.title!.replace(/^'/, ''), title);
    assert.equal(JSON.parse(String(await fileOf(whole.id, 'sarif'))).runs[0].results.length, findings.length);
    assert.equal(JSON.parse(String(await fileOf(whole.id, 'ocsf'))).length, findings.length);
  });

  async function pdfTextOf({ id }: Made): Promise<string> {
    const path = join(folder, `${id}.pdf`);
    writeFileSync(path, await fileOf(id, 'pdf'));
    return execFileSync('pdftotext', ['-raw', path, '-'], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  }

  async function wordTextOf({ id }: Made): Promise<string> {
    const path = join(folder, `${id}.docx`);
    const file = await fileOf(id, 'docx');
    writeFileSync(path, file);
    assert.deepEqual((await findMistakes(path)).slice(0, 3), []);
    return Buffer.from(unzipSync(file)['word/document.xml']!).toString();
  }

  test('shows each in detail, as PDF and as a valid Word document, in the order of the snapshot', async () => {
    const wanted = detailed.snapshot.findings.map(({ id }) => id);
    assert.ok(wanted.length > 300, `${wanted.length}`);
    const text = await pdfTextOf(detailed);
    const ids = text.match(/^.*\bfnd_[0-9a-z]{26}$/gm)!.map((line) => /fnd_\w+/.exec(line)![0]);
    const known = new Set(wanted);
    assert.deepEqual([...new Set(ids.filter((id) => known.has(id)))], wanted);
    assert.match(text, /Real Results & Sons/);
    const word = [...(await wordTextOf(detailed)).matchAll(/>(fnd_[0-9a-z]{26})</g)].map((match) => match[1]!);
    assert.deepEqual([...new Set(word)], wanted);
  });

  test('gives each of the 2,000 most severe a number in an audit of at most 80 pages, as PDF and Word document', async () => {
    const text = await pdfTextOf(whole);
    const pages = text.split('\f').length - 1;
    assert.ok(pages <= 80 && pages > 20, `${pages} pages`);
    assert.match(text, new RegExp(whole.snapshot.report.summary.total.toLocaleString('en-US')));
    const count = Math.min(detailedFindings, whole.snapshot.findings.length);
    for (const shown of [text, await wordTextOf(whole)]) assert.deepEqual(missingNumbers(shown, count), []);
  });
});

/** Returns the numbers up to this one that a text does not contain, alone or in a range such as `F-0012–F-0019`. */
function missingNumbers(text: string, count: number): number[] {
  const found = new Set<number>();
  for (const [, first, last = first] of text.matchAll(/F-(\d{3,})(?:–F-(\d{3,}))?/g))
    for (let number = Number(first); number <= Number(last); number++) found.add(number);
  return Array.from({ length: count }, (_, index) => index + 1).filter((number) => !found.has(number));
}
