import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../tests/harness/properties.ts';
import type { Field, Grammar, Vocabulary } from './grammar.ts';
import { parseText, writeText } from './text.ts';

const fields: Field[] = [
  { kind: 'list', name: 'severity', filter: 'severity', label: 'Severity', aliases: ['sev'], ids: false },
  { kind: 'list', name: 'status', filter: 'status', label: 'Status', ids: false },
  { kind: 'list', name: 'data_source', filter: 'data_source', label: 'Data source', aliases: ['repo'], ids: true },
  { kind: 'list', name: 'assignee', filter: 'assignee', label: 'Assignee', ids: true },
  { kind: 'list', name: 'tag', filter: 'tag', label: 'Tag', ids: false },
  { kind: 'list', name: 'path', filter: 'path', label: 'Path', ids: false },
  { kind: 'list', name: 'rule', filter: 'rule', label: 'Rule', ids: false },
  { kind: 'flag', name: 'reopened', filter: 'reopened', label: 'Reopened' },
  {
    kind: 'time',
    name: 'first_seen',
    aliases: ['age'],
    label: 'First seen',
    from: 'from',
    to: 'to',
    direction: 'back',
  },
  { kind: 'time', name: 'due', label: 'Due', to: 'due_to', direction: 'ahead' },
  { kind: 'number', name: 'priority', label: 'Priority', from: 'priority_min' },
  { kind: 'number', name: 'epss', label: 'EPSS', from: 'epss_min' },
];

const values = (...pairs: [string, string][]) => pairs.map(([value, label]) => ({ value, label }));
const vocabularies: Record<string, Vocabulary> = {
  severity: { known: 'all', values: values(['critical', 'Critical'], ['high', 'High'], ['low', 'Low']) },
  status: {
    known: 'all',
    values: values(['new', 'New'], ['in_progress', 'In progress'], ['accepted_risk', 'Risk accepted']),
  },
  data_source: {
    known: 'all',
    values: values(
      ['ds_1', 'payments-api'],
      ['ds_2', 'Web shop, old'],
      ['ds_3', 'none'],
      ['none', 'nobody'],
      ['ds_4', 'twin'],
      ['ds_5', 'twin'],
      ['ds_6', 'the "one"'],
    ),
  },
  assignee: { known: 'all', values: values(['me', 'me'], ['none', 'nobody'], ['usr_1', 'Ada Lovelace']) },
};
const grammar: Grammar = { fields, vocabularyOf: ({ name }) => vocabularies[name] ?? null };

const read = (text: string) => parseText(text, grammar).filters;
const write = (filters: Record<string, string>) => writeText(filters, grammar);
const problemsOf = (text: string) =>
  parseText(text, grammar).problems.map(({ start, end, instead }) => [text.slice(start, end), instead]);

test('typed text becomes filters: lists, exclusions, short names, me, and words', () => {
  assert.deepEqual(read('severity:critical,high -tag:test rule:x me CVE-2026-1 words'), {
    severity: 'critical,high',
    tag: '-test',
    rule: 'x',
    assignee: 'me',
    q: 'CVE-2026-1 words',
  });
  assert.deepEqual(read('sev:low tag:"a b",-c status:-new'), { severity: 'low', tag: 'a b,-c', status: '-new' });
});

test('times stay as typed, and count back or ahead depending on the filter', () => {
  assert.deepEqual(read('due:<7d'), { due_to: '7d' });
  assert.deepEqual(read('due:7d'), { due_to: '7d' });
  assert.deepEqual(read('due:<-2d'), { due_to: '-2d' });
  assert.deepEqual(read('age:>30d'), { to: '-30d' });
  assert.deepEqual(read('first_seen:<24h'), { from: '-24h' });
  assert.deepEqual(read('first_seen:<30d first_seen:>7d'), { from: '-30d', to: '-7d' });
  assert.deepEqual(read('from:-30d to:2026-01-31T00:00:00Z'), { from: '-30d', to: '2026-01-31T00:00:00Z' });
});

