import type pg from 'pg';
import { spellTexts, textOf } from '../server/findings/facts.ts';
import { rulesVersion } from '../server/findings/urgency.ts';
import { sharedWords, wordsOf } from '../server/findings/words.ts';
import { type IdPrefix, newId } from '../server/platform/id.ts';
import * as sql from './dataset-sql.ts';

/** The number of rules of each source: few kinds of secrets, thousands of advisories. */
const ruleCounts = { secrets: 150, code: 500, dependencies: 4000, web: 90 };

const subjects = [
  'credential',
  'query',
  'template',
  'upload',
  'redirect',
  'cookie',
  'header',
  'cipher',
  'parser',
  'path',
];
const problems = [
  'exposed',
  'injection',
  'overflow',
  'disclosure',
  'traversal',
  'forgery',
  'exhaustion',
  'bypass',
  'downgrade',
];
const parts = ['login', 'session', 'export', 'import', 'search', 'billing', 'webhook', 'gateway', 'queue', 'archive'];

const sentence = (seed: number) =>
  `The ${parts[seed % 10]} accepts a ${subjects[(seed * 7) % 10]} from outside and passes it on unchecked, so that an attacker can ` +
  `cause ${problems[(seed * 3) % 9]} and read or change what belongs to others.`;

/** Most rules have a medium severity; a rule always has the same severity. */
function severityOf(seed: number): number {
  const share = (seed * 2654435761) % 100;
  return share < 8 ? 4 : share < 30 ? 3 : share < 68 ? 2 : share < 90 ? 1 : 0;
}

function ruleOf(source: string, number: number, total: number) {
  const seed = number * 31 + source.length;
  const subject = subjects[seed % 10]!;
  const problem = problems[(seed >> 3) % 9]!;
  const name = `${subject} ${problem} ${number}`;
  const id = `${source}.${subject}-${problem}-${number}`;
  const identifiers = [
    `CWE-${20 + (seed % 900)}`,
    ...(source === 'dependencies' ? [`CVE-2024-${10000 + number}`] : []),
  ];
  const texts = {
    description: `${sentence(seed)} ${sentence(seed + 5)}`,
    remediation: `Check every ${subject} where it enters, and refuse what is not expected there: chapter${number % 200}.`,
    references: [`https://example.com/rules/${id}`],
  };
  const rule = { id, name, url: texts.references[0]!, tags: [] };
  const shared = sharedWords({ ...texts, rule });
  return {
    source,
    number,
    total,
    id,
    name,
    severity: severityOf(seed),
    title: `${subject[0]!.toUpperCase()}${subject.slice(1)} ${problem} in ${parts[number % 10]}`,
    rule,
    identifiers,
    text: textOf(spellTexts({ ...texts, rule })),
    text_words: [...shared],
    text_members: JSON.stringify(texts).slice(1, -1),
    words: [
      ...wordsOf(identifiers.join(' ')),
      ...wordsOf(subject, problem, parts[number % 10]!).filter((word) => !shared.has(word)),
    ],
  };
}

/** Creates the temporary table of rules for generating findings. */
async function createRules(client: pg.Client): Promise<void> {
  await client.query(
    `CREATE TEMP TABLE bench_rules (source text, number integer, total integer, id text, name text, severity smallint, title text,
       rule json, identifiers json, words text[],
       text bigint, text_words text[], text_members text, PRIMARY KEY (source, number))`,
  );
  for (const [source, total] of Object.entries(ruleCounts)) {
    const rows = Array.from({ length: total }, (_, number) => ruleOf(source, number, total));
    await client.query('INSERT INTO bench_rules SELECT * FROM json_populate_recordset(NULL::bench_rules, $1)', [
      JSON.stringify(rows),
    ]);
  }
  await client.query('ANALYZE bench_rules');
}

/** An organization of the dataset. The more data sources it has, the fewer findings are in each of them. */
type Organization = { orgId: string; memberCount: number; dataSourceCount: number };

const kinds = ['git_repository', 'git_repository', 'git_repository', 'container_image', 'website', 'git_repository'];

/** Inserts data sources, and the temporary table from which findings choose theirs by organization and number. */
async function insertDataSources(client: pg.Client, organizations: Organization[]): Promise<void> {
  await client.query(
    'CREATE TEMP TABLE bench_data_sources (org integer, org_id text, number integer, id text, kind text, total integer)',
  );
  for (const [org, { orgId, dataSourceCount }] of organizations.entries()) {
    const rows = Array.from({ length: dataSourceCount }, (_, number) => ({
      id: newId('ds'),
      number,
      kind: kinds[number % kinds.length]!,
      name: `service-${number}`,
      address: `https://git.example.com/team-${number % 12}/service-${number}`,
    }));
    await client.query(
      `WITH given AS (SELECT * FROM json_to_recordset($2) AS d(id text, number integer, kind text, name text, address text)),
         kept AS (INSERT INTO data_sources (org_id, id, kind, name, address, config, last_scanned_at)
           SELECT $1, id, kind, name, address, json_build_object('url', address), now() FROM given)
       INSERT INTO bench_data_sources SELECT $3, $1, number, id, kind, $4 FROM given`,
      [orgId, JSON.stringify(rows), org, dataSourceCount],
    );
  }
  await client.query('ANALYZE bench_data_sources');
}

