import type { DetectionServices } from '../services.ts';
import { exploitationFeeds } from './exploitation/exploitation-feed.ts';
import { openFeed } from './open-feed.ts';
import { syncAdvisories } from './sync.ts';

/**
 * Loads new advisories, scores and known exploits once a day across all nodes, if the operator has configured a
 * source.
 */
async function refreshAdvisories({ feeds, database, networkPolicy, stopping, log }: DetectionServices): Promise<void> {
  const exploitation = exploitationFeeds(feeds, networkPolicy);
  const feed = feeds.advisories === null ? null : openFeed(feeds.advisories, networkPolicy);
  if (feed === null && exploitation.length === 0) return;
  const outcome = await syncAdvisories({ database, feed, exploitation, signal: stopping, onlyIfDue: true });
  if (!outcome) return;
  const { source } = outcome;
  for (const { ecosystem, error } of outcome.archives) {
    if (error !== null) log.warn({ ecosystem, source, reason: error }, 'Advisories could not be loaded.');
  }
  for (const { feed: name, error } of outcome.exploitation) {
    if (error !== null) log.warn({ feed: name, source, reason: error }, 'Facts on exploitation could not be loaded.');
  }
  log.info({ source, ecosystems: outcome.archives.length }, 'Advisories were loaded.');
}

export const advisoryTick = { name: 'Loading advisories', everyMs: 60_000, run: refreshAdvisories };
