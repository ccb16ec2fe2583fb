import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Real repositories for tests, created by the system's git with fixed names and times. */
export class RepositoryFixture {
  readonly root = mkdtempSync(join(tmpdir(), 'repository-fixture-'));
  readonly work: string;
  #second = 0;

  constructor(name = 'work') {
    this.work = join(this.root, name);
    mkdirSync(this.work);
    this.git('init', '--quiet', '--initial-branch=main');
  }

  git(...commandLine: string[]): string {
    const time = `2024-01-01T00:00:${String(this.#second % 60).padStart(2, '0')}Z`;
    return execFileSync('git', ['-c', 'protocol.file.allow=always', '-c', 'core.quotePath=false', ...commandLine], {
      cwd: this.work,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1e9,
      env: {
        PATH: process.env.PATH,
        HOME: this.root,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: 'Someone',
        GIT_AUTHOR_EMAIL: 'someone@example.com',
        GIT_COMMITTER_NAME: 'Someone',
        GIT_COMMITTER_EMAIL: 'someone@example.com',
        GIT_AUTHOR_DATE: time,
        GIT_COMMITTER_DATE: time,
      },
    }).trim();
  }

  write(path: string | Buffer, content: string | Uint8Array) {
    const full = Buffer.concat([Buffer.from(`${this.work}/`), Buffer.from(path)]);
    mkdirSync(dirname(full.toString('latin1')), { recursive: true });
    writeFileSync(full, content);
  }

  /** Writes the files, commits everything and returns the commit's id. */
  commit(files: Record<string, string | Uint8Array>, message = 'Change'): string {
    for (const [path, content] of Object.entries(files)) this.write(path, content);
    this.git('add', '--all');
    this.#second++;
    this.git('commit', '--quiet', '--allow-empty', `--message=${message}`);
    return this.git('rev-parse', 'HEAD');
  }

  remove() {
    rmSync(this.root, { recursive: true, force: true });
  }
}

export type Listener = { url: string; port: number; close(): Promise<void> };

async function listen(server: Server | ReturnType<typeof createTcpServer>, scheme: string): Promise<Listener> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    port,
    close: async () => {
      if ('closeAllConnections' in server) server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * Serves the repositories below `root` over HTTP with git's own backend; with `authorization`, only to requests with
 * it.
 */
export function serveHttp(root: string, authorization: string | null = null, seen: string[] = []): Promise<Listener> {
  const backend = join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), 'git-http-backend');
  return listen(
    createServer((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`);
      if (authorization && request.headers.authorization !== authorization) {
        response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="test"' }).end();
        return;
      }
      runBackend(backend, root, request, response);
    }),
    'http',
  );
}

function runBackend(backend: string, root: string, request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const child = spawn(backend, [], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROTOCOL: request.headers['git-protocol'] as string,
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] as string,
      REQUEST_METHOD: request.method,
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers['content-type'],
    },
  });
  request.pipe(child.stdin).on('error', () => {});
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.on('close', () => {
    const output = Buffer.concat(chunks);
    const end = output.indexOf('\r\n\r\n');
    let status = 200;
    for (const line of output.subarray(0, end).toString().split('\r\n')) {
      const [name, value] = line.split(': ', 2);
      if (name === 'Status') status = Number.parseInt(value!, 10);
      else if (name && value) response.setHeader(name, value);
    }
    response.writeHead(status).end(output.subarray(end + 4));
  });
}

/** Runs git's daemon for the repositories below `root`. */
export async function serveDaemon(root: string): Promise<Listener> {
  const holder = await listen(createTcpServer(), 'git');
  await holder.close();
  const daemon = spawn(
    'git',
    [
      'daemon',
      '--export-all',
      '--reuseaddr',
      `--base-path=${root}`,
      '--listen=127.0.0.1',
      `--port=${holder.port}`,
      root,
    ],
    { stdio: 'ignore', detached: true },
  );
  for (let attempt = 0; attempt < 200; attempt++) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(holder.port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.end());
    });
    if (open) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    ...holder,
    close: async () => {
      process.kill(-daemon.pid!, 'SIGKILL');
      if (daemon.exitCode === null && daemon.signalCode === null) await once(daemon, 'exit');
    },
  };
}
