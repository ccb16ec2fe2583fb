import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database.ts';
import { recordScan } from '../../../tests/harness/furnished.ts';
import { createTenant, type Person } from '../../../tests/harness/people.ts';
import { detectionOf } from '../../findings/findings.fixture.ts';
import { newId } from '../../platform/id.ts';
import { createReport } from '../create-report.ts';
import { renderHere } from '../exports/render-here.fixture.ts';
import { takeSnapshotJob } from '../take-snapshot.ts';
import { readClaims } from './read-claims.ts';
import { verifyDocument } from './report-command.ts';

const formats = ['pdf', 'docx', 'json'] as const;
const program = fileURLToPath(new URL('../../assay.mjs', import.meta.url));
let directory: string;
let testDatabase: TestDatabase;
let tenant: Person;
let reportId: string;

const fileOf = (format: string) => join(directory, `report.${format}`);
const verify = async (path: string) => verifyDocument(testDatabase.database, await readClaims(path));

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'assay-verify-'));
  testDatabase = await createTestDatabase();
  const { database } = testDatabase;
  tenant = await createTenant(database);
  const { orgId, userId } = tenant;
  const dataSourceId = newId('ds');
  await database.single(orgId, {
    text: `INSERT INTO data_sources (org_id, id, kind, name, config) VALUES ($1, $2, 'upload', 'results', '{}')`,
    values: [orgId, dataSourceId],
  });
  const detections = ['sha256:\\"', '<pdf:Keywords>rpt_00000000000000000000000000</pdf:Keywords>'].map((title) =>
    detectionOf(title, { title }),
  );
  await recordScan(database, orgId, dataSourceId, detections);
  const report = { title: '</x:xmpmeta> "report":{', filters: {}, template: 'executive' as const };
  reportId = await database.transaction(orgId, (tx) =>
    createReport(tx, orgId, { ...report, createdBy: userId, scheduledReportId: null, mail: null }),
  );
  await takeSnapshotJob.run({ org_id: orgId, report_id: reportId }, { database });
  for (const format of formats) await writeFile(fileOf(format), await renderHere(database, orgId, reportId, format));
});
after(async () => {
  await testDatabase.drop();
  await rm(directory, { recursive: true });
});

test('an unmodified PDF, DOCX or JSON export is genuine, and names its report', async () => {
  for (const format of formats) {
    const result = (await verify(fileOf(format)))!;
    assert.deepEqual(
      [result.genuine, result.format, result.report.id, result.report.organization.id],
      [true, format, reportId, tenant.orgId],
    );
  }
});

test('a modified document is not genuine, even if it names the right snapshot', async () => {
  const pdf = await readFile(fileOf('pdf'));
  pdf[pdf.length - 2] = 32;
  await writeFile(fileOf('changed.pdf'), pdf);
  const parts = unzipSync(await readFile(fileOf('docx')));
  parts['word/document.xml'] = strToU8(
    Buffer.from(parts['word/document.xml']!).toString().replace('results', 'rumours'),
  );
  await writeFile(fileOf('changed.docx'), zipSync(parts));
  const json = JSON.parse(await readFile(fileOf('json'), 'utf8'));
  await writeFile(fileOf('changed.json'), JSON.stringify({ ...json, findings: [] }, null, 2));
  for (const format of formats) {
    const { genuine, snapshot_unchanged, hash_matches, file_unchanged } = (await verify(fileOf(`changed.${format}`)))!;
    assert.deepEqual([genuine, snapshot_unchanged, hash_matches, file_unchanged], [false, true, true, false], format);
  }
});

test('a snapshot modified in the database is detected: its head or its findings', async () => {
  const { orgId } = tenant;
  const update = (text: string) => testDatabase.database.single(orgId, { text });
  const check = async () => {
    const { snapshot_unchanged, hash_matches, file_unchanged } = (await verify(fileOf('json')))!;
    return [snapshot_unchanged, hash_matches, file_unchanged];
  };
  await update(`UPDATE reports SET head = (head::text || ' ')::json`);
  assert.deepEqual(await check(), [false, true, true]);
  await update('UPDATE reports SET head = rtrim(head::text)::json');
  assert.deepEqual(await check(), [true, true, true]);
  await testDatabase.asAdmin('DELETE FROM report_batches');
  assert.deepEqual(await check(), [false, true, true]);
});

test('the command exits with 1 for a document that is not genuine, and with 2 for a file that is not a report', async () => {
  const key = randomBytes(32).toString('base64');
  const run = (file: string) =>
    promisify(execFile)(process.execPath, [program, 'report', 'verify', file, '--json'], {
      env: { ...process.env, DATABASE_URL: testDatabase.adminUrl, ASSAY_SECRET_KEY: key },
    }).then(
      ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );
  await writeFile(fileOf('txt'), 'rpt_01jd3zb8m9n0p1q2r3s4t5v6w7');
  const [changed, text, absent] = await Promise.all([run(fileOf('pdf')), run(fileOf('txt')), run(fileOf('nothing'))]);
  assert.equal(changed.code, 1, JSON.stringify(changed));
  assert.deepEqual([JSON.parse(changed.stdout).snapshot_unchanged, JSON.parse(changed.stdout).genuine], [false, false]);
  assert.equal(text.code, 2);
  assert.deepEqual([absent.code, absent.stderr], [2, `assay: there is nothing at ${fileOf('nothing')}.\n`]);
});
