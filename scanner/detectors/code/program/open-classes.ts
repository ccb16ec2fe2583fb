import type { LanguageName } from '../languages/language.ts';
import { everywhere } from './csharp.ts';
import { arity, type Definition, type FileTables, prefixesOf } from './definition.ts';
import type { ProgramFile } from './modules.ts';
import { ownerOf } from './outline.ts';
import { isHelper, namesInView, outside } from './rails.ts';

const openLanguages: readonly LanguageName[] = ['ruby', 'csharp'];

/** Returns whether any file of a language may add methods to a class: Ruby's open and C#'s partial classes. */
export const hasOpenClasses = (language: LanguageName): boolean => openLanguages.includes(language);

/** A name in a file that declares it; in Ruby, `name` has the modules around it. */
type Place = { file: ProgramFile; name: string };

const maxPlaces = 8;
const maxDerived = 100;
const maxVisited = 200;

/**
 * Resolves names of languages whose classes may have their methods in several files, without imports: by the modules
 * or namespaces that are visible in the file with the name.
 */
export class OpenClasses {
  readonly #files: readonly ProgramFile[];
  readonly #tablesOf: (file: ProgramFile) => FileTables;
  readonly #need: (file: ProgramFile) => void;
  readonly #declaring = new Map<string, ProgramFile[]>();
  /** The files that are not parsed yet, by the classes that they may declare, and by the bases of these. */
  readonly #unparsed = new Map<string, ProgramFile[]>();
  readonly #unparsedBases = new Map<string, ProgramFile[]>();
  readonly #global: ReadonlySet<string>;
  readonly #prefixes = new Map<ProgramFile, string[]>();
  readonly #found = new Map<ProgramFile, Map<string, Place[]>>();
  #derived: Map<string, Place[]> | null = null;
  #helpers: Map<string, Definition[]> | null = null;

  /** `need` gets the files whose names decide what is found, but are not known yet. */
  constructor(
    files: readonly ProgramFile[],
    tablesOf: (file: ProgramFile) => FileTables,
    need: (file: ProgramFile) => void,
  ) {
    this.#files = files.filter(({ language }) => hasOpenClasses(language));
    this.#tablesOf = tablesOf;
    this.#need = need;
    this.#global = new Set(
      this.#files.flatMap(({ summary }) => summary.stars.filter((star) => star.startsWith(everywhere))),
    );
    for (const file of this.#files) {
      const { outline } = file.summary;
      for (const name of outline?.names ?? []) add(this.#unparsed, `${file.language} ${name}`, file);
      for (const name of outline?.bases ?? []) add(this.#unparsedBases, `${file.language} ${name}`, file);
      if (!outline) for (const name of namesOf(file)) add(this.#declaring, `${file.language} ${name}`, file);
    }
  }

  /** Returns the function that a name of a file refers to; null if it is in no file, or in several. */
  find(file: ProgramFile, name: string): Definition | null {
    const found = this.#find(file, name, new Set());
    return found || file.language !== 'ruby' ? found : this.#findInView(file, name);
  }

  /** Resolves what a view or a helper calls without an object: a method of any helper, or of the view's controller. */
  #findInView(file: ProgramFile, name: string): Definition | null {
    const isView = file.path.endsWith('.erb');
    const at = isView ? (name.startsWith(`${outside}.`) ? outside.length : -1) : name.lastIndexOf('.');
    if (at < 0 || !(isView || isHelper(file))) return null;
    const member = name.slice(at + 1);
    this.#helpers ??= Map.groupBy(
      this.#files
        .filter(isHelper)
        .flatMap((helper) => [...this.#tablesOf(helper).functions.values()].filter(({ isAmbiguous }) => !isAmbiguous)),
      ({ summary }) => summary.name.slice(summary.name.lastIndexOf('.') + 1),
    );
    const helpers = this.#helpers.get(member) ?? [];
    if (helpers.length > 0) return helpers.length === 1 ? helpers[0]! : null;
    for (const other of isView ? namesInView(file, member) : []) {
      const found = this.#find(file, other, new Set());
      if (found) return found;
    }
    return null;
  }

  #find(file: ProgramFile, name: string, visited: Set<string>): Definition | null {
    const key = `${file.path} ${name}`;
    if (visited.has(key) || visited.size > maxVisited || name.length > 300) return null;
    visited.add(key);
    const own = this.#placesOf(file, name);
    const found = own.flatMap((place) => this.#functionAt(place, name) ?? []);
    if (found.length > 0) return found.length === 1 && !found[0]!.isAmbiguous ? found[0]! : null;
    for (const [start, rest] of prefixesOf(name)) {
      const places = this.#placesOf(file, start).slice(0, maxPlaces);
      for (const place of places) {
        const inherited = this.#findThrough(place, rest, visited);
        if (inherited) return inherited;
      }
      // Ruby has no interfaces: a module's method is not that of the class that happens to have one.
      for (const place of rest === '' || file.language === 'ruby' ? [] : places) {
        const implemented = this.#implemented(place, rest);
        if (implemented) return implemented;
      }
    }
    return null;
  }

  #functionAt({ file, name }: Place, wanted: string): Definition | undefined {
    const { functions } = this.#tablesOf(file);
    const number = arity.exec(wanted)?.[0] ?? '';
    return functions.get(name + number) ?? functions.get(name);
  }

  /** Looks for a member in the class that a name stands for, and in the base classes and modules of a class. */
  #findThrough({ file, name }: Place, rest: string, visited: Set<string>): Definition | null {
    const { aliases, bases } = this.#tablesOf(file);
    const alias = aliases.get(name);
    if (alias !== undefined) return this.#find(file, `${typeof alias === 'string' ? alias : alias[1]}${rest}`, visited);
    if (rest === '') return null;
    for (const base of bases.get(name) ?? []) {
      const found = this.#find(file, base + rest, visited);
      if (found) return found;
    }
    return null;
  }

