import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Log } from '../platform/log.ts';
import type { WorkerFigures, WorkerOrder, WorkerRequest } from './worker-process.ts';

/**
 * Leaves enough of the total shutdown time for draining requests before and for stopping the database after. A killed
 * worker loses nothing: its jobs continue after the next start.
 */
const stopWithinMs = 10_000;
const maxPauseMs = 30_000;

const figuresWithinMs = 1_000;

export type SupervisedWorker = {
  /** Resolves when the first worker is ready. */
  ready: Promise<void>;
  /** Returns the worker's metrics; none when it does not respond. */
  readFigures(): Promise<string>;
  setLogLevel(level: string): void;
  stop(): Promise<void>;
};

/** Keeps a worker process running: restarts it when it dies, after growing pauses. */
export function superviseWorker(order: WorkerOrder, log: Log): SupervisedWorker {
  let stopping = false;
  let pauseMs = 500;
  let child: ChildProcess;
  let timer: NodeJS.Timeout | undefined;
  let logLevel: string | null = null;
  let questions = 0;

  function start(onReady: () => void): void {
    child = fork(join(import.meta.dirname, 'worker-process.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child.on('error', (error) => log.error({ err: error }, 'The worker could not be started.'));
    child.on('message', (message) => {
      if (message !== 'ready') return;
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
    if (logLevel !== null) request({ logLevel });
  }

  /** A worker that has just died gets no message: the sender does not wait for it. */
  const request = (message: WorkerRequest) => child.connected && child.send(message, () => {});

  const ready = new Promise<void>((resolve) => start(resolve));
  return {
    ready,
    async readFigures() {
      const asked = child;
      const question = ++questions;
      const { promise, resolve } = Promise.withResolvers<string>();
      const listen = (message: unknown) => {
        const { readFigures, text } = Object(message) as WorkerFigures;
        if (readFigures === question) resolve(text);
      };
      asked.on('message', listen);
      const late = setTimeout(() => resolve(''), figuresWithinMs);
      request({ readFigures: question });
      return promise.finally(() => {
        clearTimeout(late);
        asked.off('message', listen);
      });
    },
    setLogLevel(level) {
      logLevel = level;
      request({ logLevel });
    },
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
