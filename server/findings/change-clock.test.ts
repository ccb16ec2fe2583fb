import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { type Application, startApplication } from '../../tests/harness/application.ts';
import { addDataSource, readAll } from '../../tests/harness/finding-set.ts';
import { recordScan, succeeded } from '../../tests/harness/furnished.ts';
import { createTenant } from '../../tests/harness/identity.ts';
import { detectionOf } from './findings.fixture.ts';

let app: Application;
before(async () => {
  app = await startApplication();
});
after(() => app.close());

test('followers miss no change when the clock is set back', async () => {
  const { orgId, token } = await createTenant(app.database);
  const dataSourceId = await addDataSource(app, token, 'pipeline');
  await recordScan(
    app.database,
    orgId,
    dataSourceId,
    ['a', 'b', 'c'].map((key) => detectionOf(key)),
  );
  // The state after a clock was set back from 18:00 to 12:00.
  const admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
  await admin.query(`UPDATE findings SET updated_at = updated_at + interval '6 hours' WHERE org_id = $1`, [orgId]);
  await admin.end();
  let followed = await readAll(app, token, 'sort=updated_at');
  assert.equal(followed.length, 3);
  for (const tag of ['first', 'second', 'third']) {
    const { id } = followed[0];
    succeeded(await app.call(token, 'PATCH', `/findings/${id}`, { json: { tags: [tag] } }));
    const from = followed.at(-1).updated_at;
    followed = await readAll(app, token, `sort=updated_at&updated_from=${from}`);
    assert.deepEqual([followed.at(-1).id, followed.at(-1).tags], [id, [tag]]);
  }
});
