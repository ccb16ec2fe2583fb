import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { type Application, startApplication } from '../../../tests/harness/application.ts';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import type { ApiResponse } from '../../../tests/harness/exchange.ts';
import { recordScan, succeeded } from '../../../tests/harness/furnished.ts';
import { eventually } from '../../../tests/harness/installation.ts';
import { createTenant, type Person } from '../../../tests/harness/people.ts';
import { detectionOf } from '../../findings/findings.fixture.ts';
import { newId } from '../../platform/id.ts';
import type { JobRunner } from '../../platform/jobs/job-runner.ts';
import { silentLog } from '../../platform/log.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { reportFormatNames, reportFormats } from '../writers/index.ts';
import { beginExport, findExport, insertExport, insertPiece } from './export-queries.ts';
import { startExportRunner } from './export-runner.fixture.ts';
import { openExport, requestExport } from './exports.ts';
import { type RenderServices, renderExportJob } from './render-export.ts';

let app: Application;
let runner: JobRunner;
let tenant: Person;
let services: RenderServices;
const count = 303;

before(async () => {
  app = await startApplication();
  ({ runner, services } = await startExportRunner(app));
  tenant = await createTenant(app.database);
  const dataSourceId = newId('ds');
  await app.database.single(tenant.orgId, {
    text: `INSERT INTO data_sources (org_id, id, kind, name, config) VALUES ($1, $2, 'upload', 'results', '{}')`,
    values: [tenant.orgId, dataSourceId],
  });
  const detections = Array.from({ length: count }, (_, index) => detectionOf(`problem-${index}`));
  await recordScan(app.database, tenant.orgId, dataSourceId, detections);
});
after(async () => {
  await runner.stop();
  await app.close();
});

async function readyReport(body: object = {}): Promise<string> {
  const { id } = succeeded(await app.call(tenant.token, 'POST', '/reports', { json: body }));
  await eventually(async () => (await app.call(tenant.token, 'GET', `/reports/${id}`)).body.status === 'ready');
  return id;
}

const exportOf = (id: string, format: string, token = tenant.token) =>
  app.call(token, 'GET', `/reports/${id}/export?format=${format}`);

/** Returns a response body as transferred, still compressed. */
async function rawBody(path: string, sent: Record<string, string>) {
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get(`${app.origin}${path}`, { headers: sent }, resolve).on('error', reject),
  );
  const { headers } = response;
  return { status: response.statusCode, body: await buffer(response), encoding: headers['content-encoding'], headers };
}

test('concurrent requests render a report once, and all get the same file', async () => {
  const id = await readyReport({ title: 'Quarterly / Ümläut "x"' });
  const responses = await Promise.all(Array.from({ length: 5 }, () => exportOf(id, 'csv')));
  const [first] = responses;
  for (const response of responses) {
    assert.equal(response.status, 200, response.text);
    assert.equal(response.headers['content-type'], 'text/csv; charset=utf-8');
    assert.match(
      response.headers['content-disposition']!,
      /^attachment; filename="(Quarterly-Umlaut-x-\d{4}-\d\d-\d\d\.csv)"; filename\*=UTF-8''Quarterly-%C3%9Cml%C3%A4ut-x-\d{4}-\d\d-\d\d\.csv$/,
    );
    assert.equal(response.text, first!.text);
  }
  assert.equal(parse(first!.text, { columns: true }).length, count);
  const again = await exportOf(id, 'csv');
  assert.equal(Number(again.headers['content-length']), Buffer.byteLength(first!.text));
  assert.equal(again.text, first!.text);
  const rows = await app.database.single<{ attempt: number }>(tenant.orgId, {
    text: 'SELECT attempt FROM report_exports WHERE org_id = $1 AND report_id = $2',
    values: [tenant.orgId, id],
  });
  assert.deepEqual(rows, [{ attempt: 1 }]);
});

