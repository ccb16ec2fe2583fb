import { readFile, rename, writeFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { type Severity, severities } from '../contract/severity.ts';
import manifest from '../package.json' with { type: 'json' };
import { printable, printableJson } from '../platform/terminal-text.ts';
import { whyUnreadable } from '../platform/why-unreadable.ts';
import type { Changes } from './changes.ts';
import { formatJson, toReport } from './output/json.ts';
import { isAtLeast, type ScanReport, type ScanReportFormat, sortFindings } from './output/scan-report.ts';
import { formatTable } from './output/table.ts';
import { fileSources, type PathSource, pathSources } from './path-sources.ts';
import type { ScanAdditions, SourceFinding } from './scan-path.ts';

const version = 1;

/**
 * Reads the fingerprints of a baseline: the findings that were known when it was written. Throws an error that says
 * what to do.
 */
async function readBaseline(file: string): Promise<Set<string>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new Error(`there is no baseline at ${file}. Add --write-baseline to write it.`);
  });
  const fingerprints = fingerprintsOf(text);
  if (!fingerprints) throw new Error(`${file} is not a baseline of Assay. Write it again with --write-baseline.`);
  return new Set(fingerprints);
}

function fingerprintsOf(text: string): string[] | null {
  try {
    const read = JSON.parse(text);
    if (read?.version !== version || !Array.isArray(read.findings)) return null;
    const fingerprints = read.findings.map((finding: { fingerprint?: unknown } | null) => finding?.fingerprint);
    return fingerprints.every((fingerprint: unknown) => typeof fingerprint === 'string') ? fingerprints : null;
  } catch {
    return null;
  }
}

/** Writes a baseline, completely or not at all. Rules and locations are for the people who review it. */
async function writeBaseline(file: string, findings: SourceFinding[]): Promise<void> {
  const entries = findings.map(({ source, detection: { fingerprint, rule, location } }) => ({
    fingerprint,
    source,
    rule: rule.id,
    path: location.path,
    line: location.start_line,
  }));
  const temporary = `${file}.${process.pid}.new`;
  await writeFile(temporary, `${JSON.stringify({ version, findings: entries }, null, 2)}\n`);
  await rename(temporary, file);
}

const formats: Record<string, () => Promise<ScanReportFormat>> = {
  table: async () => formatTable,
  json: async () => safely(formatJson),
  sarif: async () => safely((await import('./output/sarif.ts')).formatSarif),
  cyclonedx: async () => safely((await import('./output/cyclonedx.ts')).formatCyclonedx),
  'gitlab-codequality': async () => safely((await import('./output/gitlab-codequality.ts')).formatGitlabCodequality),
  'github-annotations': async () => (await import('./output/github-annotations.ts')).formatGithubAnnotations,
};

const safely =
  (format: ScanReportFormat): ScanReportFormat =>
  (report, shape) =>
    printableJson(format(report, shape));

type Options = {
  source?: PathSource[];
  format: string;
  failOn?: Severity;
  failOnLowConfidence?: boolean;
  branch?: string;
  advisories?: string;
  codeRules?: string;
  json?: boolean;
  output?: string;
  staged?: boolean;
  diff?: string;
  indexFile?: string;
  baseline?: string;
  writeBaseline?: boolean;
};

const exitFailed = 1;
const exitFound = 3;

/**
 * Returns the command `scan PATH|URL`. Sets the exit code: 0 completed, 1 failed, 3 findings at or above `--fail-on`.
 * Wrong usage throws commander's own error, which the program turns into 2.
 */
export function createScanCommand(additions?: ScanAdditions): Command {
  return (
    new Command('scan')
      .description(
        'scan a directory, a file, a git work tree or a repository, or a website with --source web, and print the findings; needs no server',
      )
      .argument(
        '[path-or-url]',
        "what to scan: a path, the https, ssh, git or file URL of a repository, or a website's; with --staged or --diff this folder by default",
      )
      .addOption(
        new Option(
          '--source <type>',
          `only this detection source (${pathSources.join(', ')}, or an installed scanner such as bandit); may be repeated`,
        ).argParser(collectSource),
      )
      .addOption(new Option('--format <format>', 'how to print').choices(Object.keys(formats)).default('table'))
      .addOption(
        new Option(
          '--fail-on <severity>',
          'exit with 3 when a finding of medium or high confidence is this severe or worse',
        ).choices(severities),
      )
      .option('--fail-on-low-confidence', 'with --fail-on: count findings of low confidence too')
      .addOption(
        new Option('--staged', 'only what git commit would add: findings in staged files that HEAD has not').conflicts(
          'diff',
        ),
      )
      .option(
        '--diff <range>',
        'only what changed between two commits, BASE..HEAD, or between BASE and the work tree: findings that BASE has not',
      )
      // A commit of some files has a separate index, whose path git passes to its hooks.
      .addOption(new Option('--index-file <file>', 'the index that --staged reads').env('GIT_INDEX_FILE').hideHelp())
      .option('--baseline <file>', 'leave out the findings that this file names')
      .option('--write-baseline', 'write everything that is found to the file of --baseline')
      .option('--branch <name>', 'the branch of a repository given as a URL (its default branch)')
      .option('--code-rules <directory>', 'check code with the rules of this folder too')
      .option('--advisories <directory>', "match dependencies with an export in OSV's layout (npm/all.zip)")
      .option('--output <file>', 'write it to a file, and print the table')
      .option('--json', 'print one JSON object with the findings, the warnings and what was covered')
      .addHelpText(
        'after',
        '\nDirectories named .git and node_modules are skipped, and links are not followed. A comment "assay:ignore rule-id reason" accepts a finding in its line.\nExit codes: 0 done, 1 failed, 2 wrong usage, 3 findings at or above --fail-on.',
      )
      .action(async (given: string | undefined, options: Options, command: Command) => {
        const isChangesOnly = options.staged || options.diff !== undefined;
        const pathOrUrl = given ?? (isChangesOnly ? '.' : null);
        if (pathOrUrl === null) command.error("error: missing required argument 'path-or-url'");
        if (options.writeBaseline && options.baseline === undefined) {
          command.error('error: --write-baseline needs --baseline FILE, the file to write');
        }
        if (options.writeBaseline && isChangesOnly) {
          command.error('error: a baseline names everything: leave out --staged and --diff to write it');
        }
        await requireSources(options.source ?? [], additions, command);
        await runScan(pathOrUrl, options, additions, command.parent ? 'assay scan' : command.name());
      })
  );
}

