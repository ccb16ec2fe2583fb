import type { DetectionServices } from '../services.ts';
import { openFeed } from './open-feed.ts';
import { syncAdvisories } from './sync.ts';

/** Loads new advisories once a day, over all nodes, if the operator has configured a source. */
async function refreshAdvisories({
  advisories,
  database,
  networkPolicy,
  stopping,
  log,
}: DetectionServices): Promise<void> {
  if (advisories === null) return;
  const feed = openFeed(advisories, networkPolicy);
  const outcome = await syncAdvisories({ database, feed, signal: stopping, onlyIfDue: true });
  for (const { ecosystem, error } of outcome?.archives ?? []) {
    if (error !== null) log.warn({ ecosystem, source: feed.source, reason: error }, 'Advisories could not be loaded.');
  }
  if (outcome) log.info({ source: feed.source, ecosystems: outcome.archives.length }, 'Advisories were loaded.');
}

export const advisoryTick = { name: 'Loading advisories', everyMs: 60_000, run: refreshAdvisories };
