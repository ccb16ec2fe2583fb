import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { endAcceptances } from '../server/findings/close-findings.ts';
import { detectionOf } from '../server/findings/findings.fixture.ts';
import { openStatuses, type Status, statuses } from '../server/findings/lifecycle.ts';
import { newId } from '../server/platform/id.ts';
import { startApplication } from './harness/application.ts';
import { addDataSource, type Finding, readAll } from './harness/finding-set.ts';
import { recordScan, succeeded } from './harness/furnished.ts';
import { createTenant, createTestMember } from './harness/identity.ts';

const app = await startApplication();
after(() => app.close());
const owner = await createTenant(app.database, 'Triage');
const { token, orgId } = owner;
const analyst = await createTestMember(app.database, orgId, 'analyst');
const stranger = await createTenant(app.database, 'Strangers');

let places = 0;

/** Creates a data source with findings as after a first scan. */
async function createFindings(count: number): Promise<{ dataSourceId: string; scanId: string; ids: string[] }> {
  const dataSourceId = await addDataSource(app, token, `place ${++places}`);
  const detections = Array.from({ length: count }, (_, n) => detectionOf(`f${n}`));
  const scanId = await recordScan(app.database, orgId, dataSourceId, detections);
  const found = await readAll(app, token, `data_source=${dataSourceId}`);
  return { dataSourceId, scanId, ids: found.map((finding) => finding.id) };
}

const createFinding = async () => (await createFindings(1)).ids[0]!;
const get = async (path: string) => succeeded(await app.call(token, 'GET', path));
const patch = (id: string, json: object, headers = {}) =>
  app.call(token, 'PATCH', `/findings/${id}`, { json, headers });
const patched = async (id: string, json: object): Promise<Finding> => succeeded(await patch(id, json));
const bulk = (json: object) => app.call(token, 'PATCH', '/findings', { json });
const refused = async (id: string, json: object) => {
  const { status, body } = await patch(id, json);
  return `${status} ${body.error?.code} ${body.error?.details?.[0]?.field}`;
};

test('a person can change any status to any other, and closed_at is the time of closing', async () => {
  for (const from of statuses) {
    const { ids } = await createFindings(statuses.length);
    for (const [index, to] of statuses.entries()) {
      const id = ids[index]!;
      const before = await patched(id, { status: from });
      const after = await patched(id, { status: to });
      const isOpen = (status: Status) => openStatuses.includes(status);
      assert.equal(after.status, to);
      assert.equal(after.closed_at === null, isOpen(to), `${from} → ${to}`);
      if (!isOpen(from) && !isOpen(to)) assert.equal(after.closed_at, before.closed_at);
      assert.equal(after.resolution, null);
      assert.deepEqual(after, await get(`/findings/${id}`));
    }
  }
});

test('tags replace the previous ones, keep their case, and are merged where only case or white space differs', async () => {
  const id = await createFinding();
  const first = await patched(id, { tags: ['PCI', ' pci ', 'q3', 'Q3', 'Größe', 'größe', 'a b'] });
  assert.deepEqual(first.tags, ['PCI', 'q3', 'Größe', 'a b']);
  assert.deepEqual((await patched(id, { tags: ['x'.repeat(64)] })).tags, ['x'.repeat(64)]);
  const fifty = Array.from({ length: 50 }, (_, n) => `t${n}`);
  assert.deepEqual((await patched(id, { tags: fifty })).tags, fifty);
  assert.deepEqual((await patched(id, { tags: [] })).tags, []);
  assert.equal(await refused(id, { tags: [...fifty, 'one more'] }), '400 invalid_request tags');
  assert.match(await refused(id, { tags: ['x'.repeat(65)] }), /^400 invalid_request tags/);
  assert.match(await refused(id, { tags: [''] }), /^400 invalid_request tags/);
  assert.match(await refused(id, { tags: ['  '] }), /^400 invalid_request tags/);
  assert.match(await refused(id, { tags: 'pci' }), /^400 invalid_request tags/);
});

test('a tag has no comma, as that separates the values of a filter', async () => {
  const { ids } = await createFindings(1);
  const [id] = ids as [string];
  const single = await patch(id, { tags: ['ok', 'a,b'] });
  const many = await bulk({ ids, tags: ['a,b'] });
  for (const { status, body } of [single, many]) {
    assert.equal(status, 400);
    assert.match(body.error.details[0].field, /^tags\[[01]\]$/);
    assert.match(body.error.message, /comma/);
  }
});

