import { newIdsAt } from '../platform/id.ts';
import { BinaryArray } from '../platform/postgres/binary-array.ts';
import type { Db } from '../platform/postgres/database.ts';
import { setLocal } from '../platform/postgres/statement.ts';
import type { ChangeTime } from './change-clock.ts';
import { type MergeColumn, ownColumns, ownNames } from './fact-columns.ts';
import type { FactSource } from './fact-source.ts';
import type { FactsRow } from './facts.ts';
import type { Judgement, Lifecycle, Move } from './lifecycle.ts';
import {
  bitsIn,
  criticalityOf,
  daysOfOrganization,
  dueAfter,
  exploitationJoin,
  isOfRow,
  priorityIn,
  problemIn,
  reopenedAt,
} from './policy-queries.ts';
import { textIdOf } from './shared-texts.ts';

/**
 * The data source and source that a scan reports on. `startedAt` is when it started reading. With `keepsFacts`, known
 * findings keep their facts, because another scan vouches for them.
 */
export type Sighting = {
  dataSourceId: string;
  source: string;
  scanId: string;
  startedAt: Date;
  keepsFacts?: boolean;
};

/** A finding whose row is locked for a change. */
export type LockedFinding = Lifecycle & {
  id: string;
  dataSourceId: string;
  source: string;
  severity: number;
  /** The severity that its scanner reports: another one than `severity` while a decision demotes it. */
  scannerSeverity: number;
  /** The decision that demotes it; null if there is none. */
  demotedBy: string | null;
  title: string;
  ruleId: string;
  /** The judgement of the person who last set a status; null if nobody has. */
  judged: Judgement | null;
  factsHash: string;
  tags: string[];
  assigneeId: string | null;
  /** When it was last reopened, in milliseconds since the epoch. */
  reopenedAt?: number | null;
  /**
   * When it was last opened, and when it is due; `dueAt` is null if it never is. Times as the database returns them.
   */
  openedAt: Date;
  dueAt: Date | null;
  version: number;
  /** The affected versions of its package, as `versionsOf` returns them; null if it has no package. */
  packageVersions: string | null;
  /** The decision that applies; null for a status that a person set on the finding itself. */
  decisionId: string | null;
  /** The last decision (`made`) when a person took it out of one: none up to it applies any longer. */
  leftDecisions: number | null;
};

/**
 * Returns the ordinals of a batch that need a write, in ascending order; `id` is null for new findings. The rest is
 * unchanged. Each is looked up separately in the index of identities, in order. While a table fills for the first time
 * there are no statistics, the planner cannot tell the indexes apart, and any other index would read the whole data
 * source for every detection.
 */
export async function listToWrite(
  db: Db,
  orgId: string,
  { dataSourceId, source, startedAt }: Sighting,
  facts: FactSource,
): Promise<Array<{ ordinal: number; id: string | null }>> {
  await db.query(setLocal({ enable_sort: 'off' }));
  const { rows } = await db.query<{ ordinal: number; id: string | null }>({
    text: `SELECT d.ordinal::integer - 1 AS ordinal, f.id
           FROM ${facts.table(['fingerprint', 'facts_hash'], 5)} b,
             unnest(b.fingerprint, b.facts_hash) WITH ORDINALITY AS d(fingerprint, facts_hash, ordinal) LEFT JOIN LATERAL (
             SELECT id, facts_hash, seen_last AND (status <> 'resolved' OR closed_at BETWEEN $4 AND clock_timestamp()) AS settled FROM findings
             WHERE org_id = $1 AND data_source_id = $2 AND source = $3 AND fingerprint BETWEEN d.fingerprint AND d.fingerprint
             ORDER BY org_id, data_source_id, source, fingerprint LIMIT 1) f ON true
           WHERE (f.facts_hash = d.facts_hash AND f.settled) IS NOT TRUE`,
    values: [orgId, dataSourceId, source, startedAt, ...facts.values(['fingerprint', 'facts_hash'])],
  });
  await db.query(setLocal({ enable_sort: 'on' }));
  return rows;
}

/** Takes ascending numbers for new findings, separated by spaces. Waits for no other transaction. */
async function takeNumbers(db: Db, orgId: string, count: number): Promise<string[]> {
  const { rows } = await db.query<{ numbers: string }>({
    name: 'findings_take_numbers',
    text: `SELECT string_agg(number::text, ' ') AS numbers FROM take_finding_numbers($1, $2) AS number`,
    values: [orgId, count],
  });
  return rows[0]!.numbers.split(' ');
}

