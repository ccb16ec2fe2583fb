import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ListSort, listOrders, listSorts, orders, sorts } from '../server/findings/orders.ts';
import { expected, queryOf, refusal, set, type Values } from './findings-lists.fixture.ts';

// All cases come from the table of orders, so that a new order is tested at once.

/** Filters under which an order has findings to sort. */
const filtersFor = (sort: ListSort): Values[] => {
  const needs = 'needs' in listOrders[sort];
  return needs
    ? [{ q: ['key'] }, { q: ['CWE-798'], status: ['new', 'triaged'] }]
    : [{}, { severity: ['high', 'low'] }, { q: ['key'] }];
};

async function list(filters: Values, sort: ListSort, limit: number): Promise<string[]> {
  const found = await set.list(`${queryOf(filters, false)}&sort=${sort}`, limit);
  return found.map(({ id }) => id);
}

test('every order sorts findings like its model, whatever the length of the pages', async () => {
  for (const sort of listSorts) {
    for (const filters of filtersFor(sort)) {
      const ids = expected(filters, sort);
      assert.ok(ids.length > 10, `${sort} ${JSON.stringify(filters)}`);
      for (const limit of [7, 200]) assert.deepEqual(await list(filters, sort, limit), ids, `${sort} ${limit}`);
    }
  }
});

test('orders differ from each other', () => {
  const seen = new Set(listSorts.map((sort) => expected({ q: ['key'] }, sort).join()));
  assert.equal(seen.size, listSorts.length);
});

test('an order in the other direction, or by other columns, is detected', async () => {
  for (const sort of sorts) {
    const { descending, columns } = orders[sort];
    const others = [
      { descending: !descending },
      { columns: columns[0] === 'updated_at' ? ['due_at', 'id'] : ['updated_at', 'id'] },
    ];
    for (const other of others) {
      Object.assign(orders[sort], other);
      const found = await list({}, sort, 200);
      Object.assign(orders[sort], { descending, columns });
      assert.notDeepEqual(found, expected({}, sort), `${sort} ${JSON.stringify(other)}`);
    }
  }
});

test('an order that needs a filter is refused without it', async () => {
  for (const sort of listSorts)
    assert.equal(
      await refusal(`sort=${sort}`),
      'needs' in listOrders[sort] ? '400 invalid_request sort' : '200 undefined',
      sort,
    );
});
