import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { type Application, startApplication } from '../../tests/harness/application.ts';
import { addDataSource, readAll } from '../../tests/harness/finding-set.ts';
import { recordScan, succeeded } from '../../tests/harness/furnished.ts';
import { eventually } from '../../tests/harness/installation.ts';
import { createTenant } from '../../tests/harness/people.ts';
import { openLog } from '../platform/log.ts';
import { createMetrics } from '../platform/metrics.ts';
import { addChangesAhead } from './change-clock.ts';
import { detectionOf } from './findings.fixture.ts';
import { findingTicks } from './jobs.ts';

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
  // Transactions in the databases of other tests hold this order back until they end.
  let followed = await eventually(async () => {
    const findings = await readAll(app, token, 'sort=updated_at');
    return findings.length === 3 && findings;
  });
  for (const tag of ['first', 'second', 'third']) {
    const { id } = followed[0];
    succeeded(await app.call(token, 'PATCH', `/findings/${id}`, { json: { tags: [tag] } }));
    const from = followed.at(-1).updated_at;
    followed = await eventually(async () => {
      const findings = await readAll(app, token, `sort=updated_at&updated_from=${from}`);
      return findings.at(-1)?.id === id && findings.at(-1).tags[0] === tag && findings;
    });
    assert.deepEqual(followed.at(-1).tags, [tag]);
  }
});

test('a clock that was three days ahead and set back is reported in the log and in a metric until it has caught up', async () => {
  const { orgId, token } = await createTenant(app.database);
  const dataSourceId = await addDataSource(app, token, 'pipeline');
  await recordScan(app.database, orgId, dataSourceId, [detectionOf('a')]);
  const admin = new pg.Client({ connectionString: app.adminUrl });
  await admin.connect();
  const shift = (by: string) =>
    admin.query(`UPDATE findings SET updated_at = updated_at + $2::interval WHERE org_id = $1`, [orgId, by]);
  const watch = findingTicks.find(({ name }) => name === 'Watching the clock of changes')!;
  async function look() {
    const lines: string[] = [];
    const log = openLog({ level: 'warn', destination: { write: (line: string) => void lines.push(line) } });
    await watch.run({ database: app.database, log });
    const metrics = createMetrics();
    addChangesAhead(metrics, app.database);
    const value = Number(/^assay_changes_ahead_seconds (\S+)$/m.exec(await metrics.text())?.[1]);
    return { line: lines.map((line) => JSON.parse(line)).find(({ furthest }) => furthest === orgId), value };
  }
  await shift('3 days');
  const ahead = await look();
  assert.match(ahead.line.msg, /clock, which was ahead and has been set back/);
  assert.ok(Math.abs(ahead.line.seconds - 3 * 86_400) < 600, String(ahead.line.seconds));
  assert.ok(Math.abs(ahead.value - 3 * 86_400) < 600, String(ahead.value));
  await shift('-3 days');
  const caughtUp = await look();
  assert.equal(caughtUp.line, undefined);
  assert.ok(caughtUp.value < 86_400, String(caughtUp.value));
  await admin.end();
});
