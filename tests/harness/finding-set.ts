import assert from 'node:assert/strict';
import fc from 'fast-check';
import pg from 'pg';
import { confidences } from '../../scanner/contract/confidence.ts';
import { severities } from '../../scanner/contract/severity.ts';
import { detectionOf } from '../../server/findings/findings.fixture.ts';
import { statuses } from '../../server/findings/lifecycle.ts';
import type { Application } from './application.ts';
import { recordScan, succeeded } from './furnished.ts';
import { createTenant, createTestMember, type Person } from './people.ts';

// biome-ignore lint/suspicious/noExplicitAny: a finding as the API returns it
export type Finding = any;

/** An organization with many findings of every kind, and another organization. */
export type FindingSet = {
  owner: Person;
  member: Person;
  dataSources: string[];
  /** The owner, tags and criticality of each data source, by id. */
  importance: Map<string, { tags: string[]; owner: string | null; criticality: string }>;
  /** Reads all pages of the list. */
  list(query?: string, limit?: number): Promise<Finding[]>;
  get(path: string): Promise<Finding>;
};

const sources = ['secrets', 'code', 'dependencies'];
const rules = ['rule-a', 'rule-b', 'Rule C'];
const tags = ['pci', 'PCI-2', 'später', 'a b'];
const identifiers = ['CWE-798', 'CVE-2021-44228', 'RHSA-2021:5133'];
const ruleTags = ['security', 'external/cwe/cwe-079', 'OWASP-A03'];
const packages = ['lodash', '@types/node', 'log4j:log4j'];
const folders = ['src', 'src/api', 'test/unit', 'docs', 'Späth'];
const titles = ['Key in the configuration', 'Weak cipher', 'Schlüssel im Quelltext', 'SQL injection', "O'Hara & co"];

export const pick = <T>(values: readonly T[], n: number): T => values[n % values.length]!;

export async function addDataSource(app: Application, token: string, name: string): Promise<string> {
  const json = { kind: 'upload', name };
  return succeeded(await app.call(token, 'POST', '/data-sources', { json })).id;
}

/** Yields the pages of a list. */
export async function readAll(app: Application, token: string, query: string, limit = 200): Promise<Finding[]> {
  const all: Finding[] = [];
  let cursor = '';
  for (;;) {
    const path = `/findings?limit=${limit}${query && `&${query}`}${cursor && `&next_cursor=${cursor}`}`;
    const page = succeeded(await app.call(token, 'GET', path));
    assert.ok(page.data.length <= limit);
    all.push(...page.data);
    if (page.next_cursor === null) return all;
    assert.equal(page.data.length, limit, 'a page that is not the last is full');
    cursor = page.next_cursor;
  }
}

async function asAdmin(app: Application, text: string, values: unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: app.adminUrl });
  await client.connect();
  await client.query(text, values);
  await client.end();
}

const randomOf = (seed: number) => {
  const numbers = fc.sample(fc.nat(), { seed, numRuns: 5_000 });
  let next = 0;
  return () => numbers[next++ % numbers.length]!;
};

/** Makes random decisions on findings through the API. */
async function triage(app: Application, owner: Person, member: Person, found: Finding[], random: () => number) {
  const assignees = [null, owner.userId, member.email, null];
  for (const [index, finding] of found.entries()) {
    const json = {
      status: pick(statuses, random()),
      tags: tags.filter(() => random() % 3 === 0),
      assignee: pick(assignees, random()),
      ...(index % 5 === 0 && { comment: 'Checked.' }),
    };
    succeeded(await app.call(owner.token, 'PATCH', `/findings/${finding.id}`, { json }));
  }
}

/**
 * Creates about `count` findings of three data sources and three sources, with random decisions. They were first seen
 * over some days, many within the same second or at exactly the same time, to test ties.
 */
