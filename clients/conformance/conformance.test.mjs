import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { explainSurface, readSurface } from '../../scripts/clients/surface.mjs';
import { token } from './cases.mjs';
import { startConformanceServer } from './server.mjs';

const classes = new Set(
  `AssayError APIConnectionError APITimeoutError InvalidResponseError APIStatusError BadRequestError AuthenticationError
   PermissionDeniedError NotFoundError ConflictError PreconditionFailedError PayloadTooLargeError
   UnsupportedMediaTypeError RateLimitError InternalServerError ServiceUnavailableError`.split(/\s+/),
);

describe('the exchanges that all client libraries run', () => {
  let server;
  before(async () => {
    server = await startConformanceServer();
  });
  after(() => server.close());

  const begin = async (id) => (await fetch(`${server.url}/cases/${id}`, { method: 'POST' })).json();
  const verdict = async (run) => (await fetch(run.verdict_url)).json();
  const caseNamed = (text) => server.cases.find(({ name }) => name.includes(text));
  const headers = { authorization: `Bearer ${token}`, 'user-agent': 'assay-go/1.0.0' };

  test('every case calls a method of the surface with its arguments, and expects an outcome', async () => {
    const { resources } = await readSurface();
    for (const { id, name, call, expect, exchanges } of server.cases) {
      const method = resources[call.resource]?.[call.method];
      assert.ok(method, `${id}: ${call.resource}.${call.method}`);
      assert.equal(call.arguments.length, method.arguments.length, `${id}: ${name}`);
      assert.ok(Object.keys(expect).length > 0, id);
      if (expect.error) assert.ok(classes.has(expect.error.class), `${id}: ${expect.error.class}`);
      assert.ok(!exchanges[0]?.retry, id);
    }
    assert.equal(new Set(server.cases.map(({ name }) => name)).size, server.cases.length);
  });

  test('every method of the surface has a case', async () => {
    const { resources } = await readSurface();
    const called = new Set(server.cases.map(({ call }) => `${call.resource}.${call.method}`));
    for (const [resource, methods] of Object.entries(resources)) {
      for (const method of Object.keys(methods))
        assert.ok(called.has(`${resource}.${method}`), `${resource}.${method}`);
    }
  });

  test('an operation without a method is reported, and a method without an operation too', async () => {
    const surface = await readSurface();
    const description = { paths: { '/new': { get: { operationId: 'listNew' } } } };
    const problems = explainSurface(surface, description);
    assert.match(problems[0], /^listNew: add the method/);
    assert.ok(problems.some((problem) => problem.startsWith('getFinding: ')));
  });

  test('a resource without a description is reported, and a method whose parameters have no name too', async () => {
    const surface = { resources: { things: { list: { operation: 'listThings', arguments: ['params'] } } }, about: {} };
    const description = { paths: { '/things': { get: { operationId: 'listThings' } } } };
    const problems = explainSurface({ ...surface, omitted: {} }, description);
    assert.deepEqual(
      problems.map((problem) => problem.split(':')[0]),
      ['things', 'things.list'],
    );
  });

  test('a request as it should be has no problems', async () => {
    const { id } = caseNamed('404 not_found');
    const run = await begin(id);
    const response = await fetch(`${run.base_url}/findings/fnd_1`, { headers });
    assert.deepEqual([response.status, (await response.json()).error.code], [404, 'not_found']);
    assert.deepEqual(await verdict(run), { requests: 1, open_requests: 0, problems: [] });
  });

  test('each error in a request is a problem, and so is a missing request', async () => {
    const { id } = caseNamed('a POST keeps its idempotency key');
    const run = await begin(id);
    await assert.rejects(
      fetch(`${run.base_url}/reports?x=1`, {
        method: 'POST',
        body: '{"title":"June"}',
        headers: { 'user-agent': 'curl' },
      }),
    );
    const { problems } = await verdict(run);
    for (const part of ['query', 'authorization', 'User-Agent', 'Content-Type', 'body', 'Idempotency-Key', '2 of 3']) {
      assert.ok(
        problems.some((problem) => problem.includes(part)),
        `${part}: ${problems.join('\n')}`,
      );
    }
    const again = await begin(id);
    const options = { body: '{"title":"July"}', method: 'POST' };
    const type = { 'content-type': 'application/json' };
    for (const key of ['one', 'two', 'two']) {
      const sent = fetch(`${again.base_url}/reports`, {
        ...options,
        headers: { ...headers, ...type, 'idempotency-key': key },
      });
      await sent.catch(() => undefined);
    }
    assert.deepEqual((await verdict(again)).problems, [
      'Request 2: the Idempotency-Key is not the one of the first attempt.',
    ]);
  });

  test('a truncated body and a hanging server behave as described', async () => {
    const cut = await begin(
      caseNamed('a truncated export with a length is an APIConnectionError, not a short file').id,
    );
    const response = await fetch(`${cut.base_url}/reports/rpt_1/export?format=csv`, { headers });
    await assert.rejects(response.text());
    const hangs = await begin(caseNamed('a server that never responds').id);
    const left = new AbortController();
    const asked = assert.rejects(fetch(`${hangs.base_url}/findings/fnd_1`, { headers, signal: left.signal }));
    await fetch(hangs.received_url);
    left.abort();
    await asked;
    for (;;) {
      const { open_requests, problems } = await verdict(hangs);
      assert.deepEqual(problems, []);
      if (open_requests === 0) break;
    }
  });
});
