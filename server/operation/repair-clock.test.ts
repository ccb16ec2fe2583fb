import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { type Application, startApplication } from '../../tests/harness/application.ts';
import { asAdmin } from '../../tests/harness/database.ts';
import { addDataSource, type Finding, readAll } from '../../tests/harness/finding-set.ts';
import { recordScan, succeeded } from '../../tests/harness/furnished.ts';
import { eventually } from '../../tests/harness/installation.ts';
import { createTenant, type Person } from '../../tests/harness/people.ts';
import { Random } from '../../tests/soak/layout.ts';
import { readChanges } from '../events/event-feeds.ts';
import { beginRepair, repairBatch } from '../findings/clock/repair-findings.ts';
import { detectionOf } from '../findings/findings.fixture.ts';
import { recordedTimes, repairOrganization } from './repair-clock.ts';

let app: Application;
before(async () => {
  app = await startApplication();
});
after(() => app.close());

const admin = (text: string, values: unknown[] = []) =>
  asAdmin(app.adminUrl, (client: pg.Client) => client.query(text, values));

type Ahead = Person & { dataSourceId: string; ids: string[]; times: string[] };
const perScan = 5;

const record = ({ orgId, dataSourceId }: Ahead, name: string) =>
  recordScan(
    app.database,
    orgId,
    dataSourceId,
    Array.from({ length: perScan }, (_, n) => detectionOf(`${name}-${n}`)),
    { close: false },
  );

/** Moves all times of an organization by an interval, as if another clock had written them. */
async function shift({ orgId }: Person, by: string): Promise<void> {
  const columns: Record<string, readonly string[]> = {
    ...recordedTimes,
    findings: ['updated_at', 'first_seen_at', 'last_seen_at', 'closed_at', 'reopened_at', 'due_at'],
    finding_history: ['at'],
  };
  for (const [table, names] of Object.entries(columns)) {
    const set = names.map((name) => `${name} = ${name} + $2::interval`).join(', ');
    await admin(`UPDATE ${table} SET ${set} WHERE ${table === 'organizations' ? 'id' : 'org_id'} = $1`, [orgId, by]);
  }
  // In two steps, since each day of an organization must be unique.
  for (const [far, near] of [
    [by, '1000 days'],
    ['0', '-1000 days'],
  ])
    await admin(`UPDATE finding_flows SET day = (day + $2::interval + $3::interval)::date WHERE org_id = $1`, [
      orgId,
      far,
      near,
    ]);
}

const patch = async ({ token }: Person, id: string, json: object) =>
  succeeded(await app.call(token, 'PATCH', `/findings/${id}`, { json }));

/**
 * Reads all findings in the order of their changes. Transactions in the databases of other tests hold this order back
 * until they end.
 */
async function readFeed(token: string): Promise<Finding[]> {
  const { length } = await readAll(app, token, '');
  return eventually(async () => {
    const findings = await readAll(app, token, 'sort=updated_at');
    return findings.length === length && findings;
  });
}

/** Creates an organization with recent findings, and others created while the clock was three days ahead. */
async function createAhead(): Promise<Ahead> {
  const owner = await createTenant(app.database);
  const dataSourceId = await addDataSource(app, owner.token, 'pipeline');
  const tenant: Ahead = { ...owner, dataSourceId, ids: [], times: [] };
  for (const name of ['a', 'b', 'c']) await record(tenant, name);
  // Simulates the clock being set forward: in the end, existing data is three days older.
  await shift(tenant, '-3 days');
  for (const name of ['d', 'e', 'f', 'g']) await record(tenant, name);
  const findings = await readFeed(owner.token);
  tenant.ids = findings.map(({ id }) => id);
  await patch(tenant, tenant.ids[16]!, { status: 'false_positive', comment: 'A fixture.' });
  await patch(tenant, tenant.ids[1]!, { tags: ['moved'] });
  await shift(tenant, '3 days');
  return tenant;
}

const soon = () => Date.now() + 61_000;
const timesOf = ({ updated_at, first_seen_at, last_seen_at, closed_at }: Finding): number[] =>
  [updated_at, first_seen_at, last_seen_at, closed_at].filter((time) => time !== null).map(Date.parse);

