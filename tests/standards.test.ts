import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { ImportedDetection } from '../scanner/readers/format.ts';
import { readAll } from '../scanner/readers/testing/formats.fixture.ts';
import { samples } from '../scanner/readers/testing/samples.fixture.ts';
import { standardSources, standards, standardValue } from '../server/findings/standards/standards.ts';
import { mapWeaknesses } from '../server/reports/analysis/mapping.ts';
import { countWeaknesses } from '../server/reports/analysis/weakness-queries.ts';
import { startApplication } from './harness/application.ts';
import { recordScan, succeeded } from './harness/furnished.ts';
import { createTenant } from './harness/people.ts';
import { type StandardFacts, standardsOf } from './harness/standards-model.ts';

/** Queries of CodeQL, Flawfinder and Semgrep with the CWEs of their tags, which the other samples lack. */
const tagged: Array<[id: string, ...tags: string[]]> = [
  ['cpp/use-after-free', 'external/cwe/cwe-416'],
  ['cpp/unbounded-write', 'external/cwe/cwe-120', 'external/cwe/cwe-787'],
  ['cpp/overflow-buffer', 'external/cwe/cwe-121', 'external/cwe/cwe-122'],
  ['cpp/inconsistent-null-check', 'external/cwe/cwe-476'],
  ['cs/web/missing-function-level-access-control', 'external/cwe/cwe-285', 'external/cwe/cwe-862'],
  ['cs/web/insecure-direct-object-reference', 'external/cwe/cwe-639'],
  ['js/incomplete-url-substring-sanitization', 'external/cwe/cwe-020'],
  ['py/log-injection', 'external/cwe/cwe-117'],
  ['incorrect-authorization', 'CWE-863: Incorrect Authorization'],
];
const sarif = {
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'CodeQL', rules: tagged.map(([id, ...tags]) => ({ id, properties: { tags } })) } },
      results: tagged.map(([ruleId], index) => {
        const physicalLocation = { artifactLocation: { uri: `src/${index}.c` }, region: { startLine: 1 } };
        return { ruleId, message: { text: ruleId }, locations: [{ physicalLocation }] };
      }),
    },
  ],
};

async function readSamples(): Promise<ImportedDetection[]> {
  const files = [...samples, ['sarif', JSON.stringify(sarif)] as const];
  return (await Promise.all(files.map(([format, content]) => readAll(content, { format })))).flatMap(({ all }) => all);
}

const factsOf = ({ identifiers, rule, source, location, severity }: ImportedDetection) => ({
  ...{ identifiers, source, severity, ruleId: rule.id, inPackage: location.package !== null },
});
const places = [
  { kind: 'git_repository', exposure: 'internal', config: { url: 'https://git.example.com/a.git' } },
  { kind: 'website', exposure: 'public', config: { url: 'https://www.example.com/' } },
  { kind: 'upload', exposure: 'internal', config: {} },
] as const;

test('each requirement of a standard has findings: from a reader, or with a CWE that a built-in rule names', async () => {
  const found = new Set<string>();
  const add = (facts: Omit<StandardFacts, 'isOverdue' | 'kind' | 'exposure'>) => {
    for (const place of places)
      for (const value of standardsOf({ ...facts, ...place, isOverdue: true })) found.add(value);
  };
  for (const detection of await readSamples()) add(factsOf(detection));
  const folder = new URL('../scanner/detectors/', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!test)\.(ts|yml)$/.test(file),
  );
  const named = new Set(files.flatMap((file) => readFileSync(new URL(file, folder), 'utf8').match(/CWE-\d+\b/g) ?? []));
  for (const source of ['code', 'infrastructure', 'web'])
    for (const id of named) add({ ...{ identifiers: [id], ruleId: 'x', source, inPackage: false }, severity: 'high' });
  const rows = standards.flatMap((standard) => standard.rows.map((row) => standardValue(standard, row)));
  assert.deepEqual(
    rows.filter((row) => !found.has(row)),
    [],
  );
});

