import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuTimeMs } from '../../../../tests/harness/cpu-time.ts';
import { samplePage } from '../page.ts';
import { soundReport } from '../tls-report.ts';
import { allRules, fileRules, pageRules, tlsRules } from './index.ts';

function prove<Sample>(rule: { id: string; matches: Sample[]; misses: Sample[] }, finds: (sample: Sample) => boolean) {
  assert.ok(rule.matches.length > 0 && rule.misses.length > 0, `${rule.id} has no proof`);
  for (const sample of rule.matches) assert.ok(finds(sample), `${rule.id} misses ${JSON.stringify(sample)}`);
  for (const sample of rule.misses) assert.ok(!finds(sample), `${rule.id} finds ${JSON.stringify(sample)}`);
}

test('every rule for a response finds its matches and skips its near-misses', () => {
  for (const rule of pageRules) prove(rule, (sample) => rule.find(samplePage(sample)).length > 0);
});

test('every rule for TLS finds its matches and skips its near-misses', () => {
  for (const rule of tlsRules) prove(rule, (sample) => rule.find({ ...soundReport, ...sample }).length > 0);
});

test('every rule for a file checks only its content', () => {
  for (const rule of fileRules) prove(rule, (body) => rule.isExposed(body));
});

test('every rule is documented and has a unique id', () => {
  assert.equal(new Set(allRules.map(({ id }) => id)).size, allRules.length);
  for (const rule of allRules) {
    assert.match(rule.id, /^web-[a-z0-9-]+$/);
    assert.ok(rule.cwe.length > 0 && rule.cwe.every((cwe) => /^CWE-\d+$/.test(cwe)), rule.id);
    assert.ok(rule.title && rule.risk.length > 20 && rule.remediation.length > 20, rule.id);
    assert.ok(rule.references.length > 0 && rule.references.every((url) => url.startsWith('https://')), rule.id);
  }
});

test('a correct page over https with a correct handshake has no finding', () => {
  const page = samplePage({
    headers: {
      'content-security-policy':
        "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'set-cookie': ['__Host-session=x; Secure; HttpOnly; Path=/; SameSite=Lax'],
      server: 'nginx',
    },
    body: '<!doctype html><title>Welcome</title><script src="/a.js"></script><form action="/in"><input type=password></form>',
  });
  assert.deepEqual(
    pageRules.filter((rule) => rule.find(page).length > 0).map(({ id }) => id),
    [],
  );
  assert.deepEqual(
    tlsRules.filter((rule) => rule.find(soundReport).length > 0).map(({ id }) => id),
    [],
  );
});

test('no rule takes long on a body that is designed to slow it down', () => {
  const units = [
    '\n',
    'KEY',
    '<a',
    'at /a/',
    'at at ',
    ';',
    ' ',
    '<pre>',
    '<div>',
    "'nonce-",
    'store\n',
    'export ',
    'a:$',
    '{"',
    '-- ',
  ];
  for (const unit of units) {
    const body = unit.repeat(65_536 / unit.length);
    const began = cpuTimeMs();
    const pages = [200, 404].map((status) => samplePage({ status, body }));
    for (const rule of fileRules) rule.isExposed(body);
    for (const page of pages) for (const rule of pageRules) rule.find(page);
    // Linear time takes milliseconds, quadratic time takes minutes.
    assert.ok(cpuTimeMs() - began < 2_000, JSON.stringify(unit));
  }
});
