import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { type ComparableDocument, findBreakingChanges } from '../server/platform/openapi/breaking-changes.ts';
import { apiDocument } from '../server/processes/api-document.ts';

const root = resolve(import.meta.dirname, '..');
const git = (...args: string[]) =>
  spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).stdout ?? '';

/** The newest release before this commit: its tag, empty before the first one. */
const tag = git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^').trim();

// See docs/versioning.md.
test('a client of the last release still works: nothing in v1 was removed, narrowed or newly required', (context) => {
  const document = JSON.parse(JSON.stringify(apiDocument())) as ComparableDocument & { info: { version: string } };
  if (tag === '') {
    const changes = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
    const [earlier] = [...changes.matchAll(/^## \[(\d\S*)\]/gm)].filter(
      ([, version]) => version !== document.info.version,
    );
    assert.equal(
      earlier?.[1],
      undefined,
      'CHANGELOG.md names a release whose tag is missing: run "git fetch --tags --unshallow".',
    );
    return context.skip('There was no release before this one.');
  }
  const baseline = git('show', `${tag}:openapi.json`);
  const today = new Date().toISOString().slice(0, 10);
  assert.deepEqual(findBreakingChanges(JSON.parse(baseline), document, today), []);
});
