import { type ChildProcess, spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import {
  connectOverOutlets,
  type Outlet,
  type OutletSockets,
  openOutlets,
} from '@assay/scanner/platform/sandbox/outlets.ts';
import { programPath } from '@assay/scanner/platform/sandbox/paths.ts';
import { confine } from '@assay/scanner/platform/sandbox/sandbox.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '@assay/scanner/platform/temporary-directory.ts';
import { ApiError } from './errors.ts';
import type { Log } from './log.ts';
import { nodeFiles, nodePermissions } from './sandbox/node-process.ts';

/** A separate process for work that would block the event loop or grow the heap. It runs only while it is needed. */
export type HelperProcess = {
  /** Starts the process unless it runs, and calls `run` with a connection to it, which `run` must close. */
  use<T>(run: (connection: Socket) => Promise<T>): Promise<T>;
  /** Ends the process and any work in progress. */
  close(): Promise<void>;
};

export type HelperOptions<Order extends object> = {
  /** The name in the log. */
  name: string;
  /** The module that the process runs. It begins with `serveAsHelper`. */
  module: string;
  /** Passed to the process over a pipe, to keep secrets out of the environment and the process list. */
  order: Order;
  /** The process is ended when nobody has used it for this long. */
  idleMs: number;
  log: Log;
  /** The servers that the process may connect to. It has no other network access. */
  outlets?: readonly Outlet[];
  /** Files that the process reads besides our sources. */
  reads?: readonly string[];
  /** Options of Node.js besides those of this process. */
  nodeOptions?: readonly string[];
};

/** The environment variables that the process gets: those of Node.js and of libraries that open connections. */
const passedVariables = /^(LANG|TZ|NODE_COMPILE_CACHE|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|(PG|OTEL_).*)$/;

function environmentIn(directory: string): Record<string, string> {
  const passed = Object.entries(process.env).filter(([name, value]) => passedVariables.test(name) && value);
  return {
    ...(Object.fromEntries(passed) as Record<string, string>),
    PATH: programPath,
    HOME: directory,
    TMPDIR: directory,
  };
}

/** Starts Node.js with a module, confined to its own directory, our sources and the passed files. */
function spawnConfined<Order extends object>(
  { module, nodeOptions = [], reads: given = [] }: HelperOptions<Order>,
  directory: string,
): ChildProcess {
  const reads = [...given, ...(process.env.NODE_EXTRA_CA_CERTS ? [process.env.NODE_EXTRA_CA_CERTS] : [])];
  const permissions = nodePermissions({ reads, writes: [directory] });
  const { command } = confine({
    command: [process.execPath, ...process.execArgv, ...nodeOptions, ...permissions, module],
    program: process.execPath,
    directory,
    home: directory,
    confinement: { reads: [...nodeFiles(), ...reads], network: 'none' },
  });
  const options = {
    cwd: directory,
    env: environmentIn(directory),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  } as const;
  return spawn(command[0]!, command.slice(1), { ...options, stdio: [...options.stdio] });
}

type Running = { child: ChildProcess; socketPath: string; ended: Promise<void>; stops: boolean };

const stopWithinMs = 5_000;

const unavailable = (cause: unknown) =>
  new ApiError('unavailable', 'A part of the server could not be started. Try again in a few seconds.', {
    headers: { 'Retry-After': '5' },
    cause,
  });

/** Resolves when the process reports that it is ready, and rejects when it exits first. */
const untilReady = (child: ChildProcess, name: string) =>
  new Promise<void>((resolve, reject) => {
    const failed = (cause: unknown) => reject(unavailable(cause));
    child.once('message', () => resolve());
    child.once('error', failed);
    child.once('exit', (code, signal) => failed(new Error(`${name} ended with ${signal ?? code} while it started`)));
  });

/** Thrown by the `run` of `use` when the process has accepted no work: a new process can do it. */
export class HelperGone extends Error {}

const connected = (socketPath: string) =>
  new Promise<Socket>((resolve, reject) => {
    const socket = connect(socketPath, () => resolve(socket.off('error', failed)));
    const failed = (cause: Error) => reject(new HelperGone('The process does not listen.', { cause }));
    socket.once('error', failed);
  });

/** Returns a helper process, which starts on first use. */
export function createHelperProcess<Order extends object>(options: HelperOptions<Order>): HelperProcess {
  const { name, log } = options;
  let running: Promise<Running> | null = null;
  let users = 0;
  let idle: NodeJS.Timeout | undefined;

  async function startIn(directory: TemporaryDirectory): Promise<Running> {
    const socketPath = join(directory.path, 'socket');
    const outlets = await openOutlets(options.outlets ?? [], directory.path);
    const child = spawnConfined(options, directory.path);
    const ended = new Promise<void>((resolve) => {
      child.once('exit', resolve);
      child.once('error', () => resolve());
    }).then(() => {
      outlets.close();
      return directory.remove();
    });
    child.send({ socketPath, order: options.order, outlets: outlets.sockets });
    await untilReady(child, name);
    return { child, socketPath, ended, stops: false };
  }

  const forget = (started: Promise<Running>) => {
    if (running === started) running = null;
  };

  function start(): Promise<Running> {
    const started = makeTemporaryDirectory().then(startIn);
    started.then(
      (helper) =>
        helper.child.once('exit', (code, signal) => {
          forget(started);
          if (!helper.stops) log.error({ code, signal }, `${name} ended; it is started again when it is needed.`);
        }),
      () => forget(started),
    );
    return started;
  }

  /** A killed process is replaced, even before its exit event has arrived. */
  async function runWith<T>(run: (connection: Socket) => Promise<T>, attemptsLeft = 1): Promise<T> {
    running ??= start();
    const used = running;
    try {
      return await run(await connected((await used).socketPath));
    } catch (error) {
      if (!(error instanceof HelperGone)) throw error;
      forget(used);
      if (attemptsLeft === 0) throw unavailable(error);
      return runWith(run, attemptsLeft - 1);
    }
  }

  async function stop(): Promise<void> {
    clearTimeout(idle);
    const stopped = running;
    running = null;
    const helper = await stopped?.catch(() => null);
    if (!helper) return;
    const { child, ended } = helper;
    helper.stops = true;
    if (child.connected) child.disconnect();
    const kill = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
    await ended;
    clearTimeout(kill);
  }

  return {
    async use(run) {
      users += 1;
      clearTimeout(idle);
      try {
        return await runWith(run);
      } finally {
        users -= 1;
        if (users === 0) idle = setTimeout(() => void stop(), options.idleMs).unref();
      }
    },
    close: stop,
  };
}

/**
 * The child's side: calls `serve` with the order and the path of the socket, and reports that the process is ready.
 * The process exits at once when its parent disconnects or exits. Signals to the whole group, as from Ctrl-C or a
 * service manager, are for the parent, which drains first.
 */
export function serveAsHelper<Order>(serve: (order: Order, socketPath: string) => Promise<unknown>): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
  process.once('disconnect', () => process.exit(0));
  type Start = { order: Order; socketPath: string; outlets: OutletSockets };
  process.once('message', async ({ order, socketPath, outlets }: Start) => {
    connectOverOutlets(outlets);
    await serve(order, socketPath);
    process.send?.('ready');
  });
}
