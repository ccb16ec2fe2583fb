import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { openStatuses, statuses } from '../server/findings/lifecycle.ts';
import { sorts } from '../server/findings/listing/list-findings.ts';
import { severities } from '../server/findings/severity.ts';
import { newId } from '../server/platform/id.ts';
import { startApplication } from './harness/application.ts';
import { createFindingSet, type Finding, identifiers, packages, rules, sources, tags } from './harness/finding-set.ts';

const app = await startApplication();
after(() => app.close());
const set = await createFindingSet(app, 180, 7);
const { owner, member } = set;

type Row = { first: string; updated: string; due: string };
const exact = new Map(
  (
    await app.database.single<Row & { id: string }>(owner.orgId, {
      text: 'SELECT id, first_seen_at::text AS first, updated_at::text AS updated, due_at::text AS due FROM findings WHERE org_id = $1',
      values: [owner.orgId],
    })
  ).map((row) => [row.id, row]),
);
const all = await set.list();

// --- a model of the list: filters on the API's values, orders by the exact times ---

type Values = Record<string, string[]>;
type Filter = (finding: Finding, values: string[]) => boolean;

const wordsOf = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];
const textOf = (finding: Finding) =>
  [finding.title, finding.location.path, finding.rule.id, finding.rule.name, ...finding.identifiers].join(' ');

/** A list filter matches any value, and none of those with a leading `-`. */
const anyValue =
  (matches: (finding: Finding, value: string) => boolean): Filter =>
  (finding, values) => {
    const excluded = values.filter((value) => value.startsWith('-')).map((value) => value.slice(1));
    const chosen = values.filter((value) => !value.startsWith('-'));
    const isChosen = chosen.length === 0 || chosen.some((value) => matches(finding, value));
    return isChosen && !excluded.some((value) => matches(finding, value));
  };

const isAssigned = (finding: Finding, value: string) => {
  if (value === 'none') return finding.assignee === null;
  if (value === 'me') return finding.assignee?.id === owner.userId;
  return finding.assignee?.id === value || finding.assignee?.email === value.toLowerCase();
};

/** The patterns of paths in this test as regular expressions. */
const pathPatterns: Record<string, RegExp> = {
  src: /^src/,
  'test/unit': /^test\/unit/,
  'te/unit': /^te\/unit/,
  'src/*/k?.ts': /^src\/[^/]*\/k[^/]\.ts$/,
  '**/unit/**': /(^|\/)unit\//,
  'src/**.ts': /^src\/.*\.ts$/,
  "src/**/O'Hara*/**": /^src\/(.*\/)?O'Hara[^/]*\//,
  Späth: /^Späth/,
};

const importanceOf = (finding: Finding) => set.importance.get(finding.data_source.id)!;
const isOwned = (finding: Finding, value: string) => {
  const id = importanceOf(finding).owner;
  if (value === 'none') return id === null;
  if (value === 'me') return id === owner.userId;
  return id === value || (id === member.userId && value === member.email);
};

const model: Record<string, Filter> = {
  data_source_tag: anyValue((finding, value) => importanceOf(finding).tags.includes(value)),
  owner: anyValue(isOwned),
  criticality: anyValue((finding, value) => importanceOf(finding).criticality === value),
  severity: anyValue((finding, value) => finding.severity === value),
  source: anyValue((finding, value) => finding.source === value),
  status: anyValue((finding, value) => finding.status === value),
  data_source: anyValue((finding, value) => finding.data_source.id === value),
  rule: anyValue((finding, value) => finding.rule.id === value),
  tag: anyValue((finding, value) => finding.tags.includes(value)),
  assignee: anyValue(isAssigned),
  identifier: anyValue((finding, value) =>
    finding.identifiers.some((identifier: string) => identifier.toLowerCase() === value.toLowerCase()),
  ),
  path: anyValue((finding, value) => pathPatterns[value]!.test(finding.location.path ?? '\0')),
  package: anyValue((finding, value) => finding.location.package?.name === value),
  reopened: (finding, [value]) => finding.reopened_count > 0 === (value === 'true'),
  accepted_until_to: (finding, [time]) => finding.accepted_until !== null && finding.accepted_until <= time!,
  from: (finding, [time]) => finding.first_seen_at >= time!,
  to: (finding, [time]) => finding.first_seen_at <= time!,
  updated_from: (finding, [time]) => finding.updated_at >= time!,
  updated_to: (finding, [time]) => finding.updated_at <= time!,
  overdue: (finding, [value]) => (finding.due_at !== null && finding.due_at < '2100') === (value === 'true'),
  due_to: (finding, [time]) => finding.due_at !== null && finding.due_at <= time!,
  priority_min: (finding, [value]) => finding.priority >= Number(value),
  q: (finding, [q]) => {
    const words = new Set(wordsOf(textOf(finding)));
    return wordsOf(q!).length > 0 && wordsOf(q!).every((word) => words.has(word));
  },
};

