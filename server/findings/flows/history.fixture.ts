import type { Detection } from '@assay/scanner/contract/detection.ts';
import { severities } from '@assay/scanner/contract/severity.ts';
import type { Random } from '../../../tests/soak/layout.ts';
import { markDataSourceDeleted } from '../../data-sources/queries.ts';
import { newId } from '../../platform/id.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { readChangeClock } from '../change-clock.ts';
import { endAcceptances, resolveFindingsOfRemovedSource } from '../close-findings.ts';
import { detectionOf } from '../findings.fixture.ts';
import { type Closing, closings, isOpen, type Move, moves, type Status } from '../lifecycle.ts';
import { finishSighting, plainTransactions, recordDetections, type Sighting } from '../record-detections.ts';
import { triageFindings } from '../triage-findings.ts';

/** A finding as a plain statement reads it. Times are milliseconds since the epoch. */
export type HistoryFinding = {
  id: string;
  dataSourceId: string;
  source: string;
  severity: number;
  status: Status;
  resolution: string | null;
  dueAt: number | null;
  openedAt: number;
  closedAt: number | null;
  ruleId: string;
};

/** A change of a finding; `from` is null for a new one. */
export type HistoryEvent = { day: string; from: HistoryFinding | null; to: HistoryFinding };

/** The state at the end of a day. */
export type HistoryDay = { date: string; findings: HistoryFinding[] };

export type History = {
  dataSourceIds: string[];
  sources: string[];
  events: HistoryEvent[];
  days: HistoryDay[];
};

const dayMs = 86_400_000;
export const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

type Tenant = { orgId: string; userId: string };
type Size = { days: number; findings: number };
type Options = Size & {
  random: Random;
  setClock(at: Date): Promise<void>;
  /** The people who make decisions, own data sources and are assigned findings. */
  people?: string[];
  /** Called at the end of each day with the state that was read. */
  atEndOfDay?(day: HistoryDay): Promise<void>;
};

const problems = [
  ['weak-hash', 'Weak hash function', 'CWE-327'],
  ['sql-input', 'SQL built from input', 'CWE-89'],
  ['unsafe-page', 'Page built from input', 'CWE-79'],
  ['open-redirect', 'Redirect to any site', 'CWE-601'],
  ['path-input', 'Path built from input', 'CWE-22'],
  ['old-protocol', 'Outdated protocol in use', null],
  ['stored-key', 'Access key in the code', 'CWE-798'],
  ['missing-check', 'Missing check of rights', 'CWE-862'],
] as const;
const packages = ['npm', 'PyPI', 'Maven'].flatMap((ecosystem) =>
  ['alpha', 'beta', 'gamma', 'delta'].map((name) => ({ ecosystem, name: `${name}-library` })),
);

/** Returns random facts of a finding, except its severity: in a package, a file or a page. */
function factsOf(key: string, random: Random): Partial<Detection> {
  const nowhere = { start_line: null, end_line: null, start_column: null, end_column: null, commit: null };
  const location = { ...nowhere, path: null, url: null, package: null };
  const cvss_score = random.next() < 0.4 ? random.between(0, 100) / 10 : null;
  if (random.next() < 0.4) {
    const version = random.next() < 0.9 ? `1.${random.between(0, 2)}.0` : null;
    const fixed_version = random.next() < 0.6 ? `${random.between(1, 2)}.${random.between(3, 12)}.0` : null;
    const found = { ...random.pick(packages), version, fixed_version, purl: null };
    const id = `CVE-2024-${10_000 + random.between(0, 60)}`;
    return {
      title: `${found.name}: vulnerable to ${key}`,
      rule: { id, name: id, url: null },
      location: { ...location, path: 'package-lock.json', package: found },
      places: [],
      identifiers: random.next() < 0.5 ? [id, random.pick(['CWE-79', 'CWE-400', 'CWE-502'])] : [id],
      cvss_score,
    };
  }
  const [id, name, weakness] = random.pick(problems);
  const facts = {
    title: `${name} in ${key}`,
    rule: { id, name, url: null },
    identifiers: [...(weakness ? [weakness] : []), ...(random.next() < 0.2 ? ['CWE-200'] : [])],
    remediation: random.next() < 0.5 ? `Correct what ${id} says.` : null,
    cvss_score,
  };
  if (random.next() < 0.3)
    return { ...facts, location: { ...location, url: `https://example.test/${key}` }, places: [] };
  const line = random.between(1, 500);
  const place = { path: `src/${key}.ts`, start_line: line, end_line: line, commit: null };
  return { ...facts, location: { ...location, ...place }, places: [place] };
}