test('times in the future are moved back in order, and new changes have the current time again', async () => {
  const tenant = await createAhead();
  const { orgId, token } = tenant;
  const ahead = await readFeed(token);
  assert.ok(ahead.flatMap(timesOf).some((time) => time > soon()));
  const { findings, records } = await repairOrganization(app.database, orgId, 7);
  assert.equal(findings, 21);
  assert.ok(records > 0);
  const repaired = await readFeed(token);
  assert.deepEqual(
    repaired.map(({ id }) => id),
    ahead.map(({ id }) => id),
  );
  for (const finding of repaired) {
    assert.ok(
      timesOf(finding).every((time) => time < soon()),
      JSON.stringify(finding),
    );
    assert.ok(Date.parse(finding.first_seen_at) <= Date.parse(finding.updated_at));
  }
  assert.deepEqual(
    repaired.slice(0, 14).map(({ updated_at }) => updated_at),
    ahead.slice(0, 14).map(({ updated_at }) => updated_at),
    'times of the past stay',
  );
  const { updated_at } = await patch(tenant, repaired[0].id, { tags: ['now'] });
  assert.ok(Math.abs(Date.parse(updated_at) - Date.now()) < 60_000, updated_at);
  const again = await repairOrganization(app.database, orgId);
  assert.deepEqual([again.findings, again.records], [0, 0], 'a second run has nothing to do');
});

test('the history and comments of a finding keep their order, and a scan closes the findings that it misses', async () => {
  const tenant = await createAhead();
  const { orgId, token, ids } = tenant;
  const path = `/findings/${ids[16]}/timeline`;
  const read = async () => succeeded(await app.call(token, 'GET', path)).data;
  const before = await read();
  const daysBefore = await admin('SELECT sum(new) AS opened FROM finding_flows WHERE org_id = $1', [orgId]);
  await repairOrganization(app.database, orgId);
  const entries = await read();
  assert.deepEqual(
    entries.map(({ id }: { id: string }) => id),
    before.map(({ id }: { id: string }) => id),
  );
  const times = entries.map(({ at }: { at: string }) => Date.parse(at));
  assert.ok(
    times.every((time: number, n: number) => time < soon() && time >= (times[n - 1] ?? 0)),
    String(times),
  );
  const days = await admin(
    'SELECT sum(new) AS opened, max(day) <= current_date AS past FROM finding_flows WHERE org_id = $1',
    [orgId],
  );
  assert.deepEqual(days.rows, [{ ...daysBefore.rows[0], past: true }]);
  await recordScan(app.database, orgId, tenant.dataSourceId, [detectionOf('a-0')]);
  const open = await readAll(app, token, 'status=new');
  assert.deepEqual(
    open.map(({ title }) => title),
    ['Problem a-0'],
  );
});

/** A client that uses a cursor while there is one, and otherwise the time of the last finding that it received. */
class Client {
  readonly #tenant: Ahead;
  readonly limit: number;
  #query = '';
  #since = '';
  /** The time with which each version of a finding was received. */
  readonly received = new Map<string, string>();

  constructor(tenant: Ahead, limit: number) {
    this.#tenant = tenant;
    this.limit = limit;
  }