test('a tag finds its finding in any Unicode normalization form', async () => {
  const id = await createFinding();
  await patched(id, { tags: ['Größe'.normalize('NFD')] });
  for (const form of ['NFC', 'NFD']) {
    const query = `tag=${encodeURIComponent('Größe'.normalize(form))}`;
    assert.ok(
      (await readAll(app, token, query)).some((finding) => finding.id === id),
      form,
    );
  }
});

test('an assignee is a member, by id or by e-mail address in any case, or nobody', async () => {
  const id = await createFinding();
  const name = analyst.email.split('@')[0];
  const expected = { id: analyst.userId, name, email: analyst.email };
  assert.deepEqual((await patched(id, { assignee: analyst.userId })).assignee, expected);
  assert.equal((await patched(id, { assignee: null })).assignee, null);
  assert.deepEqual((await patched(id, { assignee: analyst.email.toUpperCase() })).assignee, expected);
  for (const nobody of [stranger.userId, stranger.email, newId('usr'), 'none', 'me', 'nobody@example.com', '']) {
    assert.equal(await refused(id, { assignee: nobody }), '400 invalid_request assignee', nobody);
  }
  assert.deepEqual((await get(`/findings/${id}`)).assignee, expected);
});

test('an update happens completely or not at all', async () => {
  const id = await createFinding();
  const before = await get(`/findings/${id}`);
  const good = { status: 'triaged', tags: ['a'], comment: 'seen' };
  for (const bad of [{ assignee: stranger.userId }, { accepted_until: '2030-01-01T00:00:00Z' }, { comment: ' ' }]) {
    assert.equal((await patch(id, { ...good, ...bad })).status, 400);
  }
  assert.equal((await patch(id, good, { 'if-match': '"0.0"' })).status, 412);
  assert.deepEqual(await get(`/findings/${id}`), before);
  assert.deepEqual((await get(`/findings/${id}/comment`)).data, []);
  assert.equal((await get(`/findings/${id}/history`)).data.length, 1);
  const after = await patched(id, { ...good, assignee: analyst.email });
  assert.deepEqual(
    [after.status, after.tags, after.assignee.id, after.comment_count],
    ['triaged', ['a'], analyst.userId, 1],
  );
});

test('If-Match allows a change only to the version that was read, and loses no simultaneous change', async () => {
  const id = await createFinding();
  const read = await app.call(token, 'GET', `/findings/${id}`);
  const etag = String(read.headers.etag);
  assert.match(etag, /^"[^"]+"$/);
  const unchanged = await app.call(token, 'GET', `/findings/${id}`, { headers: { 'if-none-match': etag } });
  assert.deepEqual([unchanged.status, unchanged.text], [304, '']);
  const guarded = (tag: string, match: string) => patch(id, { tags: [tag] }, { 'if-match': match });
  const first = await guarded('one', etag);
  assert.equal(first.status, 200);
  assert.notEqual(first.headers.etag, etag);
  const late = await guarded('two', etag);
  assert.deepEqual([late.status, late.body.error.code], [412, 'precondition_failed']);
  assert.equal((await guarded('three', '*')).status, 200);
  assert.equal((await guarded('x', `W/${etag}`)).status, 412);
  assert.equal((await guarded('x', 'no tag')).status, 400);
  const now = String((await app.call(token, 'GET', `/findings/${id}`)).headers.etag);
  const rivals = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((tag) => guarded(tag, `"other", ${now}`)));
  assert.deepEqual(rivals.map((response) => response.status).sort(), [200, 412, 412, 412, 412]);
});

test('an update that changes nothing leaves no trace', async () => {
  const id = await createFinding();
  const before = await app.call(token, 'GET', `/findings/${id}`);
  const same = await patch(id, { status: 'new', tags: [], assignee: null });
  assert.equal(same.status, 200);
  assert.equal(same.headers.etag, before.headers.etag);
  assert.equal((await get(`/findings/${id}/history`)).data.length, 1);
});

