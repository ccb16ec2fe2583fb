import { printable } from '@assay/scanner/platform/terminal-text.ts';
import type { Command } from 'commander';
import { addJsonOption, printResult, tableLines } from '../../../platform/command-output.ts';
import type { ToolDetector } from '../create-tool-detector.ts';
import { listTools, prepareTools, type ToolUse } from '../index.ts';
import { toolFolders } from '../tool-settings.ts';
import { installTool, withToolsDirectory } from './install-tool.ts';
import { deactivate, listInstalledTools, removeUnused } from './installed-tools.ts';
import { InstallerError } from './installer-error.ts';
import { pinnedTools, sourceOf } from './pinned-tools.ts';

/** The input of the commands: the folder of scanners, and the environment of the person who runs them. */
export type ToolsSettings = () => Promise<ToolUse & { environment: Record<string, string> }>;

type Outcome = { type: string; result: 'installed' | 'unchanged' | 'removed' | 'failed'; version: string | null };
type Work = (type: string, signal: AbortSignal) => Promise<Outcome>;

/** Adds `tools list`, `install`, `upgrade` and `remove`. */
export function registerToolsCommand(program: Command, settings: ToolsSettings): void {
  const tools = program.command('tools').description('install third-party scanners, and list what is installed');
  addJsonOption(tools.command('list').description('list the scanners that are installed and those that can be')).action(
    async (_options, command: Command) => {
      const use = await settings();
      prepareTools(use, (warning) => process.stderr.write(`warning: ${printable(warning)}\n`));
      const rows = await listRows(toolFolders(use.dataDirectory).installed);
      printResult(command, { tools: rows }, linesOf(rows));
    },
  );

  addJsonOption(tools.command('install').description('install scanners in the versions that Assay pins'))
    .argument('<name...>', `which: ${Object.keys(pinnedTools()).join(', ')}`)
    .action(async (types: string[], _options, command: Command) => {
      const { dataDirectory, environment } = await settings();
      const { installed } = toolFolders(dataDirectory);
      for (const type of types) requireInstallable(type, command);
      await changeTools(command, installed, types, (type, signal) => install(installed, type, { environment, signal }));
    });

  addJsonOption(tools.command('upgrade').description('install the versions that this release pins'))
    .argument('[name...]', 'the scanners; by default all that are installed')
    .action(async (names: string[], _options, command: Command) => {
      const { dataDirectory, environment } = await settings();
      const { installed } = toolFolders(dataDirectory);
      const present = (await listInstalledTools(installed)).map(({ type }) => type);
      for (const name of names) requireInstalled(name, present, command);
      const types = (names.length > 0 ? names : present).filter((type) => type in pinnedTools());
      await changeTools(command, installed, types, (type, signal) => install(installed, type, { environment, signal }));
    });

  addJsonOption(tools.command('remove').description('remove scanners that "tools install" installed'))
    .argument('<name...>', 'which')
    .action(async (names: string[], _options, command: Command) => {
      const { installed } = toolFolders((await settings()).dataDirectory);
      const present = await listInstalledTools(installed);
      for (const name of names)
        requireInstalled(
          name,
          present.map(({ type }) => type),
          command,
        );
      await changeTools(command, installed, names, async (type) => {
        for (const tool of present) if (tool.type === type) await deactivate(installed, tool.program);
        await removeUnused(installed);
        return { type, result: 'removed', version: null };
      });
    });
}

const shipped = (type: string): ToolDetector | undefined => listTools().find((tool) => tool.type === type);

function requireInstallable(type: string, command: Command): void {
  if (type in pinnedTools() && shipped(type)) return;
  const homepage = shipped(type)?.tool.homepage;
  const known = `It can install ${Object.keys(pinnedTools()).join(', ')}.`;
  const reason = homepage ? `${type} has to be installed in another way: ${homepage}` : `there is no scanner ${type}.`;
  command.error(`error: ${reason} ${known}`);
}

function requireInstalled(type: string, present: string[], command: Command): void {
  if (present.includes(type)) return;
  command.error(
    `error: "assay tools install" has not installed ${type}. Installed are: ${present.join(', ') || 'none'}.`,
  );
}

async function install(
  directory: string,
  type: string,
  options: { environment: Record<string, string>; signal: AbortSignal },
): Promise<Outcome> {
  const tool = pinnedTools()[type]!;
  const present = (await listInstalledTools(directory)).find((installed) => installed.type === type);
  if (present?.pinned === tool.version) return { type, result: 'unchanged', version: present.version };
  process.stderr.write(`Installing ${type} ${tool.version} from ${sourceOf(tool)} …\n`);
  const { version } = await installTool(directory, shipped(type)!.tool, tool, options);
  return { type, result: 'installed', version };
}

const words = { installed: 'installed', unchanged: 'is installed already', removed: 'removed', failed: 'failed' };

/** Does the work for each tool in turn; failures don't stop the others. Sets exit code 1 if any failed. */
async function changeTools(command: Command, directory: string, types: string[], work: Work): Promise<void> {
  const stop = new AbortController();
  const onSignal = () => stop.abort(new InstallerError('Stopped. Earlier installations are unchanged.'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, onSignal);
  const outcomes: Outcome[] = [];
  try {
    await withToolsDirectory(directory, async () => {
      for (const type of new Set(types)) {
        try {
          outcomes.push(await work(type, stop.signal));
        } catch (error) {
          stop.signal.throwIfAborted();
          if (!(error instanceof InstallerError)) throw error;
          process.stderr.write(`${error.message.split('\n').map(printable).join('\n')}\n`);
          outcomes.push({ type, result: 'failed', version: null });
          process.exitCode = 1;
        }
      }
    });
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, onSignal);
  }
  const lines = outcomes.map(
    ({ type, version, result }) => `${[type, version].filter(Boolean).join(' ')} ${words[result]}.`,
  );
  printResult(command, { tools: outcomes }, lines.length > 0 ? lines : ['No scanner is installed.']);
}

type Row = {
  type: string;
  /** The version of the program that scans use; null while it is missing. */
  version: string | null;
  path: string | null;
  installed: boolean;
  /** The version that "tools install" would install, and its source; null when it can't. */
  pinned: string | null;
  source: string | null;
};

async function listRows(directory: string): Promise<Row[]> {
  const installed = new Map((await listInstalledTools(directory)).map((tool) => [tool.type, tool]));
  const rows: Row[] = [];
  for (const { type, installed: program } of listTools()) {
    await program.learn();
    const found = await program.find();
    const pinned = pinnedTools()[type];
    rows.push({
      type,
      version: 'path' in found ? found.version : null,
      path: 'path' in found ? found.path : null,
      installed: installed.has(type),
      pinned: pinned?.version ?? null,
      source: pinned ? sourceOf(pinned) : null,
    });
  }
  return rows;
}

function stateOf({ path, version, installed, pinned }: Row): string {
  if (installed && version !== pinned) return 'installed; "assay tools upgrade" renews it';
  if (installed) return 'installed';
  if (path !== null) return path;
  return pinned === null ? 'missing; install it yourself' : 'missing; "assay tools install" installs it';
}

const linesOf = (rows: Row[]): string[] =>
  tableLines(
    ['scanner', 'version', 'pinned', 'from', ''],
    rows.map((row) => [row.type, row.version ?? '-', row.pinned ?? '-', row.source ?? '-', stateOf(row)]),
  );
