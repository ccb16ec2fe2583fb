import { resolve } from 'node:path';
import { isUrl } from '@assay/scanner/advisories/opened-file.ts';
import { ecosystems } from '@assay/scanner/advisories/versions/index.ts';
import type { NetworkPolicy } from '@assay/scanner/platform/egress/network-policy.ts';
import { printable } from '@assay/scanner/platform/terminal-text.ts';
import { type Command, InvalidArgumentError } from 'commander';
import { addJsonOption, printResult, tableLines, type WithDatabase } from '../../platform/command-output.ts';
import type { FeedLocations } from '../services.ts';
import { exploitationFeeds } from './exploitation/exploitation-feed.ts';
import type { FeedOutcome } from './exploitation/sync-exploitation.ts';
import { openFeed } from './open-feed.ts';
import { type ArchiveOutcome, type SyncOutcome, syncAdvisories } from './sync.ts';

type Options = { from?: string; epss?: string; kev?: string; ecosystem?: string[] };

/** The installation's configuration, read when the command runs. */
export type AdvisoriesSettings = () => { feeds: FeedLocations; networkPolicy: NetworkPolicy };

/** Adds `advisories sync`. */
export function registerAdvisoriesCommand(
  program: Command,
  withDatabase: WithDatabase,
  settings: AdvisoriesSettings,
): void {
  const advisories = program
    .command('advisories')
    .description('load and list the known vulnerabilities that dependencies are matched with');
  const sync = addJsonOption(
    advisories
      .command('sync')
      .description(
        "load new entries: advisories from an export in OSV's layout (ECOSYSTEM/all.zip), EPSS scores and CISA's catalogue (KEV)",
      )
      .option('--from <directory-or-url>', 'the location of the export (what ASSAY_ADVISORIES says)')
      .option('--epss <file-or-url>', 'epss_scores-….csv.gz (what ASSAY_EPSS says, or beside the export)')
      .option('--kev <file-or-url>', 'known_exploited_vulnerabilities.json (what ASSAY_KEV says, or beside the export)')
      .option(
        '--ecosystem <name>',
        'only the advisories of these ecosystems, such as npm, separated by commas; may be repeated',
        collectEcosystem,
      ),
  );
  sync.action(async (options: Options) => {
    const { feeds, networkPolicy } = settings();
    const locations = locationsOf(options, feeds);
    const exploitation = exploitationFeeds(locations, networkPolicy);
    if (exploitation.length === 0)
      return sync.error(
        "error: name a location: --from (a directory or a URL in OSV's export layout), --epss or --kev",
      );
    const stop = new AbortController();
    const onInterrupt = () => stop.abort(new Error('Stopped.'));
    process.once('SIGINT', onInterrupt);
    const feed = locations.advisories === null ? null : openFeed(locations.advisories, networkPolicy);
    const line = createProgressLine();
    try {
      await withDatabase(async (database) => {
        const outcome = await syncAdvisories({
          database,
          feed,
          exploitation,
          only: options.ecosystem,
          signal: stop.signal,
          progress: line.show,
        }).finally(line.clear);
        if (!outcome) throw new Error('Advisories are being loaded by another process. Try again when it is done.');
        if (outcome.archives.length + outcome.exploitation.length === 0)
          throw new Error(`There are no archives such as npm/all.zip in ${outcome.source}.`);
        printResult(sync, outcome, linesOf(outcome));
        if ([...outcome.archives, ...outcome.exploitation].some(({ error }) => error !== null)) process.exitCode = 1;
      });
    } finally {
      process.off('SIGINT', onInterrupt);
    }
  });
}

/** Returns the location to load from: the options, or else the settings. */
function locationsOf({ from, epss, kev }: Options, configured: FeedLocations): FeedLocations {
  if ((from ?? epss ?? kev) === undefined) return configured;
  const read = (location: string | undefined) =>
    location === undefined ? null : isUrl(location) ? location : resolve(location);
  return { advisories: read(from), epss: read(epss), kev: read(kev) };
}

function collectEcosystem(value: string, earlier: string[] = []): string[] {
  const names = value.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !ecosystems.includes(name));
  if (unknown !== undefined) throw new InvalidArgumentError(`Allowed are ${ecosystems.join(', ')}.`);
  return [...new Set([...earlier, ...names])];
}

function linesOf({ archives, exploitation, passedOver }: SyncOutcome): string[] {
  const heading = ['', 'added', 'changed', 'removed', 'unchanged', 'unreadable', ''];
  const lines = tableLines(heading, [...exploitation.map(feedRowOf), ...archives.map(rowOf)]);
  return passedOver.length > 0
    ? [...lines, `Skipped, because no supported manifest uses them: ${passedOver.join(', ')}.`]
    : lines;
}

function feedRowOf({ feed, error, unchanged, counts }: FeedOutcome): string[] {
  return rowOf({ ecosystem: feed.toUpperCase(), error, unchanged, counts: counts && { ...counts, unreadable: 0 } });
}

function rowOf({ ecosystem, error, unchanged, counts }: ArchiveOutcome): string[] {
  const numbers = counts && [counts.added, counts.changed, counts.removed, counts.unchanged, counts.unreadable];
  const note = error ?? (unchanged ? 'the file has not changed' : '');
  return [ecosystem, ...(numbers?.map(String) ?? ['-', '-', '-', '-', '-']), note];
}

/** A progress line on standard error that overwrites itself; nothing unless it is a terminal. */
function createProgressLine() {
  const { stderr } = process;
  return {
    show(message: string) {
      if (stderr.isTTY) stderr.write(`\r\x1b[K${printable(message).slice(0, stderr.columns - 1)}`);
    },
    clear() {
      if (stderr.isTTY) stderr.write('\r\x1b[K');
    },
  };
}
