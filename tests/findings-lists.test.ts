import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { severities } from '../scanner/contract/severity.ts';
import { openStatuses, statuses } from '../server/findings/lifecycle.ts';
import { sorts } from '../server/findings/orders.ts';
import { all, checkSelection, choices, expected, queryOf, refusal, set, valuesOf } from './findings-lists.fixture.ts';
import type { Finding } from './harness/finding-set.ts';
import { sampleValues } from './harness/properties.ts';

test('every filter, and half of the pairs of filters, select the same as the model, in some order', async () => {
  // The seed decides which half, and the order of each: findings-lists.long.test.ts tests all of them.
  const [first] = sampleValues(fc.nat(2 * sorts.length - 1), 1, 0);
  for (const [index, chosen] of choices.entries())
    if (chosen.length < 2 || (first! + index) % 2 === 0)
      await checkSelection(chosen, sorts[(first! + (index >> 1)) % sorts.length]!, index + 1);
});

test('a search without any word finds nothing', async () => {
  assert.deepEqual(await set.list(`q=${encodeURIComponent('&|!')}`), []);
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

test('the summary counts the findings of the list, for every filter and pair of filters', async () => {
  let use = 1_000;
  for (const chosen of choices) {
    const [filters] = sampleValues(valuesOf(chosen), 1, ++use);
    const ids = new Set(expected(filters!));
    const list = all.filter((finding) => ids.has(finding.id));
    const query = queryOf(filters!, false);
    const { daily, by_data_source, by_rule, by_age, ...figures } = await set.get(`/findings/summary?${query}`);
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
    assert.deepEqual(tally(open, ageOf), tallyAges(by_age), query);
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
