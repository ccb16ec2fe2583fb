import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Detection } from '@assay/scanner/contract/detection.ts';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { recordScan } from '../../../tests/harness/furnished.ts';
import { eventually } from '../../../tests/harness/installation.ts';
import { newId } from '../../platform/id.ts';
import type { Database, Statement } from '../../platform/postgres/database.ts';
import { readText } from '../filters/q.ts';
import { chosenJson, findingJoins, findingJson } from '../finding-sql.ts';
import { detectionOf, insertTenant } from '../findings.fixture.ts';
import type { Sort } from '../orders.ts';
import { type ListRequest, listFindings, type Position } from './list-findings.ts';
import { planOnce } from './list-walks.ts';

// Writes the finished SQL of typical lists and the shape of its plans to files. docs/decisions/lists.md explains them.
// `npm test -- server/findings/listing/list-statements.test.ts --test-update-snapshots` renews them.

const testDatabase = await createTestDatabase();
const { database } = testDatabase;
after(() => testDatabase.drop());

let orgId: string;
let dataSourceId: string;

/** More findings than a first walk reads, so that the later steps are reached: most alike, a few rare. */
const count = 10_500;
/** ANALYZE reads up to this many rows, and takes a random sample of larger tables. */
const sampled = 30_000;

const detection = (n: number): Detection =>
  detectionOf(`k${n}`, {
    severity: n % 500 === 0 ? 'critical' : n % 3 === 0 ? 'high' : 'medium',
    title: n % 700 === 1 ? 'Forgotten key' : n % 2 === 0 ? 'Weak cipher' : 'Query from input',
    rule: { id: n % 400 === 2 ? 'rare-rule' : 'common-rule', name: 'Rule', url: null },
  });

before(async () => {
  ({ orgId, dataSourceId } = await insertTenant(database));
  await recordScan(
    database,
    orgId,
    dataSourceId,
    Array.from({ length: count }, (_, n) => detection(n)),
  );
  // A second data source makes the index worth using for a filter by the first.
  const other = newId('ds');
  await database.single(orgId, {
    text: `INSERT INTO data_sources (org_id, id, kind, name, config) VALUES ($1, $2, 'upload', 'other', '{}')`,
    values: [orgId, other],
  });
  await recordScan(
    database,
    orgId,
    other,
    Array.from({ length: sampled - count }, (_, n) => detection(n)),
  );
  await eventually(async () => {
    await testDatabase.asAdmin('VACUUM ANALYZE');
    return areAllPagesVisible();
  });
});

/**
 * Says whether an index alone is enough to read findings, as the planner then expects. A snapshot that somebody took before the last
 * finding was recorded keeps VACUUM from noting it.
 */
async function areAllPagesVisible(): Promise<boolean> {
  const [table] = await database.single<{ visible: boolean }>(null, {
    text: `SELECT relallvisible = relpages AS visible FROM pg_class WHERE oid = 'findings'::regclass`,
  });
  return table!.visible;
}

/** A database that records every statement with the settings in force. */
function recorded(statements: Array<{ statement: Statement; settings: Statement[] }>): Database {
  return {
    ...database,
    single: (org, statement, settings = []) => {
      statements.push({ statement, settings });
      return database.single(org, statement, settings);
    },
    transaction: (org, run) =>
      database.transaction(org, (tx) => {
        const settings: Statement[] = [];
        return run({
          query: (statement) => {
            if (statement.text.startsWith('SET LOCAL')) settings.push(statement);
            else statements.push({ statement, settings: [...settings] });
            return tx.query(statement);
          },
        });
      }),
  };
}