const rank = (finding: Finding) => severities.indexOf(finding.severity);
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const byFirst = (a: Finding, b: Finding) =>
  compare(exact.get(a.id)!.first, exact.get(b.id)!.first) || compare(a.id, b.id);
const byUpdated = (a: Finding, b: Finding) =>
  compare(exact.get(a.id)!.updated, exact.get(b.id)!.updated) || compare(a.id, b.id);
const byDue = (a: Finding, b: Finding) => compare(exact.get(a.id)!.due, exact.get(b.id)!.due) || compare(a.id, b.id);
const severest = [...severities].indexOf('critical') < [...severities].indexOf('info') ? 1 : -1;
const order: Record<string, (a: Finding, b: Finding) => number> = {
  first_seen_at: byFirst,
  '-first_seen_at': (a, b) => byFirst(b, a),
  updated_at: byUpdated,
  '-updated_at': (a, b) => byUpdated(b, a),
  // `infinity` sorts behind all digits.
  due_at: byDue,
  '-priority': (a, b) => b.priority - a.priority || byFirst(b, a),
  '-severity': (a, b) => severest * (rank(a) - rank(b)) || byFirst(b, a),
};

const expected = (filters: Values, sort = '-first_seen_at') =>
  all
    .filter((finding) => Object.entries(filters).every(([name, values]) => model[name]!(finding, values)))
    .sort(order[sort])
    .map((finding) => finding.id);

/** Some of the values, in a third of the cases some of them to exclude. */
const some = (values: readonly string[]) =>
  fc
    .tuple(
      fc.subarray([...values], { minLength: 1 }),
      fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }),
      fc.nat(2),
    )
    .map(([chosen, excluded, third]) =>
      chosen.map((value, index) => (third === 0 && excluded[index] ? `-${value}` : value)),
    );
const seconds = (day: string) => (second: number) => [`${day}T00:00:${String(second).padStart(2, '0')}Z`];
const times = fc
  .record({ day: fc.nat(3), second: fc.nat(4) })
  .map(({ day, second }) => [`2026-03-0${1 + day}T00:00:0${second}Z`]);
const arbitrary: Record<string, fc.Arbitrary<string[]>> = {
  severity: some(severities),
  source: some([...sources, 'nothing']),
  status: some(statuses),
  data_source: some([...set.dataSources, newId('ds')]),
  criticality: some(['critical', 'high', 'medium', 'low']),
  rule: some([...rules, 'nothing']),
  tag: some([...tags, 'nothing']),
  assignee: some(['none', 'me', member.email, member.userId, owner.email.toUpperCase(), 'stranger@example.com', 'x']),
  from: times,
  to: times,
  updated_from: fc.nat(11).map(seconds('2026-05-01')),
  updated_to: fc.nat(11).map(seconds('2026-05-01')),
  accepted_until_to: fc.nat(11).map(seconds('2126-05-01')),
  priority_min: fc.constantFrom(['0'], ['30'], ['48'], ['100']),
  overdue: fc.constantFrom(['true'], ['false']),
  due_to: fc.nat(11).map(seconds('2126-06-01')),
  reopened: fc.constantFrom(['true'], ['false']),
  identifier: some([...identifiers, 'cwe-798', 'CVE-1']),
  path: some(Object.keys(pathPatterns)),
  package: some([...packages, 'lod']),
  q: fc.constantFrom(
    ['key'],
    ['KEY configuration'],
    ['schlüssel'],
    ["o'hara"],
    ['k7 ts'],
    ['cwe 798'],
    ['&|!'],
    ['rule-a sql'],
  ),
};
const names = Object.keys(arbitrary);

