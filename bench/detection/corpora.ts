import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isExamplePath, isTestPath } from '../../scanner/contract/test-path.ts';
import type { PathSource } from '../../scanner/path-scan/path-sources.ts';
import { type SourceFinding, scanPath } from '../../scanner/path-scan/scan-path.ts';
import type { Row } from '../measure.ts';
import { countLines } from './clean.ts';
import { readGosec, readNoseyParker, readSemgrep, readTrivy, type Sample } from './corpus-samples.ts';

type Corpus = {
  name: string;
  sources: PathSource[];
  read(folder: string): Promise<Sample[]>;
  /** The least share of harmful samples found and the largest share of harmless ones reported. */
  bounds: [found: number, alarms: number];
};

const corpora: Record<string, Corpus> = {
  noseyparker: { name: 'noseyparker: rule examples', sources: ['secrets'], read: readNoseyParker, bounds: [0.8, 0.17] },
  semgrep: {
    name: 'semgrep-rules: half of the `vuln` rules, lines',
    sources: ['code', 'secrets'],
    read: readSemgrep,
    bounds: [0.45, 0.03],
  },
  gosec: { name: 'gosec: samples', sources: ['code', 'secrets'], read: readGosec, bounds: [0.45, 0.02] },
  trivy: { name: 'trivy-checks: examples, by id', sources: ['infrastructure'], read: readTrivy, bounds: [0.5, 0.02] },
};

/**
 * Measures detection on folders that the caller has fetched. Each is `KIND=FOLDER`, where the kind is `noseyparker`,
 * `semgrep`, `gosec`, `trivy` or `application`. Prints what was missed, reported wrongly, or found in an application, and
 * tables for `docs/detection-quality.md`.
 */
export async function measureCorpora(given: string[]): Promise<Row[]> {
  if (given.length === 0)
    throw new Error('Pass folders, such as --corpus gosec=../gosec or --corpus application=../shop.');
  const rows: Row[] = [];
  const tables = ['| Corpus | harmful | found | harmless | reported |\n| --- | --- | --- | --- | --- |'];
  const applications = [
    '| Application | lines outside of tests | `code` | per 1,000 lines | `secrets` | `infrastructure` |\n| --- | --- | --- | --- | --- | --- |',
  ];
  const confidences = ['| Application | source | high | medium | low | none |\n| --- | --- | --- | --- | --- | --- |'];
  const rules = ['| Application | rule | findings |\n| --- | --- | --- |'];
  for (const one of given) {
    const [kind = '', folder = ''] = one.split(/=(.*)/s);
    if (kind === 'application') {
      const measured = await measureApplication(folder);
      applications.push(measured.line);
      confidences.push(...measured.confidences);
      rules.push(...measured.rules);
    } else if (corpora[kind]) {
      const outcome = await measureSamples(corpora[kind], folder);
      tables.push(outcome.line);
      rows.push(...outcome.rows);
    } else throw new Error(`"${kind}" is none of ${[...Object.keys(corpora), 'application'].join(', ')}.`);
  }
  const filled = [tables, applications, confidences, rules].filter((table) => table.length > 1);
  process.stdout.write(filled.map((table) => `\n${table.join('\n')}\n`).join(''));
  return rows;
}

