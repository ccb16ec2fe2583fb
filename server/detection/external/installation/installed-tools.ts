import { readdirSync, readlinkSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { writePrivateFile } from '../../../platform/private-file.ts';

/**
 * The folder of installed scanners:
 *
 *   bin/PROGRAM              a link to the program of each installed tool
 *   TYPE-VERSION-…/          a folder for each installation, with `bin`
 *   TYPE-VERSION-…/tool.json its record
 *   rules/TYPE/              the operator's own rules
 *
 * A tool is installed once its link points to it, which is an atomic change. Folders without a link are remains of
 * interrupted and replaced installations, and the next command removes them.
 */
export type InstalledTool = {
  type: string;
  /** The version printed by the program. */
  version: string;
  /** The pinned version that was installed. */
  pinned: string;
  source: string;
  installed_at: string;
};

const recordName = 'tool.json';
export const linksOf = (directory: string): string => join(directory, 'bin');

/** Returns the folder for the operator's own rules for a tool. */
export const rulesOf = (directory: string, type: string): string => join(directory, 'rules', type);

/** Returns the record of the tool that a program in `bin` belongs to; null for other programs. */
export async function readInstalledTool(directory: string, program: string): Promise<InstalledTool | null> {
  try {
    const folder = folderOf(directory, await readlink(join(linksOf(directory), program)));
    return folder && JSON.parse(await readFile(join(folder, recordName), 'utf8'));
  } catch {
    return null;
  }
}

/** Returns the installation folder that a link points into; null when it points elsewhere. */
function folderOf(directory: string, target: string): string | null {
  const path = resolve(linksOf(directory), target);
  if (!path.startsWith(`${resolve(directory)}${sep}`)) return null;
  return join(directory, path.slice(resolve(directory).length + 1).split(sep)[0]!);
}

/** Returns the programs of the installed tools with their records. */
export async function listInstalledTools(directory: string): Promise<Array<InstalledTool & { program: string }>> {
  const names = await readdir(linksOf(directory)).catch(() => []);
  const tools = await Promise.all(
    names.map(async (program) => {
      const tool = await readInstalledTool(directory, program);
      return tool && { ...tool, program };
    }),
  );
  return tools.filter((tool) => tool !== null).sort((a, b) => (a.type < b.type ? -1 : 1));
}

/** Activates an installation: writes its record, then points the link to its program. */
export async function activate(
  directory: string,
  folder: string,
  program: string,
  record: InstalledTool,
): Promise<void> {
  await writePrivateFile(join(folder, recordName), JSON.stringify(record));
  const links = linksOf(directory);
  await mkdir(links, { recursive: true, mode: 0o700 });
  const added = join(links, `.${program}.new`);
  await rm(added, { force: true });
  await symlink(join('..', folder.slice(dirname(folder).length + 1), 'bin', program), added);
  await rename(added, join(links, program));
}

/** Removes a tool. A scan that runs it fails. */
export async function deactivate(directory: string, program: string): Promise<void> {
  await rm(join(linksOf(directory), program), { force: true });
}

/** Removes the folders that no link points to. Only call it with the directory locked. */
export async function removeUnused(directory: string): Promise<void> {
  const used = new Set(['bin', 'rules', 'lock']);
  for (const name of readdirSync(linksOf(directory), { withFileTypes: true })) {
    const folder = name.isSymbolicLink() && folderOf(directory, readlinkSync(join(linksOf(directory), name.name)));
    if (folder) used.add(folder.slice(directory.length + 1));
  }
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    if (used.has(name) || !(await lstat(path)).isDirectory()) continue;
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}
