import type { LanguageName } from '../languages/language.ts';
import { type Alias, headOf } from './declarations.ts';
import { arity, type Definition, type FileTables, prefixesOf } from './definition.ts';
import { Modules, type ProgramFile } from './modules.ts';
import { hasOpenClasses, OpenClasses } from './open-classes.ts';
import { isPackaged, Packages, packageOf } from './packages.ts';

type ClassPlace = { file: ProgramFile; name: string };

const placeOf = (file: ProgramFile, name: string) => `${file.path} ${name}`;

const noTables: FileTables = { aliases: new Map(), exports: new Map(), bases: new Map(), functions: new Map() };

const maxHops = 24;
const maxDerived = 100;
const everything = '*';
const commonJs = '=';

/** Resolves names to functions, through imports, exports, instances and base classes. */
export class Program {
  readonly files: readonly ProgramFile[];
  readonly #modules: Modules;
  readonly #needed = new Set<ProgramFile>();
  #packages: Packages;
  #openClasses: OpenClasses;
  readonly #tables = new Map<ProgramFile, FileTables>();
  readonly #found = new Map<ProgramFile, Map<string, Definition | null>>();
  #derived: Map<string, ClassPlace[]> | null = null;
  #outlines: Map<string, ProgramFile[]> | null = null;
  #methods: Map<string, Array<[name: string, method: Definition]>> | null = null;

  constructor(files: readonly ProgramFile[]) {
    this.files = files;
    this.#modules = new Modules(files);
    this.#packages = new Packages(files, this.#need);
    this.#openClasses = this.#openedClasses();
  }

  #need = (file: ProgramFile) => void this.#needed.add(file);

  #openedClasses = () => new OpenClasses(this.files, (file) => this.#tablesOf(file), this.#need);

  /** Returns the files without which names were not found since the last time, because their names are not known. */
  takeNeeded(): ProgramFile[] {
    const needed = [...this.#needed];
    this.#needed.clear();
    return needed;
  }

  /** Looks up names again once the names of further files are known. */
  refresh(): void {
    this.#packages = new Packages(this.files, this.#need);
    this.#openClasses = this.#openedClasses();
    this.#found.clear();
    this.#derived = null;
    this.#methods = null;
    this.#outlines = null;
  }

  /** Returns the function that a name of a file refers to; null if it is in no file. */
  find(file: ProgramFile, name: string): Definition | null {
    let names = this.#found.get(file);
    if (!names) {
      names = new Map();
      this.#found.set(file, names);
    }
    const known = names.get(name);
    if (known !== undefined) return known;
    const found = hasOpenClasses(file.language) ? this.#openClasses.find(file, name) : this.#resolve(file, name, 0);
    names.set(name, found);
    return found;
  }

  #resolve(file: ProgramFile, name: string, hops: number): Definition | null {
    if (hops > maxHops || name.length > 300) return null;
    const tables = this.#tablesOf(file);
    const own = tables.functions.get(name) ?? tables.functions.get(name.replace(arity, ''));
    const isTyped = isPackaged(file.language);
    if (own) return own.isAmbiguous && isTyped ? null : own;
    for (const [start, rest] of prefixesOf(name)) {
      const alias = tables.aliases.get(start);
      if (alias !== undefined) return this.#follow(file, alias, rest, hops);
      const bases = rest === '' ? undefined : tables.bases.get(start);
      for (const base of bases ?? []) {
        const found = base === start ? null : this.#resolve(file, base + rest, hops + 1);
        if (found) return found;
      }
      if (bases && !isTyped) return null;
    }
    if (isTyped) return this.#resolveTyped(file, name, hops);
    // Python's `from .users import *`; the class of a name is looked up in the same way.
    return file.language === 'python' ? this.#resolveStars(file, name, hops) : null;
  }