/**
 * Simulates days of random sightings, decisions, regressions, changed severities, failed and partial scans, ended
 * acceptances and a deleted data source. Records each change, and the state at the end of each day as plain statements
 * read it. The last day is today.
 */
export async function liveThrough(database: Database, { orgId, userId }: Tenant, options: Options): Promise<History> {
  const { days, findings: count, random, setClock, people = [userId], atEndOfDay } = options;
  const dataSourceIds = Array.from({ length: 4 }, () => newId('ds'));
  const sources = ['code', 'secrets'];
  const history: History = { dataSourceIds, sources, events: [], days: [] };
  const pool = Array.from({ length: count }, (_, key) => ({
    key: `finding-${key}`,
    dataSourceId: random.pick(dataSourceIds),
    source: random.pick(sources),
    severity: random.pick(severities),
    facts: factsOf(`finding-${key}`, random),
  }));
  const kinds = ['git_repository', 'website', 'host', 'upload'] as const;
  for (const [index, id] of dataSourceIds.entries())
    await database.single(orgId, {
      text: `INSERT INTO data_sources (org_id, id, kind, name, config, owner_id, criticality, exposure)
             VALUES ($1, $2, $3, $4, '{}', $5, $6, $7)`,
      values: [
        ...[orgId, id, kinds[index], `Source ${'ABCDEF'[index]}`, random.pick([...people, null])],
        ...[random.pick(['low', 'medium', 'high', 'critical']), random.pick(['internal', 'public'])],
      ],
    });
  const chance = (of: number) => random.next() < of;
  let known = new Map<string, HistoryFinding>();
  let now = 0;

  async function note(): Promise<void> {
    const rows = await database.single<HistoryFinding>(orgId, {
      text: `SELECT id, data_source_id AS "dataSourceId", source, severity, status, resolution,
               floor(extract(epoch FROM NULLIF(due_at, 'infinity')) * 1000)::float8 AS "dueAt",
               (extract(epoch FROM COALESCE(reopened_at, first_seen_at)) * 1000)::float8 AS "openedAt",
               (extract(epoch FROM closed_at) * 1000)::float8 AS "closedAt", rule_id AS "ruleId"
             FROM findings WHERE org_id = $1`,
      values: [orgId],
    });
    for (const to of rows) {
      const from = known.get(to.id) ?? null;
      if (from?.status === to.status && from.severity === to.severity) continue;
      history.events.push({ day: dateOf(now), from, to });
    }
    known = new Map(rows.map((row) => [row.id, row]));
  }

  async function scan(dataSourceId: string, source: string): Promise<void> {
    const startedAt = await database.transaction(orgId, (tx) => readChangeClock(tx, orgId));
    const sighting = { scanId: newId('scan'), dataSourceId, source, startedAt };
    const isComplete = chance(0.9);
    if (chance(0.1)) return recordScan(sighting, 'failed', null);
    const own = pool.filter((one) => one.dataSourceId === dataSourceId && one.source === source);
    for (const one of own) if (chance(0.04)) one.severity = random.pick(severities);
    const seen = own
      .filter(() => chance(0.6))
      .map(({ key, severity, facts }) => detectionOf(key, { ...facts, severity }));
    const transact = plainTransactions(database, orgId);
    await transact((tx) => recordDetections(tx, orgId, sighting, seen));
    await note();
    const fingerprints = new Set(seen.map(({ fingerprint }) => fingerprint));
    await finishSighting(transact, orgId, sighting, (fingerprint) => fingerprints.has(fingerprint), {
      close: isComplete,
      isComplete,
    });
    await recordScan(sighting, 'completed', isComplete ? null : 'incomplete');
    await note();
  }

  /** Records the end of a scan in the same way as a worker. */
  async function recordScan({ scanId, dataSourceId, source }: Sighting, status: string, closedNothing: string | null) {
    const isRepository = dataSourceId === dataSourceIds[0] || dataSourceId === dataSourceIds[1];
    const revision = isRepository && status === 'completed' ? random.pick(['abcdefa', 'fedcbaf']) : null;
    await database.single(orgId, {
      text: `WITH scan AS (INSERT INTO scans (org_id, id, source, status, trigger, extent) VALUES ($1, $2, $4, $5, 'api', ''))
             INSERT INTO scan_targets (org_id, scan_id, data_source_id, source, status, completed_at, error, closed_nothing, tool_versions, revision)
             VALUES ($1, $2, $3, $4, $5, clock_timestamp(), $6, $7, $8, $9)`,
      values: [
        ...[orgId, scanId, dataSourceId, source, status, status === 'failed' ? 'The tool ended early.' : null],
        ...[closedNothing, JSON.stringify({ [source]: random.pick(['3.1.0', '3.2.0']) }), revision],
      ],
    });
  }

  async function decide(status: Status): Promise<void> {
    const ids = [...known.keys()].filter(() => chance(0.03));
    const acceptedUntil = status === 'accepted_risk' ? new Date(now + random.between(1, 9) * dayMs) : undefined;
    const comment = chance(0.5) ? `Agreed with team ${random.pick(['North', 'South'])}.` : undefined;
    const decision = { status, acceptedUntil, comment };
    await database.transaction(orgId, (tx) => triageFindings(tx, orgId, random.pick(people), ids, decision));
    await note();
  }

  /** Assigns, tags and comments on findings, which does not move any. */
  async function discuss(): Promise<void> {
    const ids = [...known.keys()].filter(() => chance(0.1));
    const assigneeId = random.pick([...people, null]);
    const decision = {
      assigneeId,
      addTags: ['reviewed'],
      comment: chance(0.5) ? 'Somebody has to look at it.' : undefined,
    };
    await database.transaction(orgId, (tx) => triageFindings(tx, orgId, userId, ids, decision));
  }

  async function remove(dataSourceId: string): Promise<void> {
    await database.transaction(orgId, (tx) => markDataSourceDeleted(tx, orgId, dataSourceId));
    await database.transaction(orgId, (tx) => resolveFindingsOfRemovedSource(tx, orgId, userId, dataSourceId));
    await note();
  }

  const first = Math.floor(Date.now() / dayMs) * dayMs - (days - 1) * dayMs;
  for (let index = 0; index < days; index++) {
    now = first + index * dayMs + 10 * 3_600_000;
    await setClock(new Date(now));
    const existing = index > days / 2 ? dataSourceIds.slice(1) : dataSourceIds;
    for (let scans = random.between(0, 2); scans > 0; scans--) await scan(random.pick(existing), random.pick(sources));
    if (index === Math.floor(days / 2)) await remove(dataSourceIds[0]!);
    if (chance(0.5)) await decide(random.pick(['triaged', 'resolved', 'false_positive', 'accepted_risk', 'new']));
    if (chance(0.3)) await discuss();
    while (await database.transaction(orgId, (tx) => endAcceptances(tx, orgId)));
    await note();
    const day = { date: dateOf(now), findings: [...known.values()] };
    history.days.push(day);
    await atEndOfDay?.(day);
  }
  return history;
}

