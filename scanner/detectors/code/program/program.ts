import type { Alias } from './declarations.ts';
import { Modules, type ProgramFile } from './modules.ts';
import type { FunctionSummary } from './summary.ts';

/** A function of the program. */
export type Definition = { file: ProgramFile; summary: FunctionSummary; isAmbiguous?: true };

/** Returns the origins of a function's result; null if they are unknown. */
export const resultsOf = ({ summary, isAmbiguous }: Definition) => (isAmbiguous ? null : (summary.results ?? null));

type FileTables = {
  aliases: Map<string, Alias>;
  exports: Map<string, Alias>;
  bases: Map<string, string>;
  functions: Map<string, Definition>;
};

const maxHops = 24;
const everything = '*';
const commonJs = '=';

/** Resolves names to functions, through imports, exports, instances and base classes. */
export class Program {
  readonly files: readonly ProgramFile[];
  readonly #modules: Modules;
  readonly #tables = new Map<ProgramFile, FileTables>();
  readonly #found = new Map<ProgramFile, Map<string, Definition | null>>();

  constructor(files: readonly ProgramFile[]) {
    this.files = files;
    this.#modules = new Modules(files);
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
    const found = this.#resolve(file, name, 0);
    names.set(name, found);
    return found;
  }

  #resolve(file: ProgramFile, name: string, hops: number): Definition | null {
    if (hops > maxHops || name.length > 300) return null;
    const tables = this.#tablesOf(file);
    const own = tables.functions.get(name);
    if (own) return own;
    for (const [start, rest] of prefixesOf(name)) {
      const alias = tables.aliases.get(start);
      if (alias !== undefined) return this.#follow(file, alias, rest, hops);
      const base = rest === '' ? undefined : tables.bases.get(start);
      if (base !== undefined && base !== start) return this.#resolve(file, base + rest, hops + 1);
    }
    // Python's `from .users import *`; the class of a name is looked up in the same way.
    return file.language === 'python' ? this.#resolveStars(file, name, hops) : null;
  }

  #follow(file: ProgramFile, alias: Alias, rest: string, hops: number): Definition | null {
    if (typeof alias === 'string') return this.#resolve(file, alias + rest, hops + 1);
    const [module, name] = alias;
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

  #resolveStars(file: ProgramFile, name: string, hops: number): Definition | null {
    for (const module of file.summary.stars) {
      const target = this.#modules.find(file, module);
      const found = target && this.#resolve(target, name, hops + 1);
      if (found) return found;
    }
    return null;
  }

  #tablesOf(file: ProgramFile): FileTables {
    const known = this.#tables.get(file);
    if (known) return known;
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
      bases: new Map(bases),
      functions: definitions,
    };
    this.#tables.set(file, tables);
    return tables;
  }
}

/** Splits a dotted name at each dot, the longest start first: `a.b.c` → [`a.b.c`, ``], [`a.b`, `.c`], [`a`, `.b.c`]. */
function prefixesOf(name: string): Array<[string, string]> {
  const splits: Array<[string, string]> = [[name, '']];
  for (let at = name.lastIndexOf('.'); at > 0 && splits.length < 8; at = name.lastIndexOf('.', at - 1))
    splits.push([name.slice(0, at), name.slice(at)]);
  return splits;
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
