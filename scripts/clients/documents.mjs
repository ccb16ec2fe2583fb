import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runGo } from './go-tools.mjs';
import { installedPackage as installedPython } from './packed-python.mjs';
import { installTools } from './tools.mjs';

const folder = fileURLToPath(new URL('../../clients/typescript/', import.meta.url));

/** Writes the reference with TypeDoc, which fails on any warning, and returns its folder. */
export function documentTypescript(target = join(folder, 'reference')) {
  const program = join(installTools(), 'typedoc', 'bin', 'typedoc');
  const options = ['--options', join(folder, 'tools', 'typedoc.json'), '--out', target, '--logLevel', 'Warn'];
  const run = spawnSync(process.execPath, [program, ...options], { cwd: folder, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`TypeDoc failed:\n${run.stdout}${run.stderr}`);
  return target;
}

/** Writes the reference with go doc, and returns its file. */
async function documentGo(target = fileURLToPath(new URL('../../clients/go/reference/', import.meta.url))) {
  const text = await runGo(['doc', '-all', '.'], 'clients/go');
  await mkdir(target, { recursive: true });
  const file = join(target, 'assay.txt');
  await writeFile(file, text);
  return file;
}

const pythonFolder = fileURLToPath(new URL('../../clients/python/', import.meta.url));

/** Writes the reference of the installed package with pdoc, and returns its folder. */
export function documentPython(target = join(pythonFolder, 'reference')) {
  const { python } = installedPython();
  // The source does not contain the fields of a TypedDict created by a call.
  const warnings = ['-W', 'error', '-W', 'ignore:Cannot determine where assay.params'];
  const options = ['--no-show-source', '-o', target, 'assay'];
  const run = spawnSync(python, ['-I', ...warnings, '-m', 'pdoc', ...options], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`pdoc failed:\n${run.stdout}${run.stderr}`);
  return target;
}

/** Functions that write the reference of each client library and return its location. */
export const documents = { go: documentGo, python: documentPython, typescript: documentTypescript };
