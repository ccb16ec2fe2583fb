import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const program = join(import.meta.dirname, '..', 'server', 'assay.mjs');

/** The options in the first line of the program, which `node` itself does not read. */
const nodeOptions = readFileSync(program, 'utf8')
  .split('\n', 1)[0]!
  .split(' ')
  .filter((word) => word.startsWith('--'));

export type ServerProcess = { address: string; pid: number; startSeconds: number; stop(): Promise<void> };

/** Runs `assay start` on a free port, with limits that no measurement reaches. Its log is written to a file. */
export async function startServer(directory: string, environment: Record<string, string> = {}): Promise<ServerProcess> {
  const logFile = join(directory, 'bench-server.log');
  const log = openSync(logFile, 'w');
  const began = performance.now();
  const child = spawn(process.execPath, [...nodeOptions, program, 'start'], {
    stdio: ['ignore', log, log],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: '0',
      ASSAY_DATA_DIR: directory,
      ASSAY_RATE_LIMIT: '1000000',
      ASSAY_RATE_BURST: '2000000',
      ASSAY_PROCESSOR_BUDGET: '0',
      ASSAY_ORGANIZATION_PROCESSOR_BUDGET: '0',
      ...environment,
    },
  });
  closeSync(log);
  const address = await waitForAddress(child, logFile);
  return {
    address: `${address}/api/v1`,
    pid: child.pid!,
    startSeconds: (performance.now() - began) / 1000,
    async stop() {
      if (child.exitCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
    },
  };
}

async function waitForAddress(child: ChildProcess, logFile: string): Promise<string> {
  for (;;) {
    const text = readFileSync(logFile, 'utf8');
    const address = /Assay is ready at (http:\S+)/.exec(text)?.[1];
    if (address && (await fetch(`${address}/readyz`)).ok) return address;
    if (child.exitCode !== null) throw new Error(`assay start ended:\n${text}`);
    await delay(5);
  }
}
