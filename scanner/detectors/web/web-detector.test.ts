import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { noAdvisories } from '../../advisories/no-advisories.ts';
import type { Detection } from '../../contract/detection.ts';
import { TargetError } from '../../contract/target-error.ts';
import { scanPath } from '../../path-scan/scan-path.ts';
import { userAgent } from './requester.ts';
import { localPolicy, makeCertificate, serveSite } from './site.fixture.ts';
import { originMs } from './time-budget.ts';
import { visitSite } from './visit-site.ts';
import { webDetector } from './web-detector.ts';

const certificate = makeCertificate({});

async function scan(address: string, signal = AbortSignal.timeout(600_000)) {
  const found: Detection[] = [];
  const target = { kind: 'website' as const, name: 'site', repository: null, address, directory: '/nonexistent' };
  const result = await webDetector.detect(target, {
    signal,
    emit: async (batch) => void found.push(...batch),
    progress: () => {},
    keyedHash: () => '',
    advisories: noAdvisories,
    networkPolicy: localPolicy,
    egressProxyUrl: null,
    cacheDirectory: '/nonexistent',
  });
  return { ...result, found, rules: [...new Set(found.map(({ rule }) => rule.id))].sort() };
}

const soundHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
};

/** Serves `/` with these headers and body, `files`, and 404 for every other path. */
const site = (
  headers: Record<string, string | string[]>,
  body = '<title>Site</title>',
  files: Record<string, string> = {},
) =>
  ((request, response) => {
    const file = files[request.url!];
    if (request.url === '/') response.writeHead(200, headers).end(body);
    else if (file !== undefined) response.writeHead(200, { 'content-type': 'text/plain' }).end(file);
    else response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
  }) satisfies RequestListener;

const contact = { '/.well-known/security.txt': 'Contact: mailto:x@example.com\nExpires: 2099-01-01T00:00:00Z\n' };
const modern = { ...certificate, minVersion: 'TLSv1.2', ciphers: 'ECDHE+AESGCM' } as const;

test('a careful site has only the finding of its self-signed certificate', async () => {
  await using server = await serveSite(site(soundHeaders, undefined, contact), modern);
  const { rules, coverage, warnings } = await scan(server.url);
  assert.deepEqual(rules, ['web-certificate-self-signed']);
  assert.equal(coverage, 'complete');
  assert.deepEqual(warnings, []);
});

test('problems are found, and fixing one does not change the identity of the others', async () => {
  const wrong = {
    'content-type': 'text/html',
    server: 'Apache/2.4.41',
    'set-cookie': ['PHPSESSID=very-private; path=/'],
    'access-control-allow-origin': '*',
    'access-control-allow-credentials': 'true',
  };
  const body = '<title>Site</title><script src="http://cdn.example.net/a.js"></script><img src="/files/a.png">';
  const files = {
    '/.git/HEAD': 'ref: refs/heads/main\n',
    '/.env': 'DB_PASSWORD=very-private\n',
    '/backup.sql': '-- MySQL dump 10.13\n',
  };
  const listing: RequestListener = (request, response) => {
    if (request.url !== '/files/') return site(wrong, body, files)(request, response);
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Index of /files</title>');
  };
  let listener = listing;
  await using server = await serveSite((request, response) => listener(request, response), {
    ...certificate,
    minVersion: 'TLSv1',
    ciphers: 'ALL:NULL-SHA256:@SECLEVEL=0',
  });
  const first = await scan(server.url);
  const expected = [
    'web-certificate-self-signed',
    'web-cookie-not-httponly',
    'web-cookie-not-secure',
    'web-cors-wildcard-with-credentials',
    'web-csp-missing',
    'web-directory-listing',
    'web-exposed-database-dump',
    'web-exposed-environment',
    'web-exposed-git',
    'web-frameable',
    'web-hsts-missing',
    'web-mixed-content-active',
    'web-nosniff-missing',
    'web-security-txt-missing',
    'web-tls-1-0',
    'web-tls-1-1',
    'web-tls-broken-cipher',
    'web-version-leak',
  ];
  assert.deepEqual(first.rules, expected);
  assert.equal(first.coverage, 'complete');
  assert.doesNotMatch(JSON.stringify(first.found), /very-private/);
  const { '/.git/HEAD': _, ...left } = files;
  listener = site({ ...wrong, ...soundHeaders }, body, left);
  const second = await scan(server.url);
  const before = new Set(first.found.map(({ fingerprint }) => fingerprint));
  assert.deepEqual(
    second.found.filter(({ fingerprint }) => !before.has(fingerprint)),
    [],
  );
  const fixed = expected.filter((rule) => !second.rules.includes(rule));
  assert.deepEqual(fixed, [
    'web-csp-missing',
    'web-directory-listing',
    'web-exposed-git',
    'web-frameable',
    'web-hsts-missing',
    'web-nosniff-missing',
  ]);
});

