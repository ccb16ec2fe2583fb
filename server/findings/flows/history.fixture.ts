import { severities } from '@assay/scanner/contract/severity.ts';
import type { Random } from '../../../tests/soak/layout.ts';
import { markDataSourceDeleted } from '../../data-sources/queries.ts';
import { newId } from '../../platform/id.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { readChangeClock } from '../change-clock.ts';
import { endAcceptances, resolveFindingsOfRemovedSource } from '../close-findings.ts';
import { detectionOf } from '../findings.fixture.ts';
import { type Closing, closings, isOpen, type Move, moves, type Status } from '../lifecycle.ts';
import { finishSighting, plainTransactions, recordDetections } from '../record-detections.ts';
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
  /** Called at the end of each day, with what was read. */
  atEndOfDay?(day: HistoryDay): Promise<void>;
};

/**
 * Lives through days of random sightings, decisions, regressions, changed severities, ended acceptances and a deleted data source, and
 * writes down each change and the state at each day's end as plain statements read them. The last day is the present one.
 */
export async function liveThrough(database: Database, { orgId, userId }: Tenant, options: Options): Promise<History> {
  const { days, findings: count, random, setClock, atEndOfDay } = options;
  const dataSourceIds = Array.from({ length: 4 }, () => newId('ds'));
  const sources = ['code', 'secrets'];
  const history: History = { dataSourceIds, sources, events: [], days: [] };
  const pool = Array.from({ length: count }, (_, key) => ({
    key: `finding-${key}`,
    dataSourceId: random.pick(dataSourceIds),
    source: random.pick(sources),
    severity: random.pick(severities),
  }));
  for (const id of dataSourceIds)
    await database.single(orgId, {
      text: `INSERT INTO data_sources (org_id, id, kind, name, config) VALUES ($1, $2, 'upload', $2, '{}')`,
      values: [orgId, id],
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
    const own = pool.filter((one) => one.dataSourceId === dataSourceId && one.source === source);
    for (const one of own) if (chance(0.04)) one.severity = random.pick(severities);
    const seen = own.filter(() => chance(0.6)).map(({ key, severity }) => detectionOf(key, { severity }));
    const transact = plainTransactions(database, orgId);
    await transact((tx) => recordDetections(tx, orgId, sighting, seen));
    await note();
    const fingerprints = new Set(seen.map(({ fingerprint }) => fingerprint));
    await finishSighting(transact, orgId, sighting, (fingerprint) => fingerprints.has(fingerprint), {
      close: true,
      isComplete: true,
    });
    await note();
  }

  async function decide(status: Status): Promise<void> {
    const ids = [...known.keys()].filter(() => chance(0.03));
    const acceptedUntil = status === 'accepted_risk' ? new Date(now + random.between(1, 9) * dayMs) : undefined;
    await database.transaction(orgId, (tx) => triageFindings(tx, orgId, userId, ids, { status, acceptedUntil }));
    await note();
  }

  async function remove(dataSourceId: string): Promise<void> {
    await database.transaction(orgId, (tx) => markDataSourceDeleted(tx, orgId, dataSourceId));
    while (await database.transaction(orgId, (tx) => resolveFindingsOfRemovedSource(tx, orgId, userId, dataSourceId)));
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
    while (await database.transaction(orgId, (tx) => endAcceptances(tx, orgId)));
    await note();
    const day = { date: dateOf(now), findings: [...known.values()] };
    history.days.push(day);
    await atEndOfDay?.(day);
  }
  return history;
}

/** Selects findings as a filter does. */
export type Chosen = (finding: HistoryFinding) => boolean;
export const openOf = (day: HistoryDay | undefined, chosen: Chosen): number =>
  (day?.findings ?? []).filter((finding) => isOpen(finding.status) && chosen(finding)).length;

const nameOf: Record<string, Closing> = {
  resolved: 'resolved',
  accepted_risk: 'accepted',
  false_positive: 'false_positive',
};

/** Returns how an event moved a finding and the state that counts; null when it left it open or closed. */
export function moveOf({ from, to }: HistoryEvent): { move: Move; finding: HistoryFinding } | null {
  const wasOpen = from !== null && isOpen(from.status);
  if (isOpen(to.status)) return wasOpen ? null : { move: from === null ? 'new' : 'reopened', finding: to };
  if (!wasOpen) return null;
  return { move: to.resolution === 'data_source_removed' ? 'removed' : nameOf[to.status]!, finding: from };
}

/** Counts the moves of chosen findings, as they were then, on the days from `from` to `to`. */
export function movesOn({ events }: History, from: string, to: string, chosen: Chosen): Record<Move, number> {
  const counts = Object.fromEntries(moves.map((move) => [move, 0])) as Record<Move, number>;
  for (const event of events) {
    if (event.day < from || event.day > to) continue;
    const moved = moveOf(event);
    if (moved && chosen(moved.finding)) counts[moved.move] += 1;
  }
  return counts;
}

/** Counts those that came from another severity while open, less those that went to another. */
export function reclassifiedSince({ events }: History, since: string, chosen: Chosen): number {
  const both = events.filter(({ day, from, to }) => day >= since && from && isOpen(from.status) && isOpen(to.status));
  return both.reduce((sum, { from, to }) => sum + Number(chosen(to)) - Number(chosen(from!)), 0);
}

export const openedIn = (counts: Record<Move, number>): number => counts.new + counts.reopened;
export const closedIn = (counts: Record<Move, number>): number => closings.reduce((sum, move) => sum + counts[move], 0);
