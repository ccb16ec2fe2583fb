import assert from 'node:assert/strict';
import { after } from 'node:test';
import fc from 'fast-check';
import type { FilteredFinding } from '../server/findings/filtered-finding.ts';
import {
  type AnyFilter,
  type FilterInput,
  type FilterName,
  filterEntries,
  filters,
} from '../server/findings/filters/table.ts';
import { defaultSort, type ListSort, listOrders } from '../server/findings/orders.ts';
import { startApplication } from './harness/application.ts';
import { isSelected, readModel } from './harness/finding-model.ts';
import { createFindingSet } from './harness/finding-set.ts';
import { sampleValues } from './harness/properties.ts';

export const app = await startApplication();
after(() => app.close());
export const set = await createFindingSet(app, 180, 7);
export const { owner } = set;
const { member } = set;

type Row = { first_seen_at: string; updated_at: string; due_at: string };
const exact = new Map(
  (
    await app.database.single<Row & { id: string }>(owner.orgId, {
      text: 'SELECT id, first_seen_at::text, updated_at::text, due_at::text FROM findings WHERE org_id = $1',
      values: [owner.orgId],
    })
  ).map((row) => [row.id, row]),
);
export const all = await set.list();

// The model of the list consists of the models in the tables of filters and orders.

const model = await readModel(set);

/** The values of filters as strings, a single one for filters that accept no list. */
export type Values = { [Name in FilterName]?: string[] };

/** Returns the meaning of a request with these values. The models identify people by id. */
const inputOf = (values: Values): FilterInput =>
  Object.fromEntries(
    Object.entries(values).map(([name, texts]) => {
      const { type } = filters[name as FilterName].schema as { type: string };
      const named = texts.map((text) => text.replace(member.email, member.userId));
      if (type === 'array') return [name, named];
      return [name, type === 'string' ? named[0] : JSON.parse(named[0]!)];
    }),
  );

/** Compares findings by the key of an order. */
function comparisonOf(sort: ListSort, q = '') {
  const keyOf = (finding: FilteredFinding) => listOrders[sort].key({ ...finding, exact: exact.get(finding.id)! }, q);
  const direction = /^[a-z_]+_at$/.test(sort) ? 1 : -1;
  return (a: FilteredFinding, b: FilteredFinding) => {
    const [own, other] = [keyOf(a), keyOf(b)];
    const index = own.findIndex((part, at) => part !== other[at]);
    return index < 0 ? 0 : own[index]! < other[index]! ? -direction : direction;
  };
}

export function expected(values: Values, sort: ListSort = defaultSort): string[] {
  const input = inputOf(values);
  return model
    .filter((finding) => isSelected(set, finding, input))
    .sort(comparisonOf(sort, input.q))
    .map((finding) => finding.id);
}

/** Some of the values; in a third of the cases, some of them are excluded. */
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

/** Some values of a filter, from its samples. */
const arbitraryOf = ({ samples }: AnyFilter): fc.Arbitrary<string[]> =>
  Array.isArray(samples[0])
    ? some([
        ...new Set((samples as readonly string[][]).flatMap((given) => given.map((value) => value.replace(/^-/, '')))),
      ])
    : fc.constantFrom(...samples.map((given) => [String(given)]));

const names = filterEntries.map(([name]) => name);

/** Some values for some filters. */
export const valuesOf = (chosen: FilterName[]): fc.Arbitrary<Values> =>
  fc.record(Object.fromEntries(chosen.map((name) => [name, arbitraryOf(filters[name] as AnyFilter)])));

/** Writes the values of a filter comma-separated or repeated: both mean the same. */
export const queryOf = (given: Values, repeated: boolean) =>
  Object.entries(given)
    .flatMap(([name, values]) => {
      const texts = values.map(encodeURIComponent);
      return repeated ? texts.map((text) => `${name}=${text}`) : [`${name}=${texts.join(',')}`];
    })
    .join('&');

const pairs = names.flatMap((first, index) => names.slice(index + 1).map((second) => [first, second]));
export const choices: FilterName[][] = [[], ...names.map((name) => [name]), ...pairs];

/**
 * Checks that the list under some values of these filters contains the findings that the model selects, in its order.
 */
export async function checkSelection(chosen: FilterName[], sort: ListSort, use: number): Promise<void> {
  const cases = fc.record({
    given: valuesOf(chosen),
    repeated: fc.boolean(),
    limit: fc.constantFrom(3, 20, 200, 200, 200),
  });
  for (const { given, repeated, limit } of sampleValues(cases, 1, use)) {
    const query = `${queryOf(given, repeated)}&sort=${encodeURIComponent(sort)}`;
    const ids = (await set.list(query, limit)).map((finding) => finding.id);
    assert.deepEqual(ids, expected(given, sort), query);
  }
}

/** Returns status, code and field of a refused list request. */
export const refusal = async (query: string) => {
  const { status, body } = await app.call(owner.token, 'GET', `/findings?${query}`);
  return `${status} ${body.error?.code} ${body.error?.details?.[0]?.field ?? ''}`.trim();
};
