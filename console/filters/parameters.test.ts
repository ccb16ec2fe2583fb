import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readChoices, toggle, writeChoices } from './filters.ts';
import { filtersAt, fromBody, readFilters, toBody } from './parameters.ts';
import { fields, filterRows } from './table.ts';

process.env.TZ = 'Europe/Berlin';
// The module's time formats use the time zone at the time of import.
const { describeFilters, sayFilters } = await import('./describe.ts');

const names: Record<string, string> = { ds_1: 'payments-api' };
const say = (filters: Record<string, string>) =>
  describeFilters(filters, (_, value) => names[value] ?? null).map(({ text }) => text);

test('every filter of the API can be typed and parsed from a URL', () => {
  const typed = new Set(
    fields.flatMap((field) => ('filter' in field ? [field.filter] : [field.from, field.to])).concat('q'),
  );
  assert.deepEqual(
    filterRows.map(({ name }) => name).filter((name) => !typed.has(name)),
    [],
  );
  const search = Object.fromEntries(filterRows.map(({ name }) => [name, '1']));
  assert.deepEqual(
    readFilters({ ...search, open: 'fnd_1', tag: '' }),
    Object.fromEntries(Object.entries(search).filter(([name]) => name !== 'tag')),
  );
});

test('no word means two filters', () => {
  const words = fields.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  assert.deepEqual(words, [...new Set(words)]);
});

test('a value is added, turned into its opposite, and removed', () => {
  const one = toggle({}, 'tag', 'test');
  assert.deepEqual(one, { tag: 'test' });
  const excluded = toggle(one, 'tag', 'test', true);
  assert.deepEqual(excluded, { tag: '-test' });
  assert.deepEqual(toggle(excluded, 'tag', 'test', true), {});
});

test('a value that starts with a hyphen is not mistaken for an excluded one', () => {
  const choices = [
    { value: '-x', excluded: false },
    { value: '-y', excluded: true },
  ];
  assert.equal(writeChoices(choices), '\\-x,--y');
  assert.deepEqual(readChoices('\\-x,--y'), choices);
});

test('relative times become absolute: days in the time zone of the person, hours exactly', () => {
  // Half past midnight in Berlin, where it is already the next day; the clocks go back on 25 October.
  const now = Date.UTC(2026, 9, 30, 23, 30, 15);
  assert.deepEqual(filtersAt({ due_to: '7d', from: '-30d', updated_from: '-12h', tag: '7d' }, now), {
    due_to: '2026-11-07T22:59:59Z',
    from: '2026-09-30T22:00:00Z',
    updated_from: '2026-10-30T11:30:15Z',
    tag: '7d',
  });
  assert.deepEqual(filtersAt({ to: '-1w', from: '2026-01-31T00:00:00Z' }, now), {
    to: '2026-10-24T21:59:59Z',
    from: '2026-01-31T00:00:00Z',
  });
});

test('in a body, lists are arrays, yes or no is a boolean, limits are numbers, and times stay unchanged', () => {
  const filters = { status: 'new,-resolved', reopened: 'true', kev: 'false', due_to: '7d', epss_min: '0.1', q: 'x' };
  const body = toBody(filters);
  assert.deepEqual(body, {
    status: ['new', '-resolved'],
    reopened: true,
    kev: false,
    due_to: '7d',
    epss_min: 0.1,
    q: 'x',
  });
  assert.deepEqual(fromBody(body), filters);
});

test('filters are described in words, with names in place of ids', () => {
  assert.deepEqual(say({ severity: 'critical,-info', data_source: 'ds_1', reopened: 'true' }), [
    'Severity is Critical',
    'Severity is not Info',
    'Data source is payments-api',
    'Reopened: Yes',
  ]);
  assert.deepEqual(say({ due_to: '7d', from: '-1d', to: '2026-01-31T22:59:59Z', updated_to: '2026-01-31T23:00:00Z' }), [
    'Due until: in 7 days',
    'First seen from: 1 day ago',
    'First seen until: 31 Jan 2026',
    'Not changed since: 1 Feb 2026, 00:00',
  ]);
  assert.deepEqual(say({ from: '2026-01-30T23:00:00Z' }), ['First seen from: 31 Jan 2026']);
});

test('in a sentence, the values of a list are joined by or, since any of them matches', () => {
  assert.deepEqual(
    sayFilters({ severity: 'high,critical', status: '-resolved', q: 'x' }, () => null),
    [
      'Severity is High or Critical',
      'Status is not Resolved',
      ...describeFilters({ q: 'x' }, () => null).map(({ text }) => text),
    ],
  );
});
