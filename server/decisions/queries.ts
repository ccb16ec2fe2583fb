import type { Location, Place } from '@assay/scanner/contract/detection.ts';
import type { DataSourceKind } from '@assay/scanner/contract/detector.ts';
import { packageOf } from '@assay/scanner/contract/fingerprint.ts';
import { isCve } from '../findings/aliases/names.ts';
import { locationJson } from '../findings/finding-sql.ts';
import type { Db } from '../platform/postgres/database.ts';
import type { EndCondition, EndReason, EndsWhen } from './end-conditions.ts';
import type { Origin, RepositoryEntry } from './origin.ts';
import type { Scope, ScopedFinding } from './scope.ts';

/** A status, or `demoted`: shown as `info`. */
export type Outcome = 'false_positive' | 'accepted_risk' | 'triaged' | 'demoted';
type DecisionStatus = 'requested' | 'active' | 'rejected' | 'ended' | 'expired' | 'withdrawn';

/** A decision that may apply to findings. */
export type ActiveDecision = {
  id: string;
  /** Its place in the order in which decisions were made. */
  made: number;
  outcome: Outcome;
  scope: Scope;
  rank: number;
  until: Date | null;
  endsWhen: EndsWhen | null;
  /** It holds for findings of lower severity only (a rank); null for all. */
  belowSeverity: number | null;
  origin: Origin;
  /** Whether a second person approved it. */
  isApproved: boolean;
};

export type DecisionRow = ActiveDecision & {
  /** The finding of which an update made it. */
  findingId: string | null;
  status: DecisionStatus;
  justification: string | null;
  reason: string;
  /** Null for a decision of a repository. */
  requesterId: string | null;
  requestedBy: { id: string; name: string } | null;
  createdAt: Date;
  endedAt: Date | null;
  endedBecause: EndReason | null;
  endedBy: { id: string; name: string } | null;
  approvedBy: { id: string; name: string } | null;
  approvedAt: Date | null;
  answer: string | null;
  version: number;
  expiresAt: Date | null;
  dataSource: { id: string; name: string; kind: DataSourceKind } | null;
  entry: RepositoryEntry | null;
  findings: number;
};

/** The class of the advisory locks that keep changes of decisions and the merges that apply them apart. */
const lockClass = 3465;

const lock = (orgId: string, kind: '' | '_shared') => ({
  name: `decisions_lock${kind}`,
  text: `SELECT pg_advisory_xact_lock${kind}((${lockClass}::bigint << 48) | (hashtextextended($1, 0) & 281474976710655))`,
  values: [orgId],
});

/**
 * Waits for merges in progress and blocks new ones until the transaction ends, so that none applies a decision that has
 * ended, and none misses a new one. Call it before the transaction locks findings.
 */
export async function lockDecisions(tx: Db, orgId: string): Promise<void> {
  await tx.query(lock(orgId, ''));
}

/** Prevents changes of decisions until the transaction ends. Call it before the transaction locks findings. */
export async function holdDecisions(tx: Db, orgId: string): Promise<void> {
  await tx.query(lock(orgId, '_shared'));
}

/** Returns whether anybody has ever decided: one that has ended may still hold findings of merges that overlapped its end. */
export async function hasAny(db: Db, orgId: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'decisions_has_any',
    text: 'SELECT FROM decisions WHERE org_id = $1 LIMIT 1',
    values: [orgId],
  });
  return rowCount === 1;
}

/** The columns of an ActiveDecision. */
export const activeColumns = `d.id, d.made::float8 AS made, d.outcome, d.scope, d.rank, d.until, d.ends_when AS "endsWhen",
  d.below_severity AS "belowSeverity", d.origin, d.approved_by IS NOT NULL AS "isApproved"`;

/**
 * Lists the active decisions that may apply to these findings, without those about single findings (`listOwn`). Those of
 * repositories apply to their own findings only.
 */
