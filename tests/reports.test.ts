import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { unzipSync } from 'fflate';
import { formats } from '../server/detection/formats/index.ts';
import { formatOfFolder } from '../server/detection/formats/testing/expected-differences.fixture.ts';
import { readAll } from '../server/detection/formats/testing/formats.fixture.ts';
import { newId } from '../server/platform/id.ts';
import { type JobRunner, startJobRunner } from '../server/platform/job-runner.ts';
import { silentLog } from '../server/platform/log.ts';
import { openExport } from '../server/reports/exports/exports.ts';
import { renderExportJob } from '../server/reports/exports/render-export.ts';
import { findMistakes } from '../server/reports/formats/docx/open-xml-sdk.fixture.ts';
import type { ReportFormatName } from '../server/reports/formats/index.ts';
import { detailedFindings, type ReportFinding, type ReportHead } from '../server/reports/report-model.ts';
import { takeSnapshotJob } from '../server/reports/snapshots/take-snapshot.ts';
import { type Application, startApplication } from './harness/application.ts';
import { recordScan, succeeded } from './harness/furnished.ts';
import { createTenant, type Person } from './harness/identity.ts';
import { eventually } from './harness/installation.ts';

const results = process.env.ASSAY_TEST_DATA && join(process.env.ASSAY_TEST_DATA, 'results');
const skip = results && existsSync(results) ? false : 'ASSAY_TEST_DATA names no folder with results of real tools';

describe('a report of what real tools found', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-reports-'));
  let app: Application;
  let runner: JobRunner | undefined;
  let tenant: Person;
  let reportId: string;
  let snapshot: { report: ReportHead; findings: ReportFinding[] };

  before(async () => {
    app = await startApplication();
    tenant = await createTenant(app.database, 'Real Results & Sons');
    for (const tool of readdirSync(results!)) await recordResults(tool);
    const services = { database: app.database, log: silentLog, stopping: new AbortController().signal };
    const jobs = [takeSnapshotJob, renderExportJob];
    const connectionString = app.appUrl;
    runner = await startJobRunner({ connectionString, jobs, services, concurrency: 2, log: silentLog, ticks: [] });
    const created = succeeded(
      await app.call(tenant.token, 'POST', '/reports', { json: { title: 'What tools say', template: 'technical' } }),
    );
    reportId = created.id;
    await eventually(async () => (await app.call(tenant.token, 'GET', `/reports/${reportId}`)).body.status === 'ready');
    snapshot = JSON.parse(String(await fileOf('json')));
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

  async function fileOf(format: ReportFormatName): Promise<Buffer> {
    const opened = (await openExport(app.database, tenant.orgId, reportId, format, { waitMs: 600_000 }))!;
    return buffer(opened.content);
  }

  test('has every finding, in every format for machines', async () => {
    const { report, findings } = snapshot;
    assert.ok(findings.length > 1_500, `${findings.length}`);
    assert.equal(report.summary.total, findings.length);
    const rows: Array<Record<string, string>> = parse(await fileOf('csv'), { columns: true });
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
    assert.equal(JSON.parse(String(await fileOf('sarif'))).runs[0].results.length, findings.length);
    assert.equal(JSON.parse(String(await fileOf('ocsf'))).length, findings.length);
  });

  const shown = () => snapshot.findings.slice(0, detailedFindings).map(({ id }) => id);

  test('shows the most severe as PDF, in the order of the snapshot', async () => {
    const path = join(folder, 'report.pdf');
    writeFileSync(path, await fileOf('pdf'));
    const text = execFileSync('pdftotext', ['-raw', path, '-'], { encoding: 'utf8', maxBuffer: 2 ** 28 });
    const ids = text.match(/^.*\bfnd_[0-9a-z]{26}$/gm)!.map((line) => /fnd_\w+/.exec(line)![0]);
    const wanted = new Set(shown());
    assert.deepEqual([...new Set(ids.filter((id) => wanted.has(id)))], shown());
    assert.match(text, /Real Results & Sons/);
    assert.match(text, new RegExp(snapshot.report.summary.total.toLocaleString('en-US')));
  });

  test('shows the same as a valid Word document', async () => {
    const path = join(folder, 'report.docx');
    const file = await fileOf('docx');
    writeFileSync(path, file);
    assert.deepEqual((await findMistakes(path)).slice(0, 3), []);
    const xml = Buffer.from(unzipSync(file)['word/document.xml']!).toString();
    const ids = [...xml.matchAll(/>(fnd_[0-9a-z]{26})</g)].map((match) => match[1]!);
    assert.deepEqual([...new Set(ids)], shown());
  });
});