const inserted = [
  'fingerprint',
  'severity',
  'title',
  'rule_id',
  ...ownNames,
  'places',
  'occurrences',
  'facts_hash',
  'words',
  'urgency_points',
  'urgency_bits',
  'cves',
  'problem',
  'text',
  'advisories',
  'excerpts',
  'in_package',
  'weaknesses',
  'cvss',
] as const satisfies MergeColumn[];

/** SQL for an array from an element of a batch, a list separated by spaces. */
const listIn = (column: string) => `string_to_array(${column}, ' ')`;

const insertText = (facts: FactSource) =>
  `WITH inserted AS (
     INSERT INTO findings (org_id, id, number, data_source_id, source, fingerprint, severity, title, rule_id, ${ownNames.join(', ')},
       places, occurrences, facts_hash, words, first_seen_at, first_scan_id, last_seen_at, updated_at, urgency_bits,
       priority, due_at, cves, epss, epss_percentile, kev, problem, text_id, advisories, excerpts, in_package, weaknesses, cvss)
     SELECT $1, d.id, d.number, $2, $3, d.fingerprint, d.severity, d.title, d.rule_id, ${ownNames.map((name) => `d.${name}`).join(', ')},
       d.places, d.occurrences, d.facts_hash, array_to_tsvector(${listIn('d.words')}), $5::timestamptz, $4, $5::timestamptz, $5::timestamptz,
       ${bitsIn('$2')}, ${priorityIn('$2')}, finding_due_at(NULL, $5::timestamptz, d.severity, COALESCE(d.urgency_bits, 0::smallint),
         ${criticalityOf('$2')}, ${daysOfOrganization}), d.cves, x.epss, x.epss_percentile, x.kev, ${problemIn('$2')}, ${textIdOf('d.text')},
       ${listIn('d.advisories')}, d.excerpts, d.in_package, ${listIn('d.weaknesses')}::integer[], d.cvss
     FROM (SELECT ${inserted.map((column) => (column === 'cves' ? `${listIn('u.cves')} AS cves` : `u.${column}`)).join(', ')}, u.id, u.number
       FROM ${facts.table([...inserted], 8)} b,
         unnest(${inserted.map((column) => `b.${column}`).join(', ')}, $6::text[], $7::integer[]) AS u(${inserted.join(', ')}, id, number)
       WHERE u.id IS NOT NULL) d
     ${exploitationJoin}
     ON CONFLICT (org_id, data_source_id, source, fingerprint) DO NOTHING
     RETURNING id, severity)
   SELECT severity, string_agg(id, ' ') AS ids FROM inserted GROUP BY severity ORDER BY severity`;

/**
 * Inserts the findings at these ascending ordinals, except those that another scan inserted meanwhile. Returns the ids
 * of the inserted ones by severity.
 */
export async function insertFindings(
  db: Db,
  orgId: string,
  { dataSourceId, source, scanId }: Sighting,
  time: ChangeTime,
  facts: FactSource,
  ordinals: number[],
): Promise<Array<{ severity: number; ids: string[] }>> {
  const numbers = await takeNumbers(db, orgId, ordinals.length);
  // Ids contain the time at which the findings were first seen.
  const newIds = newIdsAt('fnd', time.ms, ordinals.length);
  const ids: Array<string | null> = Array(facts.count).fill(null);
  const numbered: Array<number | null> = Array(facts.count).fill(null);
  for (const [index, ordinal] of ordinals.entries()) {
    ids[ordinal] = newIds[index]!;
    numbered[ordinal] = Number(numbers[index]);
  }
  const given = [new BinaryArray('text', ids), new BinaryArray('integer', numbered)];
  const { rows } = await db.query<{ severity: number; ids: string }>({
    name: `findings_insert_${facts.kind}`,
    text: insertText(facts),
    values: [orgId, dataSourceId, source, scanId, time.at, ...given, ...facts.values([...inserted])],
  });
  return rows.map((row) => ({ severity: row.severity, ids: row.ids.split(' ') }));
}

/** SQL of `LockedFinding.packageVersions`. */
const packageVersions = `CASE WHEN in_package THEN COALESCE(
  (SELECT string_agg(DISTINCT (place->>'version') COLLATE "C", ', ' ORDER BY (place->>'version') COLLATE "C") FROM json_array_elements(places) AS place),
  package_version) END`;