export async function listActive(db: Db, orgId: string, findingIds: string[]): Promise<ActiveDecision[]> {
  const { rows } = await db.query<ActiveDecision>({
    name: 'decisions_list_active',
    text: `SELECT ${activeColumns} FROM decisions d
           WHERE org_id = $1 AND status = 'active' AND finding_id IS NULL AND (until IS NULL OR until > clock_timestamp())
             AND (data_source_id IS NULL OR data_source_id IN (SELECT f.data_source_id FROM findings f WHERE f.org_id = $1 AND f.id = ANY($2::text[])))`,
    values: [orgId, findingIds],
  });
  return rows;
}

/**
 * Returns a text that differs once the decisions differ that `listActive` lists for all findings, and whether some of them
 * apply to their own repositories only. A row that changes gets another place or another transaction.
 */
export async function findActiveVersion(db: Db, orgId: string): Promise<{ version: string; hasOwn: boolean }> {
  const { rows } = await db.query<{ version: string; hasOwn: boolean }>({
    name: 'decisions_find_active_version',
    text: `SELECT concat_ws(' ', count(*), sum(hashtextextended(concat_ws(' ', id, xmin, ctid), 0))) AS version,
             COALESCE(bool_or(data_source_id IS NOT NULL), false) AS "hasOwn"
           FROM decisions
           WHERE org_id = $1 AND status = 'active' AND finding_id IS NULL AND (until IS NULL OR until > clock_timestamp())`,
    values: [orgId],
  });
  return rows[0]!;
}

const person = (column: string) =>
  `(SELECT json_build_object('id', p.id, 'name', p.name) FROM users p WHERE p.id = d.${column})`;

const columns = `${activeColumns}, d.status, d.justification, d.reason, d.finding_id AS "findingId",
  d.created_at AS "createdAt", d.ended_because AS "endedBecause",
  d.ended_at AS "endedAt", d.version, d.expires_at AS "expiresAt", d.approved_at AS "approvedAt", d.answer,
  d.requested_by AS "requesterId", d.entry,
  (SELECT json_build_object('id', s.id, 'name', s.name, 'kind', s.kind) FROM data_sources s WHERE s.org_id = d.org_id AND s.id = d.data_source_id) AS "dataSource", ${person('requested_by')} AS "requestedBy", ${person('approved_by')} AS "approvedBy",
  ${person('ended_by')} AS "endedBy",
  CASE WHEN d.outcome = 'demoted' THEN (SELECT count(*)::integer FROM findings f WHERE f.org_id = $1 AND f.demoted_by = d.id)
    ELSE (SELECT count(*)::integer FROM findings f WHERE f.org_id = $1 AND f.decision_id = d.id) END AS findings`;

type ListQuery = {
  statuses: DecisionStatus[];
  single: boolean | null;
  endsBy: Date | null;
  beforeId: string | null;
  limit: number;
};

/** Lists a page of decisions with one of these statuses, newest first. `single` selects those that updates of findings made, or the others; `endsBy` those that end at or before that time. */
export async function listDecisions(
  db: Db,
  orgId: string,
  { statuses, single, endsBy, beforeId, limit }: ListQuery,
): Promise<DecisionRow[]> {
  const { rows } = await db.query<DecisionRow>({
    name: 'decisions_list',
    text: `SELECT ${columns} FROM (SELECT * FROM decisions WHERE org_id = $1 AND status = ANY($2::text[])
             AND ($3::text IS NULL OR id < $3) AND ($5::boolean IS NULL OR (finding_id IS NOT NULL) = $5)
             AND ($6::timestamptz IS NULL OR until <= $6) ORDER BY id DESC LIMIT $4) d
           ORDER BY d.id DESC`,
    values: [orgId, statuses, beforeId, limit, single, endsBy],
  });
  return rows;
}

