import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { call } from '../../tests/harness/identity.ts';
import { node, post, sampleRepository, tenant } from './data-sources.fixture.ts';

const list = async () => (await call(node, tenant.token, 'GET', '/data-sources/suggestions')).body.data;

test('the sample repository is suggested where it exists, can be added unchanged, and is marked once it has been added', async () => {
  assert.deepEqual(await list(), []);
  execFileSync('git', ['init', '--quiet', '--template=', sampleRepository]);
  const [suggestion, ...others] = await list();
  assert.deepEqual(others, []);
  assert.equal(suggestion.config.url, pathToFileURL(sampleRepository).href);
  assert.equal(suggestion.data_source_id, null);
  const { kind, name, config } = suggestion;
  const { status, body } = await post({ kind, name, config });
  assert.equal(status, 201);
  assert.equal((await list())[0].data_source_id, body.id);
});
