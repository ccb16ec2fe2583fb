import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { detectionOf } from '../server/findings/findings.fixture.ts';
import { startApplication } from './harness/application.ts';
import { addDataSource, type Finding } from './harness/finding-set.ts';
import { recordScan, succeeded } from './harness/furnished.ts';
import { createTenant, createTestMember } from './harness/people.ts';

const app = await startApplication();
after(() => app.close());
const owner = await createTenant(app.database, 'Conversation');
const member = await createTestMember(app.database, owner.orgId, 'analyst');
const dataSource = await addDataSource(app, owner.token, 'results');
let made = 0;

async function createFinding(): Promise<string> {
  const detection = detectionOf(`c${++made}`);
  await recordScan(app.database, owner.orgId, dataSource, [detection], { close: false });
  const { data } = succeeded(await app.call(owner.token, 'GET', `/findings?rule=${detection.rule.id}`));
  return data[0].id;
}

const change = async (id: string, json: object, token = owner.token) =>
  succeeded(await app.call(token, 'PATCH', `/findings/${id}`, { json }));
const comment = async (id: string, text: string, token = owner.token) =>
  succeeded(await app.call(token, 'POST', `/findings/${id}/comment`, { json: { comment: text } })).id;

async function readTimeline(id: string, limit: number): Promise<Finding[]> {
  const entries = [];
  let cursor = '';
  for (;;) {
    const page = succeeded(await app.call(member.token, 'GET', `/findings/${id}/timeline?limit=${limit}${cursor}`));
    entries.push(...page.data);
    if (page.next_cursor === null) return entries;
    cursor = `&next_cursor=${page.next_cursor}`;
  }
}

test('the timeline has every change and comment once, oldest first, whatever the length of the pages', async () => {
  const id = await createFinding();
  await comment(id, 'one');
  await change(id, { status: 'triaged', comment: 'two' }, member.token);
  await change(id, { tags: ['a'] });
  await comment(id, 'three', member.token);
  await change(id, { assignee: member.email });
  for (const limit of [1, 2, 3, 200]) {
    const entries = await readTimeline(id, limit);
    const shown = entries.map((entry) => entry.comment?.comment ?? entry.changes[0].field);
    assert.deepEqual(shown, ['status', 'one', 'status', 'two', 'tags', 'three', 'assignee'], `pages of ${limit}`);
    assert.equal(new Set(entries.map((entry) => entry.id)).size, entries.length);
    assert.deepEqual(
      entries.map((entry) => entry.actor.id),
      [entries[0].actor.id, owner.userId, member.userId, member.userId, owner.userId, member.userId, owner.userId],
    );
    assert.equal(entries[0].actor.kind, 'scan');
    const times = entries.map((entry) => entry.at);
    assert.deepEqual(times, [...times].sort());
  }
});

test('an author edits a comment, which then says so; nobody else can', async () => {
  const id = await createFinding();
  const path = `/findings/${id}/comment/${await comment(id, 'first thought')}`;
  const json = { comment: 'second thought' };
  const refused = await app.call(member.token, 'PATCH', path, { json });
  assert.equal(`${refused.status} ${refused.body.error.code}`, '403 forbidden');
  const edited = succeeded(await app.call(owner.token, 'PATCH', path, { json }));
  assert.equal(edited.comment, 'second thought');
  assert.match(edited.edited_at, /Z$/);
  const { data } = succeeded(await app.call(member.token, 'GET', `/findings/${id}/comment`));
  assert.deepEqual(data, [edited]);
  assert.deepEqual((await readTimeline(id, 50)).at(-1).comment, edited);
  assert.equal((await app.call(owner.token, 'PATCH', path, { json: { comment: ' ' } })).status, 400);
});

test('an author deletes a comment: its text is gone everywhere, its mark remains, and the finding counts as changed', async () => {
  const id = await createFinding();
  await comment(id, 'stays', member.token);
  const deleted = await comment(id, 'wrong secret text');
  const path = `/findings/${id}/comment/${deleted}`;
  const before = succeeded(await app.call(owner.token, 'GET', `/findings/${id}`));
  const refused = await app.call(member.token, 'DELETE', path);
  assert.equal(`${refused.status} ${refused.body.error.code}`, '403 forbidden');
  assert.equal((await app.call(owner.token, 'DELETE', path)).status, 204);
  const after = await app.call(owner.token, 'GET', `/findings/${id}`);
  assert.deepEqual([before.comment_count, after.body.comment_count], [2, 1]);
  const { data } = succeeded(await app.call(owner.token, 'GET', `/findings/${id}/comment`));
  assert.deepEqual(
    data.map((one: Finding) => [one.comment, one.deleted_at === null]),
    [
      ['stays', true],
      ['', false],
    ],
  );
  const timeline = await readTimeline(id, 50);
  assert.equal(timeline.at(-1).comment.id, deleted);
  assert.ok(!JSON.stringify(timeline).includes('secret text'));
  for (const method of ['PATCH', 'DELETE']) {
    const again = await app.call(owner.token, method, path, method === 'PATCH' ? { json: { comment: 'x' } } : {});
    assert.equal(again.status, 404);
  }
});

test('a comment can be accessed only below its own finding', async () => {
  const [one, other] = [await createFinding(), await createFinding()];
  const written = await comment(one, 'here');
  const path = `/findings/${other}/comment/${written}`;
  assert.equal((await app.call(owner.token, 'PATCH', path, { json: { comment: 'x' } })).status, 404);
  assert.equal((await app.call(owner.token, 'DELETE', path)).status, 404);
});

test('a comment may nest quotes and lists 50 levels deep, in any notation', async () => {
  const id = await createFinding();
  const deepest = `${'> '.repeat(50)}a\n\n${'>'.repeat(30)} ${'- '.repeat(20)}b`;
  const first = await comment(id, deepest);
  for (const opening of ['>', '> ', '- ', '1. ', '> - ', '\t>', '10) * ']) {
    const text = `fine\n${opening.repeat(51)}a`;
    const sent = { json: { comment: text } };
    for (const [method, path] of [
      ['POST', `/findings/${id}/comment`],
      ['PATCH', `/findings/${id}/comment/${first}`],
      ['PATCH', `/findings/${id}`],
    ] as const) {
      const { status, body } = await app.call(owner.token, method, path, sent);
      assert.equal(status, 400, `${method} ${opening}`);
      assert.match(body.error.message, /^comment: must not nest quotes and lists deeper than 50 levels/);
    }
    const bulk = { ids: [id], comment: text };
    assert.equal((await app.call(owner.token, 'PATCH', '/findings', { json: bulk })).status, 400);
  }
});