async function measureSamples(corpus: Corpus, folder: string): Promise<{ line: string; rows: Row[] }> {
  const samples = await corpus.read(folder);
  const reported = await scanSamples(samples, corpus.sources);
  const counts = { harmful: 0, found: 0, harmless: 0, alarms: 0 };
  for (const sample of samples) {
    const isFound = reported(sample);
    counts[sample.harmful ? 'harmful' : 'harmless']++;
    if (isFound) counts[sample.harmful ? 'found' : 'alarms']++;
    if (isFound !== sample.harmful)
      process.stdout.write(
        `${sample.harmful ? 'MISSED' : 'FALSE ALARM'} ${sample.title}${isFound ? ` ${isFound}` : ''}\n`,
      );
  }
  const { harmful, found, harmless, alarms } = counts;
  const percent = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
  return {
    line: `| ${corpus.name} | ${harmful} | ${found} (${percent(found, harmful)}) | ${harmless} | ${alarms} (${percent(alarms, harmless)}) |`,
    rows: [
      {
        question: `${corpus.name}: found`,
        value: found / Math.max(1, harmful),
        unit: '',
        bound: `>= ${corpus.bounds[0]}`,
      },
      {
        question: `${corpus.name}: reported wrongly`,
        value: alarms / Math.max(1, harmless),
        unit: '',
        bound: `<= ${corpus.bounds[1]}`,
      },
    ],
  };
}

/** Writes the samples to files, scans these, and returns whether something was found in a sample, at its line if it has one. */
async function scanSamples(samples: Sample[], sources: PathSource[]): Promise<(sample: Sample) => boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'corpus-'));
  try {
    const files = new Map(samples.map(({ path, text }) => [path, text]));
    for (const [path, text] of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const { findings } = await scanPath(folder, { sources, signal: AbortSignal.timeout(1_800_000) });
    const places = Map.groupBy(findings.flatMap(placesOf), ({ path }) => path);
    return ({ path, line, name }) =>
      (places.get(path) ?? []).some(
        ({ start, end, names }) =>
          (line === null || (start <= line && line <= end)) && (name === undefined || names.includes(name)),
      );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The lines of a finding, and the line at which input enters: a corpus marks either. */
const placesOf = ({ detection: { location, places, flow, identifiers: names } }: SourceFinding) => {
  const [source] = flow ?? [];
  return [
    ...[location, ...places].map(({ path, start_line: start, end_line: end }) => ({ path, start, end })),
    ...(source ? [{ path: source.path, start: source.start_line, end: source.start_line }] : []),
  ].map(({ path, start, end }) => ({ path: path ?? '', start: start ?? 0, end: end ?? start ?? 0, names }));
};

async function measureApplication(folder: string) {
  const sources: PathSource[] = ['code', 'secrets', 'infrastructure'];
  const { findings } = await scanPath(folder, { sources, signal: AbortSignal.timeout(1_800_000) });
  const outside = findings.filter(({ detection: { location } }) => !isElsewhere(location.path));
  for (const { source, detection } of outside) {
    const { path, start_line: line } = detection.location;
    process.stdout.write(
      `${source} ${detection.rule.id} ${path}:${line} ${detection.confidence ?? 'no'} confidence ${detection.evidence?.replaceAll(/\s+/g, ' ')}\n`,
    );
  }
  const name = basename(folder);
  const count = (source: PathSource, confidence?: string | null) =>
    outside.filter(
      (finding) =>
        finding.source === source &&
        (confidence === undefined || (finding.detection.confidence ?? null) === confidence),
    ).length;
  const { codeLines } = await countLines(folder, (path) => !isElsewhere(path));
  const perThousand = ((1_000 * count('code')) / Math.max(1, codeLines)).toFixed(3);
  const byRule = Map.groupBy(outside, ({ detection }) => detection.rule.id);
  return {
    line: `| ${name} | ${codeLines.toLocaleString('en')} | ${count('code')} | ${perThousand} | ${count('secrets')} | ${count('infrastructure')} |`,
    confidences: sources.map(
      (source) =>
        `| ${name} | \`${source}\` | ${['high', 'medium', 'low', null].map((one) => count(source, one)).join(' | ')} |`,
    ),
    rules: [...byRule]
      .sort(([left, more], [right, fewer]) => fewer.length - more.length || (left < right ? -1 : 1))
      .map(([rule, all]) => `| ${name} | ${rule} | ${all.length} |`),
  };
}

const isElsewhere = (path: string | null) => isTestPath(path) || isExamplePath(path);
