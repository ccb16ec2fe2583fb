import { createHash } from 'node:crypto';
import type { Database, Db } from '../../platform/postgres/database.ts';
import { planWithoutValues } from '../../platform/postgres/statement.ts';
import type { ColumnDataSource, ColumnRow } from '../columns/row.ts';
import { confidenceCondition, inExamplesCondition, inTestsCondition } from '../fact-bits.ts';
import { ruleOf } from '../shared-texts.ts';

const micros = (time: string) => `(extract(epoch FROM ${time}) * 1000000)::float8`;
const microsOrNever = (time: string) => `COALESCE(${micros(time)}, 'infinity')`;

/** SQL of each member of a row. */
const members: Record<keyof ColumnRow, string> = {
  id: 'f.id',
  number: 'f.number',
  dataSourceId: 'f.data_source_id',
  source: 'f.source',
  severity: 'f.severity',
  status: 'f.status',
  ruleId: 'f.rule_id',
  ruleName: 'rule.name',
  assigneeId: 'f.assignee_id',
  tags: 'to_json(f.tags)',
  identifiers: 'f.identifiers',
  ruleTags: 'rule.tags',
  packageName: 'f.package_name',
  path: 'f.path',
  weaknesses: 'to_json(f.weaknesses)',
  problem: 'f.problem::text',
  inPackage: 'f.in_package',
  inTests: inTestsCondition,
  inExamples: inExamplesCondition,
  highConfidence: confidenceCondition('high'),
  mediumConfidence: confidenceCondition('medium'),
  lowConfidence: confidenceCondition('low'),
  kev: 'f.kev IS NOT NULL',
  commented: 'f.comment_count > 0',
  reopened: 'f.reopened_count > 0',
  closed: 'f.closed_at IS NOT NULL',
  seenLast: 'f.seen_last',
  epss: 'f.epss',
  priority: 'f.priority',
  firstSeenAt: micros('f.first_seen_at'),
  updatedAt: micros('f.updated_at'),
  lastSeenAt: micros('f.last_seen_at'),
  dueAt: micros('f.due_at'),
  acceptedUntil: microsOrNever('f.accepted_until'),
};

const columns = Object.entries(members)
  .map(([name, sql]) => `${sql} AS "${name}"`)
  .join(', ');
const rule = `json_to_record(${ruleOf}) AS rule(name text, tags json)`;

/** Identifies the definition of the columns. */
export const layout = createHash('sha256').update(columns).digest('hex').slice(0, 16);

/**
 * Runs before a statement that looks up findings by id, so that its plan is good even if the table was small when it
 * was made.
 */
export const planLookUp = planWithoutValues({ enable_seqscan: 'off' });

/** Lists a page of the organization's findings by id. */
export async function listRows(db: Db, orgId: string, afterId: string, limit: number): Promise<ColumnRow[]> {
  const { rows } = await db.query<ColumnRow>({
    name: 'column_rows_list',
    text: `SELECT ${columns} FROM (SELECT * FROM findings WHERE org_id = $1 AND id > $2 ORDER BY id LIMIT $3) f, ${rule}
           ORDER BY f.id`,
    values: [orgId, afterId, limit],
  });
  return rows;
}

export async function listRowsOf(db: Db, orgId: string, ids: string[]): Promise<ColumnRow[]> {
  const { rows } = await db.query<ColumnRow>({
    name: 'column_rows_list_of_ids',
    // Each is looked up by its id: without statistics, other plans read all findings of the organization for each page.
    text: `SELECT ${columns} FROM (SELECT DISTINCT id FROM unnest($2::text[]) AS id) wanted
           CROSS JOIN LATERAL (SELECT * FROM findings WHERE org_id = $1 AND id = wanted.id OFFSET 0) f, ${rule}`,
    values: [orgId, ids],
  });
  return rows;
}

/** Returns all data sources, including deleted ones, with their last scans. */
export async function listColumnDataSources(db: Db, orgId: string): Promise<ColumnDataSource[]> {
  const { rows } = await db.query<ColumnDataSource>({
    name: 'column_data_sources_list',
    text: `SELECT d.id, d.kind, d.exposure, d.owner_id AS "ownerId", to_json(d.tags) AS tags, d.criticality,
             (SELECT COALESCE(json_object_agg(v.source, ${micros('v.last_seen_at')}), '{}') FROM finding_coverage v
              WHERE v.org_id = $1 AND v.data_source_id = d.id) AS "lastScans"
           FROM data_sources d WHERE d.org_id = $1`,
    values: [orgId],
  });
  return rows;
}

