import type { LanguageName } from '../languages/language.ts';
import { headOf } from './declarations.ts';
import type { ProgramFile } from './modules.ts';

const packaged: readonly LanguageName[] = ['java', 'php', 'go'];

/** Returns whether files of a language are found by the package or namespace that they name, not by their path. */
export const isPackaged = (language: LanguageName): boolean => packaged.includes(language);

/** Returns whether values of a language have fields that their types declare. */
export const hasFields = (language: LanguageName): boolean => isPackaged(language) || language === 'csharp';

const maxFolders = 12;

/** Returns the package or namespace of a file. In Go, it is the folder: files name only its last part. */
export const packageOf = ({ language, path, summary }: ProgramFile): string =>
  language === 'go' ? path.slice(0, Math.max(0, path.lastIndexOf('/'))) : (summary.package ?? '');

/** Returns the names by which other files find a file. */
function namesOf({ language, summary: { aliases, classes, functions, outline } }: ProgramFile): Set<string> {
  if (outline) return new Set(outline.names);
  const own = functions.map(({ name }) => name);
  if (language !== 'go') return new Set([...classes, ...own.map(headOf)]);
  return new Set([
    ...classes,
    ...own,
    ...aliases.flatMap(([name, alias]) => (typeof alias === 'string' ? [name] : [])),
  ]);
}

/** Finds the files of classes and functions by package, or namespace, and name. */
export class Packages {
  readonly #files = new Map<string, ProgramFile[]>();
  readonly #need: (file: ProgramFile) => void;

  /** `need` gets the files whose names decide which one is found, but are not known yet. */
  constructor(files: readonly ProgramFile[], need: (file: ProgramFile) => void) {
    this.#need = need;
    for (const file of files) {
      if (!isPackaged(file.language)) continue;
      for (const name of namesOf(file)) {
        const key = keyOf(file, packageOf(file), name);
        const others = this.#files.get(key);
        if (others) others.push(file);
        else this.#files.set(key, [file]);
      }
    }
  }

  /** Returns the file that declares a name; of several, the one closest to `from`; null if two are equally close. */
  find(from: ProgramFile, inPackage: string, name: string): ProgramFile | null {
    if (from.language !== 'go') return this.#findIn(from, inPackage, headOf(name));
    // The methods of a type may be in other files than the type.
    return this.#findImported(from, inPackage, name) ?? this.#findImported(from, inPackage, headOf(name));
  }

  /** Finds a package of Go in the folder with the longest end of its path: `example.com/shop/users` in `users`. */
  #findImported(from: ProgramFile, path: string, name: string): ProgramFile | null {
    const own = packageOf(from);
    if (path === own) return this.#findIn(from, own, name);
    const parts = path.split('/').slice(-maxFolders);
    const around = own === '' ? [] : own.split('/').slice(0, maxFolders);
    for (let start = 0; start < parts.length; start++)
      for (let depth = around.length; depth >= 0; depth--) {
        const found = this.#findIn(from, [...around.slice(0, depth), ...parts.slice(start)].join('/'), name);
        if (found) return found;
      }
    return null;
  }

  #findIn(from: ProgramFile, inPackage: string, name: string): ProgramFile | null {
    const found = this.#files.get(keyOf(from, inPackage, name)) ?? [];
    if (found.length < 2) return found[0] ?? null;
    const close = found
      .map((file) => ({ file, shared: sharedFolders(from.path, file.path) }))
      .sort((left, right) => right.shared - left.shared);
    if (close[0]!.shared > close[1]!.shared) return close[0]!.file;
    for (const { file, shared } of close) if (shared === close[0]!.shared && file.summary.outline) this.#need(file);
    return null;
  }
}

const keyOf = ({ language }: ProgramFile, inPackage: string, name: string) => `${language} ${inPackage} ${name}`;

function sharedFolders(left: string, right: string): number {
  const others = right.split('/').slice(0, -1);
  const different = left.split('/').findIndex((part, index) => part !== others[index]);
  return different < 0 ? others.length : different;
}
