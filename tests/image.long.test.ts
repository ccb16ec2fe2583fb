import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, matchesGlob, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Instruction, readDockerfile, type Stage } from '../scanner/detectors/infrastructure/dockerfile.ts';
import { eventually } from './harness/installation.ts';
import { StockPostgres } from './harness/stock-postgres.ts';

const root = join(import.meta.dirname, '..');

/** A stage that was executed in a folder that stands for `/`. */
type Built = { folder: string; environment: Record<string, string>; instructions: Instruction[] };

/** npm's own variables contain the repository's path, and the runner's the code that it compiled there. */
const ownEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_(?!config_(registry|cache)$)|NODE_|ASSAY_)/.test(name)),
);
const path = `${dirname(process.execPath)}:${process.env.PATH}`;

/** Copies the files that `docker build` would see in a clone. */
function copyContext(context: string): void {
  const patterns = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  assert.ok(
    !patterns.some((pattern) => pattern.startsWith('!')),
    'Patterns that take files in again are not read here.',
  );
  const isIgnored = (file: string) => {
    const parts = file.split('/');
    return parts.some((_part, index) =>
      patterns.some((pattern) => matchesGlob(parts.slice(0, index + 1).join('/'), pattern)),
    );
  };
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const file of stdout.split('\0')) {
    if (file === '' || isIgnored(file) || !existsSync(join(root, file))) continue;
    cpSync(join(root, file), join(context, file), { recursive: true });
  }
}

/** Copies like COPY: the content of a folder, and a file into a target folder. */
function copyInto(from: string, to: string, isFolder: boolean): void {
  const target = isFolder && !statSync(from).isDirectory() ? join(to, basename(from)) : to;
  mkdirSync(dirname(target), { recursive: true });
  cpSync(from, target, { recursive: true, verbatimSymlinks: true });
}

/** Executes a stage. The packages of the system are those of this machine. */
function build({ instructions }: Stage, folder: string, context: string, built: Map<string, Built>): Built {
  const environment: Record<string, string> = {};
  let directory = '/';
  const place = (name: string) => join(folder, resolve(directory, name));
  for (const { keyword, text, words, flags } of instructions) {
    if (keyword === 'WORKDIR') {
      directory = resolve(directory, words[0]!);
      mkdirSync(place('.'), { recursive: true });
    } else if (keyword === 'ENV') {
      for (const [, name, value] of text.matchAll(/(\w+)=(\S+)/g)) environment[name!] = value!;
    } else if (keyword === 'COPY') {
      const sources = words.slice(0, -1);
      const target = words.at(-1)!;
      const origin = flags.from === undefined ? context : built.get(flags.from)!.folder;
      const isFolder = sources.length > 1 || /(^|\/)\.?$/.test(target);
      for (const source of sources) copyInto(join(origin, source), place(target), isFolder);
    } else if (keyword === 'RUN' && !text.startsWith('apt-get ')) {
      const env = { ...ownEnvironment, ...environment, PATH: path };
      const { status, stdout, stderr } = spawnSync('sh', ['-c', text], { cwd: place('.'), env, encoding: 'utf8' });
      assert.equal(status, 0, `${text}:\n${stdout}${stderr}`);
    } else {
      assert.match(keyword, /^(FROM|RUN|USER|VOLUME|EXPOSE|HEALTHCHECK|ENTRYPOINT|CMD)$/, 'unknown here');
    }
  }
  return { folder, environment, instructions };
}

describe('an image', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'assay-image-'));
  const postgres = new StockPostgres();
  let image: Built;
  let server: ChildProcess;
  let output = '';
  let origin = '';

  const textOf = (keyword: string) => image.instructions.findLast((one) => one.keyword === keyword)!.text;
  const wordsOf = (keyword: string): string[] => JSON.parse(textOf(keyword).replace(/^.*?(?=\[)/, ''));
  /** Returns the image's user, who can't write to the image, if this process can choose a user. */
  const user = () => {
    const [uid, gid] = textOf('USER').split(':').map(Number);
    return process.getuid?.() === 0 ? { uid: uid!, gid: gid! } : {};
  };

  before(async () => {
    const context = join(scratch, 'context');
    copyContext(context);
    const { stages } = readDockerfile(readFileSync(join(root, 'deploy', 'Dockerfile'), 'utf8'))!;
    const built = new Map<string, Built>();
    for (const stage of stages) built.set(stage.name, build(stage, join(scratch, stage.name), context, built));
    image = built.get(stages.at(-1)!.name)!;
    await postgres.start();
    // Its socket is for the image's user, too.
    chmodSync(postgres.directory, 0o755);
  });
  after(async () => {
    if (server?.exitCode === null && server.signalCode === null) {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
    await postgres.remove();
    rmSync(scratch, { recursive: true, force: true });
  });

  test('that is built according to its file starts as its own user, and is ready', async () => {
    chmodSync(scratch, 0o755);
    const writable = ['data', 'tmp'].map((name) => join(scratch, name));
    const { uid, gid } = user();
    for (const folder of writable) {
      mkdirSync(folder);
      if (uid !== undefined) chownSync(folder, uid, gid!);
    }
    // The rest of the entry point is a system package.
    const [, ...parameters] = [...wordsOf('ENTRYPOINT'), ...wordsOf('CMD')].slice(
      wordsOf('ENTRYPOINT').indexOf('node'),
    );
    server = spawn(process.execPath, parameters, {
      cwd: join(image.folder, 'app'),
      stdio: ['ignore', 'pipe', 'pipe'],
      ...user(),
      env: {
        ...image.environment,
        // Docker sets this for a user without an account.
        HOME: '/',
        PATH: path,
        HOST: '127.0.0.1',
        PORT: '0',
        TMPDIR: writable[1]!,
        NODE_COMPILE_CACHE: join(writable[1]!, basename(image.environment.NODE_COMPILE_CACHE!)),
        ASSAY_DATA_DIR: writable[0]!,
        ASSAY_SECRET_KEY: 'k'.repeat(40),
        DATABASE_URL: postgres.url('postgres'),
      },
    });
    for (const stream of [server.stdout!, server.stderr!]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    const ended = once(server, 'exit').then(([code, signal]) => {
      throw new Error(`It ended (${code ?? signal}):\n${output}`);
    });
    const ready = eventually(async () => /ready at (http:\/\/[\d.:]+)/.exec(output)?.[1]);
    origin = await Promise.race([ready, ended]);
    ended.catch(() => {});
    const { status } = await fetch(`${origin}/readyz`);
    assert.equal(status, 200, output);
  });

  test('reports itself as healthy', async () => {
    const check = spawn(process.execPath, wordsOf('HEALTHCHECK').slice(1), {
      env: { PATH: path, PORT: new URL(origin).port },
    });
    const [code] = await once(check, 'exit');
    assert.equal(code, 0);
  });

  test('serves the console with everything that its page names, and the description of the API', async () => {
    const page = await (await fetch(origin, { headers: { accept: 'text/html' } })).text();
    const names = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, name]) => name!);
    assert.ok(names.length > 3, page);
    for (const name of [...names, '/api/v1/openapi.json']) {
      const { status } = await fetch(`${origin}${name}`);
      assert.equal(status, 200, name);
    }
  });
});