/**
 * A point in time of the database: a snapshot and its server. After a failover, another server may lack transactions
 * that were applied and may reuse their numbers.
 */
export type Moment = { snapshot: string; server: string };

const moment = `pg_current_snapshot()::text AS snapshot, pg_postmaster_start_time()::text AS server`;

/**
 * SQL for the change log entries that the snapshot `$2` does not show. Entries restored from another database belong to
 * transactions that have not started here, and are excluded.
 */
const entriesSince = `finding_change_log l WHERE l.org_id = $1
  AND l.transaction >= pg_snapshot_xmin($2::pg_snapshot) AND l.transaction < pg_snapshot_xmax(pg_current_snapshot())
  AND NOT pg_visible_in_snapshot(l.transaction, $2::pg_snapshot)`;

export async function readMoment(db: Db, orgId: string): Promise<Moment> {
  const { rows } = await db.query<Moment>({
    name: 'column_moment_read',
    text: `SELECT ${moment} FROM (SELECT $1::text) AS organization`,
    values: [orgId],
  });
  return rows[0]!;
}

/**
 * The history that a moment belongs to: its cluster, timeline, database and schema. Transaction numbers below `lasting`
 * are never reused, even after a crash.
 */
export type History = { history: string; lasting: string };

export async function readHistory(db: Db): Promise<History> {
  const { rows } = await db.query<History>({
    name: 'column_history_read',
    text: `SELECT concat_ws(' ', s.system_identifier, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8),
               (SELECT oid FROM pg_database WHERE datname = current_database()),
               (SELECT md5(string_agg(checksum, ' ' ORDER BY version)) FROM schema_migrations)) AS history,
             (split_part(c.next_xid, ':', 1)::numeric * 4294967296 + split_part(c.next_xid, ':', 2)::numeric)::text AS lasting
           FROM pg_control_system() s, pg_control_checkpoint() c`,
    values: [],
  });
  return rows[0]!;
}

/** A checksum of findings, from their count and times: two states of an organization hardly ever have the same. */
export type Proof = { count: number; sum: number };
export const proofModulus = 1_000_003;

/** Returns the checksum of all findings. */
export async function readProof(db: Db, orgId: string): Promise<Proof> {
  const { rows } = await db.query<Proof>({
    name: 'column_proof_read',
    text: `SELECT count(*)::float8 AS count, COALESCE(sum((extract(epoch FROM updated_at) * 1000000)::bigint % ${proofModulus}), 0)::float8 AS sum
           FROM findings WHERE org_id = $1`,
    values: [orgId],
  });
  return rows[0]!;
}

/** Returns the current moment, and whether there are changes that the snapshot does not show. */
export async function readNews(db: Db, orgId: string, { snapshot }: Moment): Promise<Moment & { isChanged: boolean }> {
  const { rows } = await db.query<Moment & { isChanged: boolean }>({
    name: 'column_news_read',
    text: `SELECT ${moment}, EXISTS (SELECT FROM ${entriesSince}) AS "isChanged"`,
    values: [orgId, snapshot],
  });
  return rows[0]!;
}

/** An entry of the change log; `isGap` if entries that the snapshot does not show have been removed. */
type Entry = { ids: string[]; isGap: boolean };

/** Lists the entries that the snapshot does not show. */
export async function listEntries(tx: Db, orgId: string, { snapshot }: Moment): Promise<Entry[]> {
  const { rows } = await tx.query<Entry>({
    name: 'column_entries_list',
    text: `SELECT to_json(l.finding_ids) AS ids, 
             EXISTS (SELECT FROM unnest(l.removed) AS gone(transaction) WHERE NOT pg_visible_in_snapshot(gone.transaction, $2::pg_snapshot)) AS "isGap"
           FROM ${entriesSince}`,
    values: [orgId, snapshot],
  });
  return rows;
}

/** Returns whether the organization has more than `count` findings. Finding numbers ascend from 1, with few gaps. */
export async function hasMoreFindings(database: Database, orgId: string, count: number): Promise<boolean> {
  const [last] = await database.single<{ number: number }>(
    orgId,
    {
      name: 'column_size_read',
      text: 'SELECT number FROM findings WHERE org_id = $1 ORDER BY number DESC LIMIT 1',
      values: [orgId],
    },
    [planLookUp],
  );
  return last !== undefined && last.number > count;
}
