import { isTestPath } from '../../../contract/test-path.ts';
import type { CodeHit, CodeRule, CodeStep } from '../rule.ts';
import { type Definition, resultsOf } from './definition.ts';
import type { ProgramFile } from './modules.ts';
import { matchesPart } from './parts.ts';
import type { Program } from './program.ts';
import { Results, type Sink } from './results.ts';
import type { Call, Origin, Step, Use } from './summary.ts';

/** A flow of input to a use, from the input on. `isProven`: the files show each function that it goes through. */
type Found = { steps: CodeStep[]; isProven: boolean };

/**
 * `reached`: hits of a file with a flow of input that other files show, by number. `refuted`: those that other files
 * make harmless, or whose function gets no input from its calls. `added`: further hits.
 */
export type Linked = {
  reached: Map<number, Found>;
  refuted: Set<number>;
  added: CodeHit[];
};

type Caller = { file: ProgramFile; call: Call };

/** A place on the way from a use back to the input. `text` and `before`: the constant text collected up to here. */
type Path = {
  file: ProgramFile;
  origin: Origin;
  text: string;
  before: string;
  steps: CodeStep[];
  depth: number;
  isProven: boolean;
};

const maxDepth = 12;
const maxPathsOfUse = 500;
const maxPaths = 1_000_000;
const maxText = 1_000;

/** Follows input from file to file: back from each use, through the calls of its function, to requests. */
export function linkProgram(program: Program, rules: ReadonlyMap<string, CodeRule>): Map<string, Linked> {
  const linked = new Map<string, Linked>();
  const linker = new Linker(program, rules);
  for (const file of program.files) if (file.summary.uses.length > 0) linked.set(file.path, linker.link(file));
  return linked;
}

class Linker {
  readonly #program: Program;
  readonly #results: Results;
  readonly #rules: ReadonlyMap<string, CodeRule>;
  readonly #callers = new Map<Definition, Caller[]>();
  #paths = 0;

  constructor(program: Program, rules: ReadonlyMap<string, CodeRule>) {
    this.#program = program;
    this.#results = new Results(program);
    this.#rules = rules;
    for (const file of program.files)
      for (const call of file.summary.calls) {
        const definition = this.#program.find(file, call.callee);
        if (!definition) continue;
        const callers = this.#callers.get(definition);
        if (callers) callers.push({ file, call });
        else this.#callers.set(definition, [{ file, call }]);
      }
  }

  link(file: ProgramFile): Linked {
    const linked: Linked = { reached: new Map(), refuted: new Set(), added: [] };
    for (const use of file.summary.uses) {
      const rule = this.#rules.get(use.own?.rule ?? use.rule ?? '');
      if (!rule) continue;
      const found = this.#findInput(file, use, rule);
      if (use.own) {
        // A further problem is reported only if the files show each function on the way.
        if (found?.isProven) linked.added.push({ ...use.own, flow: found.steps });
      } else if (found) linked.reached.set(use.hit!, found);
      else if (use.isRequest || this.#isCalled(file, use)) linked.refuted.add(use.hit!);
    }
    return linked;
  }

  #isCalled(file: ProgramFile, { origins }: Use): boolean {
    return origins.some((origin) => origin.from === 'parameter' && this.#hasCalls(file, origin));
  }

  #hasCalls(file: ProgramFile, { name }: Origin): boolean {
    const definition = name === undefined ? null : this.#program.find(file, name);
    return definition !== null && this.#callers.has(definition);
  }

  /** Returns the shortest flow of input to a use; one that is proven, if there is any. */
  #findInput(file: ProgramFile, use: Use, rule: CodeRule): Found | null {
    const sink: Sink = rule.input?.into ?? 'any';
    const isInTest = isTestPath(file.path);
    const start = use.origins.map((origin) => startOf(file, origin, use));
    const open: Path[] = start.filter((path) => this.#results.isHarmful(file, path.origin, sink));
    const visited = new Set<string>();
    let unproven: Found | null = null;
    for (let index = 0; index < open.length && index < maxPathsOfUse; index++) {
      if (++this.#paths > maxPaths) return unproven;
      const path = open[index]!;
      const isProven = path.isProven && this.#results.isProven(path.file, path.origin);
      // The calls of a function tell better than its form if its parameters are input.
      if (path.origin.from === 'request' && !this.#hasCalls(path.file, path.origin)) {
        if (!isInputOf(rule, path, this.#results.textBefore(path.file, path.origin))) continue;
        const isCertain = isProven && path.origin.name === undefined;
        const found = { steps: [...stepsOf(path), ...path.steps], isProven: isCertain };
        if (isCertain) return found;
        unproven ??= found;
      } else if (path.depth < maxDepth)
        for (const next of this.#before(path))
          if ((isInTest || !isTestPath(next.file.path)) && this.#results.isHarmful(next.file, next.origin, sink)) {
            const key = `${next.file.path} ${next.origin.from} ${next.origin.name} ${next.origin.part} ${next.origin.steps[0]}`;
            if (visited.has(key)) continue;
            visited.add(key);
            open.push({ ...next, isProven });
          }
    }
    return unproven;
  }

  /** Returns the places from which a value comes: the calls of its function, or the results of a function. */
  #before(path: Path): Path[] {
    const { file, origin } = path;
    const definition = this.#program.find(file, origin.name!);
    if (!definition) return [];
    const steps = [...stepsOf(path), ...path.steps];
    const next = (from: ProgramFile, own: Origin, text: string, call: Call | null): Path => ({
      file: from,
      origin: own,
      text: insert(path, text),
      before: (path.before + own.before).slice(0, maxText),
      steps: call ? [stepAt(from, call.step), ...steps] : steps,
      depth: path.depth + 1,
      isProven: path.isProven,
    });
    if (origin.from === 'result')
      return (resultsOf(definition) ?? [])
        .filter((own) => own.from !== 'parameter')
        .map((own) => next(definition.file, own, own.before, null));
    const callers = this.#callers.get(definition) ?? [];
    return callers.flatMap((caller) =>
      caller.call.passed
        .filter(({ part }) => matchesPart(part, origin.part ?? '0', definition.summary.parameters))
        .flatMap(({ text, origins }) => origins.map((own) => next(caller.file, own, text, caller.call))),
    );
  }
}

const stepAt = (file: ProgramFile, [line, message]: Step): CodeStep => ({ path: file.path, line, message });

function startOf(file: ProgramFile, origin: Origin, { text, used }: Use): Path {
  return { file, origin, text, before: origin.before, steps: [stepAt(file, used)], depth: 0, isProven: true };
}

const stepsOf = ({ file, origin }: Path): CodeStep[] => origin.steps.map((step) => stepAt(file, step));

/** Inserts a caller's text in place of the parameter. */
const insert = ({ text, before }: Path, inner: string): string =>
  `${text.slice(0, before.length)}${inner}${text.slice(before.length)}`.slice(0, maxText);

/**
 * Returns whether input counts for a rule, given the constant text around it in all files; `added` is the text that
 * functions put before it.
 */
function isInputOf({ input }: CodeRule, { origin, text, before }: Path, added: string): boolean {
  if (!input) return false;
  const source = /^Input `(.*?)…?`$/s.exec(origin.steps[0]?.[1] ?? '')?.[1] ?? '';
  if (input.except && new RegExp(input.except).test(source)) return false;
  if (input.unlessAfter && new RegExp(input.unlessAfter, 'i').test(before + added)) return false;
  return !input.containing || new RegExp(input.containing, 'i').test(text);
}
