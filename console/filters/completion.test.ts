import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insert, placeAt, suggestKeys, suggestValues } from './completion.ts';
import type { Field } from './grammar.ts';

const fields: Field[] = [
  { kind: 'list', name: 'severity', filter: 'severity', label: 'Severity', ids: false },
  { kind: 'list', name: 'status', filter: 'status', label: 'Status', ids: false },
  { kind: 'list', name: 'data_source', filter: 'data_source', label: 'Data source', aliases: ['repo'], ids: true },
  { kind: 'time', name: 'due', label: 'Due', to: 'due_to', direction: 'ahead' },
];
const statuses = [
  { value: 'new', label: 'New' },
  { value: 'in_progress', label: 'In progress', count: 12 },
  { value: 'accepted_risk', label: 'Risk accepted' },
];
const sources = [
  { value: 'ds_1', label: 'payments-api' },
  { value: 'ds_2', label: 'Web shop, old' },
];

/** Completes the text at "|" with the first suggestion. */
function complete(marked: string, values: readonly { value: string; label: string }[] = []): string | null {
  const caret = marked.indexOf('|');
  const text = marked.replace('|', '');
  const place = placeAt(text, caret, fields);
  if (!place) return null;
  const [first] = place.kind === 'key' ? suggestKeys(fields, place.typed) : suggestValues(place, values);
  if (!first) return null;
  const done = insert(text, place, first);
  return `${done.text.slice(0, done.caret)}|${done.text.slice(done.caret)}`;
}

test('a key is completed from its start, its label, a short name, or the nearest match', () => {
  assert.equal(complete('sev|'), 'severity:|');
  assert.equal(complete('words -sou| tag:x'), 'words -data_source:| tag:x');
  assert.equal(complete('repo|'), 'data_source:|');
  assert.equal(complete('stauts|'), 'status:|');
  assert.deepEqual(
    suggestKeys(fields, 's').map(({ label }) => label),
    ['severity', 'status', 'data_source'],
  );
  assert.equal(complete('log4j|'), null);
});

test('a value is completed by its name, and the next filter can be typed at once', () => {
  assert.equal(complete('status:prog|', statuses), 'status:in_progress |');
  assert.equal(complete('status:new,risk|', statuses), 'status:new,accepted_risk |');
  assert.equal(complete('status:-ne|,accepted_risk', statuses), 'status:-new|,accepted_risk');
  assert.equal(complete('-data_source:pay|', sources), '-data_source:payments-api |');
  assert.equal(complete('data_source:web|', sources), 'data_source:"Web shop, old" |');
  assert.equal(complete('due:|', [{ value: '<7d', label: 'in 7 days, or overdue' }]), 'due:<7d |');
  assert.equal(complete('due:<7|', [{ value: '<7d', label: 'in 7 days, or overdue' }]), 'due:<7d |');
});

test('ids are neither shown nor found, and a value is suggested once', () => {
  const place = placeAt('data_source:', 12, fields);
  assert.ok(place?.kind === 'value');
  assert.deepEqual(
    suggestValues(place, sources).map(({ label }) => label),
    ['payments-api', 'Web shop, old'],
  );
  assert.equal(complete('data_source:ds_|', sources), null);
  assert.equal(complete('data_source:payments-api,|', sources), 'data_source:payments-api,"Web shop, old" |');
});

test('each value shows its number of findings', () => {
  const place = placeAt('status:', 7, fields);
  assert.ok(place?.kind === 'value');
  assert.deepEqual(suggestValues(place, statuses), [
    { text: 'new', label: 'new', hint: 'New', fits: true },
    { text: 'in_progress', label: 'in_progress', hint: 'In progress · 12', fits: true },
    { text: 'accepted_risk', label: 'accepted_risk', hint: 'Risk accepted', fits: true },
  ]);
});

test('nothing is suggested within a phrase, an address or an unknown filter', () => {
  for (const text of ['"a phr|ase"', 'http://ho|st', 'foo:b|', 'CVE-2026|'])
    assert.equal(complete(text, statuses), null, text);
});
