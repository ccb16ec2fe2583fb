import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { runProgram } from '@assay/scanner/platform/child-process.ts';
import { programPath } from '@assay/scanner/platform/sandbox/paths.ts';
import { makeTemporaryDirectory } from '@assay/scanner/platform/temporary-directory.ts';
import { fillIn } from './placeholders.ts';
import { toolEnvironment } from './start-tool.ts';
import type { ToolDescription } from './tool-description.ts';

const pathFolders = programPath.split(delimiter);

/**
 * Returns the absolute path of the first of these programs that exists and is executable, or null. Names without a
 * slash are looked up in these folders, by default those of PATH.
 */
export async function findProgram(names: readonly string[], folders = pathFolders): Promise<string | null> {
  for (const name of names) {
    for (const folder of isAbsolute(name) ? [''] : folders.filter(isAbsolute)) {
      const path = folder === '' ? name : join(folder, name);
      if (await isExecutable(path)) return path;
    }
  }
  return null;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

const versionTimeoutMs = 30_000;
const maxVersionLength = 100;

/**
 * Runs the program to get its version, at the lowest priority: testssl.sh takes more than a second of processor time for
 * it, just when a new installation starts and receives its first results. Null when the output contains none; throws a
 * ProgramError when the program does not run.
 */
export async function askVersion(description: ToolDescription, program: string): Promise<string | null> {
  const temporary = await makeTemporaryDirectory();
  const home = temporary.path;
  const values = { folder: description.folder, cache: home, database: home, proxy: '' };
  try {
    const { stdout, stderr } = await runProgram({
      command: program,
      arguments: description.version.arguments.map((text) => fillIn(text, values)),
      directory: home,
      home,
      // Some programs check for newer versions first, and wait long for the response.
      environment: toolEnvironment({ ...description, network: 'none' }, values, null),
      confinement: { reads: [description.folder], network: 'none' },
      timeoutMs: versionTimeoutMs,
      niceness: 19,
      // Some programs print their version and exit with an error.
      exitCodes: [0, 1, 2],
      outputBytes: 1024 * 1024,
    });
    const match = new RegExp(description.version.pattern ?? '\\d+\\.\\d+(?:\\.\\d+)*(?:[-+][\\w.-]+)?').exec(
      `${stdout.toString('utf8')}\n${stderr}`,
    );
    return (match?.[1] ?? match?.[0] ?? '').slice(0, maxVersionLength) || null;
  } finally {
    await temporary.remove();
  }
}