  /** Returns the places that declare a name, and asks for the files that may declare it, too. */
  #placesOf(file: ProgramFile, name: string): Place[] {
    const unparsed = this.#unparsed.get(`${file.language} ${ownerOf(file.language, name)}`) ?? [];
    for (const one of unparsed) if (this.#isVisible(file, one)) this.#need(one);
    return this.#places(file, name);
  }

  /** Returns the places that declare a name which a file uses: in the closest module around it, or a visible namespace. */
  #places(file: ProgramFile, written: string): Place[] {
    const known = this.#found.get(file) ?? new Map<string, Place[]>();
    this.#found.set(file, known);
    const found = known.get(written) ?? this.#findPlaces(file, written.replace(arity, ''));
    known.set(written, found);
    return found;
  }

  #findPlaces(file: ProgramFile, name: string): Place[] {
    for (const prefix of file.language === 'ruby' ? this.#prefixesOf(file) : ['']) {
      const files = this.#declaring.get(`${file.language} ${prefix}${name}`);
      const visible = files?.filter((one) => this.#isVisible(file, one));
      if (visible && visible.length > 0) return visible.map((one) => ({ file: one, name: prefix + name }));
    }
    return [];
  }

  /** Returns whether a file's namespace is visible in another file of C#; views get theirs from other files. */
  #isVisible(from: ProgramFile, { summary: { package: theirs = '' } }: ProgramFile): boolean {
    if (from.language !== 'csharp' || theirs === '' || !from.path.endsWith('.cs')) return true;
    const own = from.summary.package ?? '';
    return (
      theirs === own ||
      own.startsWith(`${theirs}.`) ||
      from.summary.stars.includes(theirs) ||
      this.#global.has(`${everywhere}${theirs}`)
    );
  }

  /** Returns the modules and classes of a file in which a name is looked up, the innermost first. */
  #prefixesOf(file: ProgramFile): string[] {
    const known = this.#prefixes.get(file);
    if (known) return known;
    const prefixes = new Set<string>();
    for (const name of file.summary.classes)
      for (let at = name.length; at > 0; at = name.lastIndexOf('.', at - 1)) prefixes.add(`${name.slice(0, at)}.`);
    const sorted = [...prefixes].sort((left, right) => right.length - left.length);
    this.#prefixes.set(file, [...sorted, '']);
    return [...sorted, ''];
  }

  /** Returns the method of the only class that implements it, if an interface, abstract class or module lacks it. */
  #implemented(place: Place, method: string): Definition | null {
    this.#derived ??= this.#findDerived();
    const derivedOf = (one: Place) => {
      const own = one.name.slice(one.name.lastIndexOf('.') + 1);
      this.#unparsedBases.get(`${one.file.language} ${own}`)?.forEach(this.#need);
      return this.#derived!.get(keyOf(one)) ?? [];
    };
    const open = [...derivedOf(place)];
    const found = new Set<Definition>();
    for (let index = 0; index < open.length && index < maxDerived && found.size < 2; index++) {
      const derived = open[index]!;
      const own = this.#functionAt({ ...derived, name: `${derived.name}${method.replace(arity, '')}` }, method);
      if (own) found.add(own);
      else open.push(...derivedOf(derived));
    }
    const [only] = found;
    return only && found.size === 1 && open.length < maxDerived && !only.isAmbiguous ? only : null;
  }

  #findDerived(): Map<string, Place[]> {
    const derived = new Map<string, Place[]>();
    for (const file of this.#files)
      for (const [name, base] of file.summary.bases)
        for (const place of this.#places(file, base)) add(derived, keyOf(place), { file, name });
    return derived;
  }
}

function add<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const others = map.get(key);
  if (others) others.push(value);
  else map.set(key, [value]);
}

const keyOf = ({ file, name }: Place) => `${file.path} ${name}`;

/** Returns the names that a file declares, without the numbers of parameters. */
function namesOf({ summary: { aliases, classes, functions } }: ProgramFile): Set<string> {
  return new Set([
    ...classes,
    ...functions.map(({ name }) => name.replace(arity, '')),
    ...aliases.map(([name]) => name),
  ]);
}
