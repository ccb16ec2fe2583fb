import { isOpen } from '../../../findings/lifecycle.ts';
import type { ReportFinding, ReportModel } from '../../report-model.ts';
import { jsonText } from '../json-text.ts';
import { type Spool, SpooledList } from '../spool.ts';
import { ruleIdOf, toGithubResult, toGithubRule } from './github-result.ts';
import { type FileLimits, fileLimits } from './limits.ts';

/** A run of a file: the rules and results are lists of JSON objects. */
export class Run {
  /** Counts the runs of a data source from 1, over all its files. */
  readonly number: number;
  readonly rules = new SpooledList();
  readonly results = new SpooledList();
  readonly ruleIndexes = new Map<string, number>();
  count = 0;

  constructor(number: number) {
    this.number = number;
  }

  get compressedBytes(): number {
    return this.rules.compressedBytes + this.results.compressedBytes;
  }
}

/** The numbers of a data source's findings that are not sent to GitHub. */
type LeftOut = { without_file: number; closed: number };

/** A data source with its files, each a list of runs. */
export type Repository = { id: string; name: string; files: Run[][]; results: number; leftOut: LeftOut };

/**
 * Distributes the findings of a report, which come by severity, over the files and runs of their data sources. `only`
 * is the id of the only data source to read.
 */
export async function collectRuns(
  { findings }: ReportModel,
  spool: Spool,
  {
    only = null,
    limits = fileLimits,
    baseUrl = null,
  }: { only?: string | null; limits?: FileLimits; baseUrl?: string | null } = {},
): Promise<Map<string, Repository>> {
  const repositories = new Map<string, Repository>();
  for await (const batch of findings) {
    for (const finding of batch) {
      const { id, name } = finding.data_source;
      if (only !== null && id !== only) continue;
      let repository = repositories.get(id);
      if (!repository) {
        repository = { id, name, files: [], results: 0, leftOut: { without_file: 0, closed: 0 } };
        repositories.set(id, repository);
      }
      await add(repository, finding, spool, { limits, baseUrl });
    }
  }
  return repositories;
}

async function add(
  repository: Repository,
  finding: ReportFinding,
  spool: Spool,
  { limits, baseUrl }: { limits: FileLimits; baseUrl: string | null },
): Promise<void> {
  if (!isOpen(finding.status)) {
    repository.leftOut.closed++;
    return;
  }
  const run = runWithRoom(repository, limits);
  const ruleId = ruleIdOf(finding);
  const known = run.ruleIndexes.get(ruleId);
  const result = toGithubResult(finding, known ?? run.ruleIndexes.size, baseUrl);
  if (result === null) {
    repository.leftOut.without_file++;
    return;
  }
  if (known === undefined) {
    await spool.append(run.rules, `${run.ruleIndexes.size === 0 ? '' : ','}\n${jsonText(toGithubRule(finding))}`);
    run.ruleIndexes.set(ruleId, run.ruleIndexes.size);
  }
  await spool.append(run.results, `${run.count === 0 ? '' : ','}\n${jsonText(result)}`);
  run.count++;
  repository.results++;
}

function runWithRoom(repository: Repository, limits: FileLimits): Run {
  const file = repository.files.at(-1);
  const run = file?.at(-1);
  const bytes = file?.reduce((sum, { compressedBytes }) => sum + compressedBytes, 0) ?? 0;
  const isFileFull = bytes >= limits.bytes;
  if (run && run.count < limits.results && !isFileFull) return run;
  const next = new Run((run?.number ?? 0) + 1);
  if (file && !isFileFull && file.length < limits.runs) file.push(next);
  else repository.files.push([next]);
  return next;
}
