import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { severities } from '../scanner/contract/severity.ts';
import { startApplication } from './harness/application.ts';
import { createFindingSet, type Finding } from './harness/finding-set.ts';
import { succeeded } from './harness/furnished.ts';

const app = await startApplication();
after(() => app.close());
const set = await createFindingSet(app, 180, 13);
const { owner } = set;

const keyOf: Record<string, (finding: Finding) => string | undefined> = {
  rule: (finding) => finding.rule.id,
  data_source: (finding) => finding.data_source.id,
  package: (finding) => finding.location.package?.name,
};

type Group = { value: string; label: string | null; count: number; by_severity: object; last_seen_at: string };

async function readGroups(query: string, limit: number): Promise<Group[]> {
  const groups: Group[] = [];
  let cursor = '';
  for (;;) {
    const path = `/findings/groups?${query}&limit=${limit}${cursor}`;
    const { data, next_cursor } = succeeded(await app.call(owner.token, 'GET', path));
    groups.push(...data);
    if (next_cursor === null) return groups;
    cursor = `&next_cursor=${next_cursor}`;
  }
}

function expectedGroups(findings: Finding[], by: string) {
  const groups = Map.groupBy(
    findings.filter((finding) => keyOf[by]!(finding) !== undefined),
    (finding) => keyOf[by]!(finding)!,
  );
  return [...groups]
    .map(([value, members]) => ({
      value,
      count: members.length,
      by_severity: Object.fromEntries(
        severities.map((severity) => [severity, members.filter((member) => member.severity === severity).length]),
      ),
      last_seen_at: members
        .map((member) => member.last_seen_at)
        .sort()
        .at(-1)!,
    }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

for (const by of Object.keys(keyOf)) {
  test(`groups by ${by} are those of the list under any filters, whatever the length of the pages`, async () => {
    for (const query of [
      '',
      'severity=high,low&status=new',
      'status=resolved',
      'rule=-rule-a&tag=pci',
      'q=key',
      'q=%26',
      // The position then also has the time of the first page.
      'updated_from=30d',
    ]) {
      const expected = expectedGroups(await set.list(query), by);
      for (const limit of [1, 2, 200]) {
        const groups = await readGroups(`by=${by}&${query}`, limit);
        const shown = groups.map(({ value, count, by_severity, last_seen_at }) => ({
          value,
          count,
          by_severity,
          last_seen_at,
        }));
        assert.deepEqual(shown, expected, `${query}, pages of ${limit}`);
      }
    }
  });
}

test('groups of rules and data sources have names', async () => {
  const names = async (by: string) =>
    (await readGroups(`by=${by}`, 50)).map(({ label }) => label).sort((a, b) => (a! < b! ? -1 : 1));
  assert.deepEqual(await names('rule'), ['Rule Rule C', 'Rule rule-a', 'Rule rule-b']);
  assert.deepEqual(await names('data_source'), ['first', 'second', 'third']);
  assert.deepEqual(await names('package'), [null, null, null]);
});

test('a cursor of groups is refused with other filters or another grouping', async () => {
  const first = succeeded(await app.call(owner.token, 'GET', '/findings/groups?by=rule&limit=1'));
  for (const query of ['by=data_source', 'by=rule&severity=high']) {
    const answer = await app.call(owner.token, 'GET', `/findings/groups?${query}&next_cursor=${first.next_cursor}`);
    assert.equal(`${answer.status} ${answer.body.error.code}`, '400 invalid_cursor');
  }
  assert.equal((await app.call(owner.token, 'GET', '/findings/groups')).status, 400);
  assert.equal((await app.call(owner.token, 'GET', '/findings/groups?by=title')).status, 400);
});
