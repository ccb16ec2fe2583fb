import { hashOf } from './mentions.ts';
import type { ProgramFile } from './modules.ts';
import { lastNameOf, moduleNameOf } from './names.ts';
import type { Definition, Program } from './program.ts';
import type { Answer, Call, Origin, Questions } from './summary.ts';

/** Asks files of the program; a file that can't be read gives no answer. */
export type Ask = (
  questions: ReadonlyMap<ProgramFile, Questions>,
  take: (file: ProgramFile, answer: Answer) => void,
) => Promise<void>;

const maxRounds = 12;
const maxQuestions = 20_000;
const minCommonFiles = 50;

/**
 * Asks the files of a program for what the uses depend on: back from each use, for the calls of its function, and for
 * the results of functions that a value goes through. Most files are never asked. Returns whether all asked files
 * answered.
 */
export async function askProgram(program: Program, ask: Ask): Promise<boolean> {
  const inquiry = new Inquiry(program);
  for (const file of program.files)
    for (const { origins } of file.summary.uses) for (const origin of origins) inquiry.note(file, origin);
  let unanswered = 0;
  for (let round = 0; round < maxRounds; round++) {
    const questions = inquiry.questions();
    if (questions.size === 0 && !inquiry.hasNew()) break;
    unanswered += questions.size;
    const take = (file: ProgramFile, answer: Answer) => {
      unanswered--;
      inquiry.take(file, answer);
    };
    if (questions.size > 0) await ask(questions, take);
    inquiry.follow();
  }
  return unanswered === 0;
}

class Inquiry {
  readonly #program: Program;
  /** The functions whose calls are needed, and those whose results are. */
  readonly #called = new Set<Definition>();
  readonly #returned = new Set<Definition>();
  readonly #followed = new Set<Call>();
  #newCalled: Definition[] = [];
  #newReturned: Definition[] = [];
  #asked = 0;
  #open = new Map<ProgramFile, Questions>();

  constructor(program: Program) {
    this.#program = program;
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

  /** Returns the questions about the functions that were noted since the last time. */
  questions(): Map<ProgramFile, Questions> {
    const questions = new Map<ProgramFile, Questions>();
    const of = (file: ProgramFile) => {
      const own = questions.get(file) ?? { functions: [], calls: [] };
      questions.set(file, own);
      return own;
    };
    for (const { file, summary } of this.#newReturned)
      if (
        !file.summary.asked.functions.includes(summary.name) &&
        !questions.get(file)?.functions.includes(summary.name)
      )
        of(file).functions.push(summary.name);
    const names = this.#withoutCommon(new Map(this.#newCalled.flatMap(namesOf).map((name) => [hashOf(name), name])));
    if (names.size > 0)
      for (const file of this.#program.files) {
        const found = file.summary.mentions.flatMap((hash) => names.get(hash) ?? []);
        const open = found.filter((name) => !file.summary.asked.calls.includes(name));
        if (open.length > 0) of(file).calls.push(...open);
      }
    this.#newCalled = [];
    this.#newReturned = [];
    for (const file of questions.keys()) if (++this.#asked > maxQuestions) questions.delete(file);
    this.#open = questions;
    return questions;
  }

  /** Leaves out names that a fifth of all files mention, such as `get`: most of their calls are of other functions. */
  #withoutCommon(names: Map<number, string>): Map<number, string> {
    const counts = new Map<number, number>();
    for (const { summary } of this.#program.files)
      for (const hash of summary.mentions) if (names.has(hash)) counts.set(hash, (counts.get(hash) ?? 0) + 1);
    const limit = Math.max(minCommonFiles, this.#program.files.length / 5);
    return new Map([...names].filter(([hash]) => (counts.get(hash) ?? 0) <= limit));
  }

  take(file: ProgramFile, { functions, calls }: Answer): void {
    const { summary } = file;
    const asked = this.#open.get(file);
    summary.asked.functions.push(...(asked?.functions ?? []));
    summary.asked.calls.push(...(asked?.calls ?? []));
    const byName = new Map(summary.functions.map((own) => [own.name, own]));
    for (const answered of functions) Object.assign(byName.get(answered.name) ?? {}, answered);
    const known = new Set(summary.calls.map(keyOf));
    summary.calls.push(...calls.filter((call) => !known.has(keyOf(call))));
  }

  /** Notes the functions that the calls and results found so far depend on. */
  follow(): void {
    for (const file of this.#program.files)
      for (const call of file.summary.calls) {
        const definition = this.#followed.has(call) ? null : this.#program.find(file, call.callee);
        if (!definition || !this.#called.has(definition)) continue;
        this.#followed.add(call);
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
