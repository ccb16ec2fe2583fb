import { Parameters } from '../../findings/filter.ts';
import { selectionOf } from '../../findings/filters/select.ts';
import type { FindingFilters } from '../../findings/filters/table.ts';
import { numberPrefix } from '../../findings/finding-schema.ts';
import { remediationOf } from '../../findings/finding-sql.ts';
import { openStatuses, type Status } from '../../findings/lifecycle.ts';
import type { Db } from '../../platform/postgres/database.ts';

/** The findings and the period to count; `at` is the time of the snapshot. */
export type Scope = { filters: FindingFilters; at: Date; period: { from: Date; to: Date } };

/** SQL of the condition that a finding `f` is open. */
export const isOpen = `f.closed_at IS NULL`;

/** Runs a statement on the findings of the scope; `text` receives the condition that selects them. */
export async function select<Row extends object>(
  tx: Db,
  orgId: string,
  { filters }: Scope,
  text: (where: string, parameters: Parameters) => string,
): Promise<Row[]> {
  const parameters = new Parameters(orgId);
  const statement = text(selectionOf(filters, parameters), parameters);
  return (await tx.query<Row>({ text: statement, values: parameters.values })).rows;
}

export type CountRow = {
  severity: number;
  status: Status;
  source: string;
  dataSourceId: string;
  count: number;
  unassigned: number;
  reopened: number;
  opened: number;
  closed: number;
  endingSoon: number;
};

/** Counts the findings of each kind. The period includes both ends, to the second. */
export const countFindings = (tx: Db, orgId: string, scope: Scope): Promise<CountRow[]> =>
  select(tx, orgId, scope, (where, parameters) => {
    const from = `${parameters.add(scope.period.from)}::timestamptz`;
    const to = `${parameters.add(scope.period.to)}::timestamptz + interval '1 second'`;
    const at = `${parameters.add(scope.at)}::timestamptz`;
    return `SELECT f.severity, f.status, f.source, f.data_source_id AS "dataSourceId", count(*) AS count,
        count(*) FILTER (WHERE f.assignee_id IS NULL) AS unassigned, count(*) FILTER (WHERE f.reopened_count > 0) AS reopened,
        count(*) FILTER (WHERE f.first_seen_at >= ${from} AND f.first_seen_at < ${to}) AS opened,
        count(*) FILTER (WHERE f.closed_at >= ${from} AND f.closed_at < ${to}) AS closed,
        count(*) FILTER (WHERE f.accepted_until <= ${at} + interval '30 days') AS "endingSoon"
      FROM findings f WHERE ${where} GROUP BY 1, 2, 3, 4`;
  });

/** Counts opened and closed findings by week, starting at `monday`; everything earlier is week -1. */
export const countWeeks = (
  tx: Db,
  orgId: string,
  scope: Scope,
  monday: Date,
): Promise<Array<{ week: number; opened: number; closed: number }>> =>
  select(tx, orgId, scope, (where, parameters) => {
    const start = `${parameters.add(monday)}::timestamptz`;
    const week = (column: string) =>
      `GREATEST(-1, floor(extract(epoch FROM ${column} - ${start}) / 604800))::int AS week`;
    return `WITH chosen AS (SELECT first_seen_at, closed_at FROM findings f WHERE ${where})
      SELECT week, sum(opened)::bigint AS opened, sum(closed)::bigint AS closed FROM (
        SELECT ${week('first_seen_at')}, count(*) AS opened, 0 AS closed FROM chosen GROUP BY 1
        UNION ALL SELECT ${week('closed_at')}, 0, count(*) FROM chosen WHERE closed_at IS NOT NULL GROUP BY 1) moves
      GROUP BY week`;
  });

/** Counts open findings by age; `bucket` is how many of the bounds in `days` have passed since they were first seen. */
export const countAges = (
  tx: Db,
  orgId: string,
  scope: Scope,
  days: number[],
): Promise<Array<{ severity: number; bucket: number; count: number }>> =>
  select(tx, orgId, scope, (where, parameters) => {
    const age = `extract(epoch FROM ${parameters.add(scope.at)}::timestamptz - f.first_seen_at) / 86400`;
    const bounds = `${parameters.add(days)}::numeric[]`;
    return `SELECT f.severity, width_bucket((${age})::numeric, ${bounds}) AS bucket, count(*) AS count
      FROM findings f WHERE ${where} AND ${isOpen} GROUP BY 1, 2`;
  });

