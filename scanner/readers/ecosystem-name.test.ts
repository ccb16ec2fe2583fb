import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ecosystems } from '../advisories/versions/index.ts';
import { ecosystemName } from '../contract/ecosystem-name.ts';

test('an ecosystem has one name, whatever a tool calls it', () => {
  for (const name of ['pypi', 'PyPI', 'pip', 'poetry', 'python-pkg']) assert.equal(ecosystemName(name), 'PyPI');
  for (const name of ['golang', 'gomod', 'gobinary', 'stdlib', 'Go']) assert.equal(ecosystemName(name), 'Go');
  assert.deepEqual(['gem', 'bundler', 'jar', 'composer', 'yarn'].map(ecosystemName), [
    'RubyGems',
    'RubyGems',
    'Maven',
    'Packagist',
    'npm',
  ]);
  assert.deepEqual(['debian:12', 'Alpine:v3.20', 'deb', '', 'Red Hat:rhel_aus:8.4'].map(ecosystemName), [
    'Debian:12',
    'Alpine:v3.20',
    'deb',
    '',
    'Red Hat:rhel_aus:8.4',
  ]);
});

test('the names of OSV stay unchanged', () => assert.deepEqual(ecosystems.map(ecosystemName), ecosystems));