type LockedRow = Omit<LockedFinding, 'closedAt' | 'acceptedUntil' | 'reopenedAt'> & {
  closedAt: Date | null;
  reopenedAt: Date | null;
  acceptedUntil: Date | null;
};

const lockedColumns = `id, data_source_id AS "dataSourceId", source, severity,
  COALESCE(scanner_severity, severity) AS "scannerSeverity", demoted_by AS "demotedBy", title,
  rule_id AS "ruleId", judged, facts_hash::text AS "factsHash", tags,
  assignee_id AS "assigneeId", version, status, resolution, closed_at AS "closedAt",
  accepted_until AS "acceptedUntil", reopened_at AS "reopenedAt",
  COALESCE(reopened_at, first_seen_at) AS "openedAt", NULLIF(due_at, 'infinity') AS "dueAt", reopened_count AS "reopenedCount", seen_last AS "seenLast",
  (extract(epoch FROM accepted_again_until) * 1000)::float8 AS "acceptedAgainUntil", ${packageVersions} AS "packageVersions",
  decision_id AS "decisionId", left_decisions::float8 AS "leftDecisions"`;

const lockedFinding = (row: LockedRow): LockedFinding => ({
  ...row,
  closedAt: row.closedAt?.getTime() ?? null,
  acceptedUntil: row.acceptedUntil?.getTime() ?? null,
  reopenedAt: row.reopenedAt?.getTime() ?? null,
});

/** Locks findings in id order, like every writer. */
export async function lockFindings(db: Db, orgId: string, ids: string[]): Promise<LockedFinding[]> {
  const { rows } = await db.query<LockedRow>({
    text: `SELECT ${lockedColumns}
           FROM (SELECT DISTINCT id AS wanted FROM unnest($2::text[]) AS id) AS d JOIN findings f ON ${isOfRow('d', 'wanted')}
           ORDER BY id FOR UPDATE OF f`,
    values: [orgId, ids],
  });
  return rows.map(lockedFinding);
}

/** Locks one finding; undefined if there is none. Planning the statement takes three times as long as running it. */
export async function lockFinding(db: Db, orgId: string, id: string): Promise<LockedFinding | undefined> {
  const { rows } = await db.query<LockedRow>({
    name: 'finding_lock',
    text: `SELECT ${lockedColumns} FROM findings WHERE org_id = $1 AND id = $2 FOR UPDATE`,
    values: [orgId, id],
  });
  return rows.map(lockedFinding)[0];
}

/** Writes the new facts of findings that a scan saw again. */
export async function updateFacts(db: Db, orgId: string, batch: Array<FactsRow & { id: string }>): Promise<void> {
  await db.query({
    text: `UPDATE findings f SET severity = d.severity, scanner_severity = d.scanner_severity, title = d.title, rule_id = d.rule_id,
             ${ownNames.map((name) => `${name} = d.${name}`).join(', ')}, places = d.places, occurrences = d.occurrences, facts_hash = d.facts_hash, words = array_to_tsvector(d.words),
             urgency_bits = ${bitsIn('f.data_source_id')}, priority = ${priorityIn('f.data_source_id')}, cves = d.cves, epss = x.epss,
             epss_percentile = x.epss_percentile, kev = x.kev, problem = ${problemIn('f.data_source_id')}, text_id = ${textIdOf('d.text')}, advisories = d.advisories,
             excerpts = d.excerpts, in_package = COALESCE(d.in_package, false), weaknesses = d.weaknesses, cvss = d.cvss
           FROM json_to_recordset($2::json) AS d(id text, severity smallint, scanner_severity smallint, title text, rule_id text,
             ${ownNames.map((name) => `${name} ${ownColumns[name]}`).join(', ')}, places json, occurrences integer, facts_hash bigint, words text[], urgency_points smallint, urgency_bits smallint, cves text[], advisories text[], problem bigint, text bigint, excerpts json, in_package boolean, weaknesses integer[], cvss float8)
           ${exploitationJoin}
           WHERE ${isOfRow('d')}`,
    values: [orgId, JSON.stringify(batch)],
  });
}

/** The new lifecycle of a finding. A change that is `visible` in the API creates a new version. */
export type LifecycleRow = { id: string; visible: boolean; lastSeenAt: string | null } & Lifecycle;