test('a report is exported in either language and by either PDF standard, and naming a default gives the same file', async () => {
  const { id } = succeeded(
    await app.call(tenant.token, 'POST', '/reports', { json: { title: 'Q3', document: { language: 'de' } } }),
  );
  await eventually(async () => (await app.call(tenant.token, 'GET', `/reports/${id}`)).body.status === 'ready');
  const nameOf = ({ headers }: ApiResponse) =>
    /filename="Q3-(.*)-\d{4}-\d\d-\d\d/.exec(headers['content-disposition']!)?.[1];
  const names = [];
  for (const format of [
    'pdf',
    'pdf&language=de&standard=ua-1',
    'pdf&language=en',
    'pdf&standard=a-2a',
    'docx&language=en',
  ])
    names.push(nameOf(await exportOf(id, format)));
  assert.deepEqual(names, ['audit-de', 'audit-de', 'audit-en', 'audit-de-pdf-a-2a', 'audit-en']);
  const rows = await app.database.single<{ format: string }>(tenant.orgId, {
    text: 'SELECT format FROM report_exports WHERE org_id = $1 AND report_id = $2 ORDER BY format',
    values: [tenant.orgId, id],
  });
  assert.deepEqual(
    rows.map(({ format }) => format),
    ['docx;language=en', 'pdf', 'pdf;language=en', 'pdf;standard=a-2a'],
  );
  for (const format of ['csv&language=en', 'docx&standard=a-2a', 'pdf&language=fr', 'pdf&standard=x-1'])
    assert.equal((await exportOf(id, format)).status, 400, format);
});

test('a client that accepts zstd gets the stored bytes of the same file', async () => {
  const id = await readyReport();
  const plain = await fetch(`${app.origin}/api/v1/reports/${id}/export?format=csv`, {
    headers: { authorization: `Bearer ${tenant.token}`, 'accept-encoding': 'identity' },
  });
  assert.equal(plain.headers.get('content-encoding'), null);
  const text = await plain.text();
  for (const [accepted, encoding] of [
    ['gzip, zstd', 'zstd'],
    ['zstd;q=0.5', 'zstd'],
    ['zstd;q=0', null],
  ] as const) {
    const headers = { authorization: `Bearer ${tenant.token}`, 'accept-encoding': accepted };
    const {
      status,
      body,
      encoding: encodingHeader,
    } = await rawBody(`/api/v1/reports/${id}/export?format=csv`, headers);
    assert.deepEqual([status, encodingHeader ?? null], [200, encoding]);
    assert.equal(String(encoding ? zstdDecompressSync(body) : body), text);
  }
});