export async function createFindingSet(app: Application, count: number, seed: number): Promise<FindingSet> {
  const owner = await createTenant(app.database, 'Findings');
  const member = await createTestMember(app.database, owner.orgId, 'analyst');
  const other = await createTenant(app.database, 'Other');
  await app.database.single(null, {
    text: `INSERT INTO epss_scores VALUES ('CVE-2021-44228', 0.94358, 0.999) ON CONFLICT DO NOTHING`,
  });
  await app.database.single(null, {
    text: `INSERT INTO known_exploited VALUES ('CVE-2021-44228', '2021-12-10') ON CONFLICT DO NOTHING`,
  });
  const random = randomOf(seed);
  const detection = (n: number) => {
    const id = pick(rules, random());
    const severity = pick(severities, random());
    const name = packages[random() % 5];
    const reference = { ecosystem: 'npm', name: name!, version: '1.0.0', fixed_version: null, purl: null };
    const detection = detectionOf(`k${n}`, {
      severity,
      title: pick(titles, random()),
      rule: { id, name: `Rule ${id}`, url: null, tags: ruleTags.filter(() => random() % 3 === 0) },
      identifiers: identifiers.filter(() => random() % 3 === 0),
      confidence: pick([...confidences, null], random()),
    });
    const path = random() % 7 === 0 ? null : `${pick(folders, random())}/${pick(titles, random())}/k${n}.ts`;
    return { ...detection, location: { ...detection.location, path, package: name ? reference : null } };
  };
  const dataSources: string[] = [];
  const importance: FindingSet['importance'] = new Map();
  const said = [
    { tags: ['pci', 'später'], owner: owner.userId, criticality: 'critical' },
    { tags: ['pci'], owner: null, criticality: 'medium' },
    { tags: [], owner: member.userId, criticality: 'low' },
  ];
  for (const [index, name] of ['first', 'second', 'third'].entries()) {
    const id = await addDataSource(app, owner.token, name);
    dataSources.push(id);
    importance.set(id, said[index]!);
    succeeded(await app.call(owner.token, 'PATCH', `/data-sources/${id}`, { json: said[index] }));
  }
  for (const dataSourceId of dataSources) {
    for (const source of sources) {
      const some = Array.from({ length: Math.ceil(count / 9) }, (_, n) => detection(n));
      const isFirst = dataSourceId === dataSources[0] && source === sources[0];
      await recordScan(app.database, owner.orgId, dataSourceId, some, {
        source,
        ...(isFirst && { scanId: 'scan_00000000000000000000000001' }),
      });
    }
  }
  const strange = await addDataSource(app, other.token, 'strange');
  await recordScan(app.database, other.orgId, strange, [detection(1), detection(2)]);
  const found = await readAll(app, owner.token, '');
  await triage(app, owner, member, found, random);
  await asAdmin(
    app,
    `UPDATE findings f SET
       first_seen_at = timestamptz '2026-03-01T00:00:00Z' + d.first * interval '0.25 second' + d.day * interval '1 day',
       updated_at = timestamptz '2026-05-01T00:00:00Z' + d.last * interval '0.25 second',
       reopened_count = d.reopened, accepted_until = CASE WHEN status = 'accepted_risk' THEN
         timestamptz '2126-05-01T00:00:00Z' + d.last * interval '0.25 second' END,
       due_at = CASE WHEN closed_at IS NULL AND severity > 0 THEN
         timestamptz '2126-06-01T00:00:00Z' - (d.first % 2) * interval '100 years' + d.last * interval '0.25 second'
       ELSE 'infinity' END
     FROM json_to_recordset($2::json) AS d(id text, first integer, day integer, last integer, reopened integer)
     WHERE f.org_id = $1 AND f.id = d.id`,
    [
      owner.orgId,
      JSON.stringify(
        found.map(({ id }) => {
          const [first, day, last] = [random() % 12, random() % 3, random() % 40];
          return { id, first, day, last, reopened: Math.max(0, (random() % 5) - 2) };
        }),
      ),
    ],
  );
  return {
    owner,
    member,
    dataSources,
    importance,
    list: (query = '', limit = 200) => readAll(app, owner.token, query, limit),
    get: async (path) => succeeded(await app.call(owner.token, 'GET', path)),
  };
}
