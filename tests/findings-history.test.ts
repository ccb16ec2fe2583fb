import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectionOf } from '../server/findings/findings.fixture.ts';
import { addDataSource, readAll } from './harness/finding-set.ts';
import { recordScan, succeeded } from './harness/furnished.ts';
import { analyst, app, createFinding, createFindings, get, orgId, owner, patched, token } from './triage.fixture.ts';

test('comments are returned oldest first, complete, page by page, with their authors', async () => {
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
