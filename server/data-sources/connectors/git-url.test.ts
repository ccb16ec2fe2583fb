import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RepositoryError } from './git-failure.ts';
import { isBranchName, parseGitUrl } from './git-url.ts';

const isInvalid = (error: unknown) => error instanceof RepositoryError && error.reason === 'invalid_url';

test('addresses that could run something or mean something else are refused', () => {
  for (const url of [
    'ext::sh -c touch% /tmp/pwned',
    'fd::17',
    '--upload-pack=x',
    '-x',
    '/etc',
    './here',
    '',
    'ftp://example.com/x',
    'javascript:alert(1)',
    'ssh://-oProxyCommand=x/y',
    'ssh://-ox@example.com/y',
    'file://elsewhere/share',
    'https://',
    'ssh://$(x)/y',
    'https::https://x/y',
    'git@-oProxyCommand=x:y',
    'git@example.com:-x',
    'https://example.com/a b',
    'https://exa\nmple.com/',
    'ssh://a`b`@example.com\n/x',
  ]) {
    assert.throws(() => parseGitUrl(url), isInvalid, url);
  }
  assert.equal(parseGitUrl('git@example.com:team/app.git').scheme, 'ssh');
  assert.equal(parseGitUrl('ssh://git@example.com:2222/app').url, 'ssh://git@example.com:2222/app');
  const withPassword = parseGitUrl('https://me:pass%40@example.com/app#x');
  assert.deepEqual(withPassword, {
    url: 'https://example.com/app',
    scheme: 'https',
    username: 'me',
    password: 'pass@',
  });
});

test('names that git does not accept for a branch are recognized', () => {
  for (const name of [
    '',
    'a..b',
    'a b',
    'a~1',
    'a^',
    'a:b',
    'a?',
    '*',
    '[',
    'a\\b',
    '/a',
    'a/',
    'a//b',
    '.a',
    'a/.b',
    'a.',
    'a.lock',
    '@',
    'a@{1}',
    'a\n',
  ]) {
    assert.equal(isBranchName(name), false, name);
  }
  for (const name of ['main', 'feature/x', '-x', 'release-1.0', 'ünïcode', '--upload-pack=x'])
    assert.equal(isBranchName(name), true, name);
});
