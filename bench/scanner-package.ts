import { execFileSync, spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scan } from '../scanner/index.ts';
import type { Row } from './measure.ts';

const filesOfRepository = 200;
const linesOfFile = 100;

/** A repository without problems, to measure the fixed cost of a scan. */
function writeRepository(folder: string): void {
  mkdirSync(folder);
  const line = (number: number) =>
    `export const total${number} = (prices: number[]) => prices.reduce((a, b) => a + b, ${number});\n`;
  const text = Array.from({ length: linesOfFile }, (_, number) => line(number)).join('');
  for (let file = 0; file < filesOfRepository; file++) writeFileSync(join(folder, `module-${file}.ts`), text);
}

/** Installs the packed scanner into an empty folder, and measures its size and its times there. */
export async function measureScannerPackage(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'scanner-package-'));
  try {
    const npm = (directory: string, ...words: string[]) =>
      execFileSync('npm', [...words, '--loglevel=error'], { cwd: directory, encoding: 'utf8' });
    npm(join(import.meta.dirname, '..', 'scanner'), 'pack', '--pack-destination', folder);
    const file = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}\n');
    npm(folder, 'install', '--no-audit', '--no-fund', `./${file}`);
    const modules = join(folder, 'node_modules');
    const installed = readdirSync(modules, { recursive: true, encoding: 'utf8' });
    const bytes = installed.reduce((sum, name) => sum + lstatSync(join(modules, name)).blocks * 512, 0);
    const run = (...words: string[]) => {
      const began = performance.now();
      const { status, stderr } = spawnSync(join(modules, '.bin', 'assay-scan'), words, {
        cwd: folder,
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(stderr);
      return (performance.now() - began) / 1000;
    };
    const repository = join(folder, 'repository');
    writeRepository(repository);
    const version = Math.min(...[1, 2, 3].map(() => run('--version')));
    const whole = Math.min(...[1, 2, 3].map(() => run(repository)));
    let detection = Number.POSITIVE_INFINITY;
    for (let time = 0; time < 3; time++) {
      const began = performance.now();
      for await (const { title } of scan(repository)) throw new Error(`The repository has a problem: ${title}`);
      detection = Math.min(detection, (performance.now() - began) / 1000);
    }
    return [
      { question: 'The packed scanner, installed', value: bytes / 1024 ** 2, unit: 'MB', bound: '<= 150' },
      { question: '`assay-scan --version`', value: version, unit: 's', bound: '<= 0.5' },
      { question: '`assay-scan` of 20,000 lines', value: whole, unit: 's', bound: null },
      { question: 'The same besides detection', value: whole - detection, unit: 's', bound: '<= 1' },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) console.table(await measureScannerPackage());
