import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { asAdmin, createTestDatabase } from '../../../tests/harness/database.ts';
import { insertTenant } from '../../findings/findings.fixture.ts';
import { takeChanged } from './changed-queries.ts';

const testDatabase = await createTestDatabase();
const { database, adminUrl } = testDatabase;
after(() => testDatabase.drop());

test('an undo reads the findings of a large operation by key, even if its plan was made while the table was empty', async () => {
  const { orgId } = await insertTenant(database);
  const take = (limit: number) => database.transaction(orgId, (tx) => takeChanged(tx, orgId, 'bulk_1', limit));
  // After five executions on a connection, a statement gets a generic plan; here the table is empty at that time.
  for (let run = 0; run < 6; run++) await take(1_000);
  await asAdmin(adminUrl, (client) =>
    client.query(
      `INSERT INTO bulk_operation_changes (org_id, operation_id, finding_id, version, before)
       SELECT $1, 'bulk_1', 'fnd_' || lpad(n::text, 6, '0'), n, '{}' FROM generate_series(1, 40000) n`,
      [orgId],
    ),
  );
  const versions: number[] = [];
  const began = performance.now();
  for (let taken = await take(1_000); taken.length > 0; taken = await take(1_000))
    versions.push(...taken.map(({ version }) => version));
  assert.deepEqual(
    versions,
    Array.from({ length: 40_000 }, (_, index) => index + 1),
  );
  // Comparing each row with each of the next 1,000 exceeded the statement timeout.
  assert.ok(performance.now() - began < 20_000, `${performance.now() - began} ms`);
});
