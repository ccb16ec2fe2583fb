import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decisionTicks } from '../server/decisions/jobs.ts';
import { openStatuses, type Status, statuses } from '../server/findings/lifecycle.ts';
import { newId } from '../server/platform/id.ts';
import { readAll } from './harness/finding-set.ts';
import { succeeded } from './harness/furnished.ts';
import { createTestMember } from './harness/people.ts';
import {
  analyst,
  app,
  bulk,
  createFinding,
  createFindings,
  get,
  orgId,
  patch,
  patched,
  refused,
  stranger,
  token,
} from './triage.fixture.ts';

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

test('tags replace the previous ones, keep their case, and are merged if they differ only in case or white space', async () => {
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

test('a tag contains no comma, which separates the values of a filter', async () => {
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

test('an assignee is a member, by id or by email address in any case, or nobody', async () => {
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

test('If-Match allows a change only to the version that was read, and loses no concurrent change', async () => {
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

test('an update without changes leaves no trace', async () => {
  const id = await createFinding();
  const before = await app.call(token, 'GET', `/findings/${id}`);
  const same = await patch(id, { status: 'new', tags: [], assignee: null });
  assert.equal(same.status, 200);
  assert.equal(same.headers.etag, before.headers.etag);
  assert.equal((await get(`/findings/${id}/history`)).data.length, 1);
});

test('a finding whose risk is accepted until a time is new again afterwards', async () => {
  const id = await createFinding();
  const until = `${new Date(Date.now() + 3_600_000).toISOString().slice(0, 19)}Z`;
  const accepted = await patched(id, { status: 'accepted_risk', accepted_until: until });
  assert.deepEqual([accepted.status, accepted.accepted_until], ['accepted_risk', until]);
  await decisionTicks[0]!.run({ database: app.database });
  assert.equal((await get(`/findings/${id}`)).status, 'accepted_risk');
  await app.database.single(orgId, {
    text: `WITH decided AS (UPDATE decisions SET until = now() - interval '1 second' WHERE org_id = $1 AND finding_id = $2)
           UPDATE findings SET accepted_until = now() - interval '1 second' WHERE org_id = $1 AND id = $2`,
    values: [orgId, id],
  });
  await decisionTicks[0]!.run({ database: app.database });
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

test('a developer starts work on open findings and comments, and decides nothing', async () => {
  const developer = await createTestMember(app.database, orgId, 'developer');
  const id = await createFinding();
  const send = (json: object) => app.call(developer.token, 'PATCH', `/findings/${id}`, { json });
  const started = succeeded(await send({ status: 'in_progress', comment: 'Fixing it.' }));
  assert.deepEqual([started.status, started.comment_count], ['in_progress', 1]);
  for (const json of [
    { status: 'false_positive' },
    { status: 'resolved' },
    { status: 'new' },
    { status: 'in_progress', tags: ['mine'] },
    { assignee: developer.userId },
    { status: 'accepted_risk', accepted_until: null },
  ])
    assert.equal((await send(json)).body.error?.code, 'forbidden', JSON.stringify(json));
  const bulk = { ids: [id], status: 'in_progress' };
  assert.equal((await app.call(developer.token, 'PATCH', '/findings', { json: bulk })).status, 403);
  const path = `/findings/${id}/comment`;
  const comment = succeeded(await app.call(developer.token, 'POST', path, { json: { comment: 'Done on Monday.' } }));
  assert.equal((await app.call(developer.token, 'DELETE', `${path}/${comment.id}`)).status, 204);
  // An analyst's decision is not theirs to undo.
  await patched(id, { status: 'false_positive' });
  assert.equal((await send({ status: 'in_progress' })).body.error?.code, 'forbidden');
  assert.equal((await get(`/findings/${id}`)).status, 'false_positive');
  assert.equal((await send({ comment: 'Why?' })).status, 200);
});
