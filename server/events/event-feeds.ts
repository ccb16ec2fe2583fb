import { operationView } from '../decisions/bulk/bulk-schema.ts';
import { listRecentOperations } from '../decisions/bulk/queries.ts';
import { listRecentDecisions } from '../decisions/request-queries.ts';
import { listRecentScans } from '../detection/scans/queries.ts';
import { scanView } from '../detection/scans/scan-schema.ts';
import { countChanged } from '../findings/figures/count-changed.ts';
import { asPartOfNone } from '../platform/cost/request-cost.ts';
import { EventStream } from '../platform/http/event-streams.ts';
import type { Database } from '../platform/postgres/database.ts';
import type { Notifications } from '../platform/postgres/notifications.ts';
import { formatTime, formatTimeOrNull } from '../platform/times.ts';
import { listRecentReports, type ReportRow } from '../reports/queries.ts';

/**
 * An event, with the scope that its readers need. `id` is the id of the object whose state it contains; null for
 * counts.
 */
type Change = { type: string; scope: string; id: string | null; data: string };

/** The changes up to a position in time, in microseconds since the epoch. */
type Changes = {
  position: string;
  changes: Change[];
  /** Whether changes after the given position are missing, because a repair moved times back. */
  isTorn: boolean;
};

/** The maximum number of items of each kind that are read, newest first. */
const maxOfKind = 200;
/** A transaction that ends late has older times than changes that were read meanwhile. */
const overlapMs = 60_000;

/** A scan without its lists, which may be long. */
function scanData(row: Parameters<typeof scanView>[0]): string {
  const { data_sources: _sources, errors, warnings, ...scan } = scanView(row);
  return JSON.stringify({ ...scan, error_count: errors.length, warning_count: warnings.length });
}

const reportData = (row: ReportRow) =>
  JSON.stringify({
    id: row.id,
    title: row.title,
    status: row.status,
    error: row.error,
    scheduled_report_id: row.scheduledReportId,
    created_at: formatTime(row.createdAt),
    completed_at: formatTimeOrNull(row.completedAt),
  });

/**
 * Reads the scans, reports and bulk operations of an organization that are in progress or have ended since a position,
 * and the decisions that have changed, and counts the findings that changed since. A null position is the present; items that ended in the last `endedMs`
 * are included then.
 */
export const readChanges = (
  database: Database,
  orgId: string,
  since: string | null,
  endedMs = overlapMs,
): Promise<Changes> =>
  database.transaction(orgId, async (tx) => {
    const { horizon: position, now, created, changed, ids, isCapped, isTorn } = await countChanged(tx, orgId, since);
    const atMs = since === null ? now.getTime() - endedMs : Number(since) / 1_000 - overlapMs;
    const at = new Date(atMs).toISOString();
    const changes: Change[] = [];
    for (const row of await listRecentScans(tx, orgId, at, maxOfKind))
      changes.push({ type: 'scan', scope: 'scans:read', id: row.id, data: scanData(row) });
    for (const row of await listRecentReports(tx, orgId, at, maxOfKind))
      changes.push({ type: 'report', scope: 'reports:read', id: row.id, data: reportData(row) });
    for (const row of await listRecentOperations(tx, orgId, at, maxOfKind)) {
      const data = JSON.stringify(operationView(row));
      changes.push({ type: 'bulk_operation', scope: 'findings:read', id: row.id, data });
    }
    for (const row of await listRecentDecisions(tx, orgId, at, maxOfKind))
      changes.push({ type: 'decision', scope: 'findings:read', id: row.id, data: JSON.stringify(row) });
    if (created + changed > 0) {
      const data = JSON.stringify({
        created,
        changed,
        at_least: isCapped,
        since: formatTime(new Date(Number(since) / 1_000)),
        ids,
      });
      changes.push({ type: 'findings', scope: 'findings:read', id: null, data });
    }
    return { position, changes, isTorn };
  });

/** The notification channel of the triggers on streamed tables; the payload is the organization's id. */
export const eventChannel = 'assay_events';

/** The minimum time between two reads of an organization that changes all the time. */
const minPauseMs = 1_000;
/** After this time an organization is read without a notification, since some changes send none and some are lost. */
const heardPollMs = 5_000;
/** The poll interval without notifications; all organizations together are read at most a hundred times a second. */
const pollMs = 1_000;
const pollMsPerFeed = 10;
const keepAliveMs = 10_000;
/** A client that was away for longer must reload everything. */
const maxAwayMs = 60 * 60_000;

/**
 * A client. `scopes` null permits all events. `since` is the position from which it resumes: null before it has caught
 * up for the first time. `sentAt` is when something was last sent to it, initially the time of its connection.
 */
type Follower = { scopes: readonly string[] | null; since: string | null; isJoining: boolean; sentAt: number };

type Feed = {
  orgId: string;
  followers: Map<EventStream, Follower>;
  position: string | null;
  /** The state in which each object was last sent. */
  sent: Map<string, string>;
  readAt: number;
  reading: boolean;
  changed: boolean;
  timer: NodeJS.Timeout | undefined;
};

const eventOf = ({ type, data }: Change, position: string | null) =>
  `event: ${type}\ndata: ${data}\n${position === null ? '' : `id: ${position}\n`}\n`;
const reset = Buffer.from('event: reset\ndata: {}\n\n');
/**
 * Advances clients that store the id of an event without data; the others resume from the last event that they
 * received.
 */
