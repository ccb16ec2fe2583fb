import { severityName, severityRank } from '@assay/scanner/contract/severity.ts';
import { noteChange } from '../organization/change-number.ts';
import { type Db, sentTogether } from '../platform/postgres/database.ts';
import { beginChange, type ChangeTime } from './change-clock.ts';
import { CountChanges, type CountedFinding } from './counts.ts';
import { demoted, type FactsRow, versionsOf } from './facts.ts';
import { type Lifecycle, moveBetween, type Status } from './lifecycle.ts';
import {
  type HistoryRow,
  insertHistory,
  type LifecycleRow,
  type LockedFinding,
  updateFacts,
  updateLifecycles,
} from './merge-queries.ts';
import { announceChange, type DecisionRow, updateDecisions } from './triage-queries.ts';

/** The person or the scan that makes a change; neither for the platform itself. */
export type ChangedBy = { userId?: string | undefined; scanId?: string | undefined };

/** The values that a scan adds to a finding's new lifecycle. */
export type SightingOf = {
  /** The facts that the scan reports; the finding's own facts if they have the same hash. */
  facts?: FactsRow | undefined;
  /** The time at which the finding was seen; null leaves it unchanged. */
  lastSeenAt: string | null;
};

type Changes = HistoryRow['changes'];

function lifecycleChanges(before: Lifecycle, after: Lifecycle): Changes {
  const changes: Changes = {};
  if (before.status !== after.status) changes.status = [before.status, after.status];
  if (before.resolution !== after.resolution) changes.resolution = [before.resolution, after.resolution];
  return changes;
}

function factChanges(before: LockedFinding, facts: FactsRow): Changes {
  const changes: Changes = {};
  if (facts.severity !== before.scannerSeverity) {
    const field = before.demotedBy === null ? 'severity' : 'scanner_severity';
    changes[field] = [severityName(before.scannerSeverity), severityName(facts.severity)];
  }
  const versions = versionsOf(facts);
  if (versions !== before.packageVersions) changes.package_version = [before.packageVersions, versions];
  // Most titles contain the version.
  else if (facts.title !== before.title) changes.title = [before.title, facts.title];
  return changes;
}

/**
 * Returns whether the move is visible in the API. If it isn't (another scan saw the finding last), the finding keeps
 * its version.
 */
export const isVisibleMove = (before: Lifecycle, after: Lifecycle): boolean =>
  before.status !== after.status || before.resolution !== after.resolution || before.closedAt !== after.closedAt;

/**
 * The changes that one transaction makes to findings: rows, history and counts, written together. Every writer of
 * findings (merge, triage, close, reopen) uses it, so that none can change a row and forget its history or counts.
 *
 * The rows must be locked (`lockFindings`). Call `write` last in the transaction: counts are written after all rows are
 * locked, both in key order, so that writers cannot deadlock.
 */
export class FindingChanges {
  readonly time: ChangeTime;
  readonly by: ChangedBy;
  /** The findings whose affected versions a scan has changed. */
  readonly newVersions = new Set<string>();
  readonly #tx: Db;
  readonly #orgId: string;
  readonly #counts = new CountChanges();
  #facts: Array<FactsRow & { id: string }> = [];
  #lifecycles: LifecycleRow[] = [];
  #decisions: DecisionRow[] = [];
  #history: HistoryRow[] = [];

  private constructor(tx: Db, orgId: string, by: ChangedBy, time: ChangeTime) {
    this.#tx = tx;
    this.#orgId = orgId;
    this.by = by;
    this.time = time;
  }

  /** Starts a change. Call it before the transaction reads the findings that it changes. */
  static async begin(tx: Db, orgId: string, by: ChangedBy): Promise<FindingChanges> {
    return new FindingChanges(tx, orgId, by, await beginChange(tx, orgId));
  }

  /**
   * Counts findings that the transaction has inserted. Their history starts with the first sighting, which has no row.
   */
  add(place: { dataSourceId: string; source: string; severity: number }, status: Status, count: number): void {
    this.#counts.moved(null, { ...place, status, resolution: null }, count);
  }

