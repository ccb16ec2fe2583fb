import { withRoom } from './arrays.ts';
import {
  CodesTest,
  DecidedTest,
  EveryTest,
  ListedTest,
  NotTest,
  NumbersTest,
  type Predicate,
  type Range,
  RangeTest,
  RowTest,
  SomeTest,
} from './predicates.ts';
import type { ColumnDataSource } from './row.ts';
import type { RowSet } from './row-sets.ts';
import type { CodeColumn, ListCodes, TextCodes } from './stored.ts';
import type { Flag, ListColumn, NumberColumn, Term, TextColumn } from './term.ts';

/** One in this many rows is sampled to estimate how many meet a condition, up to `maxSamples`. */
const sampledShare = 4_000;
const [minSamples, maxSamples] = [64, 1_024];

/** The maximum number of conditions whose decisions on texts are cached. */
const maxDecisions = 16;

type Columns = {
  readonly size: number;
  readonly texts: Record<TextColumn, TextCodes>;
  readonly lists: Record<ListColumn, ListCodes>;
  readonly flags: Record<Flag, RowSet>;
  readonly severities: readonly RowSet[];
  readonly dataSources: Iterable<ColumnDataSource>;
  numbers(column: NumberColumn): Uint8Array | Uint32Array | Float32Array | Float64Array;
  shownRows(): RowSet;
  rowOf(id: string): number;
  inRange(range: Range): { count: number; list(): Uint32Array } | null;
};

/** Compiles terms to conditions on the rows of columns. */
export class TermCompiler {
  readonly #columns: Columns;
  /** The decisions on the codes of a column, by condition. */
  readonly #decisions = new Map<string, Uint8Array<ArrayBuffer>>();

  constructor(columns: Columns) {
    this.#columns = columns;
  }

  get bytes(): number {
    return [...this.#decisions.values()].reduce((sum, known) => sum + known.byteLength, 0);
  }

  /** Returns the conditions, most selective first. */
  compile(terms: readonly Term[]): Predicate[] {
    const flat = terms.flatMap((term) => ('every' in term ? term.every : [term]));
    return flat.map((term) => this.#compile(term)).sort((one, other) => one.estimate - other.estimate);
  }

  #compile(term: Term): Predicate {
    const part = this.#compilePart(term);
    if (!Number.isNaN(part.estimate)) return part;
    const { size } = this.#columns;
    const samples = Math.min(maxSamples, Math.max(minSamples, Math.floor(size / sampledShare)));
    let found = 0;
    for (let index = 0; index < samples; index++) if (part.test(Math.floor((index / samples) * size))) found += 1;
    part.estimate = (Math.max(found, 0.5) / samples) * size;
    return part;
  }

  #compilePart(term: Term): Predicate {
    if ('every' in term) return new EveryTest(term.every.map((part) => this.#compile(part)));
    if ('some' in term) return new SomeTest(term.some.map((part) => this.#compile(part)));
    if ('not' in term) return new NotTest(this.#compile(term.not), this.#columns.size);
    if ('shown' in term) return this.#inSet(this.#columns.shownRows());
    if ('ids' in term) return this.#compileIds(term.ids);
    if ('flag' in term) {
      const part = this.#inSet(this.#columns.flags[term.flag]);
      return term.is ? part : new NotTest(part, this.#columns.size);
    }
    if ('number' in term) return this.#compileNumbers(term);
    return this.#compileCodes(term);
  }

  #inSet = ({ bits, count }: RowSet): Predicate => new RowTest(bits, count);

  #compileIds(ids: readonly string[]): Predicate {
    const rows = new Set<number>();
    for (const id of ids) {
      const row = this.#columns.rowOf(id);
      if (row >= 0) rows.add(row);
    }
    return new ListedTest(Uint32Array.from(rows), new Uint32Array((this.#columns.size + 31) >>> 5));
  }

  #compileNumbers(term: Extract<Term, { number: unknown }>): Predicate {
    if (!('in' in term)) {
      const { number: column, from = Number.NEGATIVE_INFINITY, before = Number.NaN } = term;
      const range = { column, from, before };
      return new RangeTest(this.#columns.numbers(column), range, this.#columns.inRange(range));
    }
    if (term.number === 'number') return new NumbersTest(this.#columns.numbers('number') as Uint32Array, term.in);
    const range = { column: term.number, from: Math.min(...term.in), before: Math.max(...term.in) + 1 };
    const sets = [...new Set(term.in)].map((rank) => this.#columns.severities[rank]!);
    if (sets.length === 1) return new RowTest(sets[0]!.bits, sets[0]!.count, range);
    return new SomeTest(sets.map(this.#inSet), range);
  }

  #compileCodes(term: Extract<Term, { text: unknown } | { list: unknown } | { dataSource: unknown }>): Predicate {
    if ('dataSource' in term) {
      const accepted = [...this.#columns.dataSources].filter(term.dataSource).map(({ id }) => id);
      return this.#inCodes(this.#columns.texts.dataSourceId, this.#codesOf('dataSourceId', accepted));
    }
    if ('list' in term) {
      const column = this.#columns.lists[term.list];
      if (!('isEmpty' in term)) return this.#inCodes(column, column.withAny(term.anyOf, term.inAnyCase ?? false));
      const empty = column.find([]);
      return this.#inCodes(column, empty === undefined ? [] : [empty]);
    }
    if ('in' in term) return this.#inCodes(this.#columns.texts[term.text], this.#codesOf(term.text, term.in));
    const column = this.#columns.texts[term.text];
    const decisions = this.#decisionsOf(term.name, column.count);
    return new DecidedTest(column.codes, decisions, (code) => term.where(column.value(code)));
  }

  #codesOf(column: TextColumn, values: readonly (string | null)[]): number[] {
    const codes = values.map((value) => this.#columns.texts[column].find(value)).filter((code) => code !== undefined);
    return [...new Set(codes)];
  }

  #inCodes(column: CodeColumn<unknown>, codes: number[]): Predicate {
    const sets = codes.map((code) => column.sets?.[code]);
    if (codes.length === 1 && sets[0]) return new RowTest(sets[0], column.counts[codes[0]!]!);
    return new CodesTest(column, codes);
  }

  /** Returns the cached decisions of a condition on the codes of a column. */
  #decisionsOf(name: string, count: number): Uint8Array {
    const known = withRoom(this.#decisions.get(name) ?? new Uint8Array(0), count);
    this.#decisions.delete(name);
    this.#decisions.set(name, known);
    if (this.#decisions.size > maxDecisions) this.#decisions.delete(this.#decisions.keys().next().value!);
    return known;
  }
}
