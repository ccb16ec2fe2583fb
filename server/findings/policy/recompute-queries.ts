import type { Db } from '../../platform/postgres/database.ts';
import { reportedBits } from '../fact-bits.ts';
import {
  bitsIn,
  criticalityOf,
  daysOfOrganization,
  exploitationJoin,
  isOfRow,
  priorityIn,
  problemIn,
} from '../policy-queries.ts';
import { rulesVersion } from '../urgency.ts';

/** Returns the organizations with findings to recompute that have no job for it. */
export async function listOrganizationsToRecompute(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'finding_recomputations_list_organizations',
    text: 'SELECT id FROM organizations_to_recompute($1) AS id',
    values: [rulesVersion],
  });
  return rows.map((row) => row.id);
}

/** A data source whose findings must be recomputed from `inputs`; `begun` are the inputs of the last recomputation. */
export type Stale = { dataSourceId: string; inputs: string; begun: string | null };

/** The version that organizations_to_recompute() compares, looked up once for all data sources. */
const policyVersion = 'COALESCE((SELECT version FROM finding_policies WHERE org_id = $1), 0)';

/** Returns the next stale data source. */
export async function findStale(tx: Db, orgId: string): Promise<Stale | undefined> {
  const { rows } = await tx.query<Stale>({
    name: 'finding_recomputations_find_stale',
    text: `SELECT d.id AS "dataSourceId", i.inputs, r.inputs AS begun
           FROM data_sources d
           CROSS JOIN LATERAL (SELECT concat_ws('.', $2::integer, d.importance_version, ${policyVersion}) AS inputs) i
           LEFT JOIN finding_recomputations r ON r.org_id = $1 AND r.data_source_id = d.id
           WHERE d.org_id = $1 AND (r.done AND r.inputs = i.inputs) IS NOT TRUE
           ORDER BY d.id LIMIT 1`,
    values: [orgId, rulesVersion],
  });
  return rows[0];
}

export async function beginRecomputation(tx: Db, orgId: string, { dataSourceId, inputs }: Stale): Promise<void> {
  await tx.query({
    name: 'finding_recomputation_begin',
    text: `INSERT INTO finding_recomputations (org_id, data_source_id, inputs) VALUES ($1, $2, $3)
           ON CONFLICT (org_id, data_source_id) DO UPDATE SET inputs = excluded.inputs, done = false,
             started_at = excluded.started_at, after_source = '', after_fingerprint = ''`,
    values: [orgId, dataSourceId, inputs],
  });
}

/**
 * Returns whether every finding change that started before the recomputation has ended. Call `setChangeHorizon` first.
 */
export async function isSettled(tx: Db, orgId: string, dataSourceId: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'finding_recomputation_settled',
    text: `SELECT FROM finding_recomputations WHERE org_id = $1 AND data_source_id = $2
           AND (after_fingerprint <> '' OR started_at < current_setting('app.changes_before')::timestamptz)`,
    values: [orgId, dataSourceId],
  });
  return rowCount === 1;
}

type Place = { id: string; source: string; fingerprint: string };

/** Lists the next findings to recompute. Findings inserted meanwhile are computed from the present inputs anyway. */
export async function listNext(tx: Db, orgId: string, dataSourceId: string, limit: number): Promise<Place[]> {
  const { rows } = await tx.query<Place>({
    name: 'finding_recomputation_list',
    text: `SELECT f.id, f.source, f.fingerprint
           FROM (SELECT after_source, after_fingerprint FROM finding_recomputations
                 WHERE org_id = $1 AND data_source_id = $2 FOR UPDATE) r
           CROSS JOIN LATERAL (SELECT id, source, fingerprint FROM findings
             WHERE org_id = $1 AND data_source_id = $2 AND (source, fingerprint) > (r.after_source, r.after_fingerprint)
             ORDER BY source, fingerprint LIMIT $3) f
           ORDER BY f.source, f.fingerprint`,
    values: [orgId, dataSourceId, limit],
  });
  return rows;
}

