import type { DetectorDescription } from '../../contract/detector.ts';
import { runProgram } from '../../platform/child-process.ts';

async function askGit(): Promise<string | null> {
  const git = {
    command: 'git',
    arguments: ['--version'],
    directory: '/',
    home: '/',
    confinement: { network: 'none' as const },
    timeoutMs: 10_000,
  };
  try {
    const version = /(\d+)\.(\d+)/.exec((await runProgram(git)).stdout.toString());
    const [major, minor] = [Number(version?.[1]), Number(version?.[2])];
    // Git 2.31 introduced settings in the environment (GIT_CONFIG_COUNT), which keep secrets out of process lists.
    return major > 2 || (major === 2 && minor >= 31) ? null : `git is too old: 2.31 or newer is needed.`;
  } catch {
    return 'git is not installed.';
  }
}

const freshForMs = 15_000;
let known = { reason: null as Promise<string | null> | null, askedAt: 0 };

/** Starts git at most every 15 seconds, so that a list of sources or a new scan need not wait for another process. */
function findUnavailableReason(): Promise<string | null> {
  if (known.reason === null || performance.now() - known.askedAt > freshForMs) {
    known = { reason: askGit(), askedAt: performance.now() };
  }
  return known.reason!;
}

export const secretsDescription: DetectorDescription = {
  type: 'secrets',
  name: 'Secrets',
  description: 'Credentials in the files, the history and the commit messages of git repositories.',
  version: '1.0.0',
  dataSourceKinds: ['git_repository'],
  unavailableReason: findUnavailableReason,
};
