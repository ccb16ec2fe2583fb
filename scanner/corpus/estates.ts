import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { scanFiles } from '../detectors/infrastructure/scan-files.ts';

const estates = join(import.meta.dirname, 'terraform');

/** Returns the resources of an estate that the built-in checks report, as `FILE TYPE.NAME`. */
export async function checkEstate(name: 'vulnerable' | 'secure'): Promise<Set<string>> {
  const folder = join(estates, name);
  const reported = new Set<string>();
  const files = async function* () {
    for (const path of globSync('**/*.tf', { cwd: folder }).sort())
      yield { path, kind: 'terraform' as const, content: await readFile(join(folder, path)) };
  };
  for await (const result of scanFiles(files(), AbortSignal.timeout(600_000))) {
    if ('problem' in result) throw new Error(`${result.path}: ${result.problem}`);
    for (const { sight } of result.hits) {
      // A part of the resource may follow the name.
      reported.add(`${result.path} ${sight.resource.split(' ')[0]!.replace(/^data\./, '')}`);
    }
  }
  return reported;
}

/** Returns the number of resources of an estate. */
export async function countResources(name: 'vulnerable' | 'secure'): Promise<number> {
  const folder = join(estates, name);
  const texts = await Promise.all(
    globSync('**/*.tf', { cwd: folder }).map((path) => readFile(join(folder, path), 'utf8')),
  );
  return texts.join('\n').match(/^(?:resource|data "aws_iam_policy_document") /gm)?.length ?? 0;
}