test('a site that returns the same page, or an apparent dump, for every path has no exposed file', async () => {
  for (const body of ['<!doctype html><title>App</title><div id=app></div>', '-- MySQL dump 10.13\nDB_PASSWORD=x\n']) {
    await using server = await serveSite((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(body);
    });
    const { rules } = await scan(server.url);
    assert.deepEqual(
      rules.filter((rule) => rule.startsWith('web-exposed')),
      [],
    );
  }
});

test('a scan sends at most 25 requests, one at a time, under its own name', async () => {
  let requests = 0;
  let open = 0;
  let maxOpen = 0;
  const agents = new Set<string | undefined>();
  await using server = await serveSite((request, response) => {
    requests++;
    maxOpen = Math.max(maxOpen, ++open);
    response.on('close', () => open--);
    agents.add(request.headers['user-agent']);
    // Three redirects of the page, and one of security.txt.
    if (/^\/\d?$/.test(request.url!) && request.url !== '/3') {
      response.writeHead(302, { location: `/${Number(request.url!.slice(1)) + 1}` }).end();
    } else if (request.url === '/.well-known/security.txt')
      response.writeHead(302, { location: '/security.txt' }).end();
    else response.writeHead(request.url === '/3' ? 200 : 404, soundHeaders).end('<img src="/a/b.png">');
  }, modern);
  const { coverage } = await scan(server.url);
  assert.equal(coverage, 'complete');
  assert.ok(requests <= 25, `${requests} requests`);
  assert.equal(maxOpen, 1);
  assert.deepEqual([...agents], [userAgent]);
  assert.match(userAgent, /^Assay\/\d+\.\d+\.\d+ \(\+security scan\)$/);
});

test('an expired certificate, one for another host and one with a short key are reported', async () => {
  const rsa = ['-newkey', 'rsa:1024'];
  const wrong = makeCertificate({ name: 'other.example.com', days: -1, key: rsa });
  const ciphers = 'DEFAULT:@SECLEVEL=0';
  await using server = await serveSite(site(soundHeaders, undefined, contact), { ...wrong, ciphers });
  const { rules } = await scan(server.url);
  for (const rule of ['expired', 'wrong-host', 'weak-key']) assert.ok(rules.includes(`web-certificate-${rule}`), rule);
  assert.ok(rules.includes('web-tls-no-forward-secrecy'));
});

test('a server that accepts a suite without encryption is reported', async () => {
  const wrong = makeCertificate({ key: ['-newkey', 'rsa:2048'] });
  const tls = {
    ...wrong,
    maxVersion: 'TLSv1.2',
    ciphers: 'NULL-SHA256:ECDHE-RSA-AES128-GCM-SHA256:@SECLEVEL=0',
  } as const;
  await using server = await serveSite(site(soundHeaders, undefined, contact), tls);
  const { found } = await scan(server.url);
  const broken = found.find(({ rule }) => rule.id === 'web-tls-broken-cipher');
  assert.match(broken?.evidence ?? '', /TLS_RSA_WITH_NULL_SHA256/);
  assert.ok(found.some(({ rule }) => rule.id === 'web-tls-1-3-missing'));
});

