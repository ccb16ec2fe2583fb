import type { HistoryFinding } from '../../findings/flows/history.fixture.ts';
import type { Database } from '../../platform/postgres/database.ts';

type Package = { ecosystem: string; name: string; version: string | null; fixed_version: string | null };

/** A finding with everything that reports count. Times are milliseconds since the epoch, with microsecond precision. */
export type FindingRow = HistoryFinding & {
  number: number;
  title: string;
  rule: { id: string; name: string };
  facts: {
    location: { path: string | null; start_line: number | null; url: string | null; package: Package | null };
    identifiers: string[];
  };
  remediation: string | null;
  cvss: number | null;
  firstSeenAt: number;
  assigneeId: string | null;
  reopenedCount: number;
  acceptedUntil: number | null;
  priority: number;
};

type DataSourceRow = {
  id: string;
  name: string;
  kind: string;
  ownerId: string | null;
  criticality: string;
  exposure: string;
  deletedAt: number | null;
};
type HistoryRow = {
  findingId: string;
  at: number;
  id: string;
  userId: string | null;
  scanId: string | null;
  status: string | null;
  move: string | null;
  severity: number | null;
  openedAt: number | null;
  dueAt: number | null;
};
type CommentRow = { findingId: string; id: string; authorId: string | null; at: number; comment: string };
type CoverageRow = { dataSourceId: string; source: string; scanId: string; completeAt: number | null };
type TargetRow = {
  dataSourceId: string;
  source: string;
  scanId: string;
  status: string;
  completedAt: number;
  error: string | null;
  closedNothing: string | null;
  versions: Record<string, string>;
  revision: string | null;
};

/** All rows of an organization that its reports are computed from. */
export type Rows = {
  findings: FindingRow[];
  dataSources: DataSourceRow[];
  names: Map<string, string>;
  history: HistoryRow[];
  comments: CommentRow[];
  coverage: CoverageRow[];
  targets: TargetRow[];
  staleAfterDays: number;
  feeds: Array<{ name: string; at: number }>;
};

const ms = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`;

/** Reads the rows with plain statements, which count and join nothing. */
export async function readRows(database: Database, orgId: string): Promise<Rows> {
  const read = <Row extends object>(text: string) => database.single<Row>(orgId, { text, values: [orgId] });
  const findings = await read<FindingRow>(
    `SELECT f.id, f.number, f.data_source_id AS "dataSourceId", f.source, f.severity, f.status, f.resolution, f.title, f.cvss,
       json_build_object('location', json_build_object('path', f.path, 'start_line', f.start_line, 'url', f.url, 'package',
         CASE WHEN f.in_package THEN json_build_object('ecosystem', f.ecosystem, 'name', f.package_name, 'version', f.package_version,
           'fixed_version', f.fixed_version) END), 'identifiers', f.identifiers) AS facts, texts.rule,
       f.rule_id AS "ruleId", f.assignee_id AS "assigneeId", f.reopened_count AS "reopenedCount", f.priority,
       ${ms(`NULLIF(f.due_at, 'infinity')`)} AS "dueAt", ${ms('f.first_seen_at')} AS "firstSeenAt",
       ${ms('COALESCE(f.reopened_at, f.first_seen_at)')} AS "openedAt", ${ms('f.closed_at')} AS "closedAt",
       ${ms('f.accepted_until')} AS "acceptedUntil",
       ('{' || texts.members || '}')::json ->> 'remediation' AS remediation
     FROM findings f JOIN finding_texts texts ON texts.org_id = $1 AND texts.id = f.text_id WHERE f.org_id = $1`,
  );
  const users = await read<{ id: string; name: string }>('SELECT id, name FROM users WHERE $1::text IS NOT NULL');
  const [policy] = await read<{ days: number }>('SELECT stale_after_days AS days FROM organizations WHERE id = $1');
  return {
    findings,
    names: new Map(users.map(({ id, name }) => [id, name])),
    staleAfterDays: policy!.days,
    dataSources: await read(
      `SELECT id, name, kind, owner_id AS "ownerId", criticality, exposure, ${ms('deleted_at')} AS "deletedAt"
       FROM data_sources WHERE org_id = $1`,
    ),
    history: await read(
      `SELECT finding_id AS "findingId", id, ${ms('at')} AS at, user_id AS "userId", scan_id AS "scanId", changes->'status'->>1 AS status, move, severity,
         ${ms('opened_at')} AS "openedAt", ${ms('due_at')} AS "dueAt" FROM finding_history WHERE org_id = $1`,
    ),
    comments: await read(
      `SELECT finding_id AS "findingId", id, author_id AS "authorId", ${ms('created_at')} AS at, comment
       FROM finding_comments WHERE org_id = $1 AND deleted_at IS NULL`,
    ),
    coverage: await read(
      `SELECT data_source_id AS "dataSourceId", source, scan_id AS "scanId", ${ms('complete_at')} AS "completeAt"
       FROM finding_coverage WHERE org_id = $1`,
    ),
    targets: await read(
      `SELECT data_source_id AS "dataSourceId", source, scan_id AS "scanId", status, ${ms('completed_at')} AS "completedAt", error,
         closed_nothing AS "closedNothing", tool_versions AS versions, revision FROM scan_targets WHERE org_id = $1`,
    ),
    feeds: await read(`SELECT name, ${ms('loaded_at')} AS at FROM exploitation_feeds WHERE $1::text IS NOT NULL`),
  };
}
