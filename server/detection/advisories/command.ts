import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { addJsonOption, printResult, tableLines, type WithDatabase } from '../../platform/command-output.ts';
import type { NetworkPolicy } from '../../platform/egress/network-policy.ts';
import { openFeed } from './open-feed.ts';
import { type ArchiveOutcome, type SyncOutcome, syncAdvisories } from './sync.ts';
import { ecosystems } from './versions/index.ts';

type Options = { from?: string; ecosystem?: string[] };

/** The installation's configuration, read when the command runs. */
export type AdvisoriesSettings = () => { advisories: string | null; networkPolicy: NetworkPolicy };

/** Adds `advisories sync`. */
export function registerAdvisoriesCommand(
  program: Command,
  withDatabase: WithDatabase,
  settings: AdvisoriesSettings,
): void {
  const advisories = program
    .command('advisories')
    .description('the known vulnerabilities that dependencies are matched with');
  const sync = addJsonOption(
    advisories
      .command('sync')
      .description("load what is new from an export in OSV's layout, ECOSYSTEM/all.zip")
      .option('--from <directory-or-url>', 'where the export lies (what ASSAY_ADVISORIES says)')
      .option('--ecosystem <name>', 'only this ecosystem, such as npm; may be repeated', collectEcosystem),
  );
  sync.action(async (options: Options) => {
    const { advisories: configured, networkPolicy } = settings();
    const from = options.from ?? configured;
    if (!from) return sync.error("error: say where from: --from, a directory or a URL in OSV's export layout");
    const stop = new AbortController();
    const onInterrupt = () => stop.abort(new Error('Stopped.'));
    process.once('SIGINT', onInterrupt);
    const feed = openFeed(/^https?:\/\//i.test(from) ? from : resolve(from), networkPolicy);
    const line = createProgressLine();
    try {
      await withDatabase(async (database) => {
        const outcome = await syncAdvisories({
          database,
          feed,
          only: options.ecosystem,
          signal: stop.signal,
          progress: line.show,
        }).finally(line.clear);
        if (!outcome) throw new Error('Advisories are being loaded by another process. Try again when it is done.');
        if (outcome.archives.length === 0)
          throw new Error(`There are no archives such as npm/all.zip in ${feed.source}.`);
        printResult(sync, outcome, linesOf(outcome));
        if (outcome.archives.some(({ error }) => error !== null)) process.exitCode = 1;
      });
    } finally {
      process.off('SIGINT', onInterrupt);
    }
  });
}

function collectEcosystem(value: string, earlier: string[] = []): string[] {
  const names = value.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !ecosystems.includes(name));
  if (unknown !== undefined) throw new InvalidArgumentError(`Allowed are ${ecosystems.join(', ')}.`);
  return [...new Set([...earlier, ...names])];
}

function linesOf({ archives, passedOver }: SyncOutcome): string[] {
  const heading = ['ecosystem', 'added', 'changed', 'removed', 'unchanged', 'unreadable', ''];
  const lines = tableLines(heading, archives.map(rowOf));
  return passedOver.length > 0
    ? [...lines, `Passed over, for no manifest leads to them: ${passedOver.join(', ')}.`]
    : lines;
}

function rowOf({ ecosystem, error, unchanged, counts }: ArchiveOutcome): string[] {
  const numbers = counts && [counts.added, counts.changed, counts.removed, counts.unchanged, counts.unreadable];
  const note = error ?? (unchanged ? 'the archive has not changed' : '');
  return [ecosystem, ...(numbers?.map(String) ?? ['-', '-', '-', '-', '-']), note];
}

/** A progress line on standard error that overwrites itself; nothing unless it is a terminal. */
function createProgressLine() {
  const { stderr } = process;
  return {
    show(message: string) {
      if (stderr.isTTY) stderr.write(`\r\x1b[K${message.slice(0, stderr.columns - 1)}`);
    },
    clear() {
      if (stderr.isTTY) stderr.write('\r\x1b[K');
    },
  };
}