/** Inserts the people of each organization, and the temporary table of assignees. */
async function insertMembers(client: pg.Client, organizations: Organization[]): Promise<void> {
  await client.query('CREATE TEMP TABLE bench_members (org integer, number integer, id text, total integer)');
  for (const [org, { orgId, memberCount }] of organizations.entries()) {
    const rows = Array.from({ length: memberCount }, (_, number) => ({
      id: newId('usr'),
      number,
      email: `person${number}.${org}@example.com`,
    }));
    await client.query(
      `WITH given AS (SELECT * FROM json_to_recordset($2) AS d(id text, number integer, email text)),
         people AS (INSERT INTO users (id, name, email) SELECT id, 'Person ' || number, email FROM given),
         members AS (INSERT INTO members (org_id, user_id, role) SELECT $1, id, 'analyst' FROM given)
       INSERT INTO bench_members SELECT $3, number, id, $4 FROM given`,
      [orgId, JSON.stringify(rows), org, memberCount],
    );
  }
  await client.query('ANALYZE bench_members');
}

/** Only with 1,000,000 findings or more. */
const counts = {
  scans: 20_000,
  auditEvents: 100_000,
  reports: 500,
  schedules: 100,
  views: 60,
  invitations: 100,
  operations: 200,
};

const ids = (prefix: IdPrefix, count: number) => Array.from({ length: count }, () => newId(prefix));

/** Every tenth scan covers all data sources, the others one. */
const insertScans = `
  WITH given AS (SELECT id, n FROM unnest($2::text[]) WITH ORDINALITY AS s(id, n)),
    kept AS (INSERT INTO scans (org_id, id, source, status, trigger, extent, created_at, started_at, completed_at)
      SELECT $1, id, (ARRAY['secrets', 'code', 'dependencies', 'web'])[1 + n % 4], 'completed', 'schedule', id, at, at, at + interval '1 minute'
      FROM (SELECT *, now() - (cardinality($2) - n) * interval '30 minutes' AS at FROM given) timed)
  INSERT INTO scan_targets (org_id, scan_id, data_source_id, source, status, started_at, completed_at, found_seen, closed_nothing)
  SELECT $1, g.id, d.id, (ARRAY['secrets', 'code', 'dependencies', 'web'])[1 + n % 4], 'completed', now(), now(), 12, 'nothing_missing'
  FROM given g CROSS JOIN LATERAL (
    SELECT id FROM data_sources WHERE org_id = $1 ORDER BY id OFFSET n % 200 LIMIT CASE WHEN n % 10 = 0 THEN 40 ELSE 1 END) d`;

const insertAuditEvents = `
  INSERT INTO audit_events (org_id, id, occurred_at, user_id, action, subject_id, details, address, sequence, hash)
  SELECT $1, id, now() - (cardinality($2) - n) * interval '5 minutes', m.ids[1 + n % cardinality(m.ids)],
    (ARRAY['account.signed_in', 'scan.cancelled', 'report.created', 'token.created'])[1 + n % 4], 'scan_' || n, '{}',
    '192.0.2.' || n % 250, n + 1000, sha256(id::bytea)
  FROM unnest($2::text[]) WITH ORDINALITY AS e(id, n),
    (SELECT array_agg(user_id) AS ids FROM members WHERE org_id = $1) m`;

const insertAuditChain = `
  INSERT INTO audit_chains (org_id, sequence, hash) SELECT org_id, sequence, hash FROM audit_events
  WHERE org_id = $1 ORDER BY sequence DESC LIMIT 1 ON CONFLICT (org_id) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash`;

const insertReports = `
  INSERT INTO reports (org_id, id, title, filters, status, head, created_at, completed_at)
  SELECT $1, id, 'Report ' || n, '{}', 'failed', NULL, now() - (cardinality($2) - n) * interval '1 day', now()
  FROM unnest($2::text[]) WITH ORDINALITY AS r(id, n)`;

/** Disabled, so that nothing starts by itself during measurements. */
const insertSchedules = `
  INSERT INTO scan_schedules (org_id, id, name, sources, data_source_ids, cron, timezone, enabled)
  SELECT $1, id, 'Schedule ' || n, '{secrets}', NULL, '0 3 * * *', 'UTC', false FROM unnest($2::text[]) WITH ORDINALITY AS s(id, n)`;