test('a bulk update by ids changes each once, and one unknown id refuses all', async () => {
  const { ids } = await createFindings(20);
  const [one, two, ...rest] = ids as [string, string, ...string[]];
  assert.equal(succeeded(await bulk({ ids: [one, two, one], status: 'triaged', comment: 'both' })).updated, 2);
  assert.equal((await get(`/findings/${one}`)).comment_count, 1);
  assert.equal(succeeded(await bulk({ ids, status: 'triaged' })).updated, 18);
  const foreign = (await createForeignFinding()).id;
  const close = (id: string) => bulk({ ids: [...rest, id], status: 'false_positive', tags: ['x'], comment: 'x' });
  for (const unknown of [newId('fnd'), foreign]) {
    const response = await close(unknown);
    assert.deepEqual([response.status, response.body.error.code], [404, 'not_found']);
  }
  for (const shapeless of ['nothing', newId('ds')]) {
    const response = await close(shapeless);
    assert.deepEqual([response.status, response.body.error.details[0].field], [400, `ids[${rest.length}]`]);
  }
  for (const id of ids) {
    const { status, tags } = await get(`/findings/${id}`);
    assert.deepEqual([status, tags], ['triaged', []]);
  }
  assert.deepEqual((await app.call(stranger.token, 'GET', `/findings/${foreign}`)).body.status, 'new');
});

async function createForeignFinding(): Promise<Finding> {
  const dataSourceId = await addDataSource(app, stranger.token, `foreign ${++places}`);
  await recordScan(app.database, stranger.orgId, dataSourceId, [detectionOf('foreign')]);
  return (await readAll(app, stranger.token, `data_source=${dataSourceId}`))[0];
}

test('a bulk update accepts a thousand ids, and refuses more or an incomplete request', async () => {
  const { ids } = await createFindings(1_000);
  assert.equal(succeeded(await bulk({ ids, assignee: analyst.email, tags: ['many'] })).updated, 1_000);
  assert.equal((await readAll(app, token, 'tag=many')).length, 1_000);
  const refusals: Array<[object, RegExp]> = [
    [{ ids: [...ids, newId('fnd')], status: 'new' }, /ids/],
    [{ ids: [], status: 'new' }, /ids/],
    [{ ids: ids.slice(0, 2) }, /status/],
    [{ status: 'new' }, /ids/],
    [{ ids: ids.slice(0, 2), filter: { status: ['new'] }, tags: [] }, /ids/],
    [{ filter: {}, tags: [] }, /filter/],
    [{ filter: { severty: ['high'] }, tags: [] }, /severty/],
    [{ filter: { severity: ['hgih'] }, tags: [] }, /severity/],
    [{ filter: { from: '2026-03-02T00:00:00Z', to: '2026-03-01T00:00:00Z' }, tags: [] }, /from/],
    [{ filter: { from: 'yesterday' }, tags: [] }, /from/],
    [{ filter: { status: 'new' }, tags: [] }, /status/],
  ];
  for (const [json, named] of refusals) {
    const { status, body } = await bulk(json);
    assert.equal(status, 400, JSON.stringify(json).slice(0, 100));
    assert.match(body.error.message, named);
  }
});

test('a bulk update by filter changes the findings of the list with that filter, and nothing else', async () => {
  const { dataSourceId, ids } = await createFindings(30);
  await bulk({ ids: ids.slice(0, 10), status: 'accepted_risk' });
  const filter = { data_source: [dataSourceId], status: ['accepted_risk', 'resolved'], q: 'problem' };
  assert.equal(succeeded(await bulk({ filter, status: 'in_progress', tags: ['mine'] })).updated, 10);
  const after = await readAll(app, token, `data_source=${dataSourceId}`);
  for (const finding of after) {
    const chosen = ids.slice(0, 10).includes(finding.id);
    assert.deepEqual([finding.status, finding.tags], chosen ? ['in_progress', ['mine']] : ['new', []]);
  }
  const none = { filter: { data_source: [newId('ds')] }, status: 'resolved' };
  assert.equal(succeeded(await bulk(none)).updated, 0);
});