const collectSource = (value: string, earlier: PathSource[] = []): PathSource[] => [
  ...new Set([...earlier, ...value.split(',')]),
];

/** Lists the added sources only if a source is requested that is not built in. Throws commander's error. */
async function requireSources(sources: PathSource[], additions: ScanAdditions | undefined, command: Command) {
  const others = sources.filter((source) => !(pathSources as readonly string[]).includes(source));
  if (others.length === 0) return;
  const added = await additions?.listSources((warning) => process.stderr.write(`warning: ${printable(warning)}\n`));
  const known = [...pathSources, ...(added ?? [])];
  const unknown = others.find((source) => !known.includes(source));
  if (unknown === undefined) return;
  command.error(`error: there is no source ${unknown} that looks at files. Allowed are ${known.join(', ')}.`);
}

async function runScan(
  pathOrUrl: string,
  options: Options,
  additions: ScanAdditions | undefined,
  name: string,
): Promise<void> {
  const stop = new AbortController();
  const onInterrupt = () => stop.abort();
  process.once('SIGINT', onInterrupt);
  const status = createStatusLine();
  try {
    // Loaded here, so that other commands need not wait for the rules.
    const { scanPath } = await import('./scan-path.ts');
    const { baseline, writeBaseline: isWritten } = options;
    const known = baseline !== undefined && !isWritten ? await readBaseline(baseline) : new Set<string>();
    const result = await scanPath(pathOrUrl, {
      sources: options.source ?? (options.format === 'cyclonedx' ? ['dependencies'] : fileSources),
      branch: options.branch ?? null,
      advisories: options.advisories ?? null,
      codeRules: options.codeRules ?? null,
      additions,
      changes: changesOf(options),
      signal: stop.signal,
      progress: status.show,
    });
    status.clear();
    const sorted = sortFindings(result.findings);
    if (baseline !== undefined && isWritten) {
      await writeBaseline(baseline, sorted);
      process.stdout.write(`${printable(baseline)} names ${counted(sorted.length)}.\n`);
      return;
    }
    const isKnown = ({ detection }: SourceFinding) => known.has(detection.fingerprint);
    const findings = sorted.filter((finding) => !isKnown(finding));
    await print(
      { ...result, findings, known: sorted.filter(isKnown), version: manifest.version, at: new Date() },
      options,
    );
  } catch (error) {
    status.clear();
    process.stderr.write(`${name}: ${printable(stop.signal.aborted ? 'stopped.' : whyUnreadable(error, pathOrUrl))}\n`);
    process.exitCode = exitFailed;
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}

function changesOf({ staged, diff, indexFile }: Options): Changes | null {
  if (staged) return { staged, indexFile: indexFile ?? null };
  return diff === undefined ? null : { diff };
}

const counted = (count: number) => `${count} finding${count === 1 ? '' : 's'}`;

async function print(report: ScanReport, options: Options) {
  const { format, json, output } = options;
  const terminal = process.stdout.isTTY;
  const shape = { color: terminal && process.stdout.hasColors(), width: terminal ? process.stdout.columns : 140 };
  const text = json
    ? printableJson(JSON.stringify(toReport(report)))
    : (await formats[format]!())(report, output === undefined ? shape : { ...shape, color: false });
  if (output !== undefined) await writeFile(output, `${text}\n`);
  // `| head` closes the pipe early, which is not a failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  process.stdout.write(`${output === undefined ? text : formatTable(report, shape)}\n`);
  if (!json || output !== undefined) printRemarks(report);
  if (report.findings.some((finding) => isFailure(finding, options))) process.exitCode = exitFound;
}

/** A finding of low confidence is only a hint, which should not stop a build unless its owner wants that. */
const isFailure = ({ detection }: SourceFinding, { failOn, failOnLowConfidence }: Options): boolean =>
  failOn !== undefined &&
  isAtLeast(detection.severity, failOn) &&
  (failOnLowConfidence === true || detection.confidence !== 'low');

function printRemarks({ ignored, known, warnings }: ScanReport) {
  const remarks = [
    ...(ignored.length > 0 ? [`${counted(ignored.length)} accepted in the code.`] : []),
    ...(known.length > 0 ? [`${counted(known.length)} of the baseline left out.`] : []),
    ...warnings.map((warning) => `warning: ${warning}`),
  ];
  for (const remark of remarks) process.stderr.write(`${printable(remark)}\n`);
}

/** A progress line on standard error that overwrites itself; nothing unless it is a terminal. */
function createStatusLine() {
  const { stderr } = process;
  let shown = 0;
  return {
    show(fraction: number | null, message: string) {
      if (!stderr.isTTY || performance.now() - shown < 100) return;
      shown = performance.now();
      const percent = fraction === null ? '' : ` ${Math.floor(fraction * 100)}%`;
      stderr.write(`\r\x1b[K${printable(`${message}${percent}`).slice(0, stderr.columns - 1)}`);
    },
    clear() {
      if (shown > 0) stderr.write('\r\x1b[K');
    },
  };
}