test('the data file has each requirement once, with names, a reason and facts; CWE-16 and CWE-20 are used only in lists published by others', () => {
  const ids = standards.map(({ id }) => id);
  assert.deepEqual(ids, ['owasp-2025', 'owasp-2021', 'cwe-top-25-2025', 'pci-dss-4.0.1', 'iso-27001-2022']);
  assert.deepEqual(
    standards.map(({ rows }) => rows.length),
    [10, 10, 25, 17, 17],
  );
  for (const { id: standard, name, rows } of standards) {
    assert.match(name, /\d/, 'the name has an edition');
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
    for (const { id, name: names, because, matches } of rows) {
      const where = `${standard} ${id}`;
      assert.ok(names.en && names.de && matches.length > 0, where);
      assert.match(because, /^[A-Z].*\.$/, where);
      for (const { weaknesses = [], sources } of matches) {
        assert.deepEqual(
          weaknesses,
          [...new Set(weaknesses)].sort((a, b) => a - b),
          where,
        );
        assert.ok(!sources || standardSources[sources]!.length > 0, where);
        if (/^(pci|iso)/.test(standard)) assert.ok(!weaknesses.some((number) => number === 16 || number === 20), where);
      }
    }
  }
});

test('results of every tool have the requirements that follow from their facts, in the response, the filter and the report', async (t) => {
  const app = await startApplication();
  t.after(() => app.close());
  const { token, orgId } = await createTenant(app.database, 'Standards');
  const call = async (method: 'GET' | 'POST', path: string, json?: object) =>
    succeeded(await app.call(token, method, path, json ? { json } : {}));
  const detections = await readSamples();
  const expected = new Map<string, string[]>();
  const ids: string[] = [];
  for (const place of places) {
    const { id } = await call('POST', '/data-sources', { ...place, name: place.kind });
    ids.push(id);
    for (const [source, own] of Map.groupBy(detections, (detection) => detection.source))
      await recordScan(app.database, orgId, id, own, { source });
  }
  await app.database.single(orgId, {
    text: `UPDATE findings SET due_at = now() + CASE WHEN id < (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY id) FROM findings WHERE org_id = $1)
             THEN interval '-1 hour' ELSE interval '1 hour' END WHERE org_id = $1`,
    values: [orgId],
  });
  type Listed = Record<string, never> & { id: string; standards: string[] };
  const list = async (query: string): Promise<Listed[]> => {
    const all: Listed[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await call('GET', `/findings?limit=200&${query}${cursor && `&next_cursor=${cursor}`}`);
      all.push(...page.data);
      cursor = page.next_cursor;
    }
    return all;
  };
  // biome-ignore lint/suspicious/noExplicitAny: findings as the API returns them
  const findings: any[] = await list('fields=standards,identifiers,rule,source,location,severity,due_at,data_source');
  assert.ok(findings.length > 400, `${findings.length} findings`);
  for (const { id, standards: own, due_at: due, data_source: dataSource, ...finding } of findings) {
    const place = places[ids.indexOf(dataSource.id)]!;
    expected.set(id, standardsOf({ ...factsOf(finding), ...place, isOverdue: Date.parse(due) < Date.now() }));
    assert.deepEqual(own, expected.get(id), `${finding.source} ${finding.rule.id}`);
  }
  // A single finding is computed by the service, lists by PostgreSQL.
  for (const { id } of findings.filter((_, index) => index % 20 === 0))
    assert.deepEqual((await call('GET', `/findings/${id}`)).standards, expected.get(id), id);
  const now = new Date();
  const scope = { filters: {}, at: now, today: now, period: { from: now, to: now } };
  const mapping = mapWeaknesses(await app.database.transaction(orgId, (tx) => countWeaknesses(tx, orgId, scope)));
  for (const [index, standard] of standards.entries()) {
    const mapped = mapping.standards[index]!;
    const selected = await list(`fields=id&standard=${standard.id}`);
    const those = [...expected].filter(([, values]) => values.some((value) => value.startsWith(`${standard.id}:`)));
    assert.deepEqual(selected.map(({ id }) => id).sort(), those.map(([id]) => id).sort(), standard.id);
    assert.equal(mapped.unmapped, findings.length - those.length, standard.id);
    for (const [place, row] of standard.rows.entries()) {
      const value = standardValue(standard, row);
      const counted = [...expected.values()].filter((values) => values.includes(value)).length;
      assert.equal((await list(`fields=id&standard=${value}`)).length, counted, value);
      assert.equal(mapped.categories[place]!.open, counted, value);
    }
  }
});
