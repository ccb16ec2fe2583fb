import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { protectBrowsers } from '../http/security.ts';
import { addSite } from './add-site.ts';

const directory = mkdtempSync(join(tmpdir(), 'assay-site-'));
mkdirSync(join(directory, 'assets'));
const page = '<!doctype html><title>Site</title>';
const script = 'export const answer = 42;';
writeFileSync(join(directory, 'index.html'), page);
mkdirSync(join(directory, 'pages'));
writeFileSync(join(directory, 'pages.json'), JSON.stringify({ '/scans': '1.html', '/scans/$id': '2.html' }));
writeFileSync(join(directory, 'pages', '1.html'), `${page} of scans`);
writeFileSync(join(directory, 'pages', '2.html'), `${page} of a scan`);
writeFileSync(join(directory, 'secret.txt'), 'not an asset');
writeFileSync(join(directory, 'assets', 'main-AB12.js'), script);
writeFileSync(join(directory, 'assets', 'main-AB12.js.br'), brotliCompressSync(script));
after(() => rmSync(directory, { recursive: true, force: true }));

const app = Fastify() as unknown as FastifyInstance;
await protectBrowsers(app, 'http://localhost');
assert.equal(addSite(app, directory), true);
after(() => app.close());

const browser = { accept: 'text/html,application/xhtml+xml' };
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

test('a browser gets the page at every path, under a policy that allows no inline script, style or frame', async () => {
  for (const url of ['/', '/findings?severity=critical', '/findings/fnd_1']) {
    const response = await get(url, browser);
    assert.equal(response.statusCode, 200);
    assert.equal(response.body, page);
    assert.equal(response.headers['cache-control'], 'no-cache');
    const policy = String(response.headers['content-security-policy']);
    assert.match(policy, /script-src 'self';/);
    assert.match(policy, /style-src 'self';/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe/);
    assert.equal(response.headers['x-frame-options'], 'DENY');
  }
});

test('a path that the site lists has its own page, and so do the resources below it', async () => {
  const bodyOf = async (url: string) => (await get(url, browser)).body;
  assert.equal(await bodyOf('/scans?status=failed'), `${page} of scans`);
  assert.equal(await bodyOf('/scans/scan_1'), `${page} of a scan`);
  assert.equal(await bodyOf('/scans/scan_1/more'), page);
});

test('programs that request anything but a page get 404', async () => {
  assert.equal((await get('/findings', { accept: 'application/json' })).statusCode, 404);
  assert.equal((await get('/findings')).statusCode, 404);
});

test('files are cached forever and sent as they were compressed', async () => {
  const plain = await get('/assets/main-AB12.js');
  assert.equal(plain.body, script);
  assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.match(String(plain.headers['content-type']), /^text\/javascript/);
  const packed = await get('/assets/main-AB12.js', { 'accept-encoding': 'gzip, br' });
  assert.equal(packed.headers['content-encoding'], 'br');
  assert.equal(brotliDecompressSync(packed.rawPayload).toString(), script);
});

test('an unchanged page is 304', async () => {
  const { headers } = await get('/', browser);
  const again = await get('/', { ...browser, 'if-none-match': String(headers.etag) });
  assert.equal(again.statusCode, 304);
  assert.equal(again.body, '');
});

test('nothing outside the assets is a file of the site', async () => {
  for (const url of ['/assets/none.js', '/assets/..%2fsecret.txt', '/assets/%2e%2e/secret.txt', '/secret.txt']) {
    const response = await get(url);
    assert.equal(response.statusCode, 404, url);
    assert.doesNotMatch(response.body, /not an asset/);
  }
});

test('without a built site nothing is served', () => {
  assert.equal(addSite(Fastify() as unknown as FastifyInstance, join(directory, 'nothing')), false);
});
