import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toBody, toggle, toParameters } from './filters.ts';
import { parseText, writeText } from './text.ts';

test('what is typed becomes filters: lists, exclusions, short names, me, and words', () => {
  assert.deepEqual(parseText('severity:critical,high -tag:test rule:x me CVE-2026-1 words'), {
    severity: 'critical,high',
    tag: '-test',
    rule: 'x',
    assignee: 'me',
    q: 'CVE-2026-1 words',
  });
  assert.deepEqual(parseText('sev:low repo:"a b" is:-new'), { severity: 'low', data_source: 'a b', status: '-new' });
});

test('a filter without a value yet, or with an unknown name, is not lost or misread', () => {
  assert.deepEqual(parseText('severity: log'), { q: 'log' });
  assert.deepEqual(parseText('http://host:8080'), { q: 'http://host:8080' });
});

test('filters are written as text that reads back the same', () => {
  for (const filters of [
    { severity: 'critical,-info', q: 'two words' },
    { assignee: 'me', age: '7d' },
    { rule: 'with space,other', path: 'src/*' },
    { assignee: 'me,-none' },
    {},
  ]) {
    assert.deepEqual(parseText(writeText(filters)), filters);
  }
});

test('a value is added, turned into its opposite, and removed', () => {
  const one = toggle({}, 'tag', 'test');
  assert.deepEqual(one, { tag: 'test' });
  const excluded = toggle(one, 'tag', 'test', true);
  assert.deepEqual(excluded, { tag: '-test' });
  assert.deepEqual(toggle(excluded, 'tag', 'test', true), {});
});

test('an age becomes times, to the minute', () => {
  const now = Date.UTC(2026, 0, 31, 12, 30, 45);
  assert.deepEqual(toParameters({ age: '7d', q: 'x' }, now), { from: '2026-01-24T12:30:00Z', q: 'x' });
  assert.deepEqual(toParameters({ age: '30d+' }, now), { to: '2026-01-01T12:30:00Z' });
});

test('in a body lists are arrays, yes or no is a boolean, and limits are numbers', () => {
  const now = Date.UTC(2026, 0, 31, 12, 30, 45);
  assert.deepEqual(toBody({ status: 'new,-resolved', reopened: 'true', age: '7d', q: 'x' }, now), {
    status: ['new', '-resolved'],
    reopened: true,
    from: '2026-01-24T12:30:00Z',
    q: 'x',
  });
  assert.deepEqual(toBody({ reopened: 'false' }, now), { reopened: false });
  assert.deepEqual(toBody({ overdue: 'true', kev: 'true', epss_min: '0.1', due_to: 'soon' }, now), {
    overdue: true,
    kev: true,
    epss_min: 0.1,
    due_to: '2026-02-07T12:30:45Z',
  });
});
