import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { goVersion, packGo } from './packed-go.mjs';
import { installedPackage } from './packed-typescript.mjs';

const manifest = async () =>
  JSON.parse(await readFile(new URL('../../clients/typescript/package.json', import.meta.url), 'utf8'));

/** Packs the TypeScript library, and shows that its tarball installs into an empty project and can be loaded there. */
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

/** Packs the Go module as a module proxy serves it. Go itself takes it from the tag. */
async function buildGo(out) {
  const { file, version } = await packGo(join(out, 'go'));
  const tag = `clients/go/${version}`;
  return { file, publish: `git tag ${tag} && git push origin ${tag}` };
}

/**
 * The client libraries that can be released. `version` reads what the package calls itself; `build` makes it in a directory and
 * returns the file and the command that would publish it.
 */
export const releases = {
  go: { version: goVersion, build: buildGo },
  typescript: { version: async () => (await manifest()).version, build: buildTypescript },
};
