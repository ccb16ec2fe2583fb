import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { at, createPlace } from '../server/decisions/decisions.fixture.ts';
import { takeSnapshotJob } from '../server/reports/take-snapshot.ts';
import { type Application, startApplication } from './harness/application.ts';
import { asAdmin } from './harness/database.ts';
import type { ApiResponse } from './harness/exchange.ts';
import type { Finding } from './harness/finding-set.ts';
import { succeeded } from './harness/furnished.ts';
import { eventually } from './harness/installation.ts';

let app: Application;
before(async () => {
  app = await startApplication();
});
after(() => app.close());

type Place = Awaited<ReturnType<typeof createPlace>>;

/** Reads a path, again while a busy server is loading findings. */
const get = (place: Place, path: string): Promise<ApiResponse> =>
  eventually(async () => {
    const response = await place.call('GET', path);
    if (response.status === 503) return false;
    succeeded(response);
    return response;
  });

async function countByStatus(place: Place): Promise<Record<string, number>> {
  const [{ values }] = (await get(place, '/findings/facets?field=status')).body.facets;
  return Object.fromEntries(values.map(({ value, count }: Finding) => [value, count]));
}

/** Returns how many findings are new by every figure and list. */
async function readNew(place: Place): Promise<Record<string, number>> {
  const { body: groups } = await get(place, '/findings/groups?by=rule&status=new');
  const { body: summary } = await get(place, '/findings/summary');
  const { body: created } = await place.call('POST', '/reports', {});
  await takeSnapshotJob.run({ org_id: place.owner.orgId, report_id: created.id }, app);
  const { body: report } = await get(place, `/reports/${created.id}`);
  const { text: csv } = await get(place, '/findings/export?format=csv&status=new');
  const { body: page } = await get(place, '/findings?status=new&limit=200');
  return {
    facets: (await countByStatus(place)).new!,
    groups: groups.data.reduce((sum: number, { count }: Finding) => sum + count, 0),
    summary: summary.by_status.new,
    report: report.summary.by_status.new,
    csv: csv.trimEnd().split('\n').length - 1,
    page: page.data.length,
  };
}

const everywhere = (count: number) => ({
  ...{ facets: count, groups: count, summary: count, report: count, csv: count, page: Math.min(count, 200) },
});

/**
 * Withdraws a decision while another transaction has locked the counts, which are written last, and ends the connection
 * that waits for them. Returns the status of the response.
 */
async function withdrawInterrupted(place: Place, id: string): Promise<number> {
  return asAdmin(app.adminUrl, async (admin) => {
    await admin.query('BEGIN');
    await admin.query('SELECT FROM finding_counts WHERE org_id = $1 FOR UPDATE', [place.owner.orgId]);
    const response = place.call('DELETE', `/decisions/${id}`);
    await eventually(async () => {
      const { rows } = await admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
    await admin.query('ROLLBACK');
    return (await response).status;
  });
}

test('a decision about 25,000 findings ends for all of them in one transaction, or for none: lists, figures, reports and exports agree', async () => {
  const place = await createPlace(app);
  const [count, others] = [25_000, 250];
  const cve = 'CVE-2099-0001';
  await place.scan(
    Array.from({ length: count }, (_, index) =>
      at(`e${index}`, `dir${index % 100}/e.py`, { identifiers: index < others ? [cve] : [] }),
    ),
  );
  // An older decision about some of the findings takes over, and people have decided about others.
  const older = await place.decide({ scope: { identifier: [cve] }, outcome: 'triaged' });
  const scope = { rule: ['injection'] };
  const { id } = await place.decide({ scope, outcome: 'accepted_risk', until: '2099-01-01T00:00:00Z' });
  const { body: first } = await get(place, '/findings?status=accepted_risk&limit=200');
  const [started, own, held] = first.data;
  await place.patch(started.id, { status: 'in_progress' });
  await place.patch(own.id, { status: 'accepted_risk', accepted_until: null, comment: 'Ours.' });
  const before = { new: 0, triaged: 0, in_progress: 1, resolved: 0, false_positive: 0, accepted_risk: count - 1 };
  assert.deepEqual(await countByStatus(place), before);

  assert.notEqual(await withdrawInterrupted(place, id), 204);
  assert.deepEqual(await countByStatus(place), before);
  assert.deepEqual(await readNew(place), everywhere(0));
  assert.equal(succeeded(await place.call('GET', `/decisions/${id}`)).status, 'active');

  await place.withdraw(id);
  assert.deepEqual(await readNew(place), everywhere(count - others - 2));
  const open = { new: count - others - 2, triaged: others, in_progress: 1 };
  assert.deepEqual(await countByStatus(place), { ...before, ...open, accepted_risk: 1 });
  assert.equal(succeeded(await place.call('GET', `/decisions/${id}`)).findings, 0);
  assert.equal(succeeded(await place.call('GET', `/decisions/${older.id}`)).findings, others);
  const line = (await place.history(held.id)).at(-1)!;
  assert.equal(line.actor.id, place.owner.userId);
  assert.deepEqual(line.changes, [
    { field: 'status', from: 'accepted_risk', to: 'new' },
    { field: 'accepted_until', from: '2099-01-01T00:00:00Z', to: null },
    { field: 'decision', from: id, to: null },
    { field: 'decision_ended_because', from: null, to: 'withdrawn' },
  ]);
});
