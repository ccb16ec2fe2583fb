import { createHmac } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { noAdvisories } from '../scanner/advisories/no-advisories.ts';
import { secretsDetector } from '../scanner/detectors/secrets/secrets-detector.ts';
import { createNetworkPolicy } from '../scanner/platform/egress/network-policy.ts';
import { runGit } from '../scanner/platform/git.ts';
import { fetchRepository } from '../server/data-sources/connectors/git.ts';
import { makeLargeRepository } from './large-repository.ts';
import type { Row } from './measure.ts';

const networkPolicy = createNetworkPolicy({ allowed: [] });
const keyedHash = (value: string | Uint8Array) => createHmac('sha256', 'bench').update(value).digest('base64url');

/** Scans a repository of 10,000 commits and 20,000 files like a worker: fetch, whole history, then one more commit. */
export async function measureRepositoryScan(): Promise<Row[]> {
  const data = join(import.meta.dirname, '.data');
  const repository = await makeLargeRepository(join(data, 'large-repository.git'));
  const directory = join(data, 'large-repository-scan');
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const first = await scan(repository.directory, directory);
  if (first.found < repository.plantedSecrets) throw new Error('The scan did not find every planted secret.');
  await addCommit(repository.directory);
  const second = await scan(repository.directory, directory);
  if (second.found !== first.found) throw new Error('The rescan did not find the same findings.');
  const megabytes = repository.bytes / 1e6;
  return [
    {
      question: 'Scan of 10,000 commits and 20,000 files, with fetch',
      value: first.seconds,
      unit: 's',
      bound: '<= 60',
    },
    { question: 'Blobs searched', value: megabytes / first.detectSeconds, unit: 'MB/s', bound: '>= 20' },
    {
      question: 'The same per second of this process’s processor time',
      value: megabytes / first.cpuSeconds,
      unit: 'MB/s',
      bound: '>= 20',
    },
    { question: 'Peak memory above that at the start', value: first.megabytes, unit: 'MB', bound: '<= 300' },
    { question: 'Longest block of the event loop', value: first.longestMs, unit: 'ms', bound: '<= 250' },
    { question: 'Rescan after one commit, with fetch', value: second.seconds, unit: 's', bound: '<= 2' },
  ];
}

async function scan(url: string, directory: string) {
  const signal = new AbortController().signal;
  const began = performance.now();
  const watch = watchProcess();
  const repository = await fetchRepository({
    url: `file://${url}`,
    branch: null,
    credential: null,
    directory: join(directory, 'git'),
    signal,
    proxyUrl: null,
    allowFile: true,
  });
  const fetched = performance.now();
  const cpu = process.cpuUsage();
  const found = new Set<string>();
  const target = { kind: 'git_repository' as const, name: 'bench', repository, address: null, directory };
  await secretsDetector.detect(target, {
    signal,
    keyedHash,
    progress: () => {},
    advisories: noAdvisories,
    networkPolicy,
    egressProxyUrl: null,
    cacheDirectory: directory,
    emit: async (batch) => {
      for (const detection of batch) found.add(detection.fingerprint);
    },
  });
  const { user, system } = process.cpuUsage(cpu);
  const ended = performance.now();
  return {
    seconds: (ended - began) / 1000,
    detectSeconds: (ended - fetched) / 1000,
    cpuSeconds: (user + system) / 1e6,
    found: found.size,
    ...watch.stop(),
  };
}

function watchProcess() {
  const start = process.memoryUsage().rss;
  let most = start;
  let longestMs = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
    longestMs = Math.max(longestMs, performance.now() - last - 5);
    last = performance.now();
  }, 5);
  return {
    stop() {
      clearInterval(timer);
      return { megabytes: (most - start) / 1e6, longestMs };
    },
  };
}

/** Adds a commit with a new file to the branch. */
async function addCommit(gitDirectory: string) {
  const options = { gitDirectory, home: gitDirectory, timeoutMs: 60_000 };
  const text = `A note of ${new Date().toISOString()}`;
  const input = `commit refs/heads/main\ncommitter Someone <someone@example.com> 1700000000 +0000\ndata 4\nMore\nfrom refs/heads/main^0\nM 100644 inline note.txt\ndata ${text.length}\n${text}\n`;
  await runGit(['fast-import', '--quiet'], { ...options, input });
}

if (import.meta.main) console.table(await measureRepositoryScan());
