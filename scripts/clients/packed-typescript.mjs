// Packs the package and installs it like its users: from the tarball into an empty project.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, 'clients', 'typescript');
const tsc = join(root, 'node_modules', '.bin', 'tsc');
const packed = ['package.json', 'tsconfig.json', 'README.md', 'CHANGELOG.md', 'src'];

async function hashOfSources() {
  const hash = createHash('sha256').update(await readFile(join(root, 'tsconfig.json')));
  for (const path of packed) {
    const nested = path === 'src' ? (await readdir(join(folder, path), { recursive: true })).sort() : [''];
    for (const file of nested.filter((name) => path !== 'src' || name.endsWith('.ts'))) {
      hash.update(`${path}/${file}\n`).update(await readFile(join(folder, path, file)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

/** Builds and packs a copy of the package, and installs the tarball into an empty project: `project`, beside `client.tgz`. */
async function build(target) {
  const workshop = await mkdtemp(join(tmpdir(), 'assay-client-'));
  try {
    const source = join(workshop, 'clients', 'typescript');
    await mkdir(source, { recursive: true });
    await cp(join(root, 'tsconfig.json'), join(workshop, 'tsconfig.json'));
    for (const path of packed) await cp(join(folder, path), join(source, path), { recursive: true });
    await cp(join(root, 'LICENSE'), join(source, 'LICENSE'));
    await run(tsc, ['-p', source]);
    const npm = (cwd, ...options) => run('npm', [...options, '--loglevel=error'], { cwd });
    const { stdout } = await npm(source, 'pack', '--json', '--ignore-scripts');
    const listing = JSON.parse(stdout);
    const [{ filename, files }] = Array.isArray(listing) ? listing : Object.values(listing);
    const made = join(workshop, 'made');
    await mkdir(join(made, 'project'), { recursive: true });
    await rename(join(source, filename), join(made, 'client.tgz'));
    await writeFile(join(made, 'files.json'), JSON.stringify(files.map(({ path }) => path).sort()));
    await writeFile(join(made, 'project', 'package.json'), '{"private": true, "type": "module"}\n');
    await npm(join(made, 'project'), 'install', '--offline', '--no-audit', '--no-fund', join(made, 'client.tgz'));
    await mkdir(join(target, '..'), { recursive: true });
    // If two processes build it at once, the second uses the first result.
    await cp(made, `${target}.${process.pid}`, { recursive: true });
    await rename(`${target}.${process.pid}`, target).catch(() => rm(`${target}.${process.pid}`, { recursive: true }));
  } finally {
    await rm(workshop, { recursive: true });
  }
}

/**
 * Returns the installed package: its tarball, its files and a project with it. It is built once per version of the
 * sources.
 */
export async function installedPackage() {
  const target = join(root, 'node_modules', '.cache', 'assay-client', await hashOfSources());
  if (!existsSync(join(target, 'project'))) await build(target);
  const project = join(target, 'project');
  const entry = join(project, 'node_modules', '@assay', 'client', 'dist', 'index.js');
  return {
    project,
    entry,
    tarball: join(target, 'client.tgz'),
    files: JSON.parse(await readFile(join(target, 'files.json'), 'utf8')),
    module: () => import(pathToFileURL(entry).href),
  };
}