test('a day is in the time zone of the person, from its first second to its last', () => {
  const { TZ } = process.env;
  process.env.TZ = 'America/New_York';
  try {
    // The clocks go forward on this day.
    assert.deepEqual(read('first_seen:2026-03-08'), { from: '2026-03-08T05:00:00Z', to: '2026-03-09T03:59:59Z' });
    assert.equal(write({ from: '2026-03-08T05:00:00Z' }), 'first_seen:>2026-03-08');
    assert.equal(write({ to: '2026-03-09T03:59:59Z' }), 'first_seen:<2026-03-08');
    assert.equal(write({ to: '2026-03-09T03:59:58Z' }), 'first_seen:<2026-03-09T03:59:58Z');
    assert.deepEqual(problemsOf('first_seen:>2026-02-30'), [['first_seen:>2026-02-30', null]]);
  } finally {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  }
});

test('numbers have bounds, and yes or no may be excluded', () => {
  assert.deepEqual(read('priority:>50 epss:10% reopened:yes'), {
    priority_min: '50',
    epss_min: '0.1',
    reopened: 'true',
  });
  assert.deepEqual(read('priority_min:70 -reopened:yes'), { priority_min: '70', reopened: 'false' });
});

test('values are parsed and written by their names, and an id never shows', () => {
  assert.deepEqual(read('repo:Payments-API status:"In progress" status:"risk accepted" assignee:"ada lovelace"'), {
    data_source: 'ds_1',
    status: 'in_progress,accepted_risk',
    assignee: 'usr_1',
  });
  assert.equal(write({ data_source: 'ds_1,-ds_2' }), 'data_source:payments-api -data_source:"Web shop, old"');
  assert.equal(write({ assignee: 'usr_1' }), 'assignee:"Ada Lovelace"');
});

test('a name that could be another value is written as its id', () => {
  assert.equal(write({ data_source: 'ds_5' }), 'data_source:ds_5');
  assert.deepEqual(read('data_source:ds_5'), { data_source: 'ds_5' });
});

test('text that selects nothing is marked with the nearest match, and is not searched for', () => {
  assert.deepEqual(problemsOf('due:7'), [['due:7', 'due:<7d']]);
  assert.deepEqual(problemsOf('due:<7'), [['due:<7', 'due:<7d']]);
  assert.deepEqual(problemsOf('due:>7d'), [['due:>7d', 'due:<7d']]);
  assert.deepEqual(problemsOf('severty:low'), [['severty:low', 'severity:low']]);
  assert.deepEqual(problemsOf('-stauts:new'), [['-stauts:new', '-status:new']]);
  assert.deepEqual(problemsOf('severity:critcal,high'), [['critcal', 'critical']]);
  assert.deepEqual(problemsOf('status:-"risk acepted"'), [['-"risk acepted"', '-accepted_risk']]);
  assert.deepEqual(problemsOf('repo:payment-api'), [['payment-api', 'payments-api']]);
  assert.deepEqual(problemsOf('repo:"web shop old"'), [['"web shop old"', '"Web shop, old"']]);
  assert.deepEqual(problemsOf('reopened:maybe priority:high'), [
    ['maybe', null],
    ['priority:high', null],
  ]);
  assert.deepEqual(problemsOf('-due:<7d'), [['-due:<7d', null]]);
  assert.deepEqual(problemsOf('zzzzzzzz:1'), [['zzzzzzzz:1', '"zzzzzzzz:1"']]);
  assert.deepEqual(read('due:7 severty:low severity:critcal,high words'), { severity: 'high', q: 'words' });
});

test('a value that no finding has is marked, and selects nothing', () => {
  const counted: Grammar = {
    fields,
    vocabularyOf: ({ name }) =>
      name === 'tag' ? { known: 'of_findings', values: values(['payments', 'payments']) } : null,
  };
  const { filters, problems } = parseText('tag:payment rule:x', counted);
  assert.deepEqual(filters, { tag: 'payment', rule: 'x' });
  assert.deepEqual(
    problems.map(({ instead }) => instead),
    ['payments'],
  );
});