export type OldestRow = { id: string; title: string; severity: number; dataSource: string; firstSeenAt: Date };

/** Returns the open findings that were first seen longest ago. */
export const listOldestOpen = (tx: Db, orgId: string, scope: Scope, limit: number): Promise<OldestRow[]> =>
  select(
    tx,
    orgId,
    scope,
    (where, parameters) => `SELECT f.id, f.title, f.severity, d.name AS "dataSource", f.first_seen_at AS "firstSeenAt"
      FROM findings f JOIN data_sources d ON d.org_id = $1 AND d.id = f.data_source_id
      WHERE ${where} AND f.status = ANY(${parameters.add([...openStatuses])}) ORDER BY f.first_seen_at, f.id LIMIT ${limit}`,
  );

export type RuleRow = {
  ruleId: string;
  severity: number;
  open: number;
  dataSources: number;
  findingId: string;
  ruleName: string;
  remediation: string | null;
};

/**
 * Returns rules with open findings, the most severe and then the most frequent first, each with its most severe and
 * oldest finding.
 */
export const listMostSevereRules = (tx: Db, orgId: string, scope: Scope, limit: number): Promise<RuleRow[]> =>
  select(
    tx,
    orgId,
    scope,
    (where) => `WITH rules AS (
        SELECT f.rule_id, max(f.severity) AS severity, count(*) AS open, count(DISTINCT f.data_source_id) AS data_sources
        FROM findings f WHERE ${where} AND ${isOpen} GROUP BY f.rule_id
        ORDER BY severity DESC, open DESC, f.rule_id LIMIT ${limit})
      SELECT rules.rule_id AS "ruleId", rules.severity, rules.open, rules.data_sources AS "dataSources", example.id AS "findingId",
        example."ruleName", example.remediation
      FROM rules CROSS JOIN LATERAL (
        SELECT f.id, f.facts->'rule'->>'name' AS "ruleName", ${remediationOf} AS remediation FROM findings f WHERE ${where} AND ${isOpen} AND f.rule_id = rules.rule_id
        ORDER BY f.severity DESC, f.first_seen_at, f.id LIMIT 1) example
      ORDER BY rules.severity DESC, rules.open DESC, rules.rule_id`,
  );

export type DataSourceRow = { id: string; name: string; kind: string };

export async function listDataSourceNames(tx: Db, orgId: string): Promise<DataSourceRow[]> {
  const { rows } = await tx.query<DataSourceRow>({
    name: 'report_data_sources',
    text: 'SELECT id, name, kind FROM data_sources WHERE org_id = $1',
    values: [orgId],
  });
  return rows;
}

/** Returns the names of the organization and of users by id. */
export async function findNames(
  tx: Db,
  orgId: string,
  userIds: string[],
): Promise<{ organization: string; users: Map<string, string> }> {
  const { rows } = await tx.query<{ organization: string; users: Array<[string, string]> | null }>({
    name: 'report_names',
    text: `SELECT o.name AS organization,
             (SELECT json_agg(json_build_array(u.id, u.name)) FROM users u WHERE u.id = ANY($2::text[])) AS users
           FROM organizations o WHERE o.id = $1`,
    values: [orgId, userIds],
  });
  return { organization: rows[0]!.organization, users: new Map(rows[0]!.users ?? []) };
}

/** Returns the numbers of findings by id. */
export async function findNumbers(tx: Db, orgId: string, ids: string[]): Promise<Record<string, string>> {
  const { rows } = await tx.query<{ id: string; number: number }>({
    name: 'report_finding_numbers',
    text: 'SELECT id, number FROM findings WHERE org_id = $1 AND id = ANY($2::text[]) ORDER BY id',
    values: [orgId, ids],
  });
  return Object.fromEntries(rows.map(({ id, number }) => [id, `${numberPrefix}${number}`]));
}
