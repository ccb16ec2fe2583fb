import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Log } from './platform/log.ts';
import type { WorkerOrder } from './worker-process.ts';

/**
 * Leaves time, within that of all parts, for draining requests before and for stopping the database after. A worker that
 * is ended by force loses nothing: its jobs continue at the next start.
 */
const stopWithinMs = 10_000;
const maxPauseMs = 30_000;

/**
 * Keeps a worker process running: restarts it when it dies, after growing pauses. `ready` resolves when the first worker
 * is ready.
 */
export function superviseWorker(order: WorkerOrder, log: Log): { ready: Promise<void>; stop(): Promise<void> } {
  let stopping = false;
  let pauseMs = 500;
  let child: ChildProcess;
  let timer: NodeJS.Timeout | undefined;

  function start(onReady: () => void): void {
    child = fork(join(import.meta.dirname, 'worker-process.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child.on('error', (error) => log.error({ err: error }, 'The worker could not be started.'));
    child.once('message', () => {
      pauseMs = 500;
      onReady();
    });
    child.once('exit', (code, signal) => {
      if (stopping) return;
      log.error({ code, signal, pauseMs }, 'The worker ended; it is started again.');
      timer = setTimeout(() => start(onReady), pauseMs);
      pauseMs = Math.min(pauseMs * 2, maxPauseMs);
    });
    child.send(order);
  }

  const ready = new Promise<void>((resolve) => start(resolve));
  return {
    ready,
    async stop() {
      stopping = true;
      clearTimeout(timer);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      const kill = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
      await ended;
      clearTimeout(kill);
    },
  };
}