/** Formats SQL with a line for each clause, indented by its depth in parentheses. */
function laidOut(sql: string): string {
  const shortened = sql
    .replace(findingJson(), '…the JSON of a finding…')
    .replace(chosenJson('$2::boolean[]').json, '…the JSON of the chosen fields of a finding…')
    .replace(findingJoins, ' JOIN …its data source, coverage and assignee… ')
    .replace(/\s+/g, ' ')
    .trim();
  let depth = 0;
  return shortened
    .split(/(?<!\b(?:CROSS|LEFT)) (?=(?:FROM|WHERE|AND|ORDER BY|LIMIT|OFFSET|CROSS JOIN|LEFT JOIN|JOIN|UNION ALL)\b)/)
    .map((line) => {
      const indent = '  '.repeat(depth);
      for (const character of line) depth += character === '(' ? 1 : character === ')' ? -1 : 0;
      return `${indent}${line}`;
    })
    .join('\n');
}

type PlanNode = { 'Node Type': string; 'Index Name'?: string; 'Relation Name'?: string; Plans?: PlanNode[] };

const readsFindings = (node: PlanNode): boolean =>
  /^finding(s|_tags)(_|$)/.test(node['Index Name'] ?? node['Relation Name'] ?? '') ||
  (node.Plans ?? []).some(readsFindings);

/** Returns the steps of a plan that read findings, with their indexes; joins with other tables are left out. */
function shapeOf(node: PlanNode, depth = 0): string[] {
  const plans = (node.Plans ?? []).filter(readsFindings);
  const reads = node['Index Name'] ?? node['Relation Name'];
  const isPassedOver =
    !reads && plans.length === 1 && /^(Nested Loop|Hash Join|Materialize|Memoize|Result|Hash)$/.test(node['Node Type']);
  const below = plans.flatMap((plan) => shapeOf(plan, isPassedOver ? depth : depth + 1));
  return isPassedOver
    ? below
    : [`--   ${'  '.repeat(depth)}${node['Node Type']}${reads ? ` (${reads})` : ''}`, ...below];
}

async function planOf({ statement, settings }: { statement: Statement; settings: Statement[] }): Promise<string> {
  return database.transaction(orgId, async (tx) => {
    for (const setting of settings) await tx.query(setting);
    const { rows } = await tx.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({
      text: `EXPLAIN (GENERIC_PLAN, COSTS OFF, FORMAT JSON) ${statement.text}`,
    });
    return shapeOf(rows[0]!['QUERY PLAN'][0].Plan).join('\n');
  });
}

