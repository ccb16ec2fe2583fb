import { Parameters } from '../../findings/filter.ts';
import { selectionOf } from '../../findings/filters/select.ts';
import type { FindingFilters } from '../../findings/filters/table.ts';
import { findingJoins, findingJson, hasRelated } from '../../findings/finding-sql.ts';
import type { Status } from '../../findings/lifecycle.ts';
import type { ColumnService } from '../../findings/live-columns/column-service.ts';
import { needsDatabase } from '../../findings/live-columns/found.ts';
import { type Decision, maxTags } from '../../findings/triage-findings.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { setLocal } from '../../platform/postgres/statement.ts';

/**
 * The findings of a bulk update, by ids or by filters. `versions` belongs to the ids; null matches any version. With
 * `asOf` null, all current matches are selected. `operationId` is set if an operation changes them in several batches.
 */
export type Selection = {
  ids: string[] | null;
  versions?: (number | null)[] | null;
  filters: FindingFilters;
  asOf: string | null;
  operationId?: string;
  /** The ids of the findings that the filters select, and perhaps some more, if columns have found them. */
  candidates?: string[] | null;
};

/** Selections of more findings are looked for by their conditions. */
const maxCandidates = 10_000;

/**
 * Adds the findings that columns find, if there are few: PostgreSQL has no index for most filters. Without columns in
 * memory, it reads all findings of the organization instead.
 */
export async function withCandidates(columns: ColumnService, orgId: string, selection: Selection): Promise<Selection> {
  const { ids, filters } = selection;
  if (ids !== null || needsDatabase(filters) || !columns.has(orgId)) return selection;
  const found = await columns.ask(orgId, 'selectIds', filters, { max: maxCandidates }).catch(() => null);
  return { ...selection, candidates: found?.ids ?? null };
}

function conditionOf(
  { ids, versions, filters, asOf, operationId, candidates = null }: Selection,
  parameters: Parameters,
): string {
  const given = ids && `${parameters.add(ids)}::text[]`;
  const conditions = given ? [`f.org_id = $1 AND f.id = ANY(${given})`] : [selectionOf(filters, parameters)];
  if (given && versions)
    conditions.push(`EXISTS (SELECT FROM unnest(${given}, ${parameters.add(versions)}::integer[]) AS seen(id, version)
      WHERE seen.id = f.id AND COALESCE(seen.version, f.version) = f.version)`);
  if (candidates !== null) conditions.push(`f.id = ANY(${parameters.add(candidates)}::text[])`);
  if (asOf !== null) conditions.push(`f.updated_at <= ${parameters.add(asOf)}::timestamptz`);
  // A change may close the finding that represents its problem. The next finding then represents it, but was not
  // selected.
  if (filters.unique && operationId !== undefined) {
    const wasChanged = `EXISTS (SELECT FROM bulk_operation_changes c
      WHERE c.org_id = $1 AND c.operation_id = ${parameters.add(operationId)} AND c.finding_id = r.id)`;
    conditions.push(`NOT ${hasRelated(wasChanged)}`);
  }
  return conditions.join(' AND ');
}

/** Returns the condition for findings that a decision leaves unchanged. */
function unchangedCondition(decision: Decision, parameters: Parameters): string {
  const { status, acceptedUntil, tags, addTags, removeTags, assigneeId, comment, justification } = decision;
  // Another justification is another decision.
  if (comment !== undefined || justification !== undefined) return 'false';
  const conditions = ['true'];
  if (status !== undefined) conditions.push(`f.status = ${parameters.add(status)}`);
  if (acceptedUntil !== undefined) {
    const until = `date_trunc('second', ${parameters.add(acceptedUntil)}::timestamptz)`;
    conditions.push(
      `(f.status <> 'accepted_risk' OR date_trunc('second', f.accepted_until) IS NOT DISTINCT FROM ${until})`,
    );
  }
  if (tags) conditions.push(`f.tags = ${parameters.add(tags)}::text[]`);
  const folded = (list: string[]) => `${parameters.add(list.map((tag) => tag.toLowerCase()))}::text[]`;
  const own = '(SELECT lower(tag) FROM unnest(f.tags) AS tag)';
  if (addTags)
    conditions.push(
      `(cardinality(f.tags) >= ${maxTags}
        OR NOT EXISTS (SELECT FROM unnest(${folded(addTags)}) AS added WHERE added NOT IN ${own}))`,
    );
  if (removeTags)
    conditions.push(`NOT EXISTS (SELECT FROM unnest(${folded(removeTags)}) AS removed WHERE removed IN ${own})`);
  if (assigneeId !== undefined)
    conditions.push(`f.assignee_id IS NOT DISTINCT FROM ${parameters.add(assigneeId)}::text`);
  return conditions.join(' AND ');
}