  #follow(file: ProgramFile, alias: Alias, rest: string, hops: number): Definition | null {
    if (typeof alias === 'string') return this.#resolve(file, alias + rest, hops + 1);
    const [module, name] = alias;
    if (isPackaged(file.language)) return this.#resolveIn(file, module, (name + rest).replace(/^\./, ''), hops);
    const target = this.#modules.find(file, module);
    const wanted = `${name}${rest}`;
    const found = target && this.#resolveExport(target, wanted, hops + 1);
    if (found || file.language !== 'python') return found;
    // `from package import module`
    const [head, ...members] = wanted.split('.');
    const inner = this.#modules.find(file, `${module}${module.endsWith('.') ? '' : '.'}${head}`);
    return inner && members.length > 0 ? this.#resolve(inner, members.join('.'), hops + 1) : null;
  }

  #resolveExport(file: ProgramFile, wanted: string, hops: number): Definition | null {
    if (hops > maxHops) return null;
    if (file.language === 'python') {
      const name = wanted.startsWith(`${everything}.`) ? wanted.slice(2) : wanted;
      return this.#resolve(file, name, hops);
    }
    const { exports } = this.#tablesOf(file);
    for (const name of exportedNames(wanted))
      for (const [start, rest] of prefixesOf(name)) {
        const exported = exports.get(start);
        if (exported !== undefined) return this.#follow(file, exported, rest, hops);
      }
    const name = wanted.replace(/^[*=]\./, '');
    for (const module of file.summary.stars) {
      const target = this.#modules.find(file, module);
      const found = target && this.#resolveExport(target, name, hops + 1);
      if (found) return found;
    }
    return null;
  }

  /** Resolves a name of Java or PHP without an import: in the same package, or in those that are imported whole. */
  #resolveTyped(file: ProgramFile, name: string, hops: number): Definition | null {
    const head = headOf(name);
    if (file.language === 'go') return this.#resolveGo(file, name, hops);
    const { summary } = file;
    const qualified = /^\\?(.*)\\([^\\]+)$/.exec(name) ?? /^((?:[a-z]\w*\.)*[a-z]\w*)\.([A-Z].*)$/.exec(name);
    if (qualified) return this.#resolveIn(file, qualified[1]!, qualified[2]!, hops);
    if (summary.classes.includes(head)) return this.#implemented(file, head, name.slice(head.length));
    const own = this.#resolveIn(file, summary.package ?? '', name, hops);
    if (own) return own;
    for (const star of summary.stars) {
      const [, around = '', texts = ''] = /^(.*)\.([A-Z]\w*)$/.exec(star) ?? [];
      const found = texts
        ? this.#resolveIn(file, around, `${texts}.${name}`, hops)
        : this.#resolveIn(file, star, name, hops);
      if (found) return found;
    }
    // A function of PHP without a namespace.
    return file.language === 'php' && head === name ? this.#resolveIn(file, '', name, hops) : null;
  }

  /** Resolves a name of Go in the same package, in those that are imported whole, or as an interface's method. */
  #resolveGo(file: ProgramFile, name: string, hops: number): Definition | null {
    for (const path of [packageOf(file), ...file.summary.stars]) {
      const found = this.#resolveIn(file, path, name, hops);
      if (found) return found;
    }
    const [head, method, ...others] = name.split('.');
    if (method === undefined || others.length > 0 || !file.summary.classes.includes(head!)) return null;
    return this.#onlyMethod(method);
  }

  /** Returns the only method of Go with a name: an interface does not name the types that implement it. */
  #onlyMethod(name: string): Definition | null {
    this.#methods ??= Map.groupBy(
      this.files.flatMap((file) =>
        file.language === 'go' && !file.summary.outline
          ? [...this.#tablesOf(file).functions].filter(([own]) => own.includes('.'))
          : [],
      ),
      ([own]) => own.slice(own.indexOf('.') + 1),
    );
    const found = this.#methods.get(name) ?? [];
    const open = this.#outlined('methods', 'go', name);
    if (found.length + open.length === 1) open.forEach(this.#need);
    return open.length === 0 && found.length === 1 && !found[0]![1].isAmbiguous ? found[0]![1] : null;
  }

  #resolveIn(file: ProgramFile, inPackage: string, name: string, hops: number): Definition | null {
    const target = this.#packages.find(file, inPackage, name);
    return target && target !== file ? this.#resolve(target, name, hops + 1) : null;
  }

  /** Returns the method of the only class that implements it, if an interface or abstract class declares it. */
  #implemented(file: ProgramFile, name: string, method: string): Definition | null {
    if (method === '') return null;
    this.#derived ??= this.#findDerived();
    const derivedOf = (place: ClassPlace) => {
      const own = place.name.slice(place.name.lastIndexOf('.') + 1);
      this.#outlined('bases', place.file.language, own).forEach(this.#need);
      return this.#derived!.get(placeOf(place.file, place.name)) ?? [];
    };
    const open = [...derivedOf({ file, name })];
    const found = new Set<Definition>();
    for (let index = 0; index < open.length && index < maxDerived && found.size < 2; index++) {
      const derived = open[index]!;
      const { functions } = this.#tablesOf(derived.file);
      const own = functions.get(derived.name + method) ?? functions.get(derived.name + method.replace(arity, ''));
      if (own) found.add(own);
      else open.push(...derivedOf(derived));
    }
    const [only] = found;
    return only && found.size === 1 && open.length < maxDerived && !only.isAmbiguous ? only : null;
  }

  /** Returns the classes that extend or implement each class of Java and PHP. */
  #findDerived(): Map<string, ClassPlace[]> {
    const derived = new Map<string, ClassPlace[]>();
    for (const file of this.files)
      if (isPackaged(file.language))
        for (const [name, base] of file.summary.bases) {
          const place = this.#findClass(file, base);
          if (!place) continue;
          const key = placeOf(place.file, place.name);
          const others = derived.get(key);
          if (others) others.push({ file, name });
          else derived.set(key, [{ file, name }]);
        }
    return derived;
  }

  #findClass(file: ProgramFile, name: string): ClassPlace | null {
    const { summary } = file;
    if (summary.classes.includes(name)) return { file, name };
    const alias = this.#tablesOf(file).aliases.get(name);
    const places: Array<[string, string]> = Array.isArray(alias)
      ? [alias]
      : [[summary.package ?? '', name], ...summary.stars.map((star): [string, string] => [star, name])];
    for (const [inPackage, own] of places) {
      const target = this.#packages.find(file, inPackage, own);
      if (target) return { file: target, name: own };
    }
    return null;
  }

  #resolveStars(file: ProgramFile, name: string, hops: number): Definition | null {
    for (const module of file.summary.stars) {
      const target = this.#modules.find(file, module);
      const found = target && this.#resolve(target, name, hops + 1);
      if (found) return found;
    }
    return null;
  }

  /** Returns the files that are not parsed yet and may have a method, or a base class, with a name. */
  #outlined(part: 'methods' | 'bases', language: LanguageName, name: string): ProgramFile[] {
    if (!this.#outlines) {
      this.#outlines = new Map();
      for (const file of this.files)
        for (const [kind, names = []] of Object.entries(file.summary.outline ?? {}))
          for (const own of names) {
            const key = `${kind} ${file.language} ${own}`;
            const others = this.#outlines.get(key);
            if (others) others.push(file);
            else this.#outlines.set(key, [file]);
          }
    }
    return this.#outlines.get(`${part} ${language} ${name}`) ?? [];
  }

  #tablesOf(file: ProgramFile): FileTables {
    const known = this.#tables.get(file);
    if (known) return known;
    if (file.summary.outline) {
      this.#need(file);
      return noTables;
    }
    const { aliases, exports, bases, functions } = file.summary;
    const definitions = new Map<string, Definition>();
    for (const summary of functions) {
      // Either of two functions with one name may be meant.
      const earlier = definitions.get(summary.name);
      if (earlier) earlier.isAmbiguous = true;
      else definitions.set(summary.name, { file, summary });
    }
    const tables = {
      aliases: new Map(aliases),
      exports: new Map(exports),
      bases: new Map(
        [...Map.groupBy(bases, ([name]) => name)].map(([name, all]) => [name, all.map(([, base]) => base)]),
      ),
      functions: definitions,
    };
    this.#tables.set(file, tables);
    return tables;
  }
}

/** Returns the names under which a module may export a wanted name: ES modules and CommonJS import each other. */
function exportedNames(wanted: string): string[] {
  const inner = wanted.replace(/^(?:[*=]|default)(?:\.|$)/, '');
  if (inner === wanted) return [wanted, `${commonJs}.${wanted}`];
  const whole = inner === '' ? [] : [inner];
  const member = inner === '' ? '' : `.${inner}`;
  return wanted.startsWith('default')
    ? [wanted, `${commonJs}${member}`, ...whole]
    : [...whole, `${commonJs}${member}`, `default${member}`];
}
