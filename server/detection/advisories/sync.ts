import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/postgres/database.ts';
import { baseEcosystem } from './ecosystem.ts';
import type { Feed } from './feed.ts';
import { type ArchiveCounts, syncArchive, type Transact } from './sync-archive.ts';
import { claimSync, endSync, findValidator, keepSync, putValidator } from './sync-queries.ts';
import { ecosystems } from './versions/index.ts';

export type ArchiveOutcome = {
  ecosystem: string;
  error: string | null;
  unchanged: boolean;
  counts: ArchiveCounts | null;
};
/** `passedOver`: ecosystems of the feed that no manifest uses. */
export type SyncOutcome = { source: string; archives: ArchiveOutcome[]; passedOver: string[] };

export type SyncOptions = {
  database: Database;
  feed: Feed;
  /** Limits the loading to these ecosystems of the feed. */
  only?: string[] | undefined;
  signal: AbortSignal;
  /** Skips the loading when this source was loaded within a day. */
  onlyIfDue?: boolean;
  progress?(message: string): void;
};

/** Thrown when another process took the loading over. */
class SyncLost extends Error {}

const dayMs = 24 * 60 * 60_000;
const hourMs = 60 * 60_000;
const keepEveryMs = 30_000;

/**
 * Loads the changes of a feed since the last time. Null when another process is loading, or with `onlyIfDue` when it is
 * not due yet. An archive that fails is reported, the others continue, and it is tried again in an hour.
 */
export async function syncAdvisories(options: SyncOptions): Promise<SyncOutcome | null> {
  const { database, feed } = options;
  const holder = randomUUID();
  const isClaimed = await database.transaction(null, (tx) =>
    claimSync(tx, holder, feed.source, options.onlyIfDue ?? false),
  );
  if (!isClaimed) return null;
  const lost = new AbortController();
  const signal = AbortSignal.any([options.signal, lost.signal]);
  const keep = () =>
    database
      .transaction(null, (tx) => keepSync(tx, holder))
      .then((isKept) => isKept || lost.abort(new SyncLost('Another process took over the loading of advisories.')))
      // A database that is away for a while does not end the loading: the next write decides.
      .catch(() => {});
  const timer = setInterval(keep, keepEveryMs);
  let dueInMs = hourMs;
  try {
    const outcome = await syncAll(options, holder, signal);
    // A partial loading stays due.
    if (options.only) dueInMs = 0;
    else if (outcome.archives.every(({ error }) => error === null)) dueInMs = dayMs;
    return outcome;
  } finally {
    clearInterval(timer);
    await database.transaction(null, (tx) => endSync(tx, holder, options.signal.aborted ? 0 : dueInMs)).catch(() => {});
  }
}

async function syncAll(options: SyncOptions, holder: string, signal: AbortSignal): Promise<SyncOutcome> {
  const { database, feed, only } = options;
  const listed = await feed.listEcosystems();
  const known = (listed ?? ecosystems).filter((name) => ecosystems.includes(name));
  // The archive of a distribution contains those of its releases (`Debian:12`).
  const passedOver = (listed ?? []).filter((name) => !ecosystems.includes(baseEcosystem(name)));
  const transact: Transact = (run) =>
    database.transaction(null, async (tx) => {
      if (!(await keepSync(tx, holder))) throw new SyncLost('Another process took over the loading of advisories.');
      return run(tx);
    });
  const archives: ArchiveOutcome[] = [];
  for (const ecosystem of known.filter((name) => !only || only.includes(name))) {
    const outcome = await syncOne(options, transact, ecosystem, signal).catch((error: Error) => {
      if (signal.aborted || error instanceof SyncLost) throw error;
      return { ecosystem, error: error.message, unchanged: false, counts: null };
    });
    if (outcome) archives.push(outcome);
    else if (listed) archives.push({ ecosystem, error: 'The archive is not there.', unchanged: false, counts: null });
  }
  return { source: feed.source, archives, passedOver };
}

/** The version of the stored form: when it changes, everything is loaded again. */
const form = 'v1';

async function syncOne(
  { feed, progress }: SyncOptions,
  transact: Transact,
  ecosystem: string,
  signal: AbortSignal,
): Promise<ArchiveOutcome | null> {
  progress?.(`${ecosystem}: fetching`);
  const stored = await transact((tx) => findValidator(tx, ecosystem, feed.source));
  const known = stored?.startsWith(`${form} `) ? stored.slice(form.length + 1) : null;
  const opened = await feed.open(ecosystem, known, signal);
  if (opened.kind === 'absent') return null;
  if (opened.kind === 'unchanged') return { ecosystem, error: null, unchanged: true, counts: null };
  try {
    const counts = await syncArchive(transact, ecosystem, opened.file, signal, (read) => {
      if (read % 100 === 0) progress?.(`${ecosystem}: ${read} advisories`);
    });
    await transact((tx) => putValidator(tx, ecosystem, feed.source, `${form} ${opened.validator}`));
    return { ecosystem, error: null, unchanged: false, counts };
  } finally {
    await opened.close();
  }
}
