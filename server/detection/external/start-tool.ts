import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ProgramError, type ProgramOptions, startProgram } from '@assay/scanner/platform/child-process.ts';
import type { Confinement } from '@assay/scanner/platform/sandbox/confinement.ts';
import { gitPaths } from '@assay/scanner/platform/sandbox/git-paths.ts';
import { programFiles } from '@assay/scanner/platform/sandbox/paths.ts';
import { isOutOfRoom } from '../../platform/postgres/database.ts';
import { fillIn, type PlaceholderValues } from './placeholders.ts';
import type { ToolDescription } from './tool-description.ts';
import { toolError } from './tool-error.ts';

/** A port without a listener: a tool that should not need the network fails at once. */
const nowhere = 'http://127.0.0.1:9';
const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];

/** Returns a tool's environment: the variables of its description, and the proxy that it must use. */
export function toolEnvironment(
  { environment = {}, network }: ToolDescription,
  values: PlaceholderValues,
  proxyUrl: string | null,
): Record<string, string> {
  const own = Object.fromEntries(Object.entries(environment).map(([name, text]) => [name, fillIn(text, values)]));
  const url = network === 'none' ? nowhere : proxyUrl;
  if (network === 'address' || url === null) return own;
  const proxies = Object.fromEntries(proxyVariables.map((name) => [name, url]));
  return { ...proxies, NO_PROXY: '', no_proxy: '', ...own };
}

export type ToolContext = {
  /** Absolute path of the tool. */
  program: string;
  /** Private and empty; the caller removes it. */
  home: string;
  signal: AbortSignal;
  /** A proxy that applies the network policy; null when a person scans from their own machine. */
  egressProxyUrl: string | null;
};

const defaults = { minutes: 60, memoryMb: 4_096, outputMb: 2_048 };

export const timeoutMsOf = (description: ToolDescription) => (description.timeout_minutes ?? defaults.minutes) * 60_000;

/**
 * Returns the confinement of a tool. It can access its own files, the copy of the target in its home, and the network
 * that its description declares.
 */
function confinementOf(
  { folder, network, needs_programs: needed = [] }: ToolDescription,
  { repository, rules, cache, database }: PlaceholderValues,
  { egressProxyUrl }: ToolContext,
): Confinement {
  const reads = [folder, ...needed.flatMap((name) => programFiles(name))];
  if (rules !== undefined && isAbsolute(rules)) reads.push(rules);
  if (repository !== undefined) reads.push(...gitPaths(repository));
  const viaProxy = egressProxyUrl === null ? 'open' : { proxyUrl: egressProxyUrl };
  return {
    reads,
    writes: [cache, database].filter((path) => path !== undefined),
    network: network === 'none' ? 'none' : network === 'address' ? 'open' : viaProxy,
  };
}

/**
 * Runs a tool until it exits, with its standard output in the file `stdoutPath`. Returns its exit code. Throws a
 * ToolError when the description does not list that code, and the signal's reason when it was aborted.
 */
export async function startTool(
  description: ToolDescription,
  commandLine: string[],
  values: PlaceholderValues,
  context: ToolContext,
  exitCodes: number[],
  stdoutPath: string,
): Promise<number> {
  const memoryMb = description.memory_mb ?? defaults.memoryMb;
  const outputBytes = (description.output_mb ?? defaults.outputMb) * 1024 * 1024;
  const work = join(context.home, 'work');
  await mkdir(work, { recursive: true, mode: 0o700 });
  const options: ProgramOptions = {
    command: context.program,
    arguments: commandLine.map((text) => fillIn(text, values)),
    // Never the copy of the target: tools read settings from their working directory.
    directory: work,
    home: context.home,
    environment: toolEnvironment(description, values, context.egressProxyUrl),
    confinement: confinementOf(description, values, context),
    timeoutMs: timeoutMsOf(description),
    memoryBytes: memoryMb * 1024 * 1024,
    fileBytes: outputBytes,
    outputBytes,
    exitCodes,
    signal: context.signal,
  };
  try {
    const program = startProgram(options);
    program.stdin.end();
    await pipeline(program.stdout, createWriteStream(stdoutPath, { flags: 'wx', mode: 0o600 }));
    return (await program.finished).exitCode;
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof ProgramError)) throw error;
    // The cause is omitted: the standard error may contain the password of the proxy.
    if (isOutOfRoom(error))
      throw Object.assign(new Error(`${description.name}: the disk is full.`), { code: 'ENOSPC' });
    const bounds = { minutes: Math.round(timeoutMsOf(description) / 60_000), memoryMb };
    const connects = description.network !== 'none';
    throw toolError(description.name, error, bounds, { secret: context.egressProxyUrl, connects });
  }
}
