import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startApplication } from './harness/application.ts';
import { createFindingSet, type Finding } from './harness/finding-set.ts';
import { succeeded } from './harness/furnished.ts';

const app = await startApplication();
after(() => app.close());
const set = await createFindingSet(app, 90, 17);
const { owner } = set;

async function readAll(path: string, limit: number): Promise<Finding[]> {
  const all: Finding[] = [];
  let cursor = '';
  for (;;) {
    const { data, next_cursor } = succeeded(await app.call(owner.token, 'GET', `${path}limit=${limit}${cursor}`));
    all.push(...data);
    if (next_cursor === null) return all;
    cursor = `&next_cursor=${next_cursor}`;
  }
}

function counted(values: string[]) {
  const groups = Map.groupBy(values, (value) => value);
  return [...groups]
    .map(([value, members]) => ({ value, count: members.length }))
    .sort((a, b) => (Buffer.from(a.value).compare(Buffer.from(b.value)) < 0 ? -1 : 1));
}

const findings = await set.list();

test('the rules of an organization are those of its findings, with their names and counts, in pages of any length', async () => {
  const expected = counted(findings.map((finding) => finding.rule.id)).map(({ value, count }) => ({
    id: value,
    name: `Rule ${value}`,
    count,
  }));
  for (const limit of [1, 2, 200]) {
    const rules = await readAll('/rules?', limit);
    assert.deepEqual(
      rules.map(({ id, name, count }) => ({ id, name, count })),
      expected,
    );
  }
  const ids = async (q: string) => (await readAll(`/rules?q=${encodeURIComponent(q)}&`, 1)).map(({ id }) => id);
  assert.deepEqual(await ids('RULE-'), ['rule-a', 'rule-b']);
  assert.deepEqual(await ids('rule rule c'), ['Rule C']);
  assert.deepEqual(await ids('nothing'), []);
});

test('the tags of an organization are those of its findings, with their counts, in pages of any length', async () => {
  const expected = counted(findings.flatMap((finding) => finding.tags)).map(({ value, count }) => ({
    tag: value,
    count,
  }));
  for (const limit of [1, 3, 200]) assert.deepEqual(await readAll('/tags?', limit), expected);
  assert.deepEqual(
    (await readAll('/tags?q=pci&', 50)).map(({ tag }) => tag),
    ['PCI-2', 'pci'],
  );
});

test('pickers of an organization contain nothing of another', async () => {
  const { token } = await createFindingSet(app, 9, 23).then((other) => other.owner);
  const { data } = succeeded(await app.call(token, 'GET', '/rules'));
  const total = data.reduce((sum: number, rule: Finding) => sum + rule.count, 0);
  assert.equal(total, 9);
});
