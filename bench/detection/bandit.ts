import { execFile } from 'node:child_process';
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Case, readFamilies } from './cases.ts';
import type { Outcome } from './measure-detection.ts';

const run = promisify(execFile);
const version = '1.9.4';
const folder = join(import.meta.dirname, '..', '.data', `bandit-${version}`);

type Report = { results: Array<{ filename: string; issue_cwe: { id?: number } }> };

/** Runs Bandit, installed from PyPI into `bench/.data`, on the cases in Python; null when it can't be installed. */
export async function checkWithBandit(cases: Case[]): Promise<Outcome[] | null> {
  const program = join(folder, 'bin', 'bandit');
  try {
    await access(program).catch(async () => {
      await run('python3', ['-m', 'venv', folder]);
      await run(join(folder, 'bin', 'pip'), ['install', '--quiet', `bandit==${version}`]);
    });
  } catch (error) {
    process.stderr.write(`Bandit was left out: ${(error as Error).message.split('\n')[0]}\n`);
    return null;
  }
  const files = join(folder, 'cases');
  await rm(files, { recursive: true, force: true });
  await mkdir(files, { recursive: true });
  for (const { name, extension, source } of cases) await writeFile(join(files, `${name}.${extension}`), source);
  // Bandit ends with 1 when it finds something.
  const output = await run(program, ['-r', files, '-f', 'json', '-q'], { maxBuffer: 64 * 1024 ** 2 }).catch(
    (error: { stdout: string }) => error,
  );
  const { results } = JSON.parse(output.stdout) as Report;
  const families = readFamilies();
  return cases.map((test) => ({
    test,
    found: results.some(
      ({ filename, issue_cwe }) =>
        filename.endsWith(`/${test.name}.${test.extension}`) && families[test.family]!.includes(issue_cwe.id ?? 0),
    ),
  }));
}
