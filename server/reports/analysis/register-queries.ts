import type { Location } from '@assay/scanner/contract/detection.ts';
import { locationJson } from '../../findings/finding-sql.ts';
import type { Db } from '../../platform/postgres/database.ts';
import type { Justification } from '../analysis-model.ts';
import { type Scope, select } from './head-queries.ts';

export type DecisionCountRow = {
  status: 'accepted_risk' | 'false_positive';
  severity: number;
  count: number;
  withoutComment: number;
  withoutEnd: number;
};

const isDecided = `f.status IN ('accepted_risk', 'false_positive')`;

/**
 * SQL of the last decision `h` on a finding `f` (not the scan that brought back an accepted risk), and of the comment
 * `c` added with it. Both have the same time, because one transaction writes them. A finding that was closed when first
 * seen has no history; its comment is the reason in the file.
 */
const lastDecision = `(SELECT at, user_id FROM finding_history
  WHERE org_id = $1 AND finding_id = f.id AND changes->'status'->>1 = f.status AND scan_id IS NULL ORDER BY at DESC, id DESC LIMIT 1) h`;
const reasonOf = `(SELECT comment FROM finding_comments
  WHERE org_id = $1 AND finding_id = f.id AND (h.at IS NULL OR created_at = h.at) AND deleted_at IS NULL
    AND author_id IS NOT DISTINCT FROM h.user_id ORDER BY id LIMIT 1) c`;

/** SQL of the decision `m` (`/decisions`) that applies to a finding `f`; it may have the class of its reason alone. */
const decisionOf = `(SELECT requested_by, created_at, NULLIF(reason, '') AS reason, justification
  FROM decisions WHERE org_id = $1 AND id = f.decision_id) m`;

/** Counts the findings that somebody decided not to fix. */
export const countDecisions = (tx: Db, orgId: string, scope: Scope): Promise<DecisionCountRow[]> =>
  select(
    tx,
    orgId,
    scope,
    (where) => `SELECT f.status, f.severity, count(*) AS count,
        count(*) FILTER (WHERE c.comment IS NULL AND m.reason IS NULL AND m.justification IS NULL) AS "withoutComment",
        count(*) FILTER (WHERE f.accepted_until IS NULL) AS "withoutEnd"
      FROM findings f LEFT JOIN LATERAL (SELECT comment FROM (SELECT) commented
          LEFT JOIN LATERAL ${lastDecision} ON true JOIN LATERAL ${reasonOf} ON true WHERE f.comment_count > 0) c ON true
      LEFT JOIN LATERAL ${decisionOf} ON true
      WHERE ${where} AND ${isDecided} GROUP BY 1, 2`,
  );

export type DecisionRow = {
  id: string;
  title: string;
  location: Location;
  severity: number;
  status: 'accepted_risk' | 'false_positive';
  dataSourceId: string;
  dataSource: string;
  acceptedUntil: Date | null;
  decidedById: string | null;
  decidedBy: string | null;
  decidedAt: Date | null;
  reason: string | null;
  justification: Justification | null;
};

/** Returns the most severe of these findings with their last decision and its reason. */
export const listDecisions = (tx: Db, orgId: string, scope: Scope, limit: number): Promise<DecisionRow[]> =>
  select(
    tx,
    orgId,
    scope,
    (where) => `WITH chosen AS MATERIALIZED (
        SELECT f.id, f.title, f.severity, f.status, f.data_source_id, f.accepted_until, f.first_seen_at, f.decision_id
        FROM findings f WHERE ${where} AND ${isDecided} ORDER BY f.severity DESC, f.first_seen_at, f.id LIMIT ${limit})
      SELECT f.id, f.title, ${locationJson('own')} AS location, f.severity, f.status, d.id AS "dataSourceId", d.name AS "dataSource",
        f.accepted_until AS "acceptedUntil", COALESCE(m.requested_by, h.user_id) AS "decidedById", u.name AS "decidedBy", COALESCE(m.created_at, h.at) AS "decidedAt",
        COALESCE(m.reason, c.comment) AS reason, m.justification
      FROM chosen f JOIN findings own ON own.org_id = $1 AND own.id = f.id
      JOIN data_sources d ON d.org_id = $1 AND d.id = f.data_source_id
      LEFT JOIN LATERAL ${lastDecision} ON true
      LEFT JOIN LATERAL ${decisionOf} ON true
      LEFT JOIN users u ON u.id = COALESCE(m.requested_by, h.user_id)
      LEFT JOIN LATERAL ${reasonOf} ON true
      ORDER BY f.severity DESC, f.first_seen_at, f.id`,
  );