test('following each suggestion leaves no problem', () => {
  for (const text of [
    'due:7',
    'due:>7d',
    'severty:low',
    '-stauts:new',
    'severity:low,critcal',
    'repo:"web shop old"',
    'zzzzzzzz:1',
  ]) {
    const { problems } = parseText(text, grammar);
    assert.equal(problems.length, 1, text);
    const { start, end, instead } = problems[0]!;
    const repaired = parseText(text.slice(0, start) + instead + text.slice(end), grammar);
    assert.deepEqual(repaired.problems, [], text);
    assert.notDeepEqual(repaired.filters, {}, text);
  }
});

test('addresses, names with colons and phrases are searched for', () => {
  for (const text of ['http://host:8080', 'std::string', 'c:\\temp', '"severity:low"', '"me"']) {
    assert.deepEqual(parseText(text, grammar), {
      filters: { q: text.replaceAll('"', '') },
      problems: [],
      pending: false,
    });
  }
});

test('a filter without a value yet selects nothing and is not wrong', () => {
  assert.deepEqual(parseText('severity: log due: tag:a,', grammar), {
    filters: { tag: 'a', q: 'log' },
    problems: [],
    pending: false,
  });
});

test('while names are being loaded, filters with names wait', () => {
  const loading: Grammar = {
    fields,
    vocabularyOf: ({ name }) =>
      name === 'data_source' ? { known: 'loading', values: values(['ds_1', 'identity']) } : null,
  };
  assert.equal(parseText('repo:payments-api', loading).pending, true);
  assert.equal(parseText('tag:x repo:identity', loading).pending, false);
});

const list = (value: fc.Arbitrary<string>) =>
  fc
    .uniqueArray(fc.tuple(value, fc.boolean()), { minLength: 1, maxLength: 3, selector: ([text]) => text })
    .map((choices) => [...choices].sort(([, left], [, right]) => Number(left) - Number(right)))
    .map((choices) =>
      choices.map(([text, excluded]) => (excluded ? '-' : text.startsWith('-') ? '\\' : '') + text).join(),
    );
const text = fc
  .string({ minLength: 1, maxLength: 12 })
  .filter((value) => !/[,\\]/.test(value) && value.trim() === value);
const relative = fc
  .tuple(fc.constantFrom('', '-'), fc.nat({ max: 400 }), fc.constantFrom('h', 'd'))
  .map((parts) => parts.join(''));
const time = fc.oneof(
  relative,
  fc
    .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    .map((date) => `${date.toISOString().slice(0, 19)}Z`),
);
const filtersOf = fc.record(
  {
    severity: list(fc.constantFrom('critical', 'high', 'low')),
    data_source: list(fc.constantFrom('ds_1', 'ds_2', 'ds_3', 'ds_4', 'ds_5', 'ds_6', 'none')),
    assignee: list(fc.constantFrom('me', 'none', 'usr_1')),
    tag: list(text),
    path: list(text),
    reopened: fc.constantFrom('true', 'false'),
    from: time,
    to: time,
    due_to: time,
    priority_min: fc.nat({ max: 100 }).map(String),
    epss_min: fc.integer({ min: 0, max: 1000 }).map((share) => String(share / 1000)),
    q: fc
      .string({ minLength: 1, maxLength: 30 })
      .map((q) => q.trim())
      .filter((q) => q !== ''),
  },
  { requiredKeys: [], noNullPrototype: true },
);

test('filters are written as text that parses back to the same filters', () => {
  checkProperty(
    fc.property(filtersOf, (filters) => {
      const given = filters as Record<string, string>;
      const written = writeText(given, grammar);
      assert.deepEqual(parseText(written, grammar), { filters: given, problems: [], pending: false }, written);
    }),
    { numRuns: 500 },
  );
});
