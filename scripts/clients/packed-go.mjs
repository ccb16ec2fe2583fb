// Packs the Go module and installs it like its users: from a module proxy into an empty project.
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { goTool, runGo, runProgram } from './go-tools.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const source = join(root, 'clients', 'go');

export const goVersion = async () =>
  /const Version = "(.+)"/.exec(await readFile(join(source, 'version.go'), 'utf8'))?.[1];

/** Returns the module's path from go.mod. */
export const goModulePath = async () => /^module (\S+)$/m.exec(await readFile(join(source, 'go.mod'), 'utf8'))?.[1];

/**
 * Packs the module, by default from this clone, into a folder that a module proxy can serve. Returns its zip file and
 * version.
 */
export async function packGo(proxy, from = source) {
  const version = `v${await goVersion()}`;
  const copy = await mkdtemp(join(tmpdir(), 'assay-go-'));
  try {
    // Tests and tools are omitted: they are separate modules.
    const files = (await readdir(from, { withFileTypes: true })).filter((entry) => entry.isFile());
    for (const { name } of files) await copyFile(join(from, name), join(copy, name));
    const file = await runProgram(goTool('pack'), [copy, version, proxy], root);
    return { file: file.trim(), version };
  } finally {
    await rm(copy, { recursive: true });
  }
}

/** Creates an empty project with the module from a proxy. Returns the environment for Go in it. */
export async function installedModule(project) {
  const [proxy, modules] = [join(project, '.proxy'), join(project, '.modules')];
  const { version } = await packGo(proxy);
  const path = await goModulePath();
  await mkdir(join(project, 'use'));
  const env = { GOPROXY: pathToFileURL(proxy).href, GOSUMDB: 'off', GOMODCACHE: modules };
  await runGo(['mod', 'init', 'example.test/use'], join(project, 'use'), env);
  await runGo(['get', `${path}@${version}`], join(project, 'use'), env);
  return { folder: join(project, 'use'), module: join(modules, `${path}@${version}`), env };
}
