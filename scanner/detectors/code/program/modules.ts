import type { LanguageName } from '../languages/language.ts';
import type { FileSummary } from './summary.ts';

/** A file of the program. */
export type ProgramFile = { path: string; language: LanguageName; summary: FileSummary };

const javaScriptEndings = ['.ts', '.tsx', '.js', '.jsx', '.mjs', '.cjs', '.mts', '.cts', '.vue', '.svelte'];
const maxParents = 12;

/** Finds the file of a module by its name in an import. */
export class Modules {
  readonly #byPath: Map<string, ProgramFile>;
  readonly #found = new Map<string, ProgramFile | null>();

  constructor(files: readonly ProgramFile[]) {
    this.#byPath = new Map(files.map((file) => [file.path, file]));
  }

  find(from: ProgramFile, module: string): ProgramFile | null {
    const key = `${from.language} ${folderOf(from.path)} ${module}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const found =
      from.language === 'javascript' ? this.#javaScript(from.path, module) : this.#python(from.path, module);
    this.#found.set(key, found);
    return found;
  }

  #first(paths: string[]): ProgramFile | null {
    for (const path of paths) {
      const file = this.#byPath.get(path);
      if (file) return file;
    }
    return null;
  }

  #javaScript(from: string, module: string): ProgramFile | null {
    const folder = folderOf(from);
    if (/^\.{1,2}(?:\/|$)/.test(module)) {
      const path = joined(folder, module);
      return path === null ? null : this.#first(javaScriptPaths(path));
    }
    // An alias of the sources' folder: `@/users`, `~/users`, `src/users`.
    const own = /^(?:[@~]\/|#)(.+)$/.exec(module)?.[1] ?? module;
    const isAlias = own !== module;
    for (const parent of parentsOf(folder))
      for (const start of isAlias ? ['src/', '', 'app/'] : [''])
        if (isAlias || module.includes('/')) {
          const found = this.#first(javaScriptPaths(`${parent}${start}${own}`));
          if (found) return found;
        }
    return null;
  }

  #python(from: string, module: string): ProgramFile | null {
    const folder = folderOf(from);
    const dots = /^\.+/.exec(module)?.[0].length ?? 0;
    const rest = module.slice(dots).replaceAll('.', '/');
    if (dots > 0) {
      const start = joined(folder, '../'.repeat(dots - 1));
      return start === null ? null : this.#first(pythonPaths(`${start}${start && rest ? '/' : ''}${rest}`));
    }
    for (const parent of parentsOf(folder)) {
      const found = this.#first(pythonPaths(`${parent}${rest}`));
      if (found) return found;
    }
    return this.#first(pythonPaths(`src/${rest}`));
  }
}

const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Returns the folders around a file, the nearest first, each with a slash at its end; the last is empty. */
function parentsOf(folder: string): string[] {
  const parts = folder === '' ? [] : folder.split('/').slice(0, maxParents);
  return [...parts.map((_, index) => `${parts.slice(0, parts.length - index).join('/')}/`), ''];
}

/** Returns a path relative to a folder, without `.` and `..`; null if it leads out of the repository. */
function joined(folder: string, relative: string): string | null {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of relative.split('/')) {
    if (part === '..' && parts.pop() === undefined) return null;
    if (part !== '' && part !== '.' && part !== '..') parts.push(part);
  }
  return parts.join('/');
}

function javaScriptPaths(path: string): string[] {
  // TypeScript imports `./users.js`, which is compiled from users.ts.
  const bare = path.replace(/\.[cm]?jsx?$/, '');
  const inFolder = javaScriptEndings.map((ending) => `${path}${path === '' ? '' : '/'}index${ending}`);
  return [path, ...javaScriptEndings.flatMap((ending) => [`${bare}${ending}`, `${path}${ending}`]), ...inFolder];
}

const pythonPaths = (path: string) => [`${path}.py`, `${path}${path === '' ? '' : '/'}__init__.py`];