  /** Counts findings that a statement of the caller has moved to another status, with their history. */
  count(before: CountedFinding, status: Status, count: number): void {
    this.#counts.moved(before, { ...before, status }, count);
  }

  /** Moves a finding through its lifecycle, with new facts if a scan reports some. */
  move(before: LockedFinding, after: Lifecycle, { facts, lastSeenAt }: SightingOf = { lastSeenAt: null }): void {
    const id = before.id;
    const restated = facts !== undefined && facts.facts_hash !== before.factsHash;
    const isDemoted = before.demotedBy !== null;
    if (restated) this.#facts.push({ ...(isDemoted ? demoted(facts) : facts), id });
    this.#lifecycles.push({ ...after, id, visible: restated || isVisibleMove(before, after), lastSeenAt });
    const severity = isDemoted ? before.severity : (facts?.severity ?? before.severity);
    const changes = facts ? factChanges(before, facts) : {};
    if (facts && before.judged !== null) {
      this.#counts.judged(before.ruleId, before.judged, null);
      this.#counts.judged(facts.rule_id, null, before.judged);
    }
    if (changes.package_version) this.newVersions.add(id);
    this.#note(before, { ...after, severity }, changes);
  }

  /** Applies a person's decision; `changes` are those outside the lifecycle. */
  decide(before: LockedFinding, after: DecisionRow, changes: Changes): void {
    this.#decisions.push(after);
    this.#counts.judged(before.ruleId, before.judged, after.judged);
    this.#note(before, { ...after, severity: before.severity }, changes);
  }

  /**
   * Notes that a finding is shown as `info` because of a decision, or as its scanner rates it when `demotedBy` is null. Returns it
   * as it is afterwards, for `updateDemotions`. `ended` is why the previous decision ended.
   */
  demote(before: LockedFinding, demotedBy: string | null, ended?: string): LockedFinding {
    const severity = demotedBy === null ? before.scannerSeverity : severityRank.info;
    const changes: Changes = { decision: [before.demotedBy, demotedBy] };
    if (severity !== before.severity) changes.severity = [severityName(before.severity), severityName(severity)];
    if (ended) changes.decision_ended_because = [null, ended];
    const after = { ...before, severity, demotedBy };
    this.#note(before, after, changes);
    return after;
  }

  /**
   * Writes the rows and history collected so far and leaves the counts to `write`: for changes of many thousands of
   * findings.
   */
  async writeRows(): Promise<void> {
    const sent = [
      this.#facts.length > 0 && updateFacts(this.#tx, this.#orgId, this.#facts),
      this.#lifecycles.length > 0 && updateLifecycles(this.#tx, this.#orgId, this.time, this.#lifecycles),
      this.#decisions.length > 0 && updateDecisions(this.#tx, this.#orgId, this.time, this.#decisions),
      insertHistory(this.#tx, this.#orgId, this.time, this.by, this.#history),
    ];
    this.#facts = [];
    this.#lifecycles = [];
    this.#decisions = [];
    this.#history = [];
    await sentTogether(sent.filter((statement) => statement !== false));
  }

  /** Writes everything that is left, counts last. All statements are sent before it returns. */
  async write(): Promise<void> {
    await sentTogether([
      this.writeRows(),
      this.#counts.write(this.#tx, this.#orgId, this.time),
      noteChange(this.#tx, this.#orgId),
      // Scans announce their own progress; merges announce nothing.
      ...(this.by.userId === undefined ? [] : [announceChange(this.#tx, this.#orgId)]),
    ]);
  }

  #note(before: LockedFinding, after: Lifecycle & { severity: number }, others: Changes): void {
    this.#counts.moved(before, { ...before, ...after });
    const changes = { ...lifecycleChanges(before, after), ...others };
    if (Object.keys(changes).length === 0) return;
    const row = { finding_id: before.id, changes };
    const move = moveBetween(before, after);
    if (move === null || move === 'new') this.#history.push(row);
    else if (move === 'reopened') this.#history.push({ ...row, move, severity: after.severity });
    else {
      const { severity, openedAt: opened_at, dueAt: due_at } = before;
      this.#history.push({ ...row, move, severity, opened_at, due_at });
    }
  }
}
