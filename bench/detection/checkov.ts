import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { add, estates, type Reported } from './estates.ts';

const run = promisify(execFile);
const version = '3.3.30';
const folder = join(import.meta.dirname, '..', '.data', `checkov-${version}`);

type Part = { results?: { failed_checks?: Array<{ check_id: string; resource: string; file_path: string }> } };

/** Runs Checkov, installed from PyPI into `bench/.data`, on an estate; null when it can't be installed. */
export async function checkWithCheckov(name: 'vulnerable' | 'secure'): Promise<Reported | null> {
  const program = join(folder, 'bin', 'checkov');
  try {
    await access(program).catch(async () => {
      await run('python3', ['-m', 'venv', folder]);
      await run(join(folder, 'bin', 'pip'), ['install', '--quiet', `checkov==${version}`]);
    });
  } catch (error) {
    process.stderr.write(`Checkov was left out: ${(error as Error).message.split('\n')[0]}\n`);
    return null;
  }
  const options = ['-d', join(estates, name), '--framework', 'terraform', '-o', 'json', '--compact', '--quiet'];
  // Checkov ends with 1 when it finds something.
  const output = await run(program, options, { maxBuffer: 256 * 1024 ** 2 }).catch(
    (error: { stdout: string }) => error,
  );
  const report: Part | Part[] = JSON.parse(output.stdout);
  const reported: Reported = new Map();
  for (const part of [report].flat()) {
    for (const { check_id, resource, file_path } of part.results?.failed_checks ?? []) {
      // Instances of a block are one resource.
      const block = resource.replace(/^module\.[\w-]+\./, '').replace(/\[.*?\]$/, '');
      add(reported, `${file_path.replace(/^\//, '')} ${block}`, check_id);
    }
  }
  return reported;
}