/** Writes the values of a filter comma-separated or repeated: both mean the same. */
const queryOf = (filters: Values, repeated: boolean) =>
  Object.entries(filters)
    .flatMap(([name, values]) => {
      const texts = values.map(encodeURIComponent);
      return repeated ? texts.map((text) => `${name}=${text}`) : [`${name}=${texts.join(',')}`];
    })
    .join('&');

const isImpossible = ({ from, to, updated_from, updated_to }: Values) =>
  (from && to && from[0]! > to[0]!) || (updated_from && updated_to && updated_from[0]! > updated_to[0]!);

const pairs = names.flatMap((first, index) => names.slice(index + 1).map((second) => [first, second]));
const choices = [[], ...names.map((name) => [name]), ...pairs];

test('the exact set of findings is there, whatever the length of the pages', async () => {
  assert.equal(all.length, exact.size);
  for (const limit of [1, 7, 50, 199]) {
    const ids = (await set.list('', limit)).map((finding) => finding.id);
    assert.deepEqual(ids, expected({}), `pages of ${limit}`);
  }
});

for (const sort of sorts) {
  test(`every filter and pair of filters, sorted by ${sort}, selects what the model selects`, async () => {
    let seed = 0;
    for (const chosen of choices) {
      const values = fc.record(Object.fromEntries(chosen.map((name) => [name, arbitrary[name]!])));
      const cases = fc.record({
        filters: values,
        repeated: fc.boolean(),
        limit: fc.constantFrom(3, 20, 200, 200, 200),
      });
      for (const { filters, repeated, limit } of fc.sample(cases, { seed: ++seed, numRuns: 1 })) {
        if (isImpossible(filters as Values)) continue;
        const query = `${queryOf(filters as Values, repeated)}&sort=${encodeURIComponent(sort)}`;
        const ids = (await set.list(query, limit)).map((finding) => finding.id);
        assert.deepEqual(ids, expected(filters as Values, sort), query);
      }
    }
  });
}

test('owners, tags and criticalities of data sources select together what the model selects', async () => {
  const values = {
    owner: ['me', 'none', member.email, '-me', '-none', 'stranger@example.com'],
    data_source_tag: ['pci', 'später', '-pci', '-später', 'nothing'],
    data_source: [set.dataSources[0]!],
    criticality: ['critical', '-low'],
  };
  for (const owner of values.owner) {
    for (const tag of values.data_source_tag) {
      const extras: Values[] = [{}, { data_source: values.data_source }, { criticality: values.criticality }];
      for (const extra of extras) {
        const filters: Values = { owner: [owner], data_source_tag: [tag], ...extra };
        const query = queryOf(filters, false);
        assert.deepEqual(
          (await set.list(query)).map((finding) => finding.id),
          expected(filters),
          query,
        );
        assert.equal((await set.get(`/findings/summary?${query}`)).total, expected(filters).length, query);
      }
    }
  }
});

const tally = (list: Finding[], key: (finding: Finding) => string, keys: readonly string[] = []) => {
  const figures: Record<string, number> = Object.fromEntries(keys.map((name) => [name, 0]));
  for (const finding of list) figures[key(finding)] = (figures[key(finding)] ?? 0) + 1;
  return figures;
};