test('origins reflected with credentials, and a nonce that never changes, are found', async () => {
  const policy = "script-src 'nonce-c2FtZSBhbHdheXM' 'strict-dynamic'; object-src 'none'; base-uri 'none'";
  await using server = await serveSite((request, response) => {
    const { origin } = request.headers;
    const sharing = { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' };
    const headers = { ...soundHeaders, 'content-security-policy': policy, ...(origin ? sharing : {}) };
    response.writeHead(request.url === '/' ? 200 : 404, headers).end('<title>x</title>');
  }, modern);
  const { rules } = await scan(server.url);
  assert.ok(rules.includes('web-cors-any-origin-with-credentials'));
  assert.ok(rules.includes('web-csp-static-nonce'));
});

test('redirects to other hosts are not followed, and hosts that the policy forbids are not contacted', async () => {
  let asked = 0;
  await using foreign = await serveSite((_request, response) => {
    asked++;
    response.end();
  });
  for (const location of [`http://127.0.0.1:${foreign.port}/`, 'http://169.254.169.254/latest/meta-data/']) {
    await using server = await serveSite((_request, response) => response.writeHead(302, { location }).end());
    const { warnings } = await scan(server.url);
    assert.match(warnings.join(), /was not scanned/);
  }
  assert.equal(asked, 0);
  await assert.rejects(scan('http://169.254.169.254/'), TargetError);
  await assert.rejects(scan('http://unknown.example.com/'), /could not be resolved/);
});

test('a site that is unreachable or fails makes the target fail with a sentence', async () => {
  const server = await serveSite((_request, response) => response.writeHead(503).end());
  await assert.rejects(scan(server.url), (error: Error) => {
    return error instanceof TargetError && /returned 503/.test(error.message);
  });
  await server[Symbol.asyncDispose]();
  await assert.rejects(scan(server.url), (error: Error) => {
    return error instanceof TargetError && /refused the connection/.test(error.message);
  });
});

test('a page behind a login is checked in part, so no findings are closed', async () => {
  await using server = await serveSite((_request, response) => response.writeHead(401, soundHeaders).end('x'), modern);
  const { coverage, warnings } = await scan(server.url);
  assert.equal(coverage, 'partial');
  assert.match(warnings.join(), /returned 401/);
});

test('endless bodies, compression bombs and servers without TLS end within their bounds', async () => {
  const endless: RequestListener = (_request, response) => {
    const send = () => {
      while (response.write('<a href="http://x/">'.repeat(1_000)));
      response.once('drain', send);
    };
    response.writeHead(200, soundHeaders);
    send();
  };
  await using server = await serveSite(endless, modern);
  assert.equal((await scan(server.url)).coverage, 'complete');
  const deaf = createServer((socket) => socket.on('error', () => {}).end('no TLS here')).listen(0, '127.0.0.1');
  await once(deaf, 'listening');
  try {
    const { port } = deaf.address() as { port: number };
    await assert.rejects(scan(`https://site.example.com:${port}/`), TargetError);
  } finally {
    deaf.close();
  }
});

test('a site that drips its responses is abandoned after its time limit and closes no findings', async () => {
  assert.equal(originMs, 60_000);
  let open = 0;
  const dripping: RequestListener = (_request, response) => {
    open += 1;
    response.writeHead(200, soundHeaders);
    response.write('<html><title>x</title>');
    // Ends each response before the timeout of the request.
    const drip = setInterval(() => response.write(' '), 10);
    const end = setTimeout(() => response.end(), 150);
    response.once('close', () => {
      clearInterval(drip);
      clearTimeout(end);
      open -= 1;
    });
  };
  await using server = await serveSite(dripping);
  const requested = performance.now();
  const visit = await visitSite(`http://127.0.0.1:${server.port}/`, {
    policy: localPolicy,
    signal: AbortSignal.timeout(600_000),
    progress: () => {},
    originMs: 400,
  });
  // 25 requests would take 4 seconds or more.
  assert.ok(performance.now() - requested < 2_500);
  assert.equal(visit.isComplete, false);
  assert.match(visit.warnings.join(), /took longer than 0\.4 seconds in all/);
  assert.ok(open <= 1);
});

test('the command line scans a website on request', async () => {
  await using server = await serveSite(site({ 'content-type': 'text/html', server: 'nginx/1.2.3' }));
  const signal = AbortSignal.timeout(600_000);
  const result = await scanPath(`http://127.0.0.1:${server.port}/`, { sources: ['web'], signal });
  assert.deepEqual(result.target, { name: `127.0.0.1:${server.port}`, kind: 'website' });
  const rules = result.findings.map(({ detection }) => detection.rule.id);
  assert.ok(rules.includes('web-unencrypted') && rules.includes('web-version-leak'), rules.join());
  await assert.rejects(scanPath('/tmp', { sources: ['web'], signal }), /scans http and https URLs/);
});

test('a cancelled scan stops', async () => {
  await using server = await serveSite(() => {});
  const stop = new AbortController();
  const scanning = scan(server.url, stop.signal);
  stop.abort(new Error('cancelled'));
  await assert.rejects(scanning, /cancelled|abort/i);
});
