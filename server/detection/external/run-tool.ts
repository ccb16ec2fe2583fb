import { createReadStream } from 'node:fs';
import { lstat, mkdir, mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DetectionResult, DetectionRun, ScannedDetection } from '@assay/scanner/contract/detector.ts';
import { FormatError } from '@assay/scanner/readers/format-error.ts';
import { readResultFile } from '@assay/scanner/readers/read-result-file.ts';
import { exclusively } from '../../platform/exclusive.ts';
import { rulesOf } from './installation/installed-tools.ts';
import { type PlaceholderValues, uses } from './placeholders.ts';
import { prepareInput, type ToolInput } from './prepare-input.ts';
import { startTool, type ToolContext, timeoutMsOf } from './start-tool.ts';
import type { ToolDescription } from './tool-description.ts';
import { ToolError } from './tool-error.ts';
import { toolSettings } from './tool-settings.ts';

/**
 * Returns the forms in which a result writes a directory's path before a file name: plain, escaped in JSON or XML,
 * and as a URI.
 */
export function prefixesOf(directory: string): string[] {
  const uri = pathToFileURL(directory).href;
  const escaped = JSON.stringify(directory).slice(1, -1);
  const xml = directory.replaceAll('&', '&amp;');
  // Some tools write it relative to their working directory, which is next to it.
  const name = basename(directory);
  const relative = [`/../${name}`, `../${name}`, `/${name}`, name];
  const forms = [
    uri,
    uri.replace('file://', 'file:'),
    uri.slice('file://'.length),
    escaped,
    xml,
    directory,
    ...relative,
  ];
  return [...new Set(forms)].map((form) => `${form}/`).sort((a, b) => b.length - a.length);
}

/** Returns the form of a rule folder's path that Semgrep puts before rule ids. */
export const ruleIdPrefixOf = (folder: string): string => `${folder.replace(/^\//, '').replaceAll('/', '.')}.`;

/**
 * Removes these texts from the bytes. Tools name files by the path of our private copy, which differs in each run and
 * would make every finding new. Where several texts match, the first in the list wins.
 */
export async function* withoutPrefix(chunks: AsyncIterable<Buffer>, prefixes: string[]): AsyncGenerator<Buffer> {
  const needles = prefixes.map((prefix) => Buffer.from(prefix));
  const longest = Math.max(...needles.map((needle) => needle.length));
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    // A possible start of a prefix waits for the next chunk.
    const safe = Math.max(0, data.length - longest + 1);
    const { pieces, end } = cut(data, needles, safe);
    yield* pieces;
    rest = data.subarray(end);
  }
  yield* cut(rest, needles, rest.length).pieces;
}

/** Returns the bytes between the needles that start before `until`; `end` is the offset at which to continue. */
function cut(data: Buffer, needles: Buffer[], until: number): { pieces: Buffer[]; end: number } {
  const pieces: Buffer[] = [];
  let position = 0;
  for (;;) {
    let found = -1;
    let length = 0;
    for (const needle of needles) {
      const at = data.indexOf(needle, position);
      if (at >= 0 && at < until && (found < 0 || at < found)) [found, length] = [at, needle.length];
    }
    if (found < 0) break;
    if (found > position) pieces.push(data.subarray(position, found));
    position = found + length;
  }
  const end = Math.max(position, until);
  if (end > position) pieces.push(data.subarray(position, end));
  return { pieces, end };
}

const hourMs = 3_600_000;

/**
 * Updates a tool's own data (advisories, templates) in its `database` directory on this worker when it is older than
 * the description allows. The command has no access to the target. Returns a warning when old data has to be used;
 * throws a ToolError when there is none.
 */
async function updateDatabase(
  description: ToolDescription,
  values: PlaceholderValues & { database: string },
  context: ToolContext,
): Promise<string | null> {
  const { update, name } = description;
  if (!update) return null;
  const stamp = join(values.database, '.updated');
  return exclusively(`database of ${values.database}`, async () => {
    await mkdir(values.database, { recursive: true, mode: 0o700 });
    const updatedAt = await stat(stamp).then(
      (information) => information.mtimeMs,
      () => null,
    );
    // A time in the future was written before the clock was set back.
    const ageMs = updatedAt === null ? null : Date.now() - updatedAt;
    if (ageMs !== null && ageMs >= 0 && ageMs < update.every_hours * hourMs) return null;
    try {
      const online: ToolDescription = { ...description, network: 'proxy', output_mb: 16_384 };
      await startTool(online, update.arguments, values, context, [0], join(context.home, 'update.out'));
      await writeFile(stamp, '');
      return null;
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      if (updatedAt === null) {
        throw new ToolError(
          `${name} has no data yet, and could not download it. ${error.message}`,
          error.toolSaid,
          undefined,
          error.isTransient,
        );
      }
      return `${name} could not update its data: it used that of ${new Date(updatedAt).toISOString().slice(0, 10)}.`;
    }
  });
}

export type ToolRun = Pick<
  DetectionRun,
  'signal' | 'emit' | 'progress' | 'keyedHash' | 'networkPolicy' | 'egressProxyUrl'
> & {
  /** Private to the tool and its target; kept between scans (`{cache}`). */
  directory: string;
  /** Private to the tool on this worker; kept between scans (`{database}`). */
  databaseDirectory: string;
};

