import manifest from '../../package.json' with { type: 'json' };
import { count } from '../labels.ts';
import type { ReportHead } from '../report-model.ts';
import type { ReportWriter } from './format.ts';
import { jsonText } from './json-text.ts';
import { inPieces } from './pieces.ts';
import { collectRuns, type Repository, Run } from './sarif-github/collect-runs.ts';
import { Spool } from './spool.ts';
import { type ZippedFile, zipped } from './zip.ts';

/**
 * Writes SARIF 2.1.0 that GitHub code scanning accepts, for upload to the repositories that the report covers. A report
 * on one data source, or `dataSource`, gives one file. Otherwise, and when GitHub's limits require several files, it is
 * a zip archive with the files of each data source and a list of them.
 *
 * GitHub has no state for closed findings (it ignores suppressions and `baselineState`), so the files contain only open
 * ones: the upload closes the alerts of the others. Findings without a file are left out. Both are counted in the run
 * and in the list of files.
 *
 * All runs of a data source name Assay as the tool, in the categories `assay`, `assay/2` and so on: an upload replaces
 * the previous one, whichever detection sources still have findings.
 */
export const writeGithubSarif: ReportWriter = async function* (report, { dataSource = null, baseUrl = null } = {}) {
  await using spool = new Spool();
  const found = await collectRuns(report, spool, { only: dataSource, baseUrl });
  const repositories = [...found.values()];
  const isOne = dataSource !== null || report.head.summary.by_data_source.length <= 1;
  const [first] = repositories;
  if (isOne && (first?.files.length ?? 0) <= 1) {
    yield* inPieces(fileText(report.head, spool, first ?? null, first?.files[0] ?? []));
    return;
  }
  yield* zipped(filesOf(report.head, spool, repositories));
};

async function* filesOf(head: ReportHead, spool: Spool, repositories: Repository[]): AsyncGenerator<ZippedFile> {
  const names = new Set<string>();
  const lines: string[] = [];
  for (const repository of repositories) {
    const name = uniqueName(repository.name, names);
    for (const [index, runs] of repository.files.entries()) {
      const path = `${name}${index === 0 ? '' : `-${index + 1}`}.sarif`;
      yield { path, content: inPieces(fileText(head, spool, repository, runs)) };
      lines.push(`${path}: ${count(sumOf(runs), 'result')} of ${repository.name}`);
    }
    const leftOut = leftOutText(repository);
    if (leftOut !== '') lines.push(`${repository.name}: ${leftOut}`);
  }
  yield { path: 'README.txt', content: [Buffer.from(readme(head, lines))] };
}

const readme = (head: ReportHead, lines: string[]): string =>
  `${head.title}, as of ${head.taken_at}

Upload each file to the repository that its name says, for example with:

  gh api repos/OWNER/REPOSITORY/code-scanning/sarifs -f commit_sha=COMMIT -f ref=refs/heads/main \\
    -f sarif="$(gzip -c FILE.sarif | base64 -w0)"

${lines.join('\n')}
`;

/** Returns a unique name for the files of a data source that every file system accepts. */
function uniqueName(text: string, names: Set<string>): string {
  const plain = text.normalize('NFKD').replaceAll(/[^A-Za-z0-9._-]+/g, '-');
  const base = plain.slice(0, 80).replaceAll(/^[-.]+|[-.]+$/g, '') || 'data-source';
  let name = base;
  for (let next = 2; names.has(name.toLowerCase()); next++) name = `${base}.${next}`;
  names.add(name.toLowerCase());
  return name;
}

const sumOf = (runs: Run[]): number => runs.reduce((sum, run) => sum + run.count, 0);

function leftOutText({ leftOut: { without_file: withoutFile, closed } }: Repository): string {
  const parts = [
    withoutFile === 0 ? '' : `${count(withoutFile, 'open finding')} without a file`,
    closed === 0 ? '' : `${count(closed, 'closed finding')}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `${parts.join(' and ')} left out`;
}

/** Yields a file. A data source without results has one empty run, which closes the alerts of earlier uploads. */
async function* fileText(head: ReportHead, spool: Spool, repository: Repository | null, runs: Run[]) {
  yield ['{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":['];
  for (const [index, run] of (runs.length === 0 ? [new Run(1)] : runs).entries()) {
    yield [index === 0 ? '\n{' : ',\n{', members(aboutRun(head, repository, run)), ',"tool":{"driver":{'];
    yield [members({ name: 'Assay', version: manifest.version, semanticVersion: manifest.version }), ',"rules":['];
    for await (const text of spool.read(run.rules)) yield [text];
    yield [']}},\n"results":['];
    for await (const text of spool.read(run.results)) yield [text];
    yield [']}'];
  }
  yield [']}\n'];
}

const members = (value: object): string => jsonText(value).slice(1, -1);

function aboutRun(head: ReportHead, repository: Repository | null, { number, count: results }: Run) {
  const leftOut = repository === null ? '' : leftOutText(repository);
  return {
    automationDetails: { id: `assay/${number === 1 ? '' : `${number}/`}${head.id}` },
    columnKind: 'utf16CodeUnits',
    originalUriBaseIds: { '%SRCROOT%': { description: { text: 'The root of the repository.' } } },
    invocations: [
      {
        executionSuccessful: true,
        endTimeUtc: head.taken_at,
        ...(leftOut === ''
          ? {}
          : { toolExecutionNotifications: [{ level: 'note', message: { text: `${leftOut}.` } }] }),
      },
    ],
    properties: {
      report: { id: head.id, title: head.title, taken_at: head.taken_at },
      ...(repository === null
        ? {}
        : { data_source: { id: repository.id, name: repository.name }, left_out: repository.leftOut }),
      results,
    },
  };
}
