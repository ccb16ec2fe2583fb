import type { LanguageName } from '../languages/language.ts';
import { headOf } from './declarations.ts';
import type { ProgramFile } from './modules.ts';

const packaged: readonly LanguageName[] = ['java', 'php'];

/** Returns whether files of a language are found by the package or namespace that they name, not by their path. */
export const isPackaged = (language: LanguageName): boolean => packaged.includes(language);

/** Finds the files of classes and functions by package, or namespace, and name. */
export class Packages {
  readonly #files = new Map<string, ProgramFile[]>();

  constructor(files: readonly ProgramFile[]) {
    for (const file of files) {
      if (!isPackaged(file.language)) continue;
      const { summary } = file;
      const names = new Set([...summary.classes, ...summary.functions.map(({ name }) => headOf(name))]);
      for (const name of names) {
        const key = keyOf(file, summary.package ?? '', name);
        const others = this.#files.get(key);
        if (others) others.push(file);
        else this.#files.set(key, [file]);
      }
    }
  }

  /** Returns the file that declares a name; of several, the one closest to `from`; null if two are equally close. */
  find(from: ProgramFile, inPackage: string, name: string): ProgramFile | null {
    const found = this.#files.get(keyOf(from, inPackage, name)) ?? [];
    if (found.length < 2) return found[0] ?? null;
    const close = found
      .map((file) => ({ file, shared: sharedFolders(from.path, file.path) }))
      .sort((left, right) => right.shared - left.shared);
    return close[0]!.shared > close[1]!.shared ? close[0]!.file : null;
  }
}

const keyOf = ({ language }: ProgramFile, inPackage: string, name: string) => `${language} ${inPackage} ${name}`;

function sharedFolders(left: string, right: string): number {
  const others = right.split('/').slice(0, -1);
  const different = left.split('/').findIndex((part, index) => part !== others[index]);
  return different < 0 ? others.length : different;
}
