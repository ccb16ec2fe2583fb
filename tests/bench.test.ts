import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { loadDataset } from '../bench/dataset.ts';
import { excused, readEndpoints } from '../bench/read-endpoints.ts';
import { listOrganizationsToRecompute } from '../server/findings/policy/recompute-queries.ts';
import { asAdmin, createTestDatabase } from './harness/database.ts';
import { createTenant } from './harness/people.ts';

const document = JSON.parse(await readFile(new URL('../openapi.json', import.meta.url), 'utf8'));

test('the measurements cover every read operation, or say why not', () => {
  const reading = Object.values<{ get?: { operationId: string } }>(document.paths).flatMap(({ get }) =>
    get ? [get.operationId] : [],
  );
  const measured = readEndpoints(document).map(({ operationId }) => operationId);
  assert.deepEqual([...measured, ...Object.keys(excused)].sort(), reading.sort());
  for (const reason of Object.values(excused)) assert.match(reason, /\.$/);
});

test('the findings of the measurements fit the schema, are counted, and leave nothing to recompute', async () => {
  const { adminUrl, database, drop } = await createTestDatabase();
  try {
    const { orgId } = await createTenant(database);
    const counted = await asAdmin(adminUrl, async (client) => {
      await loadDataset(client, { orgId, memberCount: 3, dataSourceCount: 12 }, 2_000);
      return client.query(
        'SELECT (SELECT count(*) FROM findings) AS findings, (SELECT sum(count) FROM finding_counts) AS figures',
      );
    });
    assert.deepEqual(counted.rows, [{ findings: '2000', figures: '2000' }]);
    assert.deepEqual(await database.transaction(null, listOrganizationsToRecompute), []);
  } finally {
    await drop();
  }
});