const positionOf = (position: string) => `id: ${position}\n\n`;
const stale = (position: string, now: string) => {
  const awayMs = (Number(now) - Number(position)) / 1_000;
  return awayMs > maxAwayMs || awayMs < -maxAwayMs;
};

/**
 * Serves the event streams that are open on this node. However many clients follow an organization, it is read once for
 * all changes of a second. Nothing is written for the streams, so they add no cost to merges of findings.
 */
export class EventFeeds {
  readonly #database: Database;
  readonly #notifications: Notifications;
  readonly #feeds = new Map<string, Feed>();
  readonly #stopListening: () => void;

  constructor(database: Database, notifications: Notifications) {
    this.#database = database;
    this.#notifications = notifications;
    this.#stopListening = notifications.on(eventChannel, (orgId) => {
      const feeds = orgId === undefined ? [...this.#feeds.values()] : [this.#feeds.get(orgId)];
      for (const feed of feeds) if (feed) this.#readSoon(feed);
    });
  }

  /**
   * Follows an organization, with `lastEventId` from that position on. `scopes` are those of the caller's token; null
   * for all.
   */
  follow(orgId: string, scopes: readonly string[] | null, lastEventId: string | null): EventStream {
    const stream = new EventStream();
    const feed = this.#feeds.get(orgId) ?? this.#open(orgId);
    feed.followers.set(stream, { scopes, since: lastEventId, isJoining: true, sentAt: performance.now() });
    stream.once('close', () => {
      feed.followers.delete(stream);
      if (feed.followers.size === 0) this.#end(feed);
    });
    stream.send(Buffer.from(': connected\n\n'));
    feed.changed = true;
    if (!feed.reading) this.#schedule(feed, 0);
    return stream;
  }

  #open(orgId: string): Feed {
    const times = { readAt: 0, reading: false, changed: false, timer: undefined };
    const feed: Feed = { orgId, followers: new Map(), position: null, sent: new Map(), ...times };
    this.#feeds.set(orgId, feed);
    return feed;
  }

  #end(feed: Feed): void {
    clearTimeout(feed.timer);
    if (this.#feeds.get(feed.orgId) === feed) this.#feeds.delete(feed.orgId);
    for (const stream of feed.followers.keys()) stream.end();
  }

  #readSoon(feed: Feed): void {
    feed.changed = true;
    if (!feed.reading) this.#schedule(feed, minPauseMs);
  }

  /** Schedules the next read, `pauseMs` after the last one. */
  #schedule(feed: Feed, pauseMs: number): void {
    clearTimeout(feed.timer);
    const waitMs = Math.max(0, feed.readAt + pauseMs - performance.now());
    feed.timer = asPartOfNone(() => setTimeout(() => void this.#read(feed), waitMs).unref());
  }

  async #read(feed: Feed): Promise<void> {
    feed.reading = true;
    feed.changed = false;
    feed.readAt = performance.now();
    try {
      const read = await readChanges(this.#database, feed.orgId, feed.position);
      this.#send(feed, read);
      for (const [stream, follower] of [...feed.followers]) {
        if (follower.isJoining) await this.#join(feed, stream, follower, read.position);
      }
    } catch {
      // The database is unavailable: the organization is read again when it is back.
    } finally {
      feed.reading = false;
    }
    if (this.#feeds.get(feed.orgId) !== feed) return;
    const unheardMs = Math.max(pollMs, this.#feeds.size * pollMsPerFeed);
    this.#schedule(feed, feed.changed ? minPauseMs : this.#notifications.isListening() ? heardPollMs : unheardMs);
  }

  /** Sends the changes to all clients that have caught up. */
  #send(feed: Feed, { position, changes, isTorn }: Changes): void {
    const fresh = changes.filter(({ id, data }) => id === null || feed.sent.get(id) !== data);
    feed.sent = new Map(changes.flatMap(({ id, data }) => (id === null ? [] : [[id, data] as const])));
    feed.position = position;
    for (const [stream, follower] of feed.followers) {
      if (follower.isJoining) continue;
      if (isTorn) stream.send(reset);
      sendChanges(stream, follower, fresh, position);
    }
  }

  /** Sends a new client the items in progress or, if it resumes, everything that it has missed. */
  async #join(feed: Feed, stream: EventStream, follower: Follower, now: string): Promise<void> {
    const isStale = follower.since !== null && stale(follower.since, now);
    const read = (since: string | null) =>
      readChanges(this.#database, feed.orgId, since, performance.now() - follower.sentAt);
    const missed = await read(isStale ? null : follower.since);
    const { changes, position } = missed.isTorn ? await read(null) : missed;
    follower.isJoining = false;
    if (isStale || missed.isTorn) stream.send(reset);
    // Its position becomes that of the other clients: changes in between are sent to all.
    sendChanges(stream, follower, changes, Number(position) < Number(now) ? position : now, true);
  }

  close(): void {
    this.#stopListening();
    for (const feed of [...this.#feeds.values()]) this.#end(feed);
  }
}

function sendChanges(
  stream: EventStream,
  follower: Follower,
  changes: Change[],
  position: string,
  always = false,
): void {
  const { scopes } = follower;
  const own = changes.filter(({ scope }) => scopes === null || scopes.includes(scope));
  const now = performance.now();
  if (own.length === 0 && !always && now - follower.sentAt < keepAliveMs) return;
  follower.sentAt = now;
  // A connection may end between two events: only the last one moves the position past all of them.
  const text = own.map((change, index) => eventOf(change, index === own.length - 1 ? position : follower.since));
  follower.since = position;
  stream.send(Buffer.from(own.length === 0 ? positionOf(position) : text.join('')));
}