export async function findDecision(db: Db, orgId: string, id: string): Promise<DecisionRow | undefined> {
  const { rows } = await db.query<DecisionRow>({
    name: 'decision_find',
    text: `SELECT ${columns} FROM decisions d WHERE d.org_id = $1 AND d.id = $2`,
    values: [orgId, id],
  });
  return rows[0];
}

export async function countActive(tx: Db, orgId: string, origin: Origin): Promise<number> {
  const { rows } = await tx.query<{ count: number }>({
    name: 'decisions_count_active',
    text: `SELECT count(*)::integer AS count FROM decisions
           WHERE org_id = $1 AND status = 'active' AND finding_id IS NULL AND origin = $2`,
    values: [orgId, origin],
  });
  return rows[0]!.count;
}

type NewDecision = Omit<ActiveDecision, 'made' | 'origin' | 'isApproved'> & {
  justification: string | null;
  reason: string;
  expiresAt: Date | null;
};

/** The order of a decision that takes effect now. Those that take effect at the same time, about different findings, may share one. */
export const nextMade = '(SELECT COALESCE(max(made), 0) + 1 FROM decisions WHERE org_id = $1)';

export async function insertDecision(tx: Db, orgId: string, userId: string, decision: NewDecision): Promise<void> {
  const { id, outcome, justification, reason, scope, rank, until, endsWhen, belowSeverity, expiresAt } = decision;
  await tx.query({
    name: 'decision_insert',
    text: `INSERT INTO decisions (org_id, id, made, outcome, justification, reason, scope, rank, until, requested_by, ends_when, below_severity, status, expires_at)
           VALUES ($1, $2, ${nextMade}, $3, $4, $5, $6, $7, $8, $9, $10, $11, CASE WHEN $12::timestamptz IS NULL THEN 'active' ELSE 'requested' END, $12)`,
    values: [
      orgId,
      id,
      outcome,
      justification,
      reason,
      JSON.stringify(scope),
      rank,
      until,
      userId,
      jsonOrNull(endsWhen),
      belowSeverity,
      expiresAt,
    ],
  });
}

export const jsonOrNull = (value: object | null) => (value === null ? null : JSON.stringify(value));

/** Changes the reason and the end of an active decision. Returns whether there is one. */
export async function updateDecision(
  tx: Db,
  orgId: string,
  id: string,
  { reason, until, endsWhen, belowSeverity }: Pick<DecisionRow, 'reason' | 'until' | 'endsWhen' | 'belowSeverity'>,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'decision_update',
    text: `UPDATE decisions SET reason = $3, until = $4, ends_when = $5, below_severity = $6, version = version + 1
           WHERE org_id = $1 AND id = $2 AND status = 'active'`,
    values: [orgId, id, reason, until, jsonOrNull(endsWhen), belowSeverity],
  });
  return rowCount === 1;
}

/** Ends an active decision: withdrawn by a person, or expired. Returns whether it was active. */
export async function endDecision(tx: Db, orgId: string, id: string, userId: string | null): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'decision_end',
    text: `UPDATE decisions SET status = CASE WHEN $3::text IS NULL THEN 'expired' ELSE 'withdrawn' END, ended_by = $3,
             ended_at = clock_timestamp()
           WHERE org_id = $1 AND id = $2 AND status = 'active' AND ($3::text IS NOT NULL OR until <= clock_timestamp())`,
    values: [orgId, id, userId],
  });
  return rowCount === 1;
}

/**
 * Ends active decisions with findings that meet an end condition. The caller has locked the decisions
 * (`holdDecisions`).
 */
export async function endByConditions(tx: Db, orgId: string, met: Array<[id: string, EndCondition]>): Promise<void> {
  await tx.query({
    name: 'decisions_end_by_conditions',
    text: `UPDATE decisions d SET status = 'ended', ended_because = m.condition, ended_at = clock_timestamp()
           FROM (SELECT e.id, u.condition FROM unnest($2::text[], $3::text[]) AS u(id, condition)
                 JOIN decisions e ON e.org_id = $1 AND e.id = u.id ORDER BY e.id FOR UPDATE OF e) m
           WHERE d.org_id = $1 AND d.id = m.id AND d.status = 'active'`,
    values: [orgId, met.map(([id]) => id), met.map(([, condition]) => condition)],
  });
}

