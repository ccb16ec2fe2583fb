import type { LanguageName } from '../languages/language.ts';
import type { Definition } from './definition.ts';
import { hashOf } from './mentions.ts';
import type { ProgramFile } from './modules.ts';
import { isCallable, lastNameOf, moduleNameOf } from './names.ts';
import type { Program } from './program.ts';
import type { Answer, Call, Origin, Questions } from './summary.ts';

/** Asks files of the program; a file that can't be read gives no answer. */
export type Ask = (
  questions: ReadonlyMap<ProgramFile, Questions>,
  take: (file: ProgramFile, answer: Answer) => void,
) => Promise<void>;

const maxRounds = 12;
const maxLoads = 24;
const maxQuestions = 20_000;
const minCommonFiles = 50;

/**
 * Asks the files of a program for what the uses depend on: back from each use, for the calls of its function, and for
 * the results of functions that a value goes through. Most files are never asked. Returns whether all asked files
 * answered.
 */
export async function askProgram(program: Program, ask: Ask): Promise<boolean> {
  const inquiry = new Inquiry(program);
  let unanswered = 0;
  const send = async (questions: Map<ProgramFile, Questions>) => {
    unanswered += questions.size;
    const take = (file: ProgramFile, answer: Answer) => {
      unanswered--;
      inquiry.take(file, answer);
    };
    if (questions.size > 0) await ask(questions, take);
  };
  for (let round = 0; round < maxRounds; round++) {
    inquiry.follow();
    // Names may lead through files that are not parsed yet.
    for (let load = 0, needed = inquiry.neededNames(); needed.size > 0 && load < maxLoads; load++) {
      await send(needed);
      program.refresh();
      inquiry.follow();
      needed = inquiry.neededNames();
    }
    const questions = inquiry.questions();
    if (questions.size === 0 && !inquiry.hasNew()) break;
    await send(questions);
    if ([...questions.values()].some(({ declared }) => declared)) program.refresh();
  }
  return unanswered === 0;
}

class Inquiry {
  readonly #program: Program;
  readonly #languagesWithInput: ReadonlySet<LanguageName>;
  /** The functions whose calls are needed, and those whose results are. */
  readonly #called = new Set<Definition>();
  readonly #returned = new Set<Definition>();
  readonly #tried = new Set<ProgramFile>();
  #newCalled: Definition[] = [];
  #newReturned: Definition[] = [];
  #asked = 0;
  #open = new Map<ProgramFile, Questions>();

