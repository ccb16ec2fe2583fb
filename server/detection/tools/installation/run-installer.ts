import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { ProgramError, runProgram } from '../../../platform/child-process.ts';
import { findProgram } from '../find-program.ts';
import { explainFailure, InstallerError } from './installer-error.ts';

/** One tool's installation. */
export type Installation = {
  /** The tool's type. */
  type: string;
  /** Its new folder, private and empty; programs go into `bin` there. */
  folder: string;
  /** The environment of the person who runs the command: their settings of pip and Go, and their proxy. */
  environment: Record<string, string>;
  signal: AbortSignal;
};

const timeoutMs = 40 * 60_000;

/**
 * Runs a program of pip or Go with the rights, the home and the settings of the person who runs the command, and
 * returns its standard output. Throws an InstallerError, or the signal's reason.
 */
export async function runInstaller(
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
export async function requireProgram(
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
