import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createTestDatabase } from '../../tests/harness/database.ts';
import { createTenant } from '../../tests/harness/people.ts';
import { createLocalRepositories } from './local-repository.ts';

const testDatabase = await createTestDatabase();
const { database } = testDatabase;
after(() => testDatabase.drop());

test('local repositories are available only to the first organization', async () => {
  const find = createLocalRepositories(database, ['/srv', '/data/sample']);
  assert.deepEqual(await find('org_unknown'), []);
  const first = (await createTenant(database)).orgId;
  const second = (await createTenant(database)).orgId;
  assert.deepEqual(await find(first), ['/srv', '/data/sample']);
  assert.deepEqual(await find(second), []);
});