export type LockedFacts = {
  id: string;
  severity: number;
  ruleId: string;
  path: string | null;
  places: Array<{ path: string | null }> | null;
  /** Null without a score, and while a decision demotes the finding: it then counts as `info`. */
  cvss: number | null;
  fixAvailable: boolean;
  identifiers: string[];
  startLine: number | null;
  ecosystem: string | null;
  packageName: string | null;
  purl: string | null;
  /** The bits that nothing else of the finding implies. */
  reportedBits: number;
};

/** Locks findings in id order, like every writer. */
export async function lockForRecomputation(tx: Db, orgId: string, ids: string[]): Promise<LockedFacts[]> {
  if (ids.length === 0) return [];
  const { rows } = await tx.query<LockedFacts>({
    text: `SELECT id, severity, rule_id AS "ruleId", path, places,
             CASE WHEN demoted_by IS NULL THEN cvss END AS cvss,
             COALESCE(fixed_version, '') <> '' AS "fixAvailable",
             identifiers, start_line AS "startLine", ecosystem, package_name AS "packageName", purl,
             urgency_bits & ${reportedBits} AS "reportedBits"
           FROM (SELECT DISTINCT id AS wanted FROM unnest($2::text[]) AS id) AS d JOIN findings f ON ${isOfRow('d', 'wanted')}
           ORDER BY id FOR NO KEY UPDATE OF f`,
    values: [orgId, ids],
  });
  return rows;
}

/** The part of a finding's urgency that follows from its facts. */
export type UrgencyRow = {
  id: string;
  severity: number;
  urgency_points: number;
  urgency_bits: number;
  cves: string[] | null;
  problem: string | null;
  weaknesses: number[] | null;
};

/** Writes the urgency of locked findings if it has changed. */
export async function updateUrgency(tx: Db, orgId: string, rows: UrgencyRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query({
    name: 'findings_update_urgency',
    text: `UPDATE findings f SET urgency_bits = u.bits, priority = u.priority, due_at = u.due_at, cves = u.cves, epss = u.epss,
             epss_percentile = u.epss_percentile, kev = u.kev, problem = u.problem, weaknesses = u.weaknesses
           FROM (SELECT g.id, d.cves, d.weaknesses, x.epss, x.epss_percentile, x.kev, ${problemIn('g.data_source_id')} AS problem, c.*, finding_due_at(g.closed_at, COALESCE(g.reopened_at, g.first_seen_at), g.severity, c.bits,
                   ${criticalityOf('g.data_source_id')}, ${daysOfOrganization}) AS due_at
                 FROM json_to_recordset($2::json) AS d(id text, severity smallint, urgency_points smallint, urgency_bits smallint, cves text[], problem bigint, weaknesses integer[])
                 ${exploitationJoin}
                 CROSS JOIN LATERAL (SELECT * FROM findings WHERE org_id = $1 AND id = d.id OFFSET 0) g
                 CROSS JOIN LATERAL (SELECT ${bitsIn('g.data_source_id')} AS bits, ${priorityIn('g.data_source_id')} AS priority
                   OFFSET 0) c) u
           WHERE ${isOfRow('u')}
             AND (f.due_at, f.urgency_bits, f.priority, f.cves, f.epss, f.epss_percentile, f.kev, f.problem, f.weaknesses)
               IS DISTINCT FROM (u.due_at, u.bits, u.priority, u.cves, u.epss, u.epss_percentile, u.kev, u.problem, u.weaknesses)`,
    values: [orgId, JSON.stringify(rows)],
  });
}

export async function advanceRecomputation(
  tx: Db,
  orgId: string,
  { dataSourceId }: Stale,
  { last, done }: { last: Place | undefined; done: boolean },
): Promise<void> {
  await tx.query({
    name: 'finding_recomputation_advance',
    text: `UPDATE finding_recomputations SET done = $3, after_source = COALESCE($4, after_source),
             after_fingerprint = COALESCE($5, after_fingerprint)
           WHERE org_id = $1 AND data_source_id = $2`,
    values: [orgId, dataSourceId, done, last?.source ?? null, last?.fingerprint ?? null],
  });
}