/** Lists decisions and requests of all organizations whose end has come. */
export async function listToEnd(db: Db): Promise<Array<{ orgId: string; id: string; findingId: string | null }>> {
  const { rows } = await db.query<{ orgId: string; id: string; findingId: string | null }>({
    name: 'decisions_list_to_end',
    text: 'SELECT org_id AS "orgId", id, finding_id AS "findingId" FROM decisions_to_end(clock_timestamp())',
  });
  return rows;
}

/** Values by which findings are looked up: of one decision, or of all that may apply. */
export type Keys = { finding: string[]; rule: string[]; identifier: string[]; package: string[] };

/** The last part of a package's name, which every tool spells the same. */
const tailOf = (name: string): string =>
  name
    .replace(/^.*[/:]/, '')
    .toLowerCase()
    .replace(/[-_.]+/g, '-');
const tailIn = (column: string) =>
  `regexp_replace(lower(substring(f.${column} from '([^/:@?#]+)(?:@[^/]*)?(?:[?#].*)?$')), '[-_.]+', '-', 'g')`;

/**
 * The condition that a finding `f` may have some of the keys, whose parameters start with this number. It excludes most
 * other findings; the full scope is compared afterward. `ofMany` is for keys of thousands of decisions, which are
 * hashed; a few can be looked up in an index.
 */
function mayHaveKey(first: number, { ofMany }: { ofMany: boolean }): string {
  const [finding, rule, cves, names, tails] = [0, 1, 2, 3, 4].map((index) => `$${first + index}::text[]`);
  const among = (value: string, keys = '') =>
    ofMany ? `${value} IN (SELECT unnest(${keys}))` : `${value} = ANY(${keys})`;
  // Each value is looked up in a hash: a subquery over the list would run again for each finding.
  const anyAmong = (values: string[], more: string, keys = '') =>
    `(${[...values.map((value) => among(value, keys)), more].join(' OR ')})`;
  const identifiers = [0, 1, 2, 3].map((index) => `upper(f.identifiers->>${index})`);
  return `(${among('f.id', finding)} OR ${among('f.rule_id', rule)}
    OR ${anyAmong(['f.cves[1]', 'f.cves[2]'], `(${cves} <> '{}' AND cardinality(f.cves) > 2)`, cves)}
    OR (${tails} <> '{}' AND f.in_package AND (${among(tailIn('package_name'), tails)} OR ${among(tailIn('purl'), tails)}))
    OR (${names} <> '{}' AND ${anyAmong(identifiers, `json_array_length(f.identifiers) > ${identifiers.length}`, names)}))`;
}

/** The `cves` column includes the CVEs that a finding's other names are aliases of. */
function parameters({ finding, rule, identifier, package: packages }: Keys): string[][] {
  const { true: cves = [], false: names = [] } = Object.groupBy(identifier, (name) => `${isCve(name)}`);
  return [finding, rule, cves, names, [...new Set(packages.map(tailOf))]];
}

type FactsRow = Omit<ScopedFinding, 'names' | 'packageName' | 'versions' | 'paths'> & {
  decisionId: string | null;
  demotedBy: string | null;
  leftDecisions: number | null;
  cves: string[] | null;
  identifiers: string[];
  location: Location;
  places: Place[] | null;
  kev: boolean;
  epss: number | null;
  /** The severity that its scanner reports, whatever demotes the finding. */
  severity: number;
};

