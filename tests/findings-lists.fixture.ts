import assert from 'node:assert/strict';
import { after } from 'node:test';
import fc from 'fast-check';
import { statuses } from '../server/findings/lifecycle.ts';
import { defaultSort, type ListSort, listOrders } from '../server/findings/orders.ts';
import { severities } from '../server/findings/severity.ts';
import { newId } from '../server/platform/id.ts';
import { startApplication } from './harness/application.ts';
import {
  createFindingSet,
  type Finding,
  identifiers,
  packages,
  rules,
  ruleTags,
  sources,
  tags,
} from './harness/finding-set.ts';
import { sampleValues } from './harness/properties.ts';

export const app = await startApplication();
after(() => app.close());
export const set = await createFindingSet(app, 180, 7);
export const { owner, member } = set;

type Row = { first_seen_at: string; updated_at: string; due_at: string };
export const exact = new Map(
  (
    await app.database.single<Row & { id: string }>(owner.orgId, {
      text: 'SELECT id, first_seen_at::text, updated_at::text, due_at::text FROM findings WHERE org_id = $1',
      values: [owner.orgId],
    })
  ).map((row) => [row.id, row]),
);
export const all = await set.list();

// A model of the list: filters on the API's values, orders by the exact times.

export type Values = Record<string, string[]>;
type Filter = (finding: Finding, values: string[]) => boolean;

const wordsOf = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];
const textOf = (finding: Finding) =>
  [
    finding.title,
    finding.location.path,
    finding.rule.id,
    finding.rule.name,
    ...finding.rule.tags,
    ...finding.identifiers,
    ...['name', 'version', 'ecosystem'].map((field) => finding.location.package?.[field]),
    finding.description,
    finding.evidence,
    finding.remediation,
    ...finding.references,
  ].join(' ');

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
  rule_tag: anyValue((finding, value) =>
    finding.rule.tags.some((tag: string) => tag.toLowerCase() === value.toLowerCase()),
  ),
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
  kev: (finding, [value]) => (finding.kev !== null) === (value === 'true'),
  context: anyValue((finding, value) => (finding.context ?? 'none') === value),
  epss_min: (finding, [value]) => finding.epss !== null && finding.epss >= Number(value),
  q: (finding, [q]) => {
    const words = new Set(wordsOf(textOf(finding)));
    return wordsOf(q!).length > 0 && wordsOf(q!).every((word) => words.has(word));
  },
};

/** Compares findings by the key of an order. */
function comparisonOf(sort: ListSort, q = '') {
  const keyOf = (finding: Finding) => listOrders[sort].key({ ...finding, exact: exact.get(finding.id)! }, q);
  const direction = /^[a-z_]+_at$/.test(sort) ? 1 : -1;
  return (a: Finding, b: Finding) => {
    const [own, other] = [keyOf(a), keyOf(b)];
    const index = own.findIndex((part, at) => part !== other[at]);
    return index < 0 ? 0 : own[index]! < other[index]! ? -direction : direction;
  };
}

export const expected = (filters: Values, sort: ListSort = defaultSort) =>
  all
    .filter((finding) => Object.entries(filters).every(([name, values]) => model[name]!(finding, values)))
    .sort(comparisonOf(sort, filters.q?.[0]))
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
export const arbitrary: Record<string, fc.Arbitrary<string[]>> = {
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
  kev: fc.constantFrom(['true'], ['false']),
  context: some(['test', 'none']),
  epss_min: fc.constantFrom(['0'], ['0.5'], ['1']),
  overdue: fc.constantFrom(['true'], ['false']),
  due_to: fc.nat(11).map(seconds('2126-06-01')),
  reopened: fc.constantFrom(['true'], ['false']),
  rule_tag: some([...ruleTags, 'owasp-a03', 'external', 'nothing']),
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
    ['about k7'],
    ['lodash key'],
  ),
};
const names = Object.keys(arbitrary);

/** Writes the values of a filter comma-separated or repeated: both mean the same. */
export const queryOf = (filters: Values, repeated: boolean) =>
  Object.entries(filters)
    .flatMap(([name, values]) => {
      const texts = values.map(encodeURIComponent);
      return repeated ? texts.map((text) => `${name}=${text}`) : [`${name}=${texts.join(',')}`];
    })
    .join('&');

export const isImpossible = ({ from, to, updated_from, updated_to }: Values) =>
  (from && to && from[0]! > to[0]!) || (updated_from && updated_to && updated_from[0]! > updated_to[0]!);

const pairs = names.flatMap((first, index) => names.slice(index + 1).map((second) => [first, second]));
export const choices = [[], ...names.map((name) => [name]), ...pairs];

/** Checks that the list under some values of these filters has what the model selects, in the order of the model. */
export async function checkSelection(chosen: string[], sort: ListSort, use: number): Promise<void> {
  const values = fc.record(Object.fromEntries(chosen.map((name) => [name, arbitrary[name]!])));
  const cases = fc.record({ filters: values, repeated: fc.boolean(), limit: fc.constantFrom(3, 20, 200, 200, 200) });
  for (const { filters, repeated, limit } of sampleValues(cases, 1, use)) {
    if (isImpossible(filters as Values)) continue;
    const query = `${queryOf(filters as Values, repeated)}&sort=${encodeURIComponent(sort)}`;
    const ids = (await set.list(query, limit)).map((finding) => finding.id);
    assert.deepEqual(ids, expected(filters as Values, sort), query);
  }
}

/** Returns status, code and field of a refused list request. */
export const refusal = async (query: string) => {
  const { status, body } = await app.call(owner.token, 'GET', `/findings?${query}`);
  return `${status} ${body.error?.code} ${body.error?.details?.[0]?.field ?? ''}`.trim();
};
