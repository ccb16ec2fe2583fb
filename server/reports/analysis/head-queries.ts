import { presentDay } from '../../findings/change-clock.ts';
import { Parameters } from '../../findings/filter.ts';
import { selectionOf } from '../../findings/filters/select.ts';
import type { FindingFilters } from '../../findings/filters/table.ts';
import { numberPrefix } from '../../findings/finding-schema.ts';
import { remediationOf } from '../../findings/finding-sql.ts';
import { openStatuses, type Status } from '../../findings/lifecycle.ts';
import { ruleOf } from '../../findings/shared-texts.ts';
import type { Db } from '../../platform/postgres/database.ts';

/**
 * The findings and the period to count; `at` is the time of the snapshot, and `today` is the midnight (UTC) that starts
 * the present day. Without a filter on times, the period starts with a day.
 */
export type Scope = { filters: FindingFilters; at: Date; today: Date; period: { from: Date; to: Date } };

/** Returns the last midnight (UTC) at or before a time. */
export const startOfDay = (time: Date): Date => new Date(Math.floor(time.getTime() / 86_400_000) * 86_400_000);

/** Returns the first moment after a period, whose ends are inclusive, to the second. */
export const endOf = ({ period }: Scope): Date => new Date(period.to.getTime() + 1_000);

/** SQL of the condition that a finding `f` is open. */
export const isOpen = `f.closed_at IS NULL`;

export const rowsOf = async <Row extends object>(tx: Db, { values }: Parameters, text: string): Promise<Row[]> =>
  (await tx.query<Row>({ text, values })).rows;

/** Runs a statement on the findings of the scope; `text` receives the condition that selects them. */
export function select<Row extends object>(
  tx: Db,
  orgId: string,
  { filters }: Scope,
  text: (where: string, parameters: Parameters) => string,
): Promise<Row[]> {
  const parameters = new Parameters(orgId);
  const statement = text(selectionOf(filters, parameters), parameters);
  return rowsOf<Row>(tx, parameters, statement);
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
  endingSoon: number;
};

/** Counts the findings of each kind; `opened` are those first seen in the period. */
export const countFindings = (tx: Db, orgId: string, scope: Scope): Promise<CountRow[]> =>
  select(tx, orgId, scope, (where, parameters) => {
    const from = `${parameters.add(scope.period.from)}::timestamptz`;
    const to = `${parameters.add(endOf(scope))}::timestamptz`;
    const at = `${parameters.add(scope.at)}::timestamptz`;
    return `SELECT f.severity, f.status, f.source, f.data_source_id AS "dataSourceId", count(*) AS count,
        count(*) FILTER (WHERE f.assignee_id IS NULL) AS unassigned, count(*) FILTER (WHERE f.reopened_count > 0) AS reopened,
        count(*) FILTER (WHERE f.first_seen_at >= ${from} AND f.first_seen_at < ${to}) AS opened,
        count(*) FILTER (WHERE f.accepted_until <= ${at} + interval '30 days') AS "endingSoon"
      FROM findings f WHERE ${where} GROUP BY 1, 2, 3, 4`;
  });

/** Returns the present day, according to this view of the database. */
export async function findToday(tx: Db, orgId: string): Promise<Date> {
  const { rows } = await tx.query<{ day: string }>({
    name: 'report_today',
    text: `SELECT (${presentDay})::text AS day`,
    values: [orgId],
  });
  return new Date(`${rows[0]!.day}T00:00:00Z`);
}

/** Counts open findings by age; `bucket` is the number of bounds in `days` that a finding's age has passed. */
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
 * Returns rules with open findings, first by severity and then by frequency, each with its most severe and oldest
 * finding.
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
        SELECT f.id, ${ruleOf}->>'name' AS "ruleName", ${remediationOf} AS remediation FROM findings f WHERE ${where} AND ${isOpen} AND f.rule_id = rules.rule_id
        ORDER BY f.severity DESC, f.first_seen_at, f.id LIMIT 1) example
      ORDER BY rules.severity DESC, rules.open DESC, rules.rule_id`,
  );

export type DataSourceRow = {
  id: string;
  name: string;
  kind: string;
  ownerId: string | null;
  ownerName: string | null;
};

/**
 * Returns all data sources, with the names and owners of deleted ones: their findings may be open again, or were
 * resolved in the period.
 */
export async function listDataSources(tx: Db, orgId: string): Promise<DataSourceRow[]> {
  const { rows } = await tx.query<DataSourceRow>({
    name: 'report_data_sources',
    text: `SELECT d.id, d.name, d.kind, d.owner_id AS "ownerId", u.name AS "ownerName"
           FROM data_sources d LEFT JOIN users u ON u.id = d.owner_id WHERE d.org_id = $1`,
    values: [orgId],
  });
  return rows;
}

/** Returns the names of the organization and of its people by id, including those who have left. */
export async function findNames(
  tx: Db,
  orgId: string,
  userIds: string[],
): Promise<{ organization: string; users: Map<string, string> }> {
  const { rows } = await tx.query<{ organization: string; users: Array<[string, string]> | null }>({
    name: 'report_names',
    text: `SELECT o.name AS organization,
             (SELECT json_agg(json_build_array(u.id, u.name)) FROM users u
              WHERE u.id = ANY($2::text[])
                AND (EXISTS (SELECT FROM members m WHERE m.org_id = o.id AND m.user_id = u.id)
                     OR EXISTS (SELECT FROM findings f WHERE f.org_id = o.id AND f.assignee_id = u.id)
                     OR EXISTS (SELECT FROM data_sources d WHERE d.org_id = o.id AND d.owner_id = u.id)
                     OR EXISTS (SELECT FROM reports r WHERE r.org_id = o.id AND r.created_by = u.id))) AS users
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