async function describeList(query: string, request: ListRequest): Promise<string> {
  const statements: Parameters<typeof recorded>[0] = [];
  await listFindings(recorded(statements), orgId, request);
  const steps = await Promise.all(
    statements.map(async (step, index) => {
      const settings = step.settings.map(({ text }) => text.replace(/'\d[^']*'/, "'…'")).join(', ');
      return `-- Statement ${index + 1}, after ${settings}\n${laidOut(step.statement.text)};\n-- Plan\n${await planOf(step)}\n`;
    }),
  );
  return `-- GET /findings${query}\n\n${steps.join('\n')}`;
}

const list = (sort: Sort, filters: ListRequest['filters'], rest: Partial<ListRequest> = {}): ListRequest => ({
  filters,
  sort,
  after: null,
  limit: 50,
  ...rest,
});

const position: Position = ['2026-03-01 00:00:00.123456+00', 'fnd_01kjjhm6000000000000000000'];

const lists: Array<[name: string, query: string, request: () => ListRequest]> = [
  ['newest', '', () => list('-first_seen_at', {})],
  ['few-fields', '?fields=title,severity', () => list('-first_seen_at', {}, { fields: ['title', 'severity'] })],
  ['second-page', '?next_cursor=…', () => list('-first_seen_at', {}, { after: position })],
  [
    'oldest-in-a-period',
    '?from=…&to=…&sort=first_seen_at',
    () => list('first_seen_at', { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2126-01-01T00:00:00Z') }),
  ],
  ['most-severe', '?sort=-severity', () => list('-severity', {})],
  [
    'critical-and-new',
    '?severity=critical&status=new',
    () => list('-first_seen_at', { severity: ['critical'], status: ['new'] }),
  ],
  ['open-by-severity', '?status=new,triaged&sort=-severity', () => list('-severity', { status: ['new', 'triaged'] })],
  [
    'one-data-source',
    '?data_source=…&severity=high',
    () => list('-first_seen_at', { data_source: [dataSourceId], severity: ['high'] }),
  ],
  [
    'rare-rule-by-change',
    '?rule=rare-rule&severity=high&sort=-updated_at',
    () => list('-updated_at', { rule: ['rare-rule'], severity: ['high'] }),
  ],
  [
    'rule-by-severity',
    '?rule=common-rule&from=…&status=new&sort=-severity',
    () => list('-severity', { rule: ['common-rule'], from: new Date('2026-01-01T00:00:00Z'), status: ['new'] }),
  ],
  ['rule-by-priority', '?rule=common-rule&sort=-priority', () => list('-priority', { rule: ['common-rule'] })],
  [
    'rare-rule-by-due-date',
    '?rule=rare-rule&severity=critical&sort=due_at',
    () => list('due_at', { rule: ['rare-rule'], severity: ['critical'] }),
  ],
  [
    'most-urgent-of-two-severities',
    '?severity=critical,high&sort=-priority',
    () => list('-priority', { severity: ['critical', 'high'] }),
  ],
  [
    'due-since-a-day',
    '?from=…&sort=due_at',
    () => list('due_at', { from: new Date('2026-01-01T00:00:00Z'), source: ['code'] }),
  ],
  ['tag', '?tag=pci', () => list('-first_seen_at', { tag: ['pci'] })],
  [
    'changes',
    '?sort=updated_at&updated_from=…',
    () => list('updated_at', { updated_from: new Date('2026-01-01T00:00:00Z') }),
  ],
  ['common-words', '?q=weak', () => list('-first_seen_at', { q: readText('weak') })],
  ['rare-words', '?q=forgotten', () => list('-first_seen_at', { q: readText('forgotten') })],
  [
    'severity-and-words',
    '?severity=critical&q=weak&sort=-updated_at',
    () => list('-updated_at', { severity: ['critical'], q: readText('weak') }),
  ],
  [
    'common-rule-and-words',
    '?rule=common-rule&q=cipher%20query',
    () => list('-first_seen_at', { rule: ['common-rule'], q: readText('cipher query') }),
  ],
  [
    'rule-and-words',
    '?rule=rare-rule&q=weak',
    () => list('-first_seen_at', { rule: ['rare-rule'], q: readText('weak') }),
  ],
];

for (const [name, query, request] of lists) {
  test(`the statements and plans of a list are as committed: ${name}`, async (context) => {
    const text = await describeList(query, request());
    context.assert.fileSnapshot(text, join(import.meta.dirname, 'statements', `${name}.sql`), {
      serializers: [(value) => value],
    });
  });
}

test('words are looked up in the indexes of words alone, however the list has its statements planned', async () => {
  // From one organization of many, a planner that knows no values expects few findings.
  for (let count = 0; count < 9; count += 1) {
    const other = await insertTenant(database);
    await recordScan(database, other.orgId, other.dataSourceId, [detection(count)]);
  }
  await testDatabase.asAdmin('ANALYZE findings');
  const countScans = `SELECT i.relname AS name, pg_stat_get_xact_numscans(i.oid) AS scans FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
    WHERE x.indrelid IN ('findings'::regclass, 'finding_texts'::regclass) ORDER BY 1`;
  for (const name of ['findings_with_rarest_word', 'findings_with_all_words']) {
    await database.transaction(orgId, async (tx) => {
      const scans = async () => (await tx.query<{ name: string; scans: number }>({ text: countScans })).rows;
      await tx.query(planOnce);
      const before = await scans();
      const text = `SELECT cardinality(${name}('{forgotten}', 2000)) AS found`;
      assert.equal((await tx.query<{ found: number }>({ text })).rows[0]!.found, 43);
      const used = (await scans()).filter((index, place) => index.scans > before[place]!.scans);
      assert.deepEqual(
        used.map((index) => index.name),
        ['finding_texts_by_word', 'findings_by_word'],
        name,
      );
    });
  }
});
