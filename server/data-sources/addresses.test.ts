import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { ApiError } from '../platform/errors.ts';
import { parseGitUrl } from './connectors/git-url.ts';
import { readGitAddress } from './git-address.ts';
import { readHostAddress } from './host-address.ts';
import { readImageReference } from './image-reference.ts';
import { resolveLocalRepository } from './local-repository.ts';
import { readWebsiteUrl } from './website-url.ts';

const is400 = (field: string, message?: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ApiError && error.code === 'invalid_request', String(error));
  assert.equal(error.details?.[0]?.field, field);
  if (message) assert.match(error.message, message);
  return true;
};

test('all spellings of one repository have one address', () => {
  const spellings: Record<string, string[]> = {
    'https://github.com/a/b': [
      'https://github.com/a/b',
      'https://GitHub.com/a/b.git',
      'HTTPS://github.com:443/a/b.git/',
      'https://github.com./a/b',
    ],
    'ssh://git@github.com/a/b': [
      'git@github.com:a/b.git',
      'git@GitHub.com:/a/b',
      'ssh://git@github.com:22/a/b.git',
      'SSH://git@GITHUB.com/a/b/',
    ],
    'git://example.com/a': ['git://example.com/a', 'git://example.com:9418/a.git'],
    'https://[2001:db8::1]:8443/a': ['https://[2001:DB8:0::1]:8443/a'],
    'ssh://127.0.0.1:2222/~/a': ['ssh://0x7f.1:2222/~/a'],
  };
  for (const [address, texts] of Object.entries(spellings)) {
    for (const text of texts) assert.equal(readGitAddress(text).address, address, text);
  }
});

test('a repository address keeps what git needs, names its endpoint, and suggests a name', () => {
  const https = readGitAddress('https://git.example.com:8443/team/app.git');
  assert.equal(https.url, 'https://git.example.com:8443/team/app.git');
  assert.deepEqual(https.endpoint, { host: 'git.example.com', port: 8443 });
  assert.equal(https.suggestedName, 'app');
  const scp = readGitAddress('git@git.example.com:team/app.git');
  assert.equal(scp.url, 'git@git.example.com:team/app.git');
  assert.deepEqual(scp.endpoint, { host: 'git.example.com', port: 22 });
});

test('a credential in a repository URL is refused with the place where it belongs', () => {
  for (const url of [
    'https://user:pass@h.example/a',
    'https://token@h.example/a',
    'ssh://git:pass@h.example/a',
    'git://u@h.example/a',
  ]) {
    assert.throws(() => readGitAddress(url), is400('config.url', /config\.credential/), url);
  }
  assert.throws(() => readGitAddress('https://h.example/a?private_token=x'), is400('config.url', /query/));
});

test('what is no repository address is refused', () => {
  const bad = [
    '',
    ' ',
    'a',
    '/srv/a',
    'C:\\a',
    'http://h.example/a',
    'ftp://h.example/a',
    'ext::sh -c id',
    'ext::sh',
    'git@h:ext::sh',
    '--upload-pack=id',
    '-oProxyCommand=x@h:a',
    'git@-h:a',
    'git@h:-a',
    'https:h.example/a',
    'https://h.example',
    'https://h.example/',
    'https:///a',
    'ssh://git@/a',
    'ssh://-oProxyCommand=id/a',
    'ssh://-o@h.example/a',
    'ssh://h%20x/a',
    'https://h.example/a b',
    'https://h.example/a\n',
    'https://h.example/%0a',
    'https://h.example/%',
    'git+ssh://h.example/a',
    'ssh://$(id)/a',
    'ssh://`id`/a',
    'ssh://a;b/c',
    `https://h.example/${'x'.repeat(2_000)}`,
    'file://elsewhere/a',
    'file:///',
    'file:/a',
  ];
  for (const url of bad) assert.throws(() => readGitAddress(url), is400('config.url'), url);
});

test('reading a repository address twice changes nothing, and the git connector takes what comes out', () => {
  const host = fc.oneof(
    fc.domain(),
    fc.ipV4(),
    fc.ipV6().map((ip) => `[${ip}]`),
    fc.constantFrom('localhost', '0x7f.1', 'Ünïcode.example'),
  );
  const path = fc
    .array(fc.stringMatching(/^[\w.~%20-]{1,12}$/), { minLength: 1, maxLength: 4 })
    .map((parts) => `/${parts.join('/')}`);
  const scheme = fc.constantFrom('https://', 'ssh://', 'ssh://git@', 'git://', 'HTTPS://');
  const port = fc.oneof(
    fc.constant(''),
    fc.integer({ min: 1, max: 65_535 }).map((number) => `:${number}`),
  );
  fc.assert(
    fc.property(scheme, host, port, path, fc.constantFrom('', '.git', '/'), (...parts) => {
      let first: ReturnType<typeof readGitAddress>;
      try {
        first = readGitAddress(parts.join(''));
      } catch (error) {
        return assert.ok(error instanceof ApiError);
      }
      const second = readGitAddress(first.url);
      assert.deepEqual(second, first);
      if (!first.endpoint!.host.includes('%')) assert.equal(parseGitUrl(first.url).scheme, first.scheme);
    }),
    { numRuns: 500 },
  );
});

test('no text makes a reader fail other than by a 400', () => {
  const readers = [readGitAddress, readWebsiteUrl, readHostAddress, readImageReference];
  const prefix = fc.constantFrom('', 'https://', 'ssh://', 'git@', 'file:///', 'ghcr.io/', '[');
  fc.assert(
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

test('a local repository is allowed inside an allowed directory only, links resolved', async () => {
  const root = await mkdtemp(join(tmpdir(), 'assay-local-'));
  try {
    const [allowed, outside] = [join(root, 'allowed'), join(root, 'allowed-not')];
    await mkdir(join(allowed, 'app repo'), { recursive: true });
    await mkdir(outside);
    await writeFile(join(allowed, 'file'), '');
    await symlink(outside, join(allowed, 'way-out'));
    await symlink(allowed, join(outside, 'way-in'));
    const urlOf = (path: string) => pathToFileURL(path).href;
    const inside = urlOf(join(allowed, 'app repo'));
    assert.equal(await resolveLocalRepository(inside, [allowed]), inside);
    assert.equal(await resolveLocalRepository(urlOf(join(outside, 'way-in', 'app repo')), [allowed]), inside);
    assert.equal(await resolveLocalRepository(inside, ['/nonexistent', join(outside, 'way-in')]), inside);
    const refused = ['way-out', 'file', 'missing', '../allowed-not', '..'].map((path) => `${urlOf(allowed)}/${path}`);
    const messages = new Set<string>();
    for (const url of [...refused, 'file:///etc', 'file:///%00']) {
      await assert.rejects(
        resolveLocalRepository(url, [allowed]),
        (error: Error) => messages.add(error.message) && is400('config.url')(error),
        url,
      );
    }
    assert.equal(messages.size, 1, 'what is missing and what is forbidden must look the same');
    await assert.rejects(resolveLocalRepository(inside, []), is400('config.url', /ASSAY_LOCAL_REPOSITORIES/));
  } finally {
    await rm(root, { recursive: true });
  }
});

const digest = `sha256:${'a'.repeat(64)}`;

test('image references are read as Docker reads them', () => {
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

test('what is no image reference is refused', () => {
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
  const started = performance.now();
  assert.throws(() => readImageReference(slow), is400('config.reference'));
  assert.ok(performance.now() - started < 200);
});

test('a website is an http or https URL without credentials, in one form', () => {
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

test('a host is one name or address, in one form', () => {
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
