import { type PlaceKind, placeKinds } from '../languages/inputs.ts';
import { type Definition, resultsOf } from './definition.ts';
import { matchesPart } from './parts.ts';
import type { Program } from './program.ts';
import type { Origin } from './summary.ts';

/** A sink's kind; `any` stands for rules without one, for which every encoder counts. */
export type Sink = PlaceKind | 'any';

const sinks: Sink[] = [...placeKinds, 'any'];
const all = (1 << sinks.length) - 1;
const bitOf = (sink: Sink) => 1 << sinks.indexOf(sink);

/** The sinks for which a function's result may be harmful, because of a parameter's part or input of a request. */
type Passing = { parts: Map<string, number>; request: number };

const maxRounds = 24;

/**
 * Computes which parameters each function returns, and for which sinks they are still harmful. Functions that call each
 * other are computed repeatedly until nothing changes.
 */
export class Results {
  readonly #program: Program;
  readonly #passing = new Map<Definition, Passing>();
  readonly #proven = new Map<Definition, Map<string, boolean>>();

  constructor(program: Program) {
    this.#program = program;
    const definitions = new Set<Definition>();
    for (const file of program.files)
      for (const { name, results } of file.summary.functions) {
        const definition = results ? program.find(file, name) : null;
        if (definition && resultsOf(definition)) definitions.add(definition);
      }
    for (let round = 0, changed = true; changed && round < maxRounds; round++) {
      changed = false;
      for (const definition of definitions) changed = this.#update(definition) || changed;
    }
  }

  #update(definition: Definition): boolean {
    const { file, summary } = definition;
    const passing = this.#passing.get(definition) ?? { parts: new Map(), request: 0 };
    this.#passing.set(definition, passing);
    let changed = false;
    for (const origin of resultsOf(definition)!) {
      const mask = this.maskOf(file, origin);
      if (mask === 0) continue;
      if (origin.from !== 'result' && origin.name === summary.name) {
        const part = origin.part ?? '0';
        const before = passing.parts.get(part) ?? 0;
        passing.parts.set(part, before | mask);
        changed ||= (before | mask) !== before;
      } else if (origin.from !== 'parameter') {
        changed ||= (passing.request | mask) !== passing.request;
        passing.request |= mask;
      }
    }
    return changed;
  }

  /** Returns the sinks for which a value with an origin is harmful, as bits. */
  maskOf(file: Definition['file'], origin: Origin): number {
    let mask = all & ~cleanMask(origin);
    if (origin.from === 'result') mask &= this.#requestMask(file, origin.name!);
    for (const [name, part, isField] of origin.through ?? []) mask &= this.#partMask(file, name, part, isField);
    return mask;
  }

  isHarmful(file: Definition['file'], origin: Origin, sink: Sink): boolean {
    return (this.maskOf(file, origin) & bitOf(sink)) !== 0;
  }

  /** Returns the constant text that functions put before a value that goes through them. */
  textBefore(file: Definition['file'], { through = [] }: Origin): string {
    return through.map(([name, given]) => this.#textBeforePart(file, name, given)).join('');
  }

  #textBeforePart(file: Definition['file'], name: string, given: string): string {
    const definition = this.#program.find(file, name);
    const own = definition ? returnedPart(definition, given) : [];
    const [shortest = ''] = own.map((one) => one.before).sort((left, right) => left.length - right.length);
    return shortest;
  }

  /** Returns whether the files show what each function returns that a value goes through, there and in those functions. */
  isProven(file: Definition['file'], { through = [] }: Origin): boolean {
    return through.every(([name, given]) => {
      const definition = this.#program.find(file, name);
      return definition !== null && this.#isPartProven(definition, given);
    });
  }

  #isPartProven(definition: Definition, given: string): boolean {
    const proven = this.#proven.get(definition) ?? new Map<string, boolean>();
    const known = proven.get(given);
    if (known !== undefined) return known;
    // Functions may call each other.
    this.#proven.set(definition, proven.set(given, false));
    const own = returnedPart(definition, given);
    const isProven =
      resultsOf(definition) !== null && (own.length === 0 || own.some((one) => this.isProven(definition.file, one)));
    proven.set(given, isProven);
    return isProven;
  }

  #requestMask(file: Definition['file'], name: string): number {
    const definition = this.#program.find(file, name);
    return (definition && this.#passing.get(definition)?.request) ?? 0;
  }

  #partMask(file: Definition['file'], name: string, given: string, isField = false): number {
    const definition = this.#program.find(file, name);
    // An unknown function may return what it gets, but what it finds for that has fields of its own.
    if (!definition || !resultsOf(definition)) return isField ? 0 : all;
    let mask = 0;
    for (const [part, own] of this.#passing.get(definition)?.parts ?? [])
      if (matchesPart(given, part, definition.summary.parameters)) mask |= own;
    return mask;
  }
}

function cleanMask({ cleanFor = [] }: Origin): number {
  const mask = cleanFor.reduce((bits, kind) => bits | bitOf(kind), 0);
  return cleanFor.length > 0 ? mask | bitOf('any') : mask;
}

/** Returns the origins of a function's result that are the given part of its parameters. */
function returnedPart(definition: Definition, given: string): Origin[] {
  const { name, parameters } = definition.summary;
  return (resultsOf(definition) ?? []).filter(
    (one) => one.name === name && matchesPart(given, one.part ?? '0', parameters),
  );
}