const factColumns = `f.id, f.rule_id AS "ruleId", f.source, f.data_source_id AS "dataSourceId", f.decision_id AS "decisionId",
  f.demoted_by AS "demotedBy", f.left_decisions::float8 AS "leftDecisions", f.cves,
  f.identifiers, ${locationJson('f')} AS location, f.places,
  (SELECT tags FROM data_sources WHERE org_id = $1 AND id = f.data_source_id) AS tags, f.kev IS NOT NULL AS kev, f.epss,
  COALESCE(f.scanner_severity, f.severity) AS severity`;

function scopedOf({ cves, identifiers, location, places, ...row }: FactsRow) {
  const all = places ?? [];
  const found = location.package;
  const versions = all.flatMap(({ version }) => version ?? []);
  return {
    ...row,
    names: [...new Set([...identifiers.map((name) => name.toUpperCase()), ...(cves ?? [])])],
    hasFix: Boolean(found?.fixed_version),
    packageName: found ? packageOf(found.ecosystem, found.name, found.purl) : null,
    versions: versions.length > 0 ? versions : found?.version ? [found.version] : [],
    paths: [...new Set([location.path, ...all.map(({ path }) => path)])].filter((path) => path !== null),
  };
}

export type DecidableFinding = ReturnType<typeof scopedOf>;

const decidableText = (condition: string) =>
  // Each is looked up once, by its id: other plans read a whole data source for each batch, or every id for each data source.
  `SELECT ${factColumns} FROM unnest($2::text[]) AS wanted(id)
   CROSS JOIN LATERAL (SELECT * FROM findings WHERE org_id = $1 AND id = wanted.id OFFSET 0) f
   WHERE (${condition} OR f.demoted_by IS NOT NULL OR ${mayHaveKey(3, { ofMany: true })})`;

/** Lists those of these findings that a decision applies or may apply to. */
export async function listDecidable(db: Db, orgId: string, ids: string[], keys: Keys): Promise<DecidableFinding[]> {
  const { rows } = await db.query<FactsRow>({
    name: 'decisions_list_decidable',
    text: decidableText('f.decision_id IS NOT NULL'),
    values: [orgId, ids, ...parameters(keys)],
  });
  return rows.map(scopedOf);
}

/** Lists those of these findings that a decision with these keys may apply to, or that are shown as `info`. */
export async function listContested(db: Db, orgId: string, ids: string[], keys: Keys): Promise<DecidableFinding[]> {
  const { rows } = await db.query<FactsRow>({
    name: 'decisions_list_contested',
    text: decidableText('false'),
    values: [orgId, ids, ...parameters(keys)],
  });
  return rows.map(scopedOf);
}

export async function findDecidable(db: Db, orgId: string, id: string): Promise<DecidableFinding | undefined> {
  const { rows } = await db.query<FactsRow>({
    name: 'decision_find_decidable',
    text: `SELECT ${factColumns} FROM findings f
           WHERE f.org_id = $1 AND f.id = $2`,
    values: [orgId, id],
  });
  return rows.map(scopedOf)[0];
}

/** Lists a page, by id, of all findings that a decision with these keys may apply to. */
export async function listInReach(
  db: Db,
  orgId: string,
  keys: Keys,
  { afterId, limit, dataSources }: { afterId: string; limit: number; dataSources: string[] | null },
): Promise<Array<DecidableFinding & { title: string; isOpen: boolean }>> {
  const { rows } = await db.query<FactsRow & { title: string; isOpen: boolean }>({
    // Planned for its values: one of the keys determines the index to read.
    text: `SELECT ${factColumns}, f.title, f.status IN ('new', 'triaged', 'in_progress') AS "isOpen"
           FROM findings f
           WHERE f.org_id = $1 AND f.id > $2 AND ${mayHaveKey(4, { ofMany: false })}${dataSources ? ' AND f.data_source_id = ANY($9::text[])' : ''}
           ORDER BY f.id LIMIT $3`,
    values: [orgId, afterId, limit, ...parameters(keys), ...(dataSources ? [dataSources] : [])],
  });
  return rows.map((row) => ({ ...scopedOf(row), title: row.title, isOpen: row.isOpen }));
}
