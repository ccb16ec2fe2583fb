import { posix } from 'node:path';
import type { FileResult, FileScanner, Hit, Outcome } from './file-scanner.ts';
import type { ModuleFile } from './terraform/evaluate-module.ts';
import { closureOf, rootsOf } from './terraform/module-tree.ts';

/** Modules are checked once all files are known; beyond this much text, files are checked by themselves. */
const maxBytes = 32 * 1024 * 1024;
/** After this many hostile modules, the rest are not checked. */
const maxGivenUp = 10;

/** The Terraform files of a repository: each is read separately and checked together with its module. */
export class TerraformEstate {
  readonly #scanner: FileScanner;
  readonly #modules = new Map<string, ModuleFile[]>();
  readonly #hits = new Map<string, Map<string, Hit>>();
  readonly #cut = new Map<string, Set<string>>();
  #bytes = 0;

  constructor(scanner: FileScanner) {
    this.#scanner = scanner;
  }

  /** Reads a file. Returns the problem if it can't be read. */
  async add(path: string, text: string): Promise<string | null> {
    const outcome = await this.#scanner.readTerraform(text);
    if ('problem' in outcome) {
      this.addUnreadable(path);
      return outcome.problem;
    }
    const file = { ...outcome.file, path };
    this.#bytes += text.length;
    if (this.#bytes <= maxBytes) {
      this.#module(path).push(file);
      return null;
    }
    const unknownRest = { blocks: [], values: {}, path: '', isUnreadable: true };
    const alone = await this.#scanner.scanTerraform({ '': [file, unknownRest] }, '');
    if ('problem' in alone) return alone.problem;
    this.#keep(alone);
    this.#hits.set(path, this.#hits.get(path) ?? new Map());
    return null;
  }

  /** Records an existing file with unknown contents, so that nothing in its module counts as missing. */
  addUnreadable(path: string): void {
    this.#module(path).push({ blocks: [], values: {}, path, isUnreadable: true });
  }

  #module(path: string): ModuleFile[] {
    const directory = posix.dirname(path);
    const files = this.#modules.get(directory) ?? [];
    this.#modules.set(directory, files);
    return files;
  }

  #keep({ hits, cut }: Extract<Outcome, { hits: Hit[] }>) {
    for (const { ruleId, path = '' } of cut) this.#cut.set(path, (this.#cut.get(path) ?? new Set()).add(ruleId));
    for (const hit of hits) {
      const { path = '', startLine, resource } = hit.sight;
      const ofFile = this.#hits.get(path) ?? new Map<string, Hit>();
      this.#hits.set(path, ofFile);
      const key = JSON.stringify([hit.ruleId, startLine, resource]);
      if (!ofFile.has(key)) ofFile.set(key, hit);
    }
  }

  /** Checks all modules, and yields the results of each file that could be read. */
  async *scan(): AsyncGenerator<FileResult> {
    const problems = new Map<string, string>();
    let givenUp = 0;
    for (const root of rootsOf(this.#modules)) {
      const closure = closureOf(this.#modules, root);
      const modules = Object.fromEntries(closure.map((directory) => [directory, this.#modules.get(directory)!]));
      const outcome =
        givenUp < maxGivenUp
          ? await this.#scanner.scanTerraform(modules, root)
          : { problem: `${maxGivenUp} modules before it took too long` };
      if ('hits' in outcome) this.#keep(outcome);
      if (!('problem' in outcome)) continue;
      givenUp++;
      for (const file of Object.values(modules).flat()) problems.set(file.path, outcome.problem);
    }
    for (const file of [...this.#modules.values()].flat()) {
      if (file.isUnreadable) continue;
      const problem = problems.get(file.path);
      if (problem !== undefined) yield { path: file.path, problem };
      else if (!this.#hits.has(file.path)) yield this.#resultOf(file.path, []);
    }
    for (const [path, hits] of this.#hits) if (!problems.has(path)) yield this.#resultOf(path, [...hits.values()]);
  }

  #resultOf(path: string, hits: Hit[]): FileResult {
    return { path, hits, cut: [...(this.#cut.get(path) ?? [])] };
  }
}
