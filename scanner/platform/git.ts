import { type Program, type ProgramOptions, runProgram, startProgram } from './child-process.ts';
import type { Confinement } from './sandbox/confinement.ts';
import { gitPaths } from './sandbox/git-paths.ts';

export type GitOptions = Omit<ProgramOptions, 'command' | 'arguments' | 'directory' | 'confinement'> & {
  /**
   * A repository that we created; null for commands that need none. The configuration of other repositories could run
   * programs.
   */
  gitDirectory: string | null;
  directory?: string;
  /** Files and folders that this command reads besides the repository. */
  reads?: readonly string[];
  /** Folders that this command writes besides `home`. The repository is only read otherwise. */
  writes?: readonly string[];
  /** The egress proxy, for transports over the network; null to connect directly. */
  proxyUrl?: string | null;
  /** The only transport that this command may use; none by default. */
  protocol?: string;
  /**
   * Settings for this command, in order. They are passed in the environment, so that no secret appears in a process
   * list.
   */
  configuration?: Array<[name: string, value: string]>;
};

const safeConfiguration: Array<[string, string]> = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.pager', 'cat'],
  // We only read, in processes with no more rights than their owner, so it doesn't matter who owns the files.
  ['safe.directory', '*'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['log.showSignature', 'false'],
  // Larger blobs are streamed and never loaded into memory as a whole.
  ['core.bigFileThreshold', '32m'],
  ['credential.helper', ''],
  ['gc.autoDetach', 'false'],
  ['maintenance.autoDetach', 'false'],
];

const safeEnvironment: Record<string, string> = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_PROTOCOL_FROM_USER: '0',
};

/**
 * Starts the system's git so that a hostile repository or server can't make it run programs or connect elsewhere:
 * without hooks, submodules, filters, helpers, prompts and the machine's configuration, and only with the transport
 * that the caller specifies.
 */
export function startGit(commandLine: string[], options: GitOptions): Program {
  return startProgram(programOptions(commandLine, options));
}

/** Runs git like `startGit` and returns its output. */
export function runGit(commandLine: string[], options: GitOptions & { input?: string | Uint8Array }) {
  return runProgram({ ...programOptions(commandLine, options), input: options.input });
}

function programOptions(commandLine: string[], options: GitOptions): ProgramOptions {
  const { gitDirectory, protocol, configuration, environment, reads, writes, proxyUrl, ...rest } = options;
  const settings = [...safeConfiguration, ...(configuration ?? [])];
  return {
    memoryBytes: 2 * 1024 ** 3,
    ...rest,
    command: 'git',
    arguments: commandLine,
    directory: options.directory ?? options.home,
    confinement: confinementOf(options),
    environment: {
      ...safeEnvironment,
      // Overrides every `protocol.*` setting. An empty list would have the same effect, but looks like an oversight.
      GIT_ALLOW_PROTOCOL: protocol ?? 'none',
      ...(gitDirectory === null ? {} : { GIT_DIR: gitDirectory }),
      GIT_CONFIG_COUNT: String(settings.length),
      ...Object.fromEntries(
        settings.flatMap(([name, value], index) => [
          [`GIT_CONFIG_KEY_${index}`, name],
          [`GIT_CONFIG_VALUE_${index}`, value],
        ]),
      ),
      ...environment,
    },
  };
}

function confinementOf({ gitDirectory, reads = [], writes = [], protocol, proxyUrl }: GitOptions): Confinement {
  const connects = protocol !== undefined && protocol !== 'file';
  return {
    reads: [...(gitDirectory === null ? [] : gitPaths(gitDirectory)), ...reads],
    writes,
    network: connects ? (proxyUrl ? { proxyUrl } : 'open') : 'none',
  };
}