/**
 * Runs a tool on `input` and emits its detections, once it has exited as its description expects: the output of a
 * failed run is ignored. The tool runs in a separate directory, which is removed afterwards. Throws a TargetError.
 */
export async function runTool(
  description: ToolDescription,
  program: string,
  input: ToolInput,
  run: ToolRun,
): Promise<DetectionResult> {
  await mkdir(run.directory, { recursive: true, mode: 0o700 });
  const home = await realpath(await mkdtemp(join(run.directory, 'run-')));
  try {
    return await runAt(home, description, program, input, run);
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function runAt(
  home: string,
  described: ToolDescription,
  program: string,
  input: ToolInput,
  run: ToolRun,
): Promise<DetectionResult> {
  const { description, rules } = await chooseRules(described);
  const { name, exit_codes: codes } = description;
  const { signal, egressProxyUrl, networkPolicy } = run;
  run.progress(null, 'Preparing the files');
  const prepared = await prepareInput(description, input, {
    home,
    signal,
    networkPolicy,
    timeoutMs: timeoutMsOf(description),
  });
  const { warnings, nothingToDo, checkout } = prepared;
  if (nothingToDo) return { coverage: 'complete', warnings: [...warnings, `${name} was not run: ${nothingToDo}.`] };

  const context = { program, home, signal, egressProxyUrl };
  const stdout = join(home, 'stdout');
  const own = { ...prepared.values, ...placesOf(description, run), rules, output: join(home, 'result') };
  run.progress(null, `Updating ${name}`);
  const stale = await updateDatabase(description, own, context);
  if (stale) warnings.push(stale);

  run.progress(null, `Running ${name}`);
  const { ipv6_arguments: ipv6 = [], scan } = description;
  const commandLine = [...(prepared.isIpv6 ? ipv6 : []), ...(scan[input.kind as keyof typeof scan] ?? [])];
  await mkdir(join(run.directory, 'cache'), { recursive: true, mode: 0o700 });
  const known = Object.values(codes).flat();
  const exitCode = await startTool(description, commandLine, own, context, known, stdout);

  run.progress(null, `Reading what ${name} found`);
  const path = uses(description, input.kind, 'output') ? own.output : stdout;
  // Such ids depend on the location of our folders, and would make every finding new.
  const prefixes = [...(checkout ? prefixesOf(checkout) : []), ...(isAbsolute(rules) ? [ruleIdPrefixOf(rules)] : [])];
  const { count, incomplete, cut } = await readToolResult(description, path, prefixes, run);
  const unsure = [...incomplete];
  if (count === 0 && codes.findings?.includes(exitCode)) {
    unsure.push(`${name} ended with ${exitCode}, as if it had found something, but its result is empty.`);
  }
  if (codes.partial?.includes(exitCode))
    unsure.push(`${name} ended with ${exitCode}: it could not analyse everything.`);
  return { coverage: unsure.length === 0 ? 'complete' : 'partial', warnings: [...warnings, ...unsure, ...cut] };
}

/**
 * Returns the rules for the tool: those that the operator put into `rules/TYPE` beside the installed tools, which
 * need no network, or else those that the tool fetches itself.
 */
async function chooseRules(description: ToolDescription): Promise<{ description: ToolDescription; rules: string }> {
  const { installed } = toolSettings();
  const online = description.rules?.online;
  if (online === undefined || installed === null) return { description, rules: online ?? '' };
  const folder = rulesOf(installed, description.type);
  const isThere = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isThere ? { description: { ...description, network: 'none' }, rules: folder } : { description, rules: online };
}

const placesOf = (
  { folder }: ToolDescription,
  { directory, databaseDirectory, egressProxyUrl }: ToolRun,
): PlaceholderValues & { database: string } => ({
  folder,
  database: databaseDirectory,
  cache: join(directory, 'cache'),
  proxy: egressProxyUrl ?? '',
});

type ToolResult = { count: number; incomplete: string[]; cut: string[] };

/**
 * Reads a tool's result file and emits its detections. Throws a ToolError when the file is missing or incomplete.
 * `prefixes` are removed from all texts.
 */
async function readToolResult(
  { name, format, empty_output: emptyOutput }: ToolDescription,
  path: string,
  prefixes: string[],
  run: { emit(batch: ScannedDetection[]): Promise<void>; keyedHash(value: string): string },
): Promise<ToolResult> {
  // A link instead of the file could point anywhere.
  const information = await lstat(path).catch(() => null);
  if (!information?.isFile()) throw new ToolError(`${name} left no result. Nothing was closed.`);
  if (information.size === 0) {
    if (emptyOutput === 'clean') return { count: 0, incomplete: [], cut: [] };
    throw new ToolError(`${name} left an empty result. Nothing was closed.`);
  }
  const stream = createReadStream(path);
  try {
    const bytes = prefixes.length > 0 ? withoutPrefix(stream, prefixes) : (stream as AsyncIterable<Buffer>);
    const file = await readResultFile(bytes, { format, keyedHash: run.keyedHash });
    let count = 0;
    for await (const batch of file.detections) {
      count += batch.length;
      await run.emit(batch);
    }
    return { count, incomplete: [...file.incomplete], cut: file.cut.sentences() };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new ToolError(`The result of ${name} can't be read. ${error.message} Nothing was closed.`, undefined, error);
  } finally {
    stream.destroy();
  }
}
