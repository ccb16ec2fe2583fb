import type { LanguageName } from '../languages/language.ts';
import type { Definition } from './definition.ts';
import { hashOf } from './mentions.ts';
import type { ProgramFile } from './modules.ts';
import { isCallable, lastNameOf, moduleNameOf } from './names.ts';
import { argumentsFor, matchesPart } from './parts.ts';
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

/** `folders`: the only ones whose files can call it; `parts`: the arguments that matter. */
type WantedName = { name: string; folders: Set<string> | null; parts: Set<string> };

class Inquiry {
  readonly #program: Program;
  readonly #languagesWithInput: ReadonlySet<LanguageName>;
  /** The functions whose calls are needed, with the parts of their parameters that matter, and those whose results are. */
  readonly #called = new Map<Definition, Set<string>>();
  readonly #returned = new Set<Definition>();
  readonly #tried = new Set<ProgramFile>();
  #newCalled: Array<{ definition: Definition; part: string }> = [];
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
  note(file: ProgramFile, { from, name, part = '0', through = [] }: Origin): void {
    for (const [callee] of through) this.#addReturned(file, callee);
    if (from === 'result') this.#addReturned(file, name!, true);
    if (from !== 'result' && name !== undefined) this.#addCalled(file, name, part);
  }

  #addReturned(file: ProgramFile, name: string, needsInput = false): void {
    const definition = this.#program.find(file, name);
    // A function in a file without input of a request rarely returns any.
    if (!definition || this.#returned.has(definition) || (needsInput && !definition.file.summary.hasInput)) return;
    this.#returned.add(definition);
    this.#newReturned.push(definition);
  }

  #addCalled(file: ProgramFile, name: string, part: string): void {
    const definition = this.#program.find(file, name);
    if (!definition) return;
    const parts = this.#called.get(definition) ?? new Set();
    if (parts.has(part)) return;
    this.#called.set(definition, parts.add(part));
    this.#newCalled.push({ definition, part });
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
        const asked = file.summary.asked.calls;
        for (const { name, folders, parts } of found) {
          if (folders && !folders.has(folderOf(file))) continue;
          const open = asked.includes(askedPart(name, '*'))
            ? []
            : [...parts].filter((part) => !asked.includes(askedPart(name, part)));
          if (open.length > 0) of(file).calls.push({ name, parts: open });
        }
      }
    this.#newCalled = [];
    this.#newReturned = [];
    for (const file of questions.keys()) if (++this.#asked > maxQuestions) questions.delete(file);
    this.#open = questions;
    return questions;
  }

  /**
   * Returns the names of the new functions, by language and hash, without those that a fifth of all files mention, such
   * as `get`: most of their calls are of other functions.
   */
  #wantedNames(): Map<string, WantedName> {
    const names = new Map<string, WantedName>();
    for (const { definition, part } of this.#newCalled)
      for (const name of namesOf(definition)) {
        const { file, summary } = definition;
        if (!isCallable(file.language, name)) continue;
        const key = keyOfName(file.language, hashOf(name));
        const { folders = new Set<string>(), parts = new Set<string>() } = names.get(key) ?? {};
        const isInFolder = file.language === 'go' && /^[a-z_]/.test(name) && folders !== null;
        for (const one of argumentsFor(part, summary.parameters)) parts.add(one);
        names.set(key, { name, folders: isInFolder ? folders.add(folderOf(file)) : null, parts });
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
    for (const { name, parts } of asked?.calls ?? [])
      summary.asked.calls.push(...parts.map((part) => askedPart(name, part)));
    const byName = new Map(summary.functions.map((own) => [own.name, own]));
    for (const answered of functions) Object.assign(byName.get(answered.name) ?? {}, answered);
    const known = new Map(summary.calls.map((call) => [keyOf(call), call]));
    for (const call of calls) {
      const earlier = known.get(keyOf(call));
      if (!earlier) summary.calls.push(call);
      else earlier.passed.push(...call.passed.filter(({ part }) => !earlier.passed.some((one) => one.part === part)));
    }
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
        const parts = definition && this.#called.get(definition);
        if (!parts) continue;
        const names = definition.summary.parameters;
        for (const { part, origins } of call.passed)
          if ([...parts].some((wanted) => matchesPart(part, wanted, names)))
            for (const origin of origins) this.note(file, origin);
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

const askedPart = (name: string, part: string) => `${name} ${part}`;
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
