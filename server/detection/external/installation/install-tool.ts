import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { ProgramError, runProgram } from '@assay/scanner/platform/child-process.ts';
import { openExclusively } from '@assay/scanner/platform/exclusive-lock.ts';
import { formatTime } from '../../../platform/times.ts';
import { askVersion, findProgram } from '../find-program.ts';
import type { ToolDescription } from '../tool-description.ts';
import { activate, type InstalledTool, linksOf, removeUnused } from './installed-tools.ts';
import { explainFailure, InstallerError } from './installer-error.ts';
import { type GoTool, type PinnedTool, requirementsOf, sourceOf } from './pinned-tools.ts';

/** The installation of one tool. */
type Installation = {
  /** The tool's type. */
  type: string;
  /** The tool's new folder, private and empty; its programs go into `bin`. */
  folder: string;
  /** The environment of the person who runs the command: their pip and Go settings, and their proxy. */
  environment: Record<string, string>;
  signal: AbortSignal;
};

const timeoutMs = 40 * 60_000;

/**
 * Runs a program of pip or Go with the rights, home and settings of the person who runs the command, and returns its
 * standard output. Throws an InstallerError, or the signal's reason.
 */
async function runInstaller(
  { type, folder, environment, signal }: Installation,
  registry: 'PyPI' | 'the Go module proxy',
  command: string,
  commandLine: string[],
  more: Record<string, string> = {},
  exitCodes = [0],
): Promise<string> {
  const temporary = join(folder, 'tmp');
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  try {
    const { stdout } = await runProgram({
      command,
      arguments: commandLine,
      directory: folder,
      home: environment.HOME ?? folder,
      environment: { ...environment, TMPDIR: temporary, ...more },
      confinement: null,
      timeoutMs,
      outputBytes: 64 * 1024 * 1024,
      exitCodes,
      signal,
    });
    return stdout.toString('utf8');
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProgramError) throw explainFailure(type, registry, error);
    throw error;
  }
}

/** Returns the absolute path of a program that an installation needs. Throws an InstallerError that says what to do. */
async function requireProgram(
  { type, environment }: Installation,
  name: string,
  what: string,
  debian: string,
): Promise<string> {
  const found = await findProgram([name], (environment.PATH ?? '').split(delimiter));
  if (found) return found;
  throw new InstallerError(
    `${type} was not installed: it needs ${what}, and ${name} was not found in PATH. On Debian: apt-get install ${debian}`,
  );
}

const what = 'Python 3.10 or newer with its module venv';
const debian = 'python3 python3-venv';

/** Prints which modules the interpreter lacks. Debian packages ensurepip, which venv needs, separately. */
const question = `
import sys
if sys.version_info < (3, 10): print("it is Python %d.%d" % sys.version_info[:2])
else:
    try: import venv, ensurepip
    except ImportError as error: print("it has no module " + error.name)
`;

/**
 * Installs a tool into a separate virtual environment: exactly the packages pinned in its requirements file, from
 * wheels with these hashes, so that no code of a package runs during the installation.
 */
async function installFromPypi(installation: Installation): Promise<void> {
  const { type, folder } = installation;
  const python = await requireProgram(installation, 'python3', what, debian);
  const lack = await askPython(python, installation);
  if (lack !== '') {
    throw new InstallerError(
      `${type} was not installed: it needs ${what}. There is ${python}, but ${lack}. On Debian: apt-get install ${debian}`,
    );
  }
  await runInstaller(installation, 'PyPI', python, ['-m', 'venv', folder]);
  // The file lists all packages, so nothing is resolved.
  const lists = ['--no-deps', '--require-hashes', '--only-binary=:all:', '--requirement', requirementsOf(type)];
  // Settings that would install to another place.
  const own = { PIP_USER: '0', PIP_REQUIRE_VIRTUALENV: '0', PYTHONPATH: '', PYTHONHOME: '' };
  const commandLine = ['-m', 'pip', 'install', '--no-input', '--disable-pip-version-check', '--quiet', ...lists];
  await runInstaller(installation, 'PyPI', join(folder, 'bin', 'python'), commandLine, own);
}

async function askPython(python: string, { folder, environment, signal }: Installation): Promise<string> {
  try {
    const { stdout } = await runProgram({
      command: python,
      arguments: ['-c', question],
      directory: folder,
      home: environment.HOME ?? folder,
      environment,
      confinement: null,
      timeoutMs: 60_000,
      signal,
    });
    return stdout.toString('utf8').trim();
  } catch {
    signal.throwIfAborted();
    return 'it does not run';
  }
}

const registry = 'the Go module proxy';

/**
 * Builds a tool from its module, after checking the module's pinned checksum. Go itself checks the module's
 * dependencies.
 */
async function installFromGo(tool: GoTool, installation: Installation): Promise<void> {
  const { type, folder } = installation;
  const go = await requireProgram(installation, 'go', 'Go', 'golang-go');
  // Ignores a workspace or vendor folder where the command runs, and uses no C compiler.
  const settings = { GOBIN: join(folder, 'bin'), GOWORK: 'off', GO111MODULE: 'on', CGO_ENABLED: '0' };
  const version = `v${tool.version}`;
  const download = ['mod', 'download', '-json', `${tool.go}@${version}`];
  // pip prints errors to standard output, too.
  const downloaded = JSON.parse(await runInstaller(installation, registry, go, download, settings, [0, 1]));
  const { Sum: sum, Error: error } = downloaded as { Sum?: string; Error?: string };
  if (error !== undefined)
    throw explainFailure(type, registry, new ProgramError('go', 'exit', 'go could not load its module.', 1, error));
  if (sum !== tool.sum) {
    throw new InstallerError(
      `${type} was not installed: ${registry} serves ${tool.go} ${version} with the checksum ${sum} instead of ${tool.sum}.`,
    );
  }
  const flags = ['-s', '-w', ...(tool.version_variable ? ['-X', `${tool.version_variable}=${tool.version}`] : [])];
  const path = [tool.go, ...(tool.package ? [tool.package] : [])].join('/');
  const build = ['install', '-trimpath', `-ldflags=${flags.join(' ')}`, `${path}@${version}`];
  await runInstaller(installation, registry, go, build, settings);
}

export type InstallOptions = { environment: Record<string, string>; signal: AbortSignal };

/**
 * Runs `work` while no other command changes the folder of installed scanners. First, it removes the remains of
 * interrupted and replaced installations. Replaced ones stay until then, because a scan may still be running them.
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
 * Installs a tool into a new folder, runs it to check its version, and only then activates it. A failure or
 * interruption leaves the earlier installation unchanged. Throws an InstallerError, or the signal's reason.
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

/** Runs the installed program. Throws an InstallerError unless it reports the pinned version. */
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
