import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { load } from 'js-yaml';
import { isTestPath } from '../../scanner/contract/test-path.ts';
import { sourceKindOf } from '../../scanner/detectors/code/paths.ts';
import { type SourceFinding, scanPath } from '../../scanner/path-scan/scan-path.ts';
import type { Row } from '../measure.ts';

type Package = { registry: 'npm' | 'PyPI' | 'Go'; name: string; version: string };
type Triage = { package: string; path: string; rule: string; why: string };
type Line = { from: Package; codeLines: number; lines: number; findings: SourceFinding[]; explained: Triage[] };

const run = promisify(execFile);
const folder = join(import.meta.dirname, '..', '.data', 'clean');
const page = join(import.meta.dirname, '..', '..', 'docs', 'detection-quality.md');

/**
 * Scans ten popular packages, downloaded with their registries' tools, with `code` and `secrets`, prints every
 * finding, and counts those that `clean.yml` doesn't explain as false alarms. With `write`, puts the table into
 * `docs/detection-quality.md`.
 */
export async function measureCleanPackages(write: boolean): Promise<Row[]> {
  const { packages, true: triaged } = load(await readFile(join(import.meta.dirname, 'clean.yml'), 'utf8')) as {
    packages: Package[];
    true: Triage[];
  };
  const lines: Line[] = [];
  for (const from of packages) {
    const directory = await fetchPackage(from).catch((error: Error) => {
      process.stderr.write(`${from.name} was left out: ${error.message.split('\n')[0]}\n`);
      return null;
    });
    if (directory) lines.push(await measure(from, directory, triaged));
  }
  const table = tableOf(lines);
  process.stdout.write(`\n${table}\n`);
  if (write) await writeTable(table);
  return (['code', 'secrets'] as const).map((source) => ({
    question: `False alarms of ${source} in ${lines.length} popular packages, per 1,000 lines`,
    value: rateOf(lines, source),
    unit: '',
    bound: '<= 0.02',
  }));
}

async function fetchPackage(from: Package): Promise<string> {
  const directory = join(folder, `${from.name.replaceAll('/', '_')}-${from.version}`);
  const isThere = await readdir(directory).then(
    () => true,
    () => false,
  );
  if (isThere) return directory;
  const building = `${directory}.building`;
  await rm(building, { recursive: true, force: true });
  await mkdir(building, { recursive: true });
  await fetchers[from.registry](from, building);
  await rename(building, directory);
  return directory;
}

const fetchers: Record<Package['registry'], (from: Package, into: string) => Promise<void>> = {
  async npm({ name, version }, into) {
    const { stdout } = await run('npm', ['pack', '--silent', `${name}@${version}`], { cwd: into });
    const archive = basename(stdout.trim().split('\n').at(-1)!);
    await run('tar', ['-xzf', archive], { cwd: into });
    await rm(join(into, archive));
  },
  async PyPI({ name, version }, into) {
    const options = ['--quiet', '--no-deps', '--only-binary=:all:', '--dest', into];
    await run('python3', ['-m', 'pip', 'download', ...options, `${name}==${version}`]);
    const [wheel] = await readdir(into);
    await run('python3', ['-m', 'zipfile', '-e', wheel!, '.'], { cwd: into });
    await rm(join(into, wheel!));
  },
  async Go({ name, version }, into) {
    await writeFile(join(into, 'go.mod'), 'module clean\n');
    const environment = { ...process.env, GOFLAGS: '-mod=mod -modcacherw', GOMODCACHE: join(into, 'cache') };
    const { stdout } = await run('go', ['mod', 'download', '-json', `${name}@${version}`], {
      cwd: into,
      env: environment,
    });
    const { Dir: unpacked } = JSON.parse(stdout) as { Dir: string };
    await rename(unpacked, join(into, 'module'));
    for (const rest of ['cache', 'go.mod', 'go.sum']) await rm(join(into, rest), { recursive: true, force: true });
  },
};

async function measure(from: Package, directory: string, triaged: Triage[]): Promise<Line> {
  const signal = AbortSignal.timeout(600_000);
  const { findings, warnings } = await scanPath(directory, { sources: ['code', 'secrets'], signal });
  const explained = triaged.filter((triage) => triage.package === from.name);
  for (const { detection } of findings) {
    const { path, start_line: line } = detection.location;
    const reason = explained.find((triage) => explains(triage, detection));
    process.stdout.write(
      `${from.name}: ${detection.rule.id} ${path}:${line} ${reason ? `true: ${reason.why}` : 'FALSE ALARM'}\n`,
    );
  }
  for (const warning of warnings) process.stdout.write(`${from.name}: ${warning}\n`);
  return { from, ...(await countLines(directory)), findings, explained };
}

/** Counts the lines of the text files of a folder whose paths a test takes. */
export async function countLines(
  directory: string,
  takes: (path: string) => boolean = () => true,
): Promise<{ codeLines: number; lines: number }> {
  const count = { codeLines: 0, lines: 0 };
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !takes(relative(directory, join(entry.parentPath, entry.name)))) continue;
    const content = await readFile(join(entry.parentPath, entry.name));
    if (content.includes(0)) continue;
    const lines = content.toString('latin1').split('\n').length;
    count.lines += lines;
    if (sourceKindOf(entry.name)) count.codeLines += lines;
  }
  return count;
}

type Source = 'code' | 'secrets';
const foundBy = ({ findings }: Line, source: Source) => findings.filter((finding) => finding.source === source);
const explains = ({ rule, path }: Triage, { rule: { id }, location }: SourceFinding['detection']) =>
  rule === id && location.path?.startsWith(path) === true;
const isFalse = ({ explained }: Line, { detection }: SourceFinding) =>
  !explained.some((triage) => explains(triage, detection));
const alarmsOf = (line: Line, source: Source) =>
  foundBy(line, source).filter((finding) => isFalse(line, finding)).length;
const linesFor = (line: Line, source: Source) => (source === 'code' ? line.codeLines : line.lines);

function rateOf(lines: Line[], source: Source): number {
  const sum = (count: (line: Line) => number) => lines.reduce((all, line) => all + count(line), 0);
  return sum((line) => alarmsOf(line, source)) / Math.max(1, sum((line) => linesFor(line, source)) / 1_000);
}

function tableOf(lines: Line[]): string {
  const cells = (line: Line, source: Source) => {
    const found = foundBy(line, source);
    const inTests = found.filter(({ detection }) => isTestPath(detection.location.path)).length;
    return [linesFor(line, source).toLocaleString('en'), found.length, inTests, alarmsOf(line, source)];
  };
  const rows = lines.map((line) => {
    const { name, version } = line.from;
    return `| ${[`${name} ${version}`, ...cells(line, 'code'), ...cells(line, 'secrets')].join(' | ')} |`;
  });
  const rates = (['code', 'secrets'] as const).map((source) => rateOf(lines, source).toFixed(3));
  return [
    '| Package | lines of code | `code` | in tests | false alarms | lines of text | `secrets` | in tests | false alarms |',
    `|${' --- |'.repeat(9)}`,
    ...rows,
    `| false alarms per 1,000 lines | | | | ${rates[0]} | | | | ${rates[1]} |`,
  ].join('\n');
}

async function writeTable(table: string): Promise<void> {
  const text = await readFile(page, 'utf8');
  const [start, end] = ['<!-- clean -->', '<!-- end of clean -->'].map((mark) => text.indexOf(mark)) as [
    number,
    number,
  ];
  await writeFile(page, `${text.slice(0, start)}<!-- clean -->\n\n${table}\n\n${text.slice(end)}`);
}
