import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceUrl } from './source-url.ts';

const place = { path: 'src/a b#.ts', start_line: 12, commit: null };

test('a location in a repository at a known host links to its line there', () => {
  assert.equal(
    sourceUrl('https://github.com/acme/shop.git', place),
    'https://github.com/acme/shop/blob/HEAD/src/a%20b%23.ts#L12',
  );
  assert.equal(
    sourceUrl('ssh://git@gitlab.acme.example:2222/web/shop.git', { ...place, commit: 'abc123' }),
    'https://gitlab.acme.example/web/shop/-/blob/abc123/src/a%20b%23.ts#L12',
  );
  assert.equal(
    sourceUrl('git@github.com:acme/shop.git', { ...place, path: 'a.ts' }),
    'https://github.com/acme/shop/blob/HEAD/a.ts#L12',
  );
  assert.equal(
    sourceUrl('https://bitbucket.org/acme/shop', { ...place, start_line: null }, 'release/1'),
    'https://bitbucket.org/acme/shop/src/release/1/src/a%20b%23.ts',
  );
});

test('a repository elsewhere, or a location without a file, has no link', () => {
  for (const url of ['file:///srv/shop.git', 'https://git.acme.example/shop.git', 'https://evilgithub.com/a/b', 'x']) {
    assert.equal(sourceUrl(url, place), null);
  }
  assert.equal(sourceUrl('https://github.com/acme/shop', { ...place, path: null }), null);
});
