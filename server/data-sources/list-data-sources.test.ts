import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { recordEndedScan } from '../../tests/harness/furnished.ts';
import { call } from '../../tests/harness/identity.ts';
import { createTenant, type Person } from '../../tests/harness/people.ts';
import { database, node, post } from './data-sources.fixture.ts';

let owner: Person;

before(async () => {
  owner = await createTenant(database);
  const repository = (name: string) => ({
    kind: 'git_repository',
    name,
    config: { url: `https://git.example.com/${name}.git` },
  });
  for (const source of [
    repository('payments'),
    { kind: 'upload', name: 'Zeta pipeline' },
    { kind: 'website', name: 'Shop', config: { url: 'https://shop.example.org/Payments' } },
    { kind: 'upload', name: 'alpha 100%' },
    { kind: 'upload', name: 'Ärger' },
  ]) {
    const { status, body } = await post(source, owner.token);
    assert.equal(status, 201, JSON.stringify(body));
  }
  const scanned = async (name: string, status: 'failed' | 'completed', at: string) => {
    const statement = (text: string, ...values: string[]) =>
      database.single<{ id: string }>(owner.orgId, { text, values: [owner.orgId, ...values] });
    const [found] = await statement('SELECT id FROM data_sources WHERE org_id = $1 AND name = $2', name);
    await recordEndedScan(database, owner.orgId, found!.id, { status });
    await statement('UPDATE data_sources SET last_scanned_at = $3 WHERE org_id = $1 AND id = $2', found!.id, at);
  };
  await scanned('payments', 'failed', '2026-01-02T00:00:00.000001Z');
  await scanned('Shop', 'completed', '2026-01-02T00:00:00.000002Z');
});

/** Returns the names of all data sources of the list, read in pages of one. */
async function names(query: Record<string, string>, person = owner, limit = '1'): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const parameters = new URLSearchParams({ ...query, limit, ...(cursor && { next_cursor: cursor }) });
    const { status, body } = await call(node, person.token, 'GET', `/data-sources?${parameters}`);
    assert.equal(status, 200, JSON.stringify(body));
    found.push(...body.data.map((row: { name: string }) => row.name));
    cursor = body.next_cursor;
  }
  return found;
}

test('data sources are found by a part of their name or address, ignoring case, without patterns', async () => {
  assert.deepEqual(await names({ q: 'PAYMENTS' }), ['Shop', 'payments']);
  assert.deepEqual(await names({ q: 'https://git.example.com' }), ['payments']);
  assert.deepEqual(await names({ q: '0%' }), ['alpha 100%']);
  assert.deepEqual(await names({ q: '%' }), ['alpha 100%']);
  assert.deepEqual(await names({ q: 'Ärg' }), ['Ärger']);
});

test('data sources are filtered by kind and status', async () => {
  assert.deepEqual(await names({ kind: 'website,git_repository' }), ['Shop', 'payments']);
  assert.deepEqual(await names({ status: 'failed,partial' }), ['payments']);
  assert.deepEqual(await names({ status: 'never_scanned', kind: 'upload', q: 'a' }), ['alpha 100%', 'Zeta pipeline']);
  const wrong = await call(node, owner.token, 'GET', '/data-sources?kind=nonsense');
  assert.equal(wrong.body.error.code, 'invalid_request');
});

test('data sources are sorted by name, creation, last scan, status and open findings, in both directions, across pages', async () => {
  const byName = ['alpha 100%', 'payments', 'Shop', 'Zeta pipeline', 'Ärger'];
  assert.deepEqual(await names({ sort: 'name' }), byName);
  assert.deepEqual(await names({ sort: '-name' }), byName.toReversed());
  const byAge = ['payments', 'Zeta pipeline', 'Shop', 'alpha 100%', 'Ärger'];
  assert.deepEqual(await names({ sort: 'created_at' }), byAge);
  assert.deepEqual(await names({}), byAge.toReversed());
  const byScan = ['Zeta pipeline', 'alpha 100%', 'Ärger', 'payments', 'Shop'];
  assert.deepEqual(await names({ sort: 'last_scanned_at' }), byScan);
  assert.deepEqual(await names({ sort: '-last_scanned_at' }), byScan.toReversed());
  const byStatus = ['payments', 'Zeta pipeline', 'alpha 100%', 'Ärger', 'Shop'];
  assert.deepEqual(await names({ sort: 'status' }), byStatus);
  assert.deepEqual(await names({ sort: '-status' }), byStatus.toReversed());
  const counted = await database.single<{ id: string }>(owner.orgId, {
    text: `INSERT INTO finding_counts (org_id, data_source_id, source, severity, status, count)
           SELECT org_id, id, 'code', 2, 'new', CASE name WHEN 'Shop' THEN 12 ELSE 3 END FROM data_sources
           WHERE org_id = $1 AND name IN ('Shop', 'alpha 100%') RETURNING data_source_id AS id`,
    values: [owner.orgId],
  });
  assert.equal(counted.length, 2);
  const byOpen = ['payments', 'Zeta pipeline', 'Ärger', 'alpha 100%', 'Shop'];
  assert.deepEqual(await names({ sort: 'open_findings' }), byOpen);
  assert.deepEqual(await names({ sort: '-open_findings' }), byOpen.toReversed());
});

test('a cursor belongs to its filters and its sort, and another organization finds nothing', async () => {
  const { body } = await call(node, owner.token, 'GET', '/data-sources?sort=name&limit=1');
  for (const query of ['sort=-name', 'sort=name&kind=upload']) {
    const refused = await call(node, owner.token, 'GET', `/data-sources?${query}&next_cursor=${body.next_cursor}`);
    assert.equal(refused.body.error.code, 'invalid_cursor');
  }
  assert.deepEqual(await names({ q: 'a', sort: 'name' }, await createTenant(database)), []);
});