test('a rendered export has a digest and an ETag for its bytes in each encoding, so that a client can cache it', async () => {
  const id = await readyReport();
  await exportOf(id, 'csv');
  const key = { reportId: id, format: 'csv' as const };
  const find = () => app.database.transaction(tenant.orgId, (tx) => findExport(tx, tenant.orgId, key));
  await eventually(async () => (await find())?.status === 'ready');
  const path = `/api/v1/reports/${id}/export?format=csv`;
  const authorization = `Bearer ${tenant.token}`;
  const tags = new Set<string>();
  for (const accepted of ['identity', 'zstd']) {
    const { body, headers } = await rawBody(path, { authorization, 'accept-encoding': accepted });
    const digest = createHash('sha256').update(body).digest('base64');
    assert.equal(headers['repr-digest'], `sha-256=:${digest}:`, accepted);
    tags.add(String(headers.etag));
    const again = await rawBody(path, {
      authorization,
      'accept-encoding': accepted,
      'if-none-match': String(headers.etag),
    });
    assert.deepEqual([again.status, again.body.length, again.headers.etag], [304, 0, headers.etag]);
  }
  assert.equal(tags.size, 2);
  // Compression in transit changes the bytes: the tag is weak, and there is no digest unless the client requests one.
  const gzipped = await rawBody(path, { authorization, 'accept-encoding': 'gzip' });
  assert.deepEqual([gzipped.headers['content-encoding'], gzipped.headers['repr-digest']], ['gzip', undefined]);
  assert.match(String(gzipped.headers.etag), /^W\/"/);
  const wanted = { authorization, 'accept-encoding': 'gzip', 'want-repr-digest': 'sha-256=1' };
  assert.match(String((await rawBody(path, wanted)).headers['repr-digest']), /^sha-256=:/);
});

test('an export that is not rendered while the client waits gets a specific error, with an estimate', async () => {
  const id = await readyReport();
  const response = await app.call(tenant.token, 'GET', `/reports/${id}/export?format=pdf`, {
    headers: { prefer: 'wait=0' },
  });
  assert.deepEqual([response.status, response.body.error.code], [409, 'export_not_ready']);
  const seconds = Number(response.headers['retry-after']);
  assert.ok(Number.isInteger(seconds) && seconds >= 2 && seconds <= 120, `${seconds}`);
  assert.equal((await app.call(tenant.token, 'DELETE', `/reports/${id}`)).status, 204);
});

test('every format of a report has its content type and file name, and shows no later changes of findings', async () => {
  const id = await readyReport();
  const before = await exportOf(id, 'json');
  const { data } = succeeded(await app.call(tenant.token, 'GET', '/findings?limit=1'));
  succeeded(await app.call(tenant.token, 'PATCH', `/findings/${data[0].id}`, { json: { status: 'false_positive' } }));
  for (const format of reportFormatNames) {
    let response = await exportOf(id, format);
    // On a loaded machine, a document takes longer than one response.
    while (response.status === 409) response = await exportOf(id, format);
    assert.equal(response.status, 200, `${format}: ${response.text.slice(0, 300)}`);
    assert.equal(response.headers['content-type'], reportFormats[format].contentType);
    assert.match(
      response.headers['content-disposition']!,
      new RegExp(`^attachment; filename="[A-Za-z0-9-]+\\.${reportFormats[format].extension}"$`),
    );
  }
  assert.equal((await exportOf(id, 'json')).text, before.text);
  assert.equal(
    JSON.parse(before.text).findings.filter((finding: { status: string }) => finding.status === 'new').length,
    count,
  );
});

test('a missing or unknown format and a report that is pending, deleted or of another organization each get their own error', async () => {
  const id = await readyReport();
  for (const path of [`/reports/${id}/export`, `/reports/${id}/export?format=odt`]) {
    const response = await app.call(tenant.token, 'GET', path);
    assert.deepEqual([response.status, response.body.error.code], [400, 'invalid_request']);
    assert.match(response.body.error.message, /^format: /);
  }
  const stranger = await createTenant(app.database);
  assert.equal((await exportOf(id, 'csv', stranger.token)).status, 404);
  assert.equal((await exportOf('rpt_nonsense', 'csv')).status, 404);
  const pending = newId('rpt');
  await app.database.single(tenant.orgId, {
    text: `INSERT INTO reports (org_id, id, title, filters) VALUES ($1, $2, 't', '{}')`,
    values: [tenant.orgId, pending],
  });
  const response = await exportOf(pending, 'csv');
  assert.deepEqual([response.status, response.body.error.code], [409, 'report_not_ready']);
  assert.ok(Number(response.headers['retry-after']) > 0);
  assert.equal((await app.call(tenant.token, 'DELETE', `/reports/${id}`)).status, 204);
  assert.equal((await exportOf(id, 'csv')).status, 404);
});

test('a chosen data source must be part of the report, and only the SARIF for GitHub supports it', async () => {
  const id = await readyReport();
  const { summary } = succeeded(await app.call(tenant.token, 'GET', `/reports/${id}`));
  const own = summary.by_data_source[0].id;
  const chosen = await exportOf(id, `sarif-github&data_source=${own}`);
  assert.deepEqual([chosen.status, chosen.headers['content-type']], [200, 'application/sarif+json']);
  assert.equal(JSON.parse(chosen.text).runs[0].properties.data_source.id, own);
  for (const query of [`csv&data_source=${own}`, `sarif-github&data_source=${newId('ds')}`]) {
    const response = await exportOf(id, query);
    assert.deepEqual([response.status, response.body.error.code], [400, 'invalid_request'], query);
    assert.match(response.body.error.message, /^data_source: /);
  }
});

test('deleting a report deletes its exports', async () => {
  const id = await readyReport();
  assert.equal((await exportOf(id, 'csv')).status, 200);
  assert.equal((await app.call(tenant.token, 'DELETE', `/reports/${id}`)).status, 204);
  for (const table of ['report_batches', 'report_exports', 'report_export_pieces']) {
    const rows = await app.database.single(tenant.orgId, {
      text: `SELECT 1 FROM ${table} WHERE org_id = $1 AND report_id = $2`,
      values: [tenant.orgId, id],
    });
    assert.equal(rows.length, 0, table);
  }
});

test('an export whose report is deleted before its first bytes is 404, not a failure', async () => {
  const { database } = app;
  for (let round = 0; round < 2; round += 1) {
    const id = await readyReport();
    const asked = exportOf(id, 'pdf');
    await eventually(async () => {
      const rows = await database.single(tenant.orgId, {
        text: 'SELECT 1 FROM report_exports WHERE org_id = $1 AND report_id = $2',
        values: [tenant.orgId, id],
      });
      return rows.length > 0;
    });
    assert.equal((await app.call(tenant.token, 'DELETE', `/reports/${id}`)).status, 204);
    const response = await asked;
    assert.deepEqual([response.status, response.body?.error?.code], [404, 'not_found'], response.text);
  }
});

test('an export that is requested while its report is being deleted is 404', async () => {
  const id = await readyReport();
  const { promise: deleted, resolve: commit } = Promise.withResolvers<void>();
  const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>();
  const deleting = app.database.transaction(tenant.orgId, async (tx) => {
    await tx.query({ text: 'DELETE FROM reports WHERE org_id = $1 AND id = $2', values: [tenant.orgId, id] });
    isLocked();
    await deleted;
  });
  await locked;
  const asked = exportOf(id, 'csv');
  await eventually(async () => {
    const rows = await app.database.single(null, {
      text: "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
    });
    return rows.length > 0;
  });
  commit();
  await deleting;
  assert.equal((await asked).status, 404);
});

test('a worker stops without an error if the report that it renders is deleted', async () => {
  const id = await readyReport();
  const key = { reportId: id, format: 'csv' as const };
  const { database } = app;
  const { promise: gone, resolve: isGone } = Promise.withResolvers<void>();
  const deleting: Database = {
    ...database,
    single: async (orgId, statement, before) => {
      if (statement.name === 'report_export_piece_insert') {
        await app.call(tenant.token, 'DELETE', `/reports/${id}`);
        isGone();
      }
      return database.single(orgId, statement, before);
    },
  };
  await database.transaction(tenant.orgId, (tx) => insertExport(tx, tenant.orgId, key));
  const stopping = new AbortController().signal;
  const payload = { org_id: tenant.orgId, report_id: id, format: 'csv' };
  await renderExportJob.run(payload, { database: deleting, log: silentLog, stopping });
  await gone;
});

test('a file whose rendering restarts while it is sent is cut off, never mixed from two attempts', async () => {
  // A separate database, in which no worker takes the job.
  const alone = await createTestDatabase();
  const owner = await createTenant(alone.database);
  const { orgId } = owner;
  const key = { reportId: newId('rpt'), format: 'csv' } as const;
  await alone.database.transaction(orgId, async (tx) => {
    await tx.query({
      text: `INSERT INTO reports (org_id, id, title, filters, status, head, snapshot_sha256)
             VALUES ($1, $2, 't', '{}', 'ready', '{"title":"t","taken_at":"2026-01-01T00:00:00Z"}', '')`,
      values: [orgId, key.reportId],
    });
    await requestExport(tx, orgId, key.reportId, 'csv');
  });
  const attemptOnce = async () => {
    const attempt = (await alone.database.transaction(orgId, (tx) => beginExport(tx, orgId, key)))!;
    const content = zstdCompressSync(`attempt ${attempt};`);
    await insertPiece(alone.database, orgId, key, { attempt, sequence: 0, content });
  };
  await attemptOnce();
  const opened = (await openExport(alone.database, orgId, key.reportId, 'csv'))!;
  assert.equal(opened.size, null);
  const first = await opened.content.next();
  assert.equal(String(first.value), 'attempt 1;');
  await attemptOnce();
  await assert.rejects(async () => opened.content.next(), /part-way/);
  await alone.drop();
});

test('a damaged logo of the operator fails the export at once with the name of the file; once corrected, it works', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-branding-'));
  const id = await readyReport({ template: 'executive' });
  const path = `/reports/${id}/export?format=pdf`;
  services.brandingFolder = folder;
  try {
    await writeFile(join(folder, 'logo.png'), 'text');
    const { status, body } = await app.call(tenant.token, 'GET', path);
    assert.deepEqual([status, body.error.code], [409, 'export_failed']);
    assert.match(body.error.message, /: logo\.png is not a PNG\. The operator/);
    await rm(join(folder, 'logo.png'));
    // The job ends after the export has failed; until then a request would not start another.
    await eventually(async () => {
      const text = 'SELECT FROM graphile_worker._private_jobs WHERE strpos(key, $1) > 0';
      return (await app.database.single(tenant.orgId, { text, values: [id] })).length === 0;
    });
    await app.database.single(tenant.orgId, {
      text: `UPDATE report_exports SET completed_at = completed_at - interval '1 minute' WHERE org_id = $1 AND report_id = $2`,
      values: [tenant.orgId, id],
    });
    assert.equal((await app.call(tenant.token, 'GET', path)).status, 200);
  } finally {
    services.brandingFolder = null;
    await rm(folder, { recursive: true });
  }
});
