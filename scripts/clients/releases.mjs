import { copyFile, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { goVersion, packGo } from './packed-go.mjs';
import { installedPackage as installedPython } from './packed-python.mjs';
import { installedPackage } from './packed-typescript.mjs';
import { run } from './python.mjs';

const manifest = async () =>
  JSON.parse(await readFile(new URL('../../clients/typescript/package.json', import.meta.url), 'utf8'));

/**
 * Packs the TypeScript library, and checks that its tarball can be installed into an empty project and loaded there.
 */
async function buildTypescript(out) {
  const { version } = await manifest();
  const installed = await installedPackage();
  const library = await installed.module();
  if (library.version !== version)
    throw new Error(`The packed library calls itself ${library.version}, not ${version}.`);
  const file = join(out, `assay-client-${version}.tgz`);
  await copyFile(installed.tarball, file);
  return { file, publish: `npm publish --access public ${file}` };
}

/** Packs the Go module in the form that a module proxy serves. Go itself downloads it from the tag. */
async function buildGo(out) {
  const { file, version } = await packGo(join(out, 'go'));
  const tag = `clients/go/${version}`;
  return { file, publish: `git tag ${tag} && git push origin ${tag}` };
}

const pythonVersion = async () => {
  const text = await readFile(new URL('../../clients/python/src/assay/_version.py', import.meta.url), 'utf8');
  return /^__version__ = "(.+)"$/m.exec(text)?.[1];
};

/** Builds the Python library, and checks that its wheel can be installed into an environment and loaded there. */
async function buildPython(out) {
  const { wheel, archive, python } = installedPython();
  const loaded = run(python, ['-I', '-c', 'import assay; print(assay.__version__)']).trim();
  if (loaded !== (await pythonVersion())) throw new Error(`The wheel calls itself ${loaded}.`);
  const files = [wheel, archive].map((path) => join(out, basename(path)));
  await Promise.all([copyFile(wheel, files[0]), copyFile(archive, files[1])]);
  return { file: files[0], publish: `twine upload ${files.join(' ')}` };
}

/**
 * The client libraries that can be released. `version` reads the package's version; `build` builds it into a directory, and
 * returns the file and the command that would publish it.
 */
export const releases = {
  go: { version: goVersion, build: buildGo },
  python: { version: pythonVersion, build: buildPython },
  typescript: { version: async () => (await manifest()).version, build: buildTypescript },
};
