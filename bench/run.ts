import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureChanges } from './changes.ts';
import { measureColumns } from './columns.ts';
import { measureConsole } from './console.ts';
import { measureDecidedList } from './decided-list.ts';
import { measureDecidedMerge } from './decided-merge.ts';
import { measureCleanPackages } from './detection/clean.ts';
import { measureCorpora } from './detection/corpora.ts';
import { measureDetection } from './detection/run.ts';
import { measureDisk } from './disk.ts';
import { measureEndpoints } from './endpoints.ts';
import { measureFigures } from './figures.ts';
import { measureLists } from './growth.ts';
import { measureImport } from './import.ts';
import { measureListPage } from './list-page.ts';
import { measureLoad } from './load.ts';
import { machineName, type Row, tableOf } from './measure.ts';
import { measureMerge } from './merge.ts';
import { measureOwnDatabase } from './own-database.ts';
import { measurePalette } from './palette.ts';
import { prepareFindings } from './prepare-findings.ts';
import { measureReports } from './reports.ts';
import { measureRepositoryScan } from './repository-scan.ts';
import { measureScale } from './scale.ts';
import { measureScannerPackage } from './scanner-package.ts';
import { measureSizes } from './sizes.ts';
import { measureStartUp } from './start-up.ts';
import { measureStreams } from './streams.ts';
import { measureSummary } from './summary.ts';

/** Runs the measurements of the README one after another, and prints the results as one table. */
const { values: options } = parseArgs({
  options: {
    large: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    only: { type: 'string' },
    corpus: { type: 'string', multiple: true, default: [] },
    findings: { type: 'string', default: '1000000' },
    partitions: { type: 'string', default: '0' },
  },
});

const count = Number(options.findings);
const partitions = Number(options.partitions);

const questions: Record<string, () => Promise<Row[]>> = {
  list: async () => measureListPage(await prepareFindings(1_000_000)),
  growth: async () => measureLists(await prepareFindings(count)),
  summary: async () => measureSummary(await prepareFindings(count)),
  figures: async () => measureFigures(await prepareFindings(count)),
  endpoints: async () => measureEndpoints(await prepareFindings(count)),
  changes: async () => measureChanges(await prepareFindings(100_000)),
  console: async () => measureConsole(await prepareFindings(1_000_000)),
  palette: async () => measurePalette(await prepareFindings(1_000_000, { share: 1, dataSourceCount: 400 })),
  streams: async () => measureStreams(await prepareFindings(100_000)),
  columns: () => measureColumns(count),
  disk: async () => measureDisk(await prepareFindings(1_000_000)),
  merge: measureMerge,
  decided: async () => [
    ...(await measureDecidedMerge()),
    ...(await measureDecidedList(await prepareFindings(1_000_000, { share: 1, dataSourceCount: 400 }))),
  ],
  own: measureOwnDatabase,
  import: measureImport,
  reports: async () => measureReports(await prepareFindings(2_000_000)),
  start: measureStartUp,
  load: async () => measureLoad(await prepareFindings(200_000), 10),
  scan: measureRepositoryScan,
  scanner: measureScannerPackage,
  detection: () => measureDetection(options.write),
  clean: () => measureCleanPackages(options.write),
  ...(options.only?.split(',').includes('scale') && {
    scale: async () => measureScale(await prepareFindings(count, { organizationCount: 50, partitions }), partitions),
  }),
  ...(options.corpus.length > 0 && { corpora: () => measureCorpora(options.corpus) }),
};

if (options.large) {
  const sizes = await measureSizes([100_000, 1_000_000, 10_000_000]);
  process.stdout.write(`\n${machineName()}, ${new Date().toISOString().slice(0, 10)}\n\n${sizes}\n`);
  process.exit();
}

const rows: Row[] = [];
for (const [name, measure] of Object.entries(questions)) {
  if (options.only && !options.only.split(',').includes(name)) continue;
  process.stderr.write(`${name} …\n`);
  try {
    rows.push(...(await measure()));
  } catch (error) {
    process.stderr.write(`${name}: ${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
const table = tableOf(rows);
process.stdout.write(`\n${machineName()}, ${new Date().toISOString().slice(0, 10)}\n\n${table}\n`);

/** Replaces the table and keeps the hand-written sections after it. */
if (options.write && !['detection', 'clean'].includes(options.only ?? '')) {
  const file = join(import.meta.dirname, '..', 'docs', 'performance.md');
  const before = await readFile(file, 'utf8').catch(() => '');
  const sections = before.includes('\n## ') ? before.slice(before.indexOf('\n## ')) : '';
  const text = `# Performance

The latest results of \`npm run bench\`. [bench/README.md](../bench/README.md) explains each figure and how reliable it is.

${machineName()}, ${new Date().toISOString().slice(0, 10)}.

${table}
`;
  await writeFile(file, text + sections);
}