test('comments are returned oldest first, whole, page by page, with their authors', async () => {
  const id = await createFinding();
  const texts = [
    'first',
    'ünïcödé 🔑\n\nline',
    `${'x'.repeat(9_999)}y`,
    '<b>&</b>',
    ...Array.from({ length: 6 }, (_, n) => `c${n}`),
  ];
  for (const [index, comment] of texts.entries()) {
    const caller = index % 2 === 0 ? owner : analyst;
    const response = await app.call(caller.token, 'POST', `/findings/${id}/comment`, { json: { comment } });
    assert.equal(response.status, 201);
    const { created_at, id: commentId, ...rest } = response.body;
    assert.match(commentId, /^cmt_/);
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const author = { id: caller.userId, name: caller.email.split('@')[0] };
    assert.deepEqual(rest, { finding_id: id, comment, author, edited_at: null, deleted_at: null });
  }
  const read: string[] = [];
  for (let query = 'limit=3'; query !== ''; ) {
    const page = await get(`/findings/${id}/comment?${query}`);
    read.push(...page.data.map((one: { comment: string }) => one.comment));
    query = page.next_cursor ? `limit=3&next_cursor=${page.next_cursor}` : '';
  }
  assert.deepEqual(read, texts);
  assert.equal((await get(`/findings/${id}`)).comment_count, texts.length);
  for (const comment of ['', ' \n', 'x'.repeat(10_001), null, 1]) {
    const response = await app.call(token, 'POST', `/findings/${id}/comment`, { json: { comment } });
    assert.deepEqual([response.status, response.body.error.details[0].field], [400, 'comment']);
  }
});

test('10,000 characters are characters, not units of an encoding', async () => {
  const id = await createFinding();
  const comment = '🔑'.repeat(10_000);
  const response = await app.call(token, 'POST', `/findings/${id}/comment`, { json: { comment } });
  assert.equal(response.status, 201);
  assert.equal(response.body.comment, comment);
  assert.deepEqual((await patched(id, { tags: ['🔑'.repeat(64)] })).tags, ['🔑'.repeat(64)]);
});

type Entry = {
  id: string;
  at: string;
  actor: { kind: string; id: string | null };
  changes: Array<{ field: string; from: unknown; to: unknown }>;
};

test('the history has every change: by which person or scan, when, from what to what', async () => {
  const { dataSourceId, scanId, ids } = await createFindings(1);
  const id = ids[0]!;
  await patched(id, { status: 'triaged', tags: ['a'], comment: 'why' });
  succeeded(await app.call(analyst.token, 'PATCH', `/findings/${id}`, { json: { assignee: analyst.userId } }));
  const gone = await recordScan(app.database, orgId, dataSourceId, []);
  const again = await recordScan(app.database, orgId, dataSourceId, [detectionOf('f0', { severity: 'low' })]);
  const entries: Entry[] = [];
  for (let query = 'limit=2'; query !== ''; ) {
    const page = await get(`/findings/${id}/history?${query}`);
    entries.push(...page.data);
    query = page.next_cursor ? `limit=2&next_cursor=${page.next_cursor}` : '';
  }
  for (const entry of entries) assert.match(entry.id, /^his_[0-9a-z]{26}$/);
  const changes = entries.map(({ actor, changes }) => [
    actor.kind,
    actor.id,
    Object.fromEntries(changes.map(({ field, from, to }) => [field, [from, to]])),
  ]);
  assert.deepEqual(changes, [
    ['scan', scanId, { status: [null, 'new'] }],
    ['user', owner.userId, { status: ['new', 'triaged'], tags: [[], ['a']] }],
    ['user', analyst.userId, { assignee: [null, analyst.userId] }],
    ['scan', gone, { status: ['triaged', 'resolved'], resolution: [null, 'fixed'] }],
    ['scan', again, { status: ['resolved', 'new'], resolution: ['fixed', null], severity: ['high', 'low'] }],
  ]);
  const finding = await get(`/findings/${id}`);
  assert.deepEqual([finding.reopened_count, finding.severity, finding.tags], [1, 'low', ['a']]);
  assert.equal(finding.first_seen_at, entries[0]!.at);
  assert.ok(entries.every((entry, index) => index === 0 || entry.at >= entries[index - 1]!.at));
});

