import type pg from 'pg';
import { type IdPrefix, newId } from '../server/platform/id.ts';

/** With 1,000,000 findings or more. */
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

/** Every tenth scan is of all data sources, the others of one. */
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

/** Not enabled: nothing starts by itself during measurements. */
const insertSchedules = `
  INSERT INTO scan_schedules (org_id, id, name, source, data_source_ids, cron, timezone, enabled)
  SELECT $1, id, 'Schedule ' || n, 'secrets', NULL, '0 3 * * *', 'UTC', false FROM unnest($2::text[]) WITH ORDINALITY AS s(id, n)`;

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
 * Inserts what else an organization gathers in a year: scans, reports, schedules, views and what people did. There is
 * less of it beside fewer findings.
 */
export async function insertActivity(client: pg.Client, orgId: string, findings: number): Promise<void> {
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
