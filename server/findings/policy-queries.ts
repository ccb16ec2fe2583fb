import { isDeepStrictEqual } from 'node:util';
import type { Db, Statement } from '../platform/postgres/database.ts';
import { setLocal } from '../platform/postgres/statement.ts';
import { type DueRules, daysTable, defaultPolicy, type Policy } from './policy.ts';
import { dataSourceBits, dataSourcePoints, exploitationBits, exploitationPoints } from './urgency.ts';

const smallints = (values: Array<number | null>) => `{${values.map((value) => value ?? 'NULL').join(',')}}`;

/** SQL for the days to fix of the organization `$1`, in the form that `finding_due_at()` reads. */
export const daysOfOrganization = `COALESCE((SELECT days FROM finding_policies WHERE org_id = $1),
  '${smallints(daysTable(defaultPolicy))}'::smallint[])`;

/** SQL for the criticality of a data source of the organization `$1`. */
export const criticalityOf = (dataSourceId: string): string =>
  `(SELECT criticality FROM data_sources WHERE org_id = $1 AND id = ${dataSourceId})`;

const ofDataSource = (expression: string, dataSourceId: string) =>
  `(SELECT ${expression} FROM data_sources WHERE org_id = $1 AND id = ${dataSourceId})`;

/**
 * SQL for the priority and the bits of a finding of a data source with the facts of row `d`; row `x` comes from
 * `exploitationJoin`.
 */
export const priorityIn = (dataSourceId: string): string =>
  `LEAST(100, GREATEST(0, COALESCE(d.urgency_points, 15 * d.severity) + ${exploitationPoints('x')} + ${ofDataSource(dataSourcePoints, dataSourceId)}))::smallint`;
export const bitsIn = (dataSourceId: string): string =>
  `(COALESCE(d.urgency_bits, 0) | ${exploitationBits('x')} | ${ofDataSource(dataSourceBits, dataSourceId)})::smallint`;

/** SQL for the stored problem number of row `d`; it includes the data source. */
export const problemIn = (dataSourceId: string): string => `d.problem # hashtextextended(${dataSourceId}, 0)`;

/**
 * SQL that joins the feeds' data about the CVEs of a row, as `x`. Run `lookUpByIndex` first, in the same transaction.
 * Most findings have no CVE: OFFSET 0 keeps their condition inside, where it prevents both lookups.
 */
export const exploitationOf = (row: string): string => `LEFT JOIN LATERAL (SELECT e.*, k.* FROM
    (SELECT max(score) AS epss, max(percentile) AS epss_percentile FROM epss_scores WHERE cve = ANY (${row}.cves)) e,
    (SELECT min(added_on) AS kev FROM known_exploited WHERE cve = ANY (${row}.cves)) k
    WHERE ${row}.cves IS NOT NULL OFFSET 0) x ON true`;
export const exploitationJoin = exploitationOf('d');

/** Prevents whole-table reads for each finding by plans that were made while a table, such as a feed, was empty. */
export const lookUpByIndex: Statement = setLocal({ enable_seqscan: 'off' });

/**
 * The condition that finding `f` is that of a row of a batch. The range lets PostgreSQL expect few rows, so that it looks
 * each up by its id: as long as it has no statistics about an organization, it would read all its findings instead.
 */
export const isOfRow = (row: string, id = 'id'): string =>
  `f.org_id = $1 AND f.id = ${row}.${id} AND ${row}.${id} BETWEEN 'fnd' AND 'fne'`;

/** SQL for when finding `f` was last reopened, after it moves as in row `d` at a time. */
export const reopenedAt = (time: string): string =>
  `CASE WHEN f.closed_at IS NOT NULL AND d."closedAt" IS NULL THEN ${time}::timestamptz ELSE f.reopened_at END`;

/** SQL for the due time of the finding after that move. */
export const dueAfter = (time: string, reopened = reopenedAt(time)): string =>
  `finding_due_at(to_timestamp(d."closedAt" / 1000.0), COALESCE(${reopened}, f.first_seen_at), f.severity, f.urgency_bits,
     ${criticalityOf('f.data_source_id')}, ${daysOfOrganization})`;

export type PolicyRow = { policy: Policy; version: number };

export const findPolicyStatement = (orgId: string): Statement => ({
  name: 'finding_policy_find',
  text: 'SELECT policy, version FROM finding_policies WHERE org_id = $1',
  values: [orgId],
});

/** Returns the policy of the organization, or the default policy with version 0 if there is none. */
export const policyOf = ([row]: PolicyRow[]): PolicyRow => row ?? { policy: defaultPolicy, version: 0 };

export async function findPolicy(db: Db, orgId: string): Promise<Policy> {
  return policyOf((await db.query<PolicyRow>(findPolicyStatement(orgId))).rows).policy;
}

/** The numbers of open findings whose due dates another policy would change. */
export type PolicyEffect = { earlier: number; later: number; overdue: number; overdue_numbers: string[] };

/** The numbers of findings fit into the address of a list. */
const maxShown = 100;

/** Compares the due dates of all open findings with those by other days to fix. */
export const comparePolicy = (orgId: string, policy: DueRules): Statement => ({
  text: `SELECT count(*) FILTER (WHERE n.due_at < f.due_at)::integer AS earlier,
      count(*) FILTER (WHERE n.due_at > f.due_at)::integer AS later,
      count(*) FILTER (WHERE n.due_at <= now() AND f.due_at > now())::integer AS overdue,
      COALESCE((array_agg('F-' || f.number ORDER BY f.priority DESC, f.id)
        FILTER (WHERE n.due_at <= now() AND f.due_at > now()))[1:${maxShown}], '{}') AS overdue_numbers
    FROM findings f JOIN data_sources s ON s.org_id = $1 AND s.id = f.data_source_id
    CROSS JOIN LATERAL (SELECT finding_due_at(NULL, COALESCE(f.reopened_at, f.first_seen_at), f.severity, f.urgency_bits,
      s.criticality, $2::smallint[]) AS due_at OFFSET 0) n
    WHERE f.org_id = $1 AND f.closed_at IS NULL`,
  values: [orgId, smallints(daysTable(policy))],
});

/**
 * Replaces the policy and returns the previous one. An equal policy keeps its version, so that no due date is
 * recomputed. Concurrent replacements wait for each other.
 */
export async function replacePolicy(
  tx: Db,
  orgId: string,
  decide: (before: PolicyRow) => Policy,
): Promise<{ before: Policy; row: PolicyRow }> {
  await tx.query({
    text: `INSERT INTO finding_policies (org_id, policy, days, version) VALUES ($1, $2, $3, 0) ON CONFLICT (org_id) DO NOTHING`,
    values: [orgId, JSON.stringify(defaultPolicy), smallints(daysTable(defaultPolicy))],
  });
  const { rows } = await tx.query<PolicyRow>({
    text: 'SELECT policy, version FROM finding_policies WHERE org_id = $1 FOR UPDATE',
    values: [orgId],
  });
  const [before] = rows;
  const policy = decide(before!);
  if (isDeepStrictEqual(policy, before!.policy)) return { before: policy, row: before! };
  const { rows: written } = await tx.query<{ version: number }>({
    text: `UPDATE finding_policies SET policy = $2, days = $3, version = version + 1 WHERE org_id = $1 RETURNING version`,
    values: [orgId, JSON.stringify(policy), smallints(daysTable(policy))],
  });
  return { before: before!.policy, row: { policy, version: written[0]!.version } };
}