test('a finding whose risk is accepted until a time is new again from then on', async () => {
  const id = await createFinding();
  const until = `${new Date(Date.now() + 3_600_000).toISOString().slice(0, 19)}Z`;
  const accepted = await patched(id, { status: 'accepted_risk', accepted_until: until });
  assert.deepEqual([accepted.status, accepted.accepted_until], ['accepted_risk', until]);
  await app.database.transaction(orgId, (tx) => endAcceptances(tx, orgId));
  assert.equal((await get(`/findings/${id}`)).status, 'accepted_risk');
  await app.database.single(orgId, {
    text: `UPDATE findings SET accepted_until = now() - interval '1 second' WHERE org_id = $1 AND id = $2`,
    values: [orgId, id],
  });
  await app.database.transaction(orgId, (tx) => endAcceptances(tx, orgId));
  const ended = await get(`/findings/${id}`);
  assert.deepEqual([ended.status, ended.accepted_until, ended.closed_at], ['new', null, null]);
  const last = (await get(`/findings/${id}/history`)).data.at(-1);
  assert.deepEqual([last.actor.kind, last.changes[0].to], ['system', 'new']);
  for (const wrong of ['2020-01-01T00:00:00Z', 'soon', '2030-13-01T00:00:00Z']) {
    const json = { status: 'accepted_risk', accepted_until: wrong };
    assert.equal(await refused(id, json), '400 invalid_request accepted_until');
  }
  assert.equal(await refused(id, { accepted_until: until }), '400 invalid_request accepted_until');
});

test('a finding has all its places, at most a hundred, and their number', async () => {
  const dataSourceId = await addDataSource(app, token, 'many places');
  const place = (n: number) => ({ path: `p${n}.ts`, start_line: n + 1, end_line: n + 1, commit: null });
  const placesOf = (count: number) => ({
    places: Array.from({ length: count }, (_, n) => place(n)),
    occurrences: count,
  });
  await recordScan(app.database, orgId, dataSourceId, [
    detectionOf('one', placesOf(1)),
    detectionOf('some', placesOf(3)),
    detectionOf('many', placesOf(250)),
  ]);
  const figures: Record<string, number[]> = {};
  for (const { id, title } of await readAll(app, token, `data_source=${dataSourceId}`)) {
    const finding = await get(`/findings/${id}`);
    figures[title] = [finding.places.length, finding.occurrences];
    assert.deepEqual(Object.keys(finding.places[0]), ['path', 'start_line', 'end_line', 'commit']);
  }
  assert.deepEqual(figures, { 'Problem one': [1, 1], 'Problem some': [3, 3], 'Problem many': [100, 250] });
});

test('the daily series counts what opened and closed today', async () => {
  const { dataSourceId, ids } = await createFindings(5);
  const today = async () => {
    const { daily } = await get(`/findings/summary?data_source=${dataSourceId}&days=2`);
    assert.equal(daily.length, 2);
    return [daily[1].opened, daily[1].closed];
  };
  assert.deepEqual(await today(), [5, 0]);
  await bulk({ ids: ids.slice(0, 3), status: 'false_positive' });
  assert.deepEqual(await today(), [5, 3]);
  await patched(ids[0]!, { status: 'new' });
  assert.deepEqual(await today(), [6, 3]);
  await patched(ids[1]!, { status: 'resolved' });
  assert.deepEqual(await today(), [6, 3]);
});

test('many simultaneous decisions on the same findings leave every figure right', async () => {
  const { dataSourceId, ids } = await createFindings(12);
  const work = Array.from({ length: 60 }, (_, n) => {
    const status = statuses[n % statuses.length]!;
    const some = ids.filter((_, index) => (index + n) % 3 === 0);
    if (n % 4 === 0) return bulk({ ids: n % 8 === 0 ? some : some.toReversed(), status, tags: [`t${n}`] });
    if (n % 4 === 1)
      return recordScan(
        app.database,
        orgId,
        dataSourceId,
        ids.slice(0, n % 12).map((_, k) => detectionOf(`f${k}`)),
      );
    return patch(ids[n % ids.length]!, { status, comment: `c${n}` });
  });
  for (const response of await Promise.all(work))
    if (typeof response === 'object') assert.equal(response.status, 200, response.text);
  const list = await readAll(app, token, `data_source=${dataSourceId}`);
  const summary = await get(`/findings/summary?data_source=${dataSourceId}`);
  for (const status of statuses) {
    assert.equal(summary.by_status[status], list.filter((finding) => finding.status === status).length, status);
  }
  assert.equal(
    list.reduce((sum, finding) => sum + finding.comment_count, 0),
    30,
  );
});