const ageBounds = [7, 30, 90, 180, 365, Number.POSITIVE_INFINITY];
const ageOf = (finding: Finding) => {
  const days = (Date.now() - Date.parse(finding.first_seen_at)) / 86_400_000;
  return `${ageBounds.find((bound) => days < bound)} ${finding.severity}`;
};
const tallyAges = (ages: Finding[]) =>
  Object.fromEntries(
    ages.flatMap(({ up_to_days, by_severity }) =>
      Object.entries(by_severity)
        .filter(([, count]) => count !== 0)
        .map(([severity, count]) => [`${up_to_days ?? Number.POSITIVE_INFINITY} ${severity}`, count]),
    ),
  );

test('the summary counts what the list selects, for every filter and pair of filters', async () => {
  let seed = 1_000;
  for (const chosen of choices) {
    const values = fc.record(Object.fromEntries(chosen.map((name) => [name, arbitrary[name]!])));
    const [filters] = fc.sample(values, { seed: ++seed, numRuns: 1 });
    if (isImpossible(filters as Values)) continue;
    const ids = new Set(expected(filters as Values));
    const list = all.filter((finding) => ids.has(finding.id));
    const query = queryOf(filters as Values, false);
    const { daily, by_data_source, by_rule, by_age, approximate, ...figures } = await set.get(
      `/findings/summary?${query}`,
    );
    const open = list.filter((finding) => openStatuses.includes(finding.status));
    assert.deepEqual(
      figures,
      {
        total: list.length,
        open: open.length,
        by_severity: tally(list, (finding) => finding.severity, severities),
        by_status: tally(list, (finding) => finding.status, statuses),
        by_source: tally(list, (finding) => finding.source),
      },
      query,
    );
    const perDataSource = tally(list, (finding) => finding.data_source.id);
    assert.deepEqual(
      Object.fromEntries(by_data_source.map((row: Finding) => [row.id, row.total])),
      perDataSource,
      query,
    );
    assert.equal(daily.length, 30);
    assert.deepEqual(
      Object.fromEntries(by_rule.map((row: Finding) => [row.id, [row.open, row.total]])),
      Object.fromEntries(
        [...Map.groupBy(list, (finding) => finding.rule.id)].map(([id, members]) => [
          id,
          [members.filter((finding) => openStatuses.includes(finding.status)).length, members.length],
        ]),
      ),
      query,
    );
    assert.deepEqual([approximate, tally(open, ageOf)], [false, tallyAges(by_age)], query);
  }
});

const refusal = async (query: string) => {
  const { status, body } = await app.call(owner.token, 'GET', `/findings?${query}`);
  return `${status} ${body.error?.code} ${body.error?.details?.[0]?.field ?? ''}`.trim();
};

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
  const spellings = ['2026-03-01t00:00:00z', '2026-03-01T00:00:00.750Z', '2026-03-01T05:30:00%2B05:30'];
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

test('years far away are bounds like any other', async () => {
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

test('a cursor is refused with other filters or another sort, and accepted with another limit', async () => {
  for (const sort of sorts) {
    const query = `sort=${sort}&severity=high,low&from=2026-03-01T00:00:00Z`;
    const first = await set.get(`/findings?${query}&limit=3`);
    const cursor = `next_cursor=${first.next_cursor}`;
    const others = [
      `sort=${sort}&severity=high,low`,
      `sort=${sort}&severity=high&from=2026-03-01T00:00:00Z`,
      `sort=${sort}&severity=high,low&from=2026-03-01T00:00:01Z`,
      `${query}&q=key`,
      query.replace(sort, sort === 'updated_at' ? 'first_seen_at' : 'updated_at'),
      '',
    ];
    for (const other of others)
      assert.equal(await refusal(`${other}&${cursor}`), '400 invalid_cursor next_cursor', other);
    const rest = await set.get(`/findings?${query}&limit=200&${cursor}`);
    const ids = [...first.data, ...rest.data].map((finding: Finding) => finding.id);
    assert.deepEqual(ids, expected({ severity: ['high', 'low'], from: ['2026-03-01T00:00:00Z'] }, sort));
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