  constructor(program: Program) {
    this.#program = program;
    this.#languagesWithInput = new Set(
      program.files.flatMap(({ language, summary }) => (summary.hasInput ? [language] : [])),
    );
  }

  hasNew = () => this.#newCalled.length + this.#newReturned.length > 0;

  /** Notes the functions that an origin depends on. */
  note(file: ProgramFile, { from, name, through = [] }: Origin): void {
    for (const [callee] of through) this.#add(file, callee, this.#returned, this.#newReturned);
    if (from === 'result') this.#add(file, name!, this.#returned, this.#newReturned, true);
    if (from !== 'result' && name !== undefined) this.#add(file, name, this.#called, this.#newCalled);
  }

  #add(file: ProgramFile, name: string, known: Set<Definition>, added: Definition[], needsInput = false): void {
    const definition = this.#program.find(file, name);
    // A function in a file without input of a request rarely returns any.
    if (!definition || known.has(definition) || (needsInput && !definition.file.summary.hasInput)) return;
    known.add(definition);
    added.push(definition);
  }

  /** Returns the questions for the names of files that were needed since the last time. */
  neededNames(): Map<ProgramFile, Questions> {
    const open = this.#program.takeNeeded().filter((file) => file.summary.outline && !this.#tried.has(file));
    this.#open = new Map(open.map((file) => [file, { functions: [], calls: [], declared: true }]));
    for (const file of open) this.#tried.add(file);
    return this.#open;
  }

  /** Returns the questions about the functions that were noted since the last time. */
  questions(): Map<ProgramFile, Questions> {
    const questions = new Map<ProgramFile, Questions>();
    const of = (file: ProgramFile) => {
      const own = questions.get(file) ?? {
        ...{ functions: [], calls: [] },
        ...(file.summary.outline && { declared: true }),
      };
      questions.set(file, own);
      return own;
    };
    for (const { file, summary } of this.#newReturned)
      if (
        !file.summary.asked.functions.includes(summary.name) &&
        !questions.get(file)?.functions.includes(summary.name)
      )
        of(file).functions.push(summary.name);
    const names = this.#wantedNames();
    if (names.size > 0)
      for (const file of this.#program.files) {
        const found = file.summary.mentions.flatMap((hash) => names.get(keyOfName(file.language, hash)) ?? []);
        const open = found.filter(
          ({ name, folders }) => (folders?.has(folderOf(file)) ?? true) && !file.summary.asked.calls.includes(name),
        );
        if (open.length > 0) of(file).calls.push(...open.map(({ name }) => name));
      }
    this.#newCalled = [];
    this.#newReturned = [];
    for (const file of questions.keys()) if (++this.#asked > maxQuestions) questions.delete(file);
    this.#open = questions;
    return questions;
  }

  /**
   * Returns the names of the new functions, by language and hash, without those that a fifth of all files mention, such
   * as `get`: most of their calls are of other functions. `folders`: the only ones whose files can call them.
   */
  #wantedNames(): Map<string, { name: string; folders: Set<string> | null }> {
    const names = new Map<string, { name: string; folders: Set<string> | null }>();
    for (const definition of this.#newCalled)
      for (const name of namesOf(definition)) {
        const { file } = definition;
        if (!isCallable(file.language, name)) continue;
        const key = keyOfName(file.language, hashOf(name));
        const folders = names.get(key)?.folders ?? new Set<string>();
        const isInFolder = file.language === 'go' && /^[a-z_]/.test(name) && names.get(key)?.folders !== null;
        names.set(key, { name, folders: isInFolder ? folders.add(folderOf(file)) : null });
      }
    const counts = new Map<string, number>();
    if (names.size > 0)
      for (const { language, summary } of this.#program.files)
        for (const hash of summary.mentions) {
          const key = keyOfName(language, hash);
          if (names.has(key)) counts.set(key, (counts.get(key) ?? 0) + 1);
        }
    const limit = Math.max(minCommonFiles, this.#program.files.length / 5);
    return new Map([...names].filter(([key]) => (counts.get(key) ?? 0) <= limit));
  }

  take(file: ProgramFile, { functions, calls, declared }: Answer): void {
    const { summary } = file;
    const asked = this.#open.get(file);
    if (declared) {
      Object.assign(summary, declared);
      delete summary.outline;
    }
    summary.asked.functions.push(...(asked?.functions ?? []));
    summary.asked.calls.push(...(asked?.calls ?? []));
    const byName = new Map(summary.functions.map((own) => [own.name, own]));
    for (const answered of functions) Object.assign(byName.get(answered.name) ?? {}, answered);
    const known = new Set(summary.calls.map(keyOf));
    summary.calls.push(...calls.filter((call) => !known.has(keyOf(call))));
  }

  /** Notes the functions that the uses, and the calls and results found so far, depend on. */
  follow(): void {
    // Without input anywhere, a use that only another file can make harmful is harmless.
    for (const file of this.#program.files)
      for (const { hit, origins } of file.summary.uses)
        if (hit !== undefined || this.#languagesWithInput.has(file.language))
          for (const origin of origins) this.note(file, origin);
    for (const file of this.#program.files)
      for (const call of file.summary.calls) {
        const definition = this.#program.find(file, call.callee);
        if (!definition || !this.#called.has(definition)) continue;
        for (const { origins } of call.passed) for (const origin of origins) this.note(file, origin);
      }
    for (const { file, summary } of this.#returned)
      for (const origin of summary.results ?? [])
        if (origin.from !== 'parameter' || origin.through) this.#noteResult(file, origin);
  }

  /** A function's own parameters need no calls: the value that it is called with is known. */
  #noteResult(file: ProgramFile, { through, from, name }: Origin): void {
    this.note(file, {
      from: from === 'parameter' ? 'request' : from,
      before: '',
      steps: [],
      ...(name && from === 'result' && { name }),
      ...(through && { through }),
    });
  }
}

const keyOfName = (language: LanguageName, hash: number) => `${language} ${hash}`;
const folderOf = ({ path }: ProgramFile) => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const keyOf = ({ callee, step }: Call) => `${callee} ${step[0]} ${step[1]}`;

/** Returns the names by which other files may mention a function: its own, and its module's if it is the default. */
function namesOf({ file, summary }: Definition): string[] {
  const { name } = summary;
  const own = lastNameOf(name);
  const isDefault = file.summary.exports.some(
    ([exported, alias]) =>
      (exported === 'default' || exported === '=') && (alias === name || name.startsWith(`${alias}.`)),
  );
  return isDefault ? [own, moduleNameOf(file.path)] : [own];
}