/** A condition on findings, like a filter. */
export type Chosen = (finding: HistoryFinding) => boolean;
export const openOf = (day: HistoryDay | undefined, chosen: Chosen): number =>
  (day?.findings ?? []).filter((finding) => isOpen(finding.status) && chosen(finding)).length;

const nameOf: Record<string, Closing> = {
  resolved: 'resolved',
  accepted_risk: 'accepted',
  false_positive: 'false_positive',
};

/** Returns an event's move and the state to count; null if the finding stayed open or closed. */
export function moveOf({ from, to }: HistoryEvent): { move: Move; finding: HistoryFinding } | null {
  const wasOpen = from !== null && isOpen(from.status);
  if (isOpen(to.status)) return wasOpen ? null : { move: from === null ? 'new' : 'reopened', finding: to };
  if (!wasOpen) return null;
  return { move: to.resolution === 'data_source_removed' ? 'removed' : nameOf[to.status]!, finding: from };
}

/** Counts the moves of chosen findings, by their state at the time, on the days from `from` to `to`. */
export function movesOn({ events }: History, from: string, to: string, chosen: Chosen): Record<Move, number> {
  const counts = Object.fromEntries(moves.map((move) => [move, 0])) as Record<Move, number>;
  for (const event of events) {
    if (event.day < from || event.day > to) continue;
    const moved = moveOf(event);
    if (moved && chosen(moved.finding)) counts[moved.move] += 1;
  }
  return counts;
}

/** Counts the findings that entered from another severity while open, minus those that left. */
export function reclassifiedSince({ events }: History, since: string, chosen: Chosen): number {
  const both = events.filter(({ day, from, to }) => day >= since && from && isOpen(from.status) && isOpen(to.status));
  return both.reduce((sum, { from, to }) => sum + Number(chosen(to)) - Number(chosen(from!)), 0);
}

export const openedIn = (counts: Record<Move, number>): number => counts.new + counts.reopened;
export const closedIn = (counts: Record<Move, number>): number => closings.reduce((sum, move) => sum + counts[move], 0);
