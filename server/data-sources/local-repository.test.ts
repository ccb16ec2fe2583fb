import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createTestDatabase } from '../../tests/harness/database.ts';
import { createTenant } from '../../tests/harness/people.ts';
import { createLocalRepositories } from './local-repository.ts';

const testDatabase = await createTestDatabase();
const { database } = testDatabase;
after(() => testDatabase.drop());

test('local repositories are available to the first organization, or to those that the operator names', async () => {
  const own = { directories: ['/data/sample'], organizations: null };
  const nobody = createLocalRepositories(database, [own]);
  assert.deepEqual(await nobody('org_unknown'), []);
  const first = (await createTenant(database)).orgId;
  const second = (await createTenant(database)).orgId;
  const byDefault = createLocalRepositories(database, [{ directories: ['/srv'], organizations: null }, own]);
  assert.deepEqual(await byDefault(first), ['/srv', '/data/sample']);
  assert.deepEqual(await byDefault(second), []);
  const named = createLocalRepositories(database, [{ directories: ['/srv'], organizations: [second] }, own]);
  assert.deepEqual(await named(first), ['/data/sample']);
  assert.deepEqual(await named(second), ['/srv']);
});
