import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { checkProperty } from '../../tests/harness/properties.ts';
import { ApiError } from '../platform/errors.ts';
import { parseGitUrl } from './connectors/git-url.ts';
import { readGitAddress } from './git-address.ts';
import { is400 } from './invalid-field.fixture.ts';
import { findLocalRepository } from './local-repository.ts';

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

test('text that is not a repository address is refused', () => {
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

test('parsing a repository address twice changes nothing, and the git connector accepts the result', () => {
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
  checkProperty(
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

test('a local repository is only allowed inside an allowed directory, with links resolved', async () => {
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
    assert.equal((await findLocalRepository(inside, [allowed])).url, inside);
    assert.equal((await findLocalRepository(urlOf(join(outside, 'way-in', 'app repo')), [allowed])).url, inside);
    assert.equal((await findLocalRepository(inside, ['/nonexistent', join(outside, 'way-in')])).url, inside);
    const refused = ['way-out', 'file', 'missing', '../allowed-not', '..'].map((path) => `${urlOf(allowed)}/${path}`);
    const messages = new Set<string>();
    for (const url of [...refused, 'file:///etc', 'file:///%00']) {
      await assert.rejects(
        findLocalRepository(url, [allowed]),
        (error: Error) => messages.add(error.message) && is400('config.url')(error),
        url,
      );
    }
    assert.equal(messages.size, 1, 'what is missing and what is forbidden must look the same');
    await assert.rejects(findLocalRepository(inside, []), is400('config.url', /ASSAY_LOCAL_REPOSITORIES/));
  } finally {
    await rm(root, { recursive: true });
  }
});