  async read(): Promise<boolean> {
    const path = `/findings?sort=updated_at&limit=${this.limit}${this.#query}`;
    const { data, next_cursor } = succeeded(await app.call(this.#tenant.token, 'GET', path));
    for (const { id, updated_at, tags } of data) {
      const version = `${id} ${tags}`;
      const seen = this.received.get(version);
      if (seen !== undefined)
        assert.ok(await this.#isOfSecond(id), `${version} came twice: ${seen}, ${updated_at}, ${path}`);
      this.received.set(version, updated_at);
    }
    this.#since = data.at(-1)?.updated_at ?? this.#since;
    this.#query =
      next_cursor === null
        ? this.#since && `&updated_from=${this.#since}`
        : `${from(this.#query)}&next_cursor=${next_cursor}`;
    return next_cursor !== null;
  }

  /** A list starts at a whole second: that of the time before the repair, or of the current one. */
  async #isOfSecond(id: string): Promise<boolean> {
    const { rows } = await admin(
      `SELECT CASE WHEN $2 > now() THEN COALESCE(t.was_at, f.updated_at) ELSE f.updated_at END >= $2 AS "isOfSecond"
       FROM findings f LEFT JOIN repaired_times t ON t.org_id = f.org_id AND t.is_at = f.updated_at WHERE f.id = $1`,
      [id, from(this.#query).replace('&updated_from=', '') || 'infinity'],
    );
    return rows[0]!.isOfSecond;
  }

  async finish(): Promise<void> {
    while (await this.read());
  }
}

const from = (query: string) => /&updated_from=[^&]+/.exec(query)?.[0] ?? '';

test('clients that follow changes miss none and get none twice while times are repaired and findings change', async () => {
  const seed = Number(process.env.ASSAY_TEST_SEED) || randomInt(1, 1_000_000);
  const random = new Random(seed);
  for (let round = 0; round < 2; round += 1) {
    const tenant = await createAhead();
    const clients = [2, 3, 4, 200].map((limit) => new Client(tenant, limit));
    for (const client of clients) for (let n = random.between(0, 9); n > 0; n -= 1) await client.read();
    let bounds = await beginRepair(app.database, tenant.orgId);
    for (let isDone = false; !isDone; ) {
      const turn = random.between(0, 9);
      if (turn < 4) isDone = (await repairBatch(app.database, tenant.orgId, bounds, 3)) < 3;
      else if (turn === 4) bounds = await beginRepair(app.database, tenant.orgId);
      else if (turn === 5) await patch(tenant, random.pick(tenant.ids), { tags: [`t${random.between(0, 1e9)}`] });
      else await random.pick(clients).read();
    }
    for (let n = 0; n < 3; n += 1)
      await patch(tenant, random.pick(tenant.ids), { tags: [`t${random.between(0, 1e9)}`] });
    const all = await readFeed(tenant.token);
    for (const client of clients) {
      const missing = () => all.filter(({ id, tags }) => !client.received.has(`${id} ${tags}`));
      await client.finish();
      for (let attempt = 0; attempt < 600 && missing().length > 0; attempt += 1) {
        await delay(100);
        await client.finish();
      }
      assert.deepEqual(missing(), [], `ASSAY_TEST_SEED=${seed}, round ${round}, pages of ${client.limit}`);
    }
  }
});

test('a cursor of another order that points into the future is refused after a repair, and not before', async () => {
  const { orgId, token, ids } = await createAhead();
  const read = (path: string) => app.call(token, 'GET', path);
  const lists = ['/findings?limit=3', '/findings?limit=3&sort=-severity', '/findings?limit=3&sort=-updated_at'];
  const pages = await Promise.all(lists.map(async (list) => succeeded(await read(list)).next_cursor));
  const due = succeeded(await read('/findings?limit=3&sort=due_at')).next_cursor;
  const next = (n: number) => read(`${lists[n]}&next_cursor=${pages[n]}`);
  for (const n of lists.keys()) assert.equal((await next(n)).status, 200);
  await repairOrganization(app.database, orgId);
  for (const n of lists.keys()) {
    const { status, body } = await next(n);
    assert.deepEqual([status, body.error.code], [400, 'invalid_cursor']);
    assert.match(body.error.message, /brought back.*Start again without it/);
  }
  assert.equal((await read(`/findings?limit=3&sort=due_at&next_cursor=${due}`)).status, 200);
  const walked = new Set((await readAll(app, token, '', 3)).map(({ id }) => id));
  assert.equal(walked.size, ids.length);
});

test('events after a position that the repair has passed are reported as missed, once', async () => {
  const tenant = await createAhead();
  const { position } = await readChanges(app.database, tenant.orgId, null);
  assert.equal((await readChanges(app.database, tenant.orgId, position)).isTorn, false);
  await repairOrganization(app.database, tenant.orgId);
  const torn = await readChanges(app.database, tenant.orgId, position);
  assert.equal(torn.isTorn, true);
  await patch(tenant, tenant.ids[0]!, { tags: ['later'] });
  const { isTorn, changes } = await readChanges(app.database, tenant.orgId, torn.position);
  assert.equal(isTorn, false);
  assert.deepEqual(
    changes.filter(({ type }) => type === 'findings').map(({ data }) => JSON.parse(data).changed),
    [1],
  );
});
