import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { createAssay } from '../bench/peers/assay.ts';
import { createDefectDojo } from '../bench/peers/defectdojo.ts';
import { measurePeer } from '../bench/peers/measure-peer.ts';
import { mergeImport } from '../server/detection/imports/merge-import.ts';
import { generateSarif } from '../server/detection/readers/testing/generate-sarif.fixture.ts';
import { startJobRunner } from '../server/platform/jobs/job-runner.ts';
import { silentLog } from '../server/platform/log.ts';
import { type Application, startApplication } from './harness/application.ts';
import { createTenant } from './harness/people.ts';

const results = 300;
let sarif: Blob;
let app: Application;
before(async () => {
  sarif = new Blob([await text(Readable.from(generateSarif(results)))], { type: 'application/json' });
  app = await startApplication();
});
after(() => app?.close());

type Call = {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingMessage['headers'];
  body: Buffer;
};

/** A server that keeps every request and responds as DefectDojo does, with findings that come in two portions. */
async function startStub() {
  const calls: Call[] = [];
  let counted = 0;
  const findings = Array.from({ length: 120 }, (_, index) => ({ id: 1_000 + index }));
  const server = createServer(async (request, response) => {
    const url = new URL(request.url!, 'http://stub');
    const call = {
      method: request.method!,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      body: await buffer(request),
    };
    calls.push(call);
    const reply = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (call.path === '/api/v2/import-scan/')
      return reply(201, { test_id: 7, test: 7, engagement_id: 6, product_id: 5 });
    if (call.path === '/api/v2/findings/' && call.query.limit === '1') {
      counted += 1;
      return reply(200, { count: counted === 1 ? 100 : results, results: [] });
    }
    if (call.path === '/api/v2/findings/') {
      const offset = Number(call.query.offset);
      return reply(200, { count: findings.length, results: findings.slice(offset, offset + Number(call.query.limit)) });
    }
    if (call.path === '/reports/csv_export')
      return response.writeHead(200, { 'content-type': 'text/csv' }).end('id\n1\n');
    if (call.method === 'DELETE') return response.writeHead(204).end();
    return reply(200, {});
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { calls, address: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

test('the requests to a DefectDojo are those of its API v2', async () => {
  const stub = await startStub();
  const peer = createDefectDojo({ address: stub.address, token: 'secret', cookie: 'sessionid=abc' });
  const rows = await measurePeer(peer, { results, sarif, pages: 3, changes: 2 });
  stub.close();
  assert.deepEqual(
    rows.map(({ question, unit }) => [question, unit]),
    [
      ['DefectDojo: import of 300 results', 's'],
      ['DefectDojo: a page of 50 with two filters', 'ms'],
      ['DefectDojo: a change of one finding', 'ms'],
      ['DefectDojo: CSV of 300 findings', 's'],
    ],
  );
  const lines = stub.calls.map(({ method, path, query }) => `${method} ${path}?${new URLSearchParams(query)}`);
  const page = (offset: number) => `GET /api/v2/findings/?test=7&severity=High&active=true&limit=50&offset=${offset}`;
  assert.deepEqual(lines, [
    'POST /api/v2/import-scan/?',
    'GET /api/v2/findings/?test=7&limit=1',
    'GET /api/v2/findings/?test=7&limit=1',
    ...[page(0), page(50), page(100)],
    ...['PATCH /api/v2/findings/1000/?', 'PATCH /api/v2/findings/1001/?'],
    'GET /reports/csv_export?url=%2Ftest%2F7',
    'DELETE /api/v2/products/5/?',
  ]);
  const api = stub.calls.filter(({ path }) => path.startsWith('/api/'));
  assert.ok(api.every(({ headers }) => headers.authorization === 'Token secret'));
  const csv = stub.calls.find(({ path }) => path === '/reports/csv_export')!;
  assert.deepEqual([csv.headers.cookie, csv.headers.authorization], ['sessionid=abc', undefined]);
  const [upload] = stub.calls as [Call];
  const form = await new Response(new Uint8Array(upload.body), {
    headers: { 'content-type': upload.headers['content-type']! },
  }).formData();
  const file = form.get('file') as File;
  assert.equal(JSON.parse(await file.text()).runs[0].results.length, results);
  form.delete('file');
  const { product_name: product, ...fields } = Object.fromEntries(form) as Record<string, string>;
  assert.match(product!, /^peers \d+$/);
  assert.deepEqual(fields, {
    scan_type: 'SARIF',
    product_type_name: 'Assay measurements',
    engagement_name: 'peers',
    auto_create_context: 'true',
    minimum_severity: 'Info',
    active: 'true',
    verified: 'false',
    close_old_findings: 'false',
  });
  const change = stub.calls.find(({ method }) => method === 'PATCH')!;
  assert.deepEqual(JSON.parse(change.body.toString()), { verified: true });
});

test('an Assay is asked the same questions', async () => {
  const { token } = await createTenant(app.database);
  const { database } = app;
  const runner = await startJobRunner({
    connectionString: app.appUrl,
    services: { database, log: silentLog, stopping: new AbortController().signal } as never,
    concurrency: 1,
    log: silentLog,
    ticks: [],
    jobs: [mergeImport],
  });
  const rows = await measurePeer(createAssay({ address: app.origin, token }), { results, sarif, pages: 2, changes: 2 });
  await runner.stop();
  assert.equal(rows.length, 4);
  const { data } = (await app.call(token, 'GET', '/data-sources')).body;
  assert.deepEqual(data, []);
});
