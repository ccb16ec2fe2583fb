import { randomUUID } from 'node:crypto';
import { baseEcosystem } from '@assay/scanner/advisories/ecosystem.ts';
import type { Feed } from '@assay/scanner/advisories/feed.ts';
import { tryAgain } from '@assay/scanner/advisories/try-again.ts';
import { ecosystems } from '@assay/scanner/advisories/versions/index.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { ExploitationFeed } from './exploitation/exploitation-feed.ts';
import { type FeedOutcome, syncExploitation } from './exploitation/sync-exploitation.ts';
import { type ArchiveCounts, syncArchive, type Transact } from './sync-archive.ts';
import { claimSync, endSync, findValidator, keepSync, putValidator } from './sync-queries.ts';

export type ArchiveOutcome = {
  ecosystem: string;
  error: string | null;
  unchanged: boolean;
  counts: ArchiveCounts | null;
};
/** `passedOver`: ecosystems of the feed that no manifest uses. */
export type SyncOutcome = {
  source: string;
  archives: ArchiveOutcome[];
  exploitation: FeedOutcome[];
  passedOver: string[];
};

export type SyncOptions = {
  database: Database;
  /** The advisories; null for none. */
  feed: Feed | null;
  /** Files with facts about CVEs. */
  exploitation?: ExploitationFeed[];
  /** Limits the sync to these ecosystems of the feed. */
  only?: string[] | undefined;
  signal: AbortSignal;
  /** Skips the sync when this source was loaded within a day. */
  onlyIfDue?: boolean;
  progress?(message: string): void;
  /** The pauses before a file is fetched again when its server is unavailable. */
  pausesMs?: readonly number[];
};

/** Thrown when another process has taken over the sync. */
class SyncLost extends Error {}

const dayMs = 24 * 60 * 60_000;
const hourMs = 60 * 60_000;
const keepEveryMs = 30_000;

/**
 * Loads the changes of a feed since the last sync. Null when another process is loading, or with `onlyIfDue` when the
 * sync is not due yet. An archive that fails is reported and retried in an hour; the others continue.
 */
export async function syncAdvisories(options: SyncOptions): Promise<SyncOutcome | null> {
  const { database } = options;
  const holder = randomUUID();
  const isClaimed = await database.transaction(null, (tx) =>
    claimSync(tx, holder, sourceOf(options), options.onlyIfDue ?? false),
  );
  if (!isClaimed) return null;
  const lost = new AbortController();
  const signal = AbortSignal.any([options.signal, lost.signal]);
  const keep = () =>
    database
      .transaction(null, (tx) => keepSync(tx, holder))
      .then((isKept) => isKept || lost.abort(new SyncLost('Another process took over the loading of advisories.')))
      // A temporary outage of the database does not end the sync: the next write decides.
      .catch(() => {});
  const timer = setInterval(keep, keepEveryMs);
  let dueInMs = hourMs;
  try {
    const outcome = await syncAll(options, holder, signal);
    // After a partial sync, the full one stays due.
    if (options.only) dueInMs = 0;
    else if ([...outcome.archives, ...outcome.exploitation].every(({ error }) => error === null)) dueInMs = dayMs;
    return outcome;
  } finally {
    clearInterval(timer);
    await database.transaction(null, (tx) => endSync(tx, holder, options.signal.aborted ? 0 : dueInMs)).catch(() => {});
  }
}

/** Returns all sources as one text. */
const sourceOf = ({ feed, exploitation = [] }: SyncOptions): string =>
  [...(feed ? [feed] : []), ...exploitation.filter(({ required }) => required)].map(({ source }) => source).join(' ');

async function syncAll(options: SyncOptions, holder: string, signal: AbortSignal): Promise<SyncOutcome> {
  const transact: Transact = (run) =>
    options.database.transaction(null, async (tx) => {
      if (!(await keepSync(tx, holder))) throw new SyncLost('Another process took over the loading of advisories.');
      return run(tx);
    });
  // The small files come first, so that findings of new advisories have their scores at once.
  const exploitation = options.only ? [] : await syncFeeds(options, transact, signal);
  const archives = options.feed
    ? await syncArchives(options, options.feed, transact, signal)
    : { archives: [], passedOver: [] };
  return { source: sourceOf(options), ...archives, exploitation };
}

/** Retries `load` after pauses while the server of the feed is unavailable: see tryAgain. */
const patiently = <T>({ pausesMs, progress }: SyncOptions, what: string, signal: AbortSignal, load: () => Promise<T>) =>
  tryAgain(load, signal, {
    pausesMs,
    onPause: (ms) => progress?.(`${what}: not available, tried again in ${ms / 1000} s`),
  });

async function syncFeeds(options: SyncOptions, transact: Transact, signal: AbortSignal): Promise<FeedOutcome[]> {
  const { exploitation = [], progress } = options;
  const outcomes: FeedOutcome[] = [];
  for (const feed of exploitation) {
    progress?.(`${feed.name}: fetching`);
    const load = () => syncExploitation(transact, feed, signal);
    const outcome = await patiently(options, feed.name, signal, load).catch((error: Error) => {
      if (signal.aborted || error instanceof SyncLost) throw error;
      return { feed: feed.name, error: error.message, unchanged: false, counts: null };
    });
    if (outcome) outcomes.push(outcome);
  }
  return outcomes;
}

async function syncArchives(
  options: SyncOptions,
  feed: Feed,
  transact: Transact,
  signal: AbortSignal,
): Promise<Pick<SyncOutcome, 'archives' | 'passedOver'>> {
  const { only } = options;
  const listed = await patiently(options, 'list of archives', signal, () => feed.listEcosystems());
  const known = (listed ?? ecosystems).filter((name) => ecosystems.includes(name));
  // The archive of a distribution contains its releases (`Debian:12`).
  const passedOver = (listed ?? []).filter((name) => !ecosystems.includes(baseEcosystem(name)));
  const archives: ArchiveOutcome[] = [];
  for (const ecosystem of known.filter((name) => !only || only.includes(name))) {
    const load = () => syncOne(options, feed, transact, ecosystem, signal);
    const outcome = await patiently(options, ecosystem, signal, load).catch((error: Error) => {
      if (signal.aborted || error instanceof SyncLost) throw error;
      return { ecosystem, error: error.message, unchanged: false, counts: null };
    });
    if (outcome) archives.push(outcome);
    else if (listed) archives.push({ ecosystem, error: 'The archive does not exist.', unchanged: false, counts: null });
  }
  return { archives, passedOver };
}

/** The version of the stored form: when it changes, everything is reloaded. */
const form = 'v1';

async function syncOne(
  { progress }: SyncOptions,
  feed: Feed,
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
