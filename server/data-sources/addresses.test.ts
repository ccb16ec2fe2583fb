import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cpuTimeMs } from '../../tests/harness/cpu-time.ts';
import { checkProperty } from '../../tests/harness/properties.ts';
import { ApiError } from '../platform/errors.ts';
import { readGitAddress } from './git-address.ts';
import { readImageReference } from './image-reference.ts';
import { is400 } from './invalid-field.fixture.ts';
import { readHostAddress } from './read-target.ts';
import { readWebsiteUrl } from './website-url.ts';

test('no text makes a reader fail with anything but a 400', () => {
  const readers = [readGitAddress, readWebsiteUrl, readHostAddress, readImageReference];
  const prefix = fc.constantFrom('', 'https://', 'ssh://', 'git@', 'file:///', 'ghcr.io/', '[');
  checkProperty(
    fc.property(prefix, fc.string({ unit: 'binary' }), (start, rest) => {
      for (const read of readers) {
        try {
          read(start + rest);
        } catch (error) {
          assert.ok(error instanceof ApiError, String(error));
        }
      }
    }),
    { numRuns: 1_000 },
  );
});

const digest = `sha256:${'a'.repeat(64)}`;

test('image references are parsed as in Docker', () => {
  const expected: Record<string, string> = {
    alpine: 'docker.io/library/alpine:latest',
    'alpine:3.20': 'docker.io/library/alpine:3.20',
    'docker.io/alpine': 'docker.io/library/alpine:latest',
    'index.docker.io/library/alpine': 'docker.io/library/alpine:latest',
    'owner/name': 'docker.io/owner/name:latest',
    'ghcr.io/owner/name:v1': 'ghcr.io/owner/name:v1',
    'GHCR.io/owner/name:V1': 'ghcr.io/owner/name:V1',
    'localhost/app': 'localhost/app:latest',
    'registry.example.com:5000/a/b__c/d-e.f': 'registry.example.com:5000/a/b__c/d-e.f:latest',
    [`alpine@${digest}`]: `docker.io/library/alpine@${digest}`,
    [`ghcr.io/a/b:1@${digest}`]: `ghcr.io/a/b:1@${digest}`,
    '[2001:db8::1]:5000/a': '[2001:db8::1]:5000/a:latest',
  };
  for (const [text, address] of Object.entries(expected)) {
    const target = readImageReference(text);
    assert.equal(target.address, address, text);
    assert.equal(target.config.reference, text);
  }
  assert.deepEqual(readImageReference('alpine').endpoint, { host: 'registry-1.docker.io', port: 443 });
  assert.deepEqual(readImageReference('[2001:db8::1]:5000/a').endpoint, { host: '[2001:db8::1]', port: 5000 });
});

test('text that is not an image reference is refused', () => {
  const bad = [
    '',
    'Alpine',
    'a/B',
    'https://ghcr.io/a/b',
    'a:',
    'a:b:c',
    ':tag',
    'a@',
    'a@sha256:abc',
    `a@${digest}@${digest}`,
    `a@sha256:${'A'.repeat(64)}`,
    'a//b',
    '/a',
    'a/',
    'a--',
    '-a',
    'a..b',
    'a___b',
    'ghcr.io/',
    'ghcr.io:port/a',
    `a:${'x'.repeat(129)}`,
    'f'.repeat(64),
    'a'.repeat(256),
    '--config=x',
    'a b',
  ];
  for (const text of bad) assert.throws(() => readImageReference(text), is400('config.reference'), text);
  const slow = `${'a-'.repeat(900)}!`;
  const started = cpuTimeMs();
  assert.throws(() => readImageReference(slow), is400('config.reference'));
  assert.ok(cpuTimeMs() - started < 200);
});

test('a website is an http or https URL without credentials, in normal form', () => {
  const target = readWebsiteUrl('HTTPS://WWW.Example.com:443/a/../b?q=1#top');
  assert.equal(target.address, 'https://www.example.com/b?q=1');
  assert.deepEqual(target.endpoint, { host: 'www.example.com', port: 443 });
  assert.equal(readWebsiteUrl('http://example.com.').address, 'http://example.com/');
  assert.equal(readWebsiteUrl('http://[::1]:8080').endpoint!.host, '::1');
  for (const url of [
    '',
    'example.com',
    'ftp://example.com',
    'javascript:alert(1)',
    'https://u:p@example.com',
    'https://u@example.com',
    'https://',
    'https://exa mple.com',
    'https://%00/',
  ]) {
    assert.throws(() => readWebsiteUrl(url), is400('config.url'), url);
  }
});

test('a host is one name or address, in normal form', () => {
  const forms: Record<string, string> = {
    'WWW.Example.com.': 'www.example.com',
    '0x7f.1': '127.0.0.1',
    '[2001:DB8::0:1]': '2001:db8::1',
    'bücher.example': 'xn--bcher-kva.example',
  };
  for (const [text, address] of Object.entries(forms)) assert.equal(readHostAddress(text).address, address);
  assert.throws(() => readHostAddress('10.0.0.0/8'), is400('config.address', /not a range/));
  for (const text of [
    '',
    'a b',
    'https://example.com',
    'example.com:80',
    'example.com/x',
    'a@b',
    '-oX',
    '10.0.0.1-20',
    '10.0.0.*',
    '1.2.3.4,5',
  ]) {
    assert.throws(() => readHostAddress(text), is400('config.address'), text);
  }
});