const insertScheduledReports = `
  INSERT INTO scheduled_reports (org_id, id, title, filters, cron, timezone, format, recipients, enabled, created_by)
  SELECT $1, id, 'Report ' || n, '{}', '0 3 * * 1', 'UTC', 'pdf', '{board@example.com}', false,
    (SELECT min(user_id) FROM members WHERE org_id = $1)
  FROM unnest($2::text[]) WITH ORDINALITY AS s(id, n)`;

const insertViews = `
  INSERT INTO finding_views (org_id, id, owner_id, name, filter)
  SELECT $1, id, (SELECT min(user_id) FROM members WHERE org_id = $1), 'View ' || n, '{"severity": ["critical"]}'
  FROM unnest($2::text[]) WITH ORDINALITY AS v(id, n)`;

const insertInvitations = `
  INSERT INTO invitations (org_id, id, email, role, invited_by, expires_at)
  SELECT $1, id, 'person' || n || '@example.com', 'analyst', (SELECT min(user_id) FROM members WHERE org_id = $1), now() + interval '7 days'
  FROM unnest($2::text[]) WITH ORDINALITY AS i(id, n)`;

const insertOperations = `
  INSERT INTO bulk_operations (org_id, id, requested_by, status, change, as_of, matched, processed, updated, completed_at)
  SELECT $1, id, (SELECT min(user_id) FROM members WHERE org_id = $1), 'completed', '{"status": "triaged"}', now(), 1200, 1200, 1200, now()
  FROM unnest($2::text[]) WITH ORDINALITY AS o(id, n)`;

/**
 * Inserts the other data that an organization accumulates in a year: scans, reports, schedules, views and people's
 * actions. There is less of it with fewer findings.
 */
async function insertActivity(client: pg.Client, orgId: string, findings: number): Promise<void> {
  const share = Math.min(1, findings / 1_000_000);
  const insert = (statement: string, prefix: IdPrefix, count: number) =>
    client.query(statement, [orgId, ids(prefix, Math.ceil(count * share))]);
  await insert(insertScans, 'scan', counts.scans);
  await insert(insertAuditEvents, 'aud', counts.auditEvents);
  await client.query(insertAuditChain, [orgId]);
  await insert(insertReports, 'rpt', counts.reports);
  await insert(insertSchedules, 'sch', counts.schedules);
  await insert(insertScheduledReports, 'srp', counts.schedules);
  await insert(insertViews, 'view', counts.views);
  await insert(insertInvitations, 'inv', counts.invitations);
  await insert(insertOperations, 'bulk', counts.operations);
}

/** Creates the other organizations, which share everything that the first does not own. */
export async function createOthers(client: pg.Client, count = 9): Promise<Organization[]> {
  const others: Organization[] = [];
  for (let number = 1; number <= count; number++) {
    const orgId = newId('org');
    await client.query('INSERT INTO organizations (id, name) VALUES ($1, $2)', [orgId, `Organization ${number}`]);
    others.push({ orgId, memberCount: 8, dataSourceCount: 40 });
  }
  return others;
}

async function secondaryIndexes(client: pg.Client) {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
     FROM pg_index i WHERE i.indrelid::regclass::text = ANY($1)
       AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)`,
    [['findings', 'finding_history', 'finding_comments']],
  );
  // The definition of a partitioned index leaves the partitions out.
  return rows.map(({ name, definition }) => ({ name, definition: definition.replace(' ON ONLY ', ' ON ') }));
}

/**
 * Loads `count` findings directly into the tables, like those that years of scans and triage would have left, with
 * their figures, tags, history and comments: `share` of them in the first organization, the rest in `others` or in
 * nine new ones. Deterministic except for the ids of organizations and the current time.
 */
export async function loadDataset(
  client: pg.Client,
  organization: Organization,
  count: number,
  share = 0.5,
  others?: Organization[],
): Promise<void> {
  const organizations = [organization, ...(others ?? (await createOthers(client)))];
  // Without checks per row and with a minimal log: after a failure, loading starts from the beginning.
  await client.query(`SET session_replication_role = replica; SET synchronous_commit = off;
    SET maintenance_work_mem = '1GB'; SET work_mem = '256MB'; SET max_parallel_maintenance_workers = 2`);
  await client.query(sql.functions);
  await createRules(client);
  await insertDataSources(client, organizations);
  await insertMembers(client, organizations);
  const indexes = await secondaryIndexes(client);
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  await client.query(sql.insertFindings, [count, share, organizations.length - 1]);
  for (const statement of [sql.insertTexts, sql.insertHistory, sql.insertComments]) await client.query(statement);
  for (const { definition } of indexes) await client.query(definition);
  for (const statement of [sql.insertCounts, sql.insertFlows, sql.insertCoverage]) await client.query(statement);
  await client.query(sql.insertRecomputations, [rulesVersion]);
  await insertActivity(client, organization.orgId, count);
  await client.query('VACUUM (ANALYZE)');
}
