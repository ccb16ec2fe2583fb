import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { runGit } from '../scanner/platform/git.ts';

export type LargeRepository = {
  directory: string;
  commits: number;
  files: number;
  /** The total number of versions of all files. */
  blobs: number;
  bytes: number;
  plantedSecrets: number;
};

const texts = new Set(['.js', '.ts', '.mjs', '.cjs', '.md', '.json', '.css', '.yml', '.map']);
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Creates a repository as large as a well-known public one through `git fast-import`, unless it exists: `files` files
 * with source text from node_modules, then `commits` commits that each change one or a few lines of four files; every
 * 50th commit adds a secret.
 */
export async function makeLargeRepository(
  directory: string,
  { commits = 10_000, files = 20_000 } = {},
): Promise<LargeRepository> {
  const made = join(directory, 'made.json');
  if (existsSync(made)) return JSON.parse(await readFile(made, 'utf8'));
  const building = `${directory}.building`;
  await rm(building, { recursive: true, force: true });
  await rm(directory, { recursive: true, force: true });
  await mkdir(building, { recursive: true });
  const options = { gitDirectory: null, home: building, timeoutMs: 600_000 };
  await runGit(['init', '--quiet', '--bare', '--initial-branch=main', building], options);
  const git = spawn('git', ['fast-import', '--quiet'], { cwd: building, stdio: ['pipe', 'inherit', 'inherit'] });
  const result = await write(git.stdin, await sourceTexts(files), commits);
  git.stdin.end();
  const [code] = await once(git, 'exit');
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
  const described = { directory, commits, files, ...result };
  await runGit(['repack', '-a', '-d', '-q', '--depth=50', '--window=10'], { ...options, gitDirectory: building });
  await rename(building, directory);
  await writeFile(made, JSON.stringify(described));
  return described;
}

async function sourceTexts(count: number): Promise<Array<{ path: string; lines: string[] }>> {
  const root = join(import.meta.dirname, '..', 'node_modules');
  const entries = await readdir(root, { withFileTypes: true, recursive: true });
  const found: Array<{ path: string; lines: string[] }> = [];
  for (const entry of entries.sort((left, right) =>
    join(left.parentPath, left.name) < join(right.parentPath, right.name) ? -1 : 1,
  )) {
    if (!entry.isFile() || !texts.has(extname(entry.name))) continue;
    const file = join(entry.parentPath, entry.name);
    const text = await readFile(file, 'utf8');
    if (text.length > 64_000) continue;
    found.push({ path: file.slice(root.length + 1), lines: text.split('\n') });
    if (found.length === count) break;
  }
  if (found.length === 0) throw new Error('node_modules is empty: install first');
  return Array.from({ length: count }, (_, index) => {
    const copy = Math.floor(index / found.length);
    const { path, lines } = found[index % found.length]!;
    return { path: `packages-${copy}/${path}`, lines: copy === 0 ? lines : [`// copy ${copy}`, ...lines] };
  });
}

async function write(output: Writable, files: Array<{ path: string; lines: string[] }>, commits: number) {
  const random = randomNumbers(1);
  const total = { blobs: 0, bytes: 0, plantedSecrets: 0 };
  const send = async (data: string | Buffer) => {
    if (!output.write(data)) await once(output, 'drain');
  };
  const modify = async ({ path, lines }: { path: string; lines: string[] }) => {
    const content = Buffer.from(lines.join('\n'));
    total.blobs++;
    total.bytes += content.length;
    await send(`M 100644 inline ${path}\ndata ${content.length}\n`);
    await send(content);
    await send('\n');
  };
  const begin = (index: number) =>
    send(
      `commit refs/heads/main\ncommitter Someone <someone@example.com> ${1_600_000_000 + index * 3600} +0000\n` +
        `data <<END\nChange ${index}\nEND\n`,
    );
  await begin(0);
  for (const file of files) await modify(file);
  for (let index = 1; index < commits; index++) {
    await begin(index);
    for (let change = 0; change < 4; change++) {
      const file = files[Math.floor(random() * files.length)]!;
      const at = Math.floor(random() * file.lines.length);
      if (random() < 0.3) file.lines.splice(at, 1);
      else file.lines.splice(at, 0, file.lines[Math.floor(random() * file.lines.length)] ?? '', `// change ${index}`);
      if (index % 50 === 0 && change === 0) {
        total.plantedSecrets++;
        file.lines.splice(at, 0, `const token = '${plantedToken(random)}';`);
      }
      await modify(file);
    }
  }
  return total;
}

/** Returns a token in the format of Stripe; it is assembled here and not valid. */
function plantedToken(random: () => number): string {
  const characters = Array.from({ length: 24 }, () => alphabet[Math.floor(random() * alphabet.length)]);
  return `sk_${'live'}_${characters.join('')}`;
}

/** Returns a generator of numbers, the same for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
