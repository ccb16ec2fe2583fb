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
/** `passedOver`: ecosystems that the feed has and no manifest leads to. */
export type SyncOutcome = { source: string; archives: ArchiveOutcome[]; passedOver: string[] };

export type SyncOptions = {
  database: Database;
  feed: Feed;
  /** Only these, of those that the feed has. */
  only?: string[] | undefined;
  signal: AbortSignal;
  /** Does nothing when it was done from this source within a day. */
  onlyIfDue?: boolean;
  progress?(message: string): void;
};

/** Another process took the loading over, or removed it. */
class SyncLost extends Error {}

const dayMs = 24 * 60 * 60_000;
const hourMs = 60 * 60_000;
const keepEveryMs = 30_000;

/**
 * Loads what has changed in a feed since the last time. Null when another process is loading, or with `onlyIfDue` when
 * there is nothing to do yet. An archive that fails is told and the others go on; it is tried again in an hour.
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
      // A database that is away for a while is no reason to give up: the next write decides.
      .catch(() => {});
  const timer = setInterval(keep, keepEveryMs);
  let dueInMs = hourMs;
  try {
    const outcome = await syncAll(options, holder, signal);
    // What was loaded in part is due for the rest.
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
  // What a release has for itself (`Debian:12`) is in its distribution's archive too.
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

/** What is kept depends on how it is read: another form loads everything anew. */
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
