import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { severities } from '../scanner/contract/severity.ts';
import { addFindingMetrics } from '../server/findings/figures/finding-metrics.ts';
import { statuses } from '../server/findings/lifecycle.ts';
import { createMetrics } from '../server/platform/metrics.ts';
import { startApplication } from './harness/application.ts';
import { createFindingSet } from './harness/finding-set.ts';
import { succeeded } from './harness/furnished.ts';

const app = await startApplication();
after(() => app.close());
const set = await createFindingSet(app, 180, 11);
const { owner, member } = set;

type Counted = { value: string; count: number };

const facetsOf = async (query: string) => succeeded(await app.call(owner.token, 'GET', `/findings/facets?${query}`));

test('severities and statuses are in their own order, other values by size, with names for ids', async () => {
  const { facets } = await facetsOf('field=severity,status,rule,data_source,assignee');
  const [severity, status, rule, dataSource, assignee] = facets;
  assert.deepEqual(
    severity.values.map(({ value }: Counted) => value),
    severities,
  );
  assert.deepEqual(
    status.values.map(({ value }: Counted) => value),
    statuses,
  );
  const counts = rule.values.map(({ count }: Counted) => count);
  assert.deepEqual(
    counts,
    [...counts].sort((a, b) => b - a),
  );
  const labels = ({ values }: { values: Array<{ value: string; label: string | null }> }) =>
    Object.fromEntries(values.map(({ value, label }) => [value, label]));
  assert.equal(labels(rule)['rule-a'], 'Rule rule-a');
  assert.deepEqual(Object.values(labels(dataSource)).sort(), ['first', 'second', 'third']);
  assert.equal(labels(assignee).none, null);
  assert.equal(typeof labels(assignee)[member.userId], 'string');
});

test('value_q finds values by their text, whatever its case, and ids by their names', async () => {
  const { facets } = await facetsOf('field=rule,data_source,severity,tag&value_q=S');
  const found = facets.map(({ values }: { values: Counted[] }) => values.map(({ value }) => value).sort());
  assert.deepEqual(found[0], []);
  assert.deepEqual(found[1], [set.dataSources[0], set.dataSources[1]].sort());
  assert.deepEqual(found[2], []);
  assert.deepEqual(found[3], ['später']);
  for (const filter of ['', '&rule=rule-a']) {
    const { facets: all } = await facetsOf(`field=severity${filter}`);
    const { facets: some } = await facetsOf(`field=severity&value_q=I${filter}`);
    assert.deepEqual(
      some[0].values,
      all[0].values.filter(({ value }: Counted) => value.includes('i')),
    );
  }
});

test('figures include a change as soon as it was made, and current names of people', async () => {
  const [finding] = await set.list('status=new&assignee=none');
  const read = () =>
    Promise.all(
      [
        'findings/facets?field=status,tag,assignee,data_source',
        'findings/facets?field=rule&status=new',
        'findings/groups?by=rule&status=new',
        'findings/summary',
        'tags',
        'rules',
        'detection-sources',
      ].map((path) => set.get(`/${path}`)),
    );
  const countOf = (values: Counted[], value: string) => values.find((each) => each.value === value)?.count ?? 0;
  const figuresOf = async () => {
    const [facets, ofNew, groups, summary, tags, rules, sources] = await read();
    const rule = finding.rule.id;
    return {
      new: countOf(facets.facets[0].values, 'new'),
      tagged: countOf(facets.facets[1].values, 'today'),
      assigned: countOf(facets.facets[2].values, owner.userId),
      newOfRule: countOf(ofNew.facets[0].values, rule),
      group: countOf(groups.data, rule),
      status: summary.by_status.new,
      tag: tags.data.find(({ tag }: { tag: string }) => tag === 'today')?.count ?? 0,
      rule: rules.data.find(({ id }: { id: string }) => id === rule).count,
      open: sources.data.find(({ type }: { type: string }) => type === finding.source).open_findings,
    };
  };
  const before = await figuresOf();
  assert.deepEqual(await figuresOf(), before);
  const json = { status: 'resolved', tags: ['today'], assignee: owner.userId };
  succeeded(await app.call(owner.token, 'PATCH', `/findings/${finding.id}`, { json }));
  const { rule, ...others } = before;
  const less = Object.entries(others).map(([name, n]) => [name, n + (/tag|assigned/.test(name) ? 1 : -1)]);
  assert.deepEqual(await figuresOf(), { ...Object.fromEntries(less), rule });

  const [dataSource] = set.dataSources;
  succeeded(await app.call(owner.token, 'PATCH', `/data-sources/${dataSource}`, { json: { name: 'renamed' } }));
  const rename = { text: `UPDATE users SET name = 'Renamed' WHERE id = $1`, values: [owner.userId] };
  await app.database.single(null, rename);
  const [{ facets }] = await read();
  const labelOf = (index: number, value: string) =>
    facets[index].values.find((each: Counted) => each.value === value).label;
  assert.deepEqual([labelOf(2, owner.userId), labelOf(3, dataSource!)], ['Renamed', 'renamed']);
});

test('an unknown field, no field at all, and a wrong filter are 400 and named', async () => {
  for (const [query, field] of [
    ['', 'field'],
    ['field=title', 'field'],
    ['field=rule&severity=worst', 'severity'],
    ['field=rule&limit=3', 'limit'],
  ]) {
    const answer = await app.call(owner.token, 'GET', `/findings/facets?${query}`);
    assert.equal(answer.status, 400, query);
    assert.equal(answer.body.error.details[0].field, field);
  }
});

test('the metrics count the findings of the installation by severity and status, and the overdue ones', async () => {
  const metrics = createMetrics();
  addFindingMetrics(metrics, app.database);
  const text = await metrics.text();
  const metricOf = (name: string, labels: string) =>
    Number(new RegExp(`^assay_${name}{${labels}} (\\d+)$`, 'm').exec(text)![1]);
  const now = new Date().toISOString();
  const findings = await set.list();
  let [all, overdue] = [0, 0];
  for (const severity of severities) {
    const ofSeverity = findings.filter((finding) => finding.severity === severity);
    for (const status of statuses) {
      const counted = metricOf('findings', `severity="${severity}",status="${status}"`);
      assert.ok(counted >= ofSeverity.filter((finding) => finding.status === status).length, `${severity} ${status}`);
      all += counted;
    }
    const late = ofSeverity.filter(({ due_at }) => due_at !== null && due_at < now);
    assert.equal(metricOf('findings_overdue', `severity="${severity}"`), late.length);
    overdue += late.length;
  }
  assert.equal(all, findings.length + 2, 'those of the other organization are counted, too');
  assert.ok(overdue > 0);
});