/** `scannerSeverity` differs from `severity` for demoted findings. */
export type SelectionCount = {
  severity: number;
  scannerSeverity: number;
  status: Status;
  count: number;
  unchanged: number;
};

/** Counts the findings of a selection by severity (0-4) and status, and those that the decision leaves unchanged. */
export async function countSelection(
  db: Db,
  orgId: string,
  selection: Selection,
  decision: Decision,
): Promise<SelectionCount[]> {
  const parameters = new Parameters(orgId);
  const condition = conditionOf(selection, parameters);
  const { rows } = await db.query<SelectionCount>({
    text: `SELECT f.severity, COALESCE(f.scanner_severity, f.severity) AS "scannerSeverity", f.status, count(*)::integer AS count,
             (count(*) FILTER (WHERE ${unchangedCondition(decision, parameters)}))::integer AS unchanged
           FROM findings f WHERE ${condition} GROUP BY 1, 2, 3`,
    values: parameters.values,
  });
  return rows;
}

/** Returns sample findings of a selection as the API's JSON text, most severe first. */
export async function listSamples(db: Db, orgId: string, selection: Selection, limit: number): Promise<string[]> {
  const parameters = new Parameters(orgId);
  const condition = conditionOf(selection, parameters);
  const { rows } = await db.query<{ json: string }>({
    text: `SELECT ${findingJson()} AS json
           FROM (SELECT * FROM findings f WHERE ${condition} ORDER BY f.severity DESC, f.id LIMIT ${limit}) f ${findingJoins}
           ORDER BY f.severity DESC, f.id`,
    values: parameters.values,
  });
  return rows.map(({ json }) => json);
}

/**
 * Locks the next findings of a selection in id order and returns their ids. If another transaction changes a finding
 * while this one waits for its lock, the condition is checked again. With `walk`, findings are read in primary key
 * order, so that all batches of an operation together read each finding once.
 */
export async function lockSelection(
  tx: Db,
  orgId: string,
  selection: Selection,
  { afterId, limit, walk }: { afterId: string; limit: number; walk: boolean },
): Promise<string[]> {
  const parameters = new Parameters(orgId);
  const condition = conditionOf(selection, parameters);
  if (walk) await tx.query(setLocal({ enable_sort: 'off' }));
  const { rows } = await tx.query<{ id: string }>({
    text: `SELECT f.id FROM findings f WHERE ${condition} AND f.id > ${parameters.add(afterId)}
           ORDER BY f.id LIMIT ${limit} FOR UPDATE OF f`,
    values: parameters.values,
  });
  if (walk) await tx.query(setLocal({ enable_sort: 'on' }));
  return rows.map(({ id }) => id);
}

/** Returns the ids of a small selection. */
export async function listSelected(db: Db, orgId: string, selection: Selection): Promise<string[]> {
  const parameters = new Parameters(orgId);
  const { rows } = await db.query<{ id: string }>({
    text: `SELECT f.id FROM findings f WHERE ${conditionOf(selection, parameters)}`,
    values: parameters.values,
  });
  return rows.map(({ id }) => id);
}

/** Returns the requested ids that were not changed. */
export const conflictsOf = ({ ids }: Selection, changed: readonly string[]): string[] => {
  const found = new Set(changed);
  return ids?.filter((id) => !found.has(id)) ?? [];
};

/** Returns how many of the ids are findings of the organization. */
export async function countFindings(db: Db, orgId: string, ids: string[]): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'findings_count_of_ids',
    text: 'SELECT count(*)::integer AS count FROM findings WHERE org_id = $1 AND id = ANY($2::text[])',
    values: [orgId, ids],
  });
  return rows[0]!.count;
}
