import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after } from 'node:test';

const root = resolve(import.meta.dirname, '../../../..');
export const home = mkdtempSync(join(tmpdir(), 'installed-tools-'));
after(() => rmSync(home, { recursive: true, force: true }));
export const directory = join(home, 'data', 'tools');

export const commandOf = (commandLine: string[]) => [join(root, 'server', 'assay.mjs'), 'tools', ...commandLine];
export const environmentOf = (more: Record<string, string>) => ({
  ...process.env,
  ASSAY_DATA_DIR: join(home, 'data'),
  ...more,
});

export function assay(commandLine: string[], more: Record<string, string> = {}) {
  const env = environmentOf(more);
  const { status, stdout, stderr } = spawnSync(process.execPath, commandOf(commandLine), { encoding: 'utf8', env });
  return { status, stdout, stderr };
}

/** Returns a folder for a separate PATH, with these programs of the machine and a script for each other name. */
export function folderOf(name: string, scripts: Record<string, string>): string {
  const folder = join(home, name);
  mkdirSync(folder);
  for (const [program, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, program), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, program), 0o755);
  }
  return folder;
}

export const folders = () =>
  readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'bin')
    .map(({ name }) => name);
