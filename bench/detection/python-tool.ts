import { execFile } from 'node:child_process';
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Case } from './cases.ts';

const run = promisify(execFile);

export type PythonTool = { title: string; name: string; version: string };

/** The folder of a tool in `bench/.data`. */
const folderOf = ({ name, version }: PythonTool): string =>
  join(import.meta.dirname, '..', '.data', `${name}-${version}`);

/** Installs a scanner from PyPI into `bench/.data`. Returns its program, or null when it can't be installed. */
export async function installPythonTool(tool: PythonTool): Promise<string | null> {
  const folder = folderOf(tool);
  const program = join(folder, 'bin', tool.name);
  try {
    await access(program).catch(async () => {
      await run('python3', ['-m', 'venv', folder]);
      await run(join(folder, 'bin', 'pip'), ['install', '--quiet', `${tool.name}==${tool.version}`]);
    });
    return program;
  } catch (error) {
    process.stderr.write(`${tool.title} was left out: ${(error as Error).message.split('\n')[0]}\n`);
    return null;
  }
}

/** Writes the cases into a folder of the tool and runs it there. Returns its output; scanners that find something end with 1. */
export async function runOnCases(
  tool: PythonTool,
  program: string,
  cases: Case[],
  args: (folder: string) => string[],
): Promise<string> {
  const files = join(folderOf(tool), 'cases');
  await rm(files, { recursive: true, force: true });
  await mkdir(files, { recursive: true });
  for (const { name, extension, source } of cases) await writeFile(join(files, `${name}.${extension}`), source);
  // The programs that it starts are beside it: njsscan finds nothing without its Semgrep.
  const env = { ...process.env, PATH: `${dirname(program)}:${process.env.PATH}` };
  const output = await run(program, args(files), { maxBuffer: 64 * 1024 ** 2, env }).catch(
    (error: { stdout: string }) => error,
  );
  return output.stdout;
}
