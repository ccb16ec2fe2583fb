import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openExclusively } from '../../../platform/postgres/directory-lock.ts';
import { formatTime } from '../../../platform/times.ts';
import { askVersion, findProgram } from '../find-program.ts';
import type { ToolDescription } from '../tool-description.ts';
import { installFromGo } from './install-from-go.ts';
import { installFromPypi } from './install-from-pypi.ts';
import { activate, type InstalledTool, linksOf, removeUnused } from './installed-tools.ts';
import { InstallerError } from './installer-error.ts';
import { type PinnedTool, sourceOf } from './pinned-tools.ts';

export type InstallOptions = { environment: Record<string, string>; signal: AbortSignal };

/**
 * Runs `work` while no other command changes the folder of installed scanners. Before that, it removes what
 * interrupted and replaced installations left. Replaced ones stay until then, because a scan may still run them.
 */
export async function withToolsDirectory<T>(directory: string, work: () => Promise<T>): Promise<T> {
  await mkdir(linksOf(directory), { recursive: true, mode: 0o700 });
  const lock = openExclusively(join(directory, 'lock'));
  if (!lock) {
    throw new InstallerError(`Another command is changing ${directory}. Try again when it has ended.`);
  }
  try {
    await removeUnused(directory);
    return await work();
  } finally {
    lock.close();
  }
}

/**
 * Installs a tool into a new folder, runs it to check its version, and only then uses it. Whatever fails or is
 * interrupted leaves the earlier installation as it was. Throws an InstallerError, or the signal's reason.
 */
export async function installTool(
  directory: string,
  description: ToolDescription,
  tool: PinnedTool,
  { environment, signal }: InstallOptions,
): Promise<InstalledTool> {
  const { type } = description;
  const folder = await mkdtemp(join(directory, `${type}-${tool.version}-`));
  try {
    const installation = { type, folder, environment, signal };
    if ('pypi' in tool) await installFromPypi(installation);
    else await installFromGo(tool, installation);
    await rm(join(folder, 'tmp'), { recursive: true, force: true });
    const { program, version } = await checkProgram(description, folder, tool.version);
    signal.throwIfAborted();
    const installedAt = formatTime(new Date());
    const record = { type, version, pinned: tool.version, source: sourceOf(tool), installed_at: installedAt };
    await activate(directory, folder, program, record);
    return record;
  } catch (error) {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    throw error;
  }
}

/** Runs the installed program. Throws an InstallerError unless it says that it has the pinned version. */
async function checkProgram(description: ToolDescription, folder: string, pinned: string) {
  const { type, programs } = description;
  const names = programs.filter((name) => !name.includes('/'));
  const path = await findProgram(names, [join(folder, 'bin')]);
  if (!path)
    throw new InstallerError(`${type} was not installed: its package contains no program ${names.join(' or ')}.`);
  const version = await askVersion(description, path).catch((error) => {
    throw new InstallerError(`${type} was not installed: its program does not run. ${(error as Error).message}`);
  });
  if (version === null || version.replace(/^v/, '') !== pinned) {
    throw new InstallerError(
      `${type} was not installed: its program says that it is version ${version ?? '(none)'} instead of ${pinned}.`,
    );
  }
  return { program: path.slice(path.lastIndexOf('/') + 1), version: pinned };
}
