import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { etagOf, expectedTags, isNotModified, requireMatch } from './etag.ts';

const withHeaders = (headers: Record<string, string>) => ({ headers }) as unknown as FastifyRequest;
const ifMatch = (value: string) => withHeaders({ 'if-match': value });

test('If-Match accepts a list and `*`, and matches no weak tags', () => {
  assert.equal(expectedTags(withHeaders({})), null);
  assert.equal(expectedTags(ifMatch('*')), '*');
  assert.deepEqual(expectedTags(ifMatch('"1", "a,b" ,W/"3"')), ['1', 'a,b']);
  assert.deepEqual(expectedTags(ifMatch('W/"1"')), []);
});

test('a malformed If-Match is 400, not ignored', () => {
  for (const value of ['', '1', '"1', '"1" "2"', '"1",,x', 'w/"1"', '"a"b']) {
    assert.throws(() => expectedTags(ifMatch(value)), /If-Match: must be/, value);
  }
});

test('an unexpected version is 412', () => {
  requireMatch(withHeaders({}), 7);
  requireMatch(ifMatch('*'), 7);
  requireMatch(ifMatch(`"6", ${etagOf(7)}`), 7);
  assert.throws(() => requireMatch(ifMatch('"6"'), 7), { code: 'precondition_failed' });
  assert.throws(() => requireMatch(ifMatch('W/"7"'), 7), { code: 'precondition_failed' });
});

test('If-None-Match compares weakly', () => {
  const request = (value: string) => withHeaders({ 'if-none-match': value });
  assert.ok(isNotModified(request('W/"7"'), etagOf(7)));
  assert.ok(isNotModified(request('"6","7"'), etagOf(7)));
  assert.ok(isNotModified(request('*'), etagOf(7)));
  assert.ok(!isNotModified(request('"6"'), etagOf(7)));
  assert.ok(!isNotModified(withHeaders({}), etagOf(7)));
});