/** Writes new lifecycles and the columns that depend on them. Write the facts first. */
export async function updateLifecycles(
  db: Db,
  orgId: string,
  time: ChangeTime,
  changes: LifecycleRow[],
): Promise<void> {
  await db.query({
    text: `UPDATE findings f SET status = d.status, resolution = d.resolution,
             closed_at = to_timestamp(d."closedAt" / 1000.0), accepted_until = to_timestamp(d."acceptedUntil" / 1000.0),
             reopened_at = ${reopenedAt('$3')}, due_at = ${dueAfter('$3')},
             reopened_count = d."reopenedCount", seen_last = d."seenLast", accepted_again_until = to_timestamp(d."acceptedAgainUntil" / 1000.0),
             last_seen_at = COALESCE(GREATEST(f.last_seen_at, d."lastSeenAt"), f.last_seen_at),
             updated_at = CASE WHEN d.visible THEN $3::timestamptz ELSE f.updated_at END,
             version = f.version + d.visible::int
           FROM json_to_recordset($2::json) AS d(id text, visible boolean, status text, resolution text, "closedAt" float8,
             "acceptedUntil" float8, "acceptedAgainUntil" float8, "reopenedCount" integer, "seenLast" boolean, "lastSeenAt" timestamptz)
           WHERE ${isOfRow('d')}`,
    values: [orgId, JSON.stringify(changes.map(storedLifecycle)), time.at],
  });
}

/** JSON has no infinity; PostgreSQL reads the text `Infinity`. */
export const storedLifecycle = <Row extends Lifecycle>(row: Row) => ({
  ...row,
  acceptedAgainUntil: row.acceptedAgainUntil === Number.POSITIVE_INFINITY ? 'Infinity' : row.acceptedAgainUntil,
});

/**
 * Changes as {field: [from, to]}, spelled as in the API. A change that opens or closes the finding has its `move` and
 * the severity (its rank, 0-4). A closing also has the time of the opening and the due time.
 */
export type HistoryRow = {
  finding_id: string;
  changes: Record<string, [unknown, unknown]>;
  move?: Exclude<Move, 'new'>;
  severity?: number;
  opened_at?: Date;
  due_at?: Date | null;
};

export async function insertHistory(
  db: Db,
  orgId: string,
  time: ChangeTime,
  by: { userId?: string | undefined; scanId?: string | undefined },
  rows: HistoryRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await db.query({
    name: 'finding_history_insert',
    text: `INSERT INTO finding_history (org_id, finding_id, at, user_id, scan_id, changes, move, severity, opened_at, due_at)
           SELECT $1, d.finding_id, $2::timestamptz, $3, $4, d.changes, d.move, d.severity, d.opened_at, d.due_at
           FROM json_to_recordset($5::json) AS d(finding_id text, changes json, move text, severity smallint,
             opened_at timestamptz, due_at timestamptz)`,
    values: [orgId, time.at, by.userId ?? null, by.scanId ?? null, JSON.stringify(rows)],
  });
}

type StandingFinding = { id: string; fingerprint: string; seenLast: boolean; decided: boolean };

/**
 * Lists a page, by fingerprint, of the findings that a covering scan may miss: findings that the last scan saw, open
 * ones, and those closed by a decision, since false positives stay closed without being seen.
 */
export async function listStanding(
  db: Db,
  orgId: string,
  { dataSourceId, source, startedAt }: Sighting,
  afterFingerprint: string,
  limit: number,
): Promise<StandingFinding[]> {
  const { rows } = await db.query<StandingFinding>({
    name: 'findings_list_standing',
    text: `SELECT id, fingerprint, seen_last AS "seenLast", status = 'false_positive' AS decided FROM findings
           WHERE org_id = $1 AND data_source_id = $2 AND source = $3 AND fingerprint > $4
             AND (seen_last OR status <> 'resolved')
             AND (first_seen_at < $5 OR first_seen_at > clock_timestamp())
           ORDER BY fingerprint LIMIT $6`,
    values: [orgId, dataSourceId, source, afterFingerprint, startedAt, limit],
  });
  return rows;
}

/** Returns the fingerprints of the findings in any of these files. */
export async function listFingerprintsAt(
  db: Db,
  orgId: string,
  { dataSourceId, source }: Pick<Sighting, 'dataSourceId' | 'source'>,
  paths: string[],
): Promise<string[]> {
  if (paths.length === 0) return [];
  const { rows } = await db.query<{ fingerprint: string }>({
    name: 'findings_list_at',
    text: `SELECT fingerprint FROM findings
           WHERE org_id = $1 AND data_source_id = $2 AND source = $3 AND path = ANY($4)`,
    values: [orgId, dataSourceId, source, paths],
  });
  return rows.map((row) => row.fingerprint);
}
