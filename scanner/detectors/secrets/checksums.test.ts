import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../tests/harness/properties.ts';
import { crc32Base62, crc32SuffixAfter, hasGitLabChecksum, isSignedJwt } from './checksums.ts';
import { sampleJwt, sampleRoutableGitLabToken, sampleWithCrc32Base62 } from './sample.ts';

test('the checksum matches the token that GitHub published with its format', () => {
  assert.equal(crc32Base62(['zQWBuTSOoRi4A9', 'spHcVY5ncnsDkxkJ'].join('')), '0mLq17');
});

test('a routable GitLab token is recognised by its last seven characters', () => {
  const token = sampleRoutableGitLabToken('glpat-', '01.');
  assert.equal(hasGitLabChecksum(token), true);
  assert.equal(hasGitLabChecksum(`${token.slice(0, -1)}!`), false);
});

test('a token with any one character changed fails its checksum', () => {
  const token = sampleWithCrc32Base62('ghp_', 30);
  const verify = crc32SuffixAfter('ghp_');
  assert.equal(verify(token), true);
  const change = fc.tuple(fc.integer({ min: 4, max: token.length - 1 }), fc.constantFrom(...'0123456789abcXYZ'));
  checkProperty(
    fc.property(change, ([at, character]) => {
      const changed = token.slice(0, at) + character + token.slice(at + 1);
      assert.equal(verify(changed), changed === token);
    }),
  );
});

test('only a signed token with readable header and claims counts as a JSON web token, and no input makes the check throw', () => {
  assert.equal(isSignedJwt(sampleJwt({ alg: 'RS256' }, { sub: '1' })), true);
  assert.equal(isSignedJwt(sampleJwt({ alg: 'none' }, { sub: '1' })), false);
  checkProperty(fc.property(fc.string(), (text) => typeof isSignedJwt(text) === 'boolean'));
});
