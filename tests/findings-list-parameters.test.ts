import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../server/platform/id.ts';
import { all, app, owner, refusal, set } from './findings-lists.fixture.ts';

test("contradictory bounds, unknown values and invalid times are 400 with the parameter's name", async () => {
  const day = '2026-03-01T00:00:00Z';
  assert.equal(await refusal(`from=2026-03-01T00:00:01Z&to=${day}`), '400 invalid_request from');
  for (const time of ['2026-03-01', '2026-03-01T00:00:00', '2026-02-30T00:00:00Z', '1772323200', '']) {
    for (const name of ['from', 'to', 'updated_from', 'updated_to', 'accepted_until_to']) {
      assert.equal(await refusal(`${name}=${time}`), `400 invalid_request ${name}`);
    }
  }
  assert.equal(await refusal(`from=${day}&from=${day}`), '400 invalid_request from');
  assert.equal(
    await refusal(`updated_from=2026-03-01T00:00:01Z&updated_to=${day}`),
    '400 invalid_request updated_from',
  );
  for (const name of [
    'tag',
    'rule',
    'path',
    'package',
    'identifier',
    'assignee',
    'source',
    'data_source',
    'owner',
    'data_source_tag',
  ])
    assert.equal(await refusal(`${name}=x,-`), `400 invalid_request ${name}`);
  for (const path of ['*', '**', '*ecret*', '/', '?'])
    assert.equal(await refusal(`path=${path}`), '400 invalid_request path');
  assert.equal((await set.list('path=-*ecret*')).length, all.length);
  assert.equal(await refusal('reopened=yes'), '400 invalid_request reopened');
  assert.match(await refusal('severity=high,hgih'), /^400 invalid_request severity/);
  assert.match(await refusal('status=open'), /^400 invalid_request status/);
  assert.match(await refusal('severity='), /^400 invalid_request severity/);
  assert.equal(await refusal('sort=severity'), '400 invalid_request sort');
  assert.equal(await refusal('sort=-first_seen_at&sort=-severity'), '400 invalid_request sort');
});

test('a time is the same in every notation of RFC 3339, also for a cursor', async () => {
  const wanted = await set.list('from=2026-03-01T00:00:00Z');
  const spellings = [
    '2026-03-01t00:00:00z',
    '2026-03-01T00:00:00.750Z',
    '2026-03-01T05:30:00%2B05:30',
    '2026-03-01T05:30:00+05:30',
  ];
  for (const from of spellings) assert.deepEqual(await set.list(`from=${from}`), wanted);
  const read = (query: string) => app.call(owner.token, 'GET', `/findings?limit=1&${query}`);
  const { body } = await read('from=2026-02-01T00:00:00Z');
  const next = await read(`from=2026-02-01T01:00:00%2B01:00&next_cursor=${body.next_cursor}`);
  assert.equal(next.status, 200);
});

test('anything but a cursor of the list is invalid_cursor', async () => {
  for (const cursor of ['', 'x', 'x'.repeat(5000), '%20']) {
    assert.equal(await refusal(`next_cursor=${cursor}`), '400 invalid_cursor next_cursor');
  }
});

test('repeated values count against the limit of a filter', async () => {
  const repeated = Array.from({ length: 101 }, () => 'severity=high');
  assert.equal(await refusal(repeated.join('&')), '400 invalid_request severity');
  assert.equal((await app.call(owner.token, 'GET', `/findings?${repeated.slice(1).join('&')}`)).status, 200);
});

test('years far away are valid bounds', async () => {
  assert.deepEqual(await set.list('to=0000-01-01T00:00:00Z'), []);
  assert.deepEqual(await set.list('from=9999-12-31T23:59:59Z'), []);
  assert.equal((await set.list('from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59Z')).length, all.length);
});

test('an unknown source, data source, rule, tag or assignee is an empty page', async () => {
  const none = [
    'source=nmap',
    'data_source=ds_nothing',
    `data_source=${newId('ds')}`,
    'data_source=x',
    'rule=%25',
    'tag=x',
  ];
  for (const query of [
    ...none,
    'assignee=nobody',
    'assignee=nobody@example.com',
    'assignee=@',
    'owner=@',
    'data_source_tag=x',
  ]) {
    const { status, body } = await app.call(owner.token, 'GET', `/findings?${query}`);
    assert.deepEqual([status, body], [200, { data: [], next_cursor: null }], query);
  }
});

// Last, since it changes a finding.
test('a value that begins with - is found behind a backslash, and excluded behind another -', async () => {
  const [{ id, tags: before }] = await set.list('', 1);
  const change = (json: object) => app.call(owner.token, 'PATCH', `/findings/${id}`, { json });
  assert.equal((await change({ tags: [...before, '-odd'] })).status, 200);
  assert.deepEqual(
    (await set.list('tag=%5C-odd')).map((finding) => finding.id),
    [id],
  );
  assert.equal((await set.list('tag=--odd')).length, all.length - 1);
  assert.equal((await set.list('tag=-odd')).length, all.length);
  assert.equal((await change({ tags: before })).status, 200);
});
