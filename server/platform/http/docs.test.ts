import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createLibrary, libraryRoutes } from './library.fixture.ts';

const { app } = await createLibrary();
after(() => app.close());

test('the documentation page contains no script, and loads nothing from elsewhere', async () => {
  const { body, headers } = await app.inject('/api/v1/docs');
  assert.match(String(headers['content-type']), /^text\/html/);
  assert.match(String(headers['content-security-policy']), /default-src 'none';script-src 'self';/);
  assert.doesNotMatch(body, /<script(?![^>]*\ssrc=)/);
  assert.doesNotMatch(body, /\son\w+=/);
  for (const [, address] of body.matchAll(/(?:src|href)="([^"]+)"/g)) {
    assert.match(address!, /^(\/api\/v1\/|data:)/);
    if (address!.startsWith('/')) assert.equal((await app.inject(address!)).statusCode, 200, address);
  }
});

test('the page sends no requests to other hosts: no fonts, no telemetry, no proxy', async () => {
  const { body } = await app.inject('/api/v1/docs/start.js');
  assert.match(body, /withDefaultFonts: false/);
  assert.match(body, /telemetry: false/);
  assert.doesNotMatch(body, /https?:/);
});

test('the description names every route of the table', async () => {
  const document = (await app.inject('/api/v1/openapi.json')).json();
  assert.equal(document.openapi, '3.1.0');
  for (const { path, method, operationId } of libraryRoutes) {
    assert.equal(document.paths[path][method.toLowerCase()].operationId, operationId);
  }
});

test('the description explains extensions, deprecation, permissions and errors', async () => {
  const { paths, components } = (await app.inject('/api/v1/openapi.json')).json();
  const lend = paths['/books/{id}/lend'].post;
  assert.equal(lend['x-extension'], true);
  assert.equal(lend.deprecated, true);
  assert.deepEqual(paths['/profile'].get.security, [{ session: [] }]);
  assert.deepEqual(paths['/books'].get['x-permission'], { role: 'viewer', scope: 'books:read' });
  assert.equal(paths['/books'].get['x-extension'], undefined);
  const { description, responses } = paths['/books'].post;
  assert.deepEqual(responses['409'], { $ref: '#/components/responses/Conflict' });
  assert.match(description, /Its own error codes: `already_exists`\.$/);
  assert.ok('already_exists' in components.responses.Conflict.content['application/json'].examples);
  assert.equal(components.schemas.Book.properties.read_at.anyOf[1].type, 'null');
  assert.equal(paths['/books'].post.requestBody.content['application/json'].schema.additionalProperties, false);
});

test('the description and its page are read-only: another method is 405, with or without a token', async () => {
  for (const headers of [{}, { authorization: 'Bearer analyst' }]) {
    for (const url of ['/api/v1/openapi.json', '/api/v1/docs']) {
      const response = await app.inject({ method: 'POST', url, headers });
      assert.equal(response.statusCode, 405);
      assert.equal(response.headers.allow, 'GET, HEAD');
      assert.equal(response.json().error.code, 'method_not_allowed');
    }
  }
});

test('large files are compressed once, and have a strong entity tag for each encoding', async () => {
  for (const url of ['/api/v1/docs/scalar.js', '/api/v1/openapi.json']) {
    const get = (headers: Record<string, string>) => app.inject({ url, headers });
    const plain = await get({ 'accept-encoding': 'identity' });
    const tags = new Set([plain.headers.etag]);
    for (const [encoding, unpack] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const packed = await get({ 'accept-encoding': encoding });
      assert.equal(packed.headers['content-encoding'], encoding);
      assert.ok(unpack(packed.rawPayload).equals(plain.rawPayload));
      assert.match(String(packed.headers.vary), /accept-encoding/i);
      tags.add(packed.headers.etag);
      const start = process.cpuUsage();
      for (let count = 0; count < 5; count += 1) await get({ 'accept-encoding': encoding });
      const { user, system } = process.cpuUsage(start);
      assert.ok(user + system < 500_000, `${user + system} µs`);
      const again = await get({ 'accept-encoding': encoding, 'if-none-match': String(packed.headers.etag) });
      assert.deepEqual([again.statusCode, again.body], [304, '']);
    }
    assert.equal(tags.size, 3);
    for (const tag of tags) assert.match(String(tag), /^"/);
  }
});
