import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstRequests } from './first-requests.ts';

const pathsOf = (requests: string[]) => requests.map((request) => request.split('?')[0]);

test('a page for people without a session requests nothing before its scripts have loaded', () => {
  assert.deepEqual(firstRequests('/sign-in', {}), { first: [], next: [] });
});

test('the list is requested at once with its filters and order, and its counts after it has arrived', () => {
  const { first, next } = firstRequests('/findings', { severity: 'critical,-info', sort: '-priority', open: 'fnd_1' });
  assert.deepEqual(pathsOf(first), [
    '/api/v1/profile',
    '/api/v1/profile/preferences',
    '/api/v1/findings',
    '/api/v1/findings/fnd_1',
  ]);
  const list = new URLSearchParams(first[2]!.split('?')[1]);
  assert.deepEqual([list.get('severity'), list.get('sort'), list.get('limit')], ['critical,-info', '-priority', '200']);
  assert.deepEqual(pathsOf(next), ['/api/v1/findings/facets']);
});

test('relative hours and groups leave the request to the page; days do not', () => {
  const { first, next } = firstRequests('/findings', { from: '-24h' });
  assert.deepEqual(pathsOf([...first, ...next]), ['/api/v1/profile', '/api/v1/profile/preferences']);
  const grouped = firstRequests('/findings', { group: 'rule' });
  assert.equal(grouped.first.length, 2);
  assert.equal(grouped.next.length, 1);
  const due = new URLSearchParams(firstRequests('/findings', { due_to: '7d' }).first[2]!.split('?')[1]).get('due_to')!;
  assert.ok(Date.parse(due) > Date.now() + 6 * 86_400_000, due);
});

test('text in an address stays within its parameter or segment', () => {
  const { first } = firstRequests('/findings', { q: 'a&limit=1#', open: '../tokens?x' });
  assert.equal(new URLSearchParams(first[2]!.split('?')[1]).get('q'), 'a&limit=1#');
  assert.equal(first[3], '/api/v1/findings/..%2Ftokens%3Fx');
});
