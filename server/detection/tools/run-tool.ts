import { mkdir, mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { DetectionResult, DetectionRun } from '../contract/detector.ts';
import { rulesOf } from './installation/installed-tools.ts';
import { type PlaceholderValues, uses } from './placeholders.ts';
import { prepareInput, type ToolInput } from './prepare-input.ts';
import { readToolResult } from './read-tool-result.ts';
import { startTool, timeoutMsOf } from './start-tool.ts';
import type { ToolDescription } from './tool-description.ts';
import { toolSettings } from './tool-settings.ts';
import { updateDatabase } from './update-database.ts';
import { prefixesOf, ruleIdPrefixOf } from './without-prefix.ts';

export type ToolRun = Pick<
  DetectionRun,
  'signal' | 'emit' | 'progress' | 'keyedHash' | 'networkPolicy' | 'egressProxyUrl'
> & {
  /** Private to the tool and what it scans; kept between scans (`{cache}`). */
  directory: string;
  /** Private to the tool on this worker; kept between scans (`{database}`). */
  databaseDirectory: string;
};

/**
 * Runs a tool on `input` and emits its detections, once it has exited as its description expects: the output of a
 * failed run is ignored. The tool runs in a directory of its own, which is removed afterwards. Throws a TargetError.
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
  // They depend on where our folders are, and would make every finding new.
  const prefixes = [...(checkout ? prefixesOf(checkout) : []), ...(isAbsolute(rules) ? [ruleIdPrefixOf(rules)] : [])];
  const { count, incomplete, cut } = await readToolResult(description, path, prefixes, run);
  const unsure = [...incomplete];
  if (count === 0 && codes.findings?.includes(exitCode)) {
    unsure.push(`${name} ended with ${exitCode}, as if it had found something, but its result is empty.`);
  }
  if (codes.partial?.includes(exitCode))
    unsure.push(`${name} ended with ${exitCode}: it could not make out everything.`);
  return { coverage: unsure.length === 0 ? 'complete' : 'partial', warnings: [...warnings, ...unsure, ...cut] };
}

/**
 * Returns the rules that the tool reads: those that the operator put into `rules/TYPE` beside the installed tools, for
 * which it needs no network, or else those that it fetches itself.
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
