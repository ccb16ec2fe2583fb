import { allRows, type Bits, countRows, hasRow, listRows } from './bits.ts';
import { IdTable, readId, writeId } from './id-words.ts';
import { CodeTest, EveryTest, NotTest, type Predicate, RangeTest, RowTest, SetTest, SomeTest } from './predicates.ts';
import type { ColumnDataSource, ColumnRow } from './row.ts';
import { shownRows } from './shown-rows.ts';
import { type Keys, type Place, SortedRows } from './sorted-rows.ts';
import { CodeColumn, ListCodes, withRoom } from './stored.ts';
import {
  type Flag,
  flags,
  type ListColumn,
  listColumns,
  type NumberColumn,
  type Term,
  type TextColumn,
  textColumns,
  timeColumns,
} from './term.ts';

/** The columns of an order, the most significant first; the id comes last. */
export type OrderKey = readonly ('severity' | 'priority' | 'firstSeenAt' | 'updatedAt' | 'dueAt')[];

/** A page of an order: what is behind a place, or its beginning. */
export type PageRequest = { key: OrderKey; descending: boolean; after: Place | null; limit: number };

const record = <Name extends string, Value>(names: readonly Name[], make: () => Value) =>
  Object.fromEntries(names.map((name) => [name, make()])) as Record<Name, Value>;

/** A finding that is new or whose key changed waits in the small part of an order, until one in so many of all do. */
const recentShare = 512;
const minRecent = 2048;

/** The rows that are looked at one by one before a list passes over all of them. */
const maxVisited = 4_096;

/** Fewer findings than one in so many are compared with each other rather than looked for in an order. */
const fewShare = 16;

/**
 * The findings of one organization in columns: a number for each finding and column, so that a pass over a million findings takes
 * about a millisecond. Rows are numbered as they come, and never leave. The caller applies every change before it asks.
 */
export class FindingColumns {
  #size = 0;
  #ids = new Uint32Array(0);
  readonly #rowsOfIds = new IdTable();
  readonly #word = new Uint32Array(4);
  readonly texts: Record<TextColumn, CodeColumn<string | null>> = record(textColumns, () => new CodeColumn());
  readonly lists: Record<ListColumn, ListCodes> = record(listColumns, () => new ListCodes());
  readonly #times = record(timeColumns, () => new Float64Array(0));
  #severity = new Uint8Array(0);
  #priority = new Uint8Array(0);
  #number = new Uint32Array(0);
  #epss = new Float32Array(0);
  #flags = new Uint8Array(0);
  /** The two words of each problem. */
  #problems = new Uint32Array(0);
  #shown: Bits | null = null;
  readonly #orders = new Map<string, { key: OrderKey; rows: SortedRows }>();
  #dataSources = new Map<string, ColumnDataSource>();

  get size(): number {
    return this.#size;
  }

  /** The memory of all columns, of which that of distinct texts and lists is an estimate. */
  get bytes(): number {
    const numbers = [...Object.values(this.#times), this.#severity, this.#priority, this.#number, this.#epss];
    const arrays = [this.#ids, ...numbers, this.#flags, this.#problems, ...(this.#shown ? [this.#shown] : [])];
    const sizes = [
      this.#rowsOfIds.bytes,
      ...arrays.map((array) => array.byteLength),
      ...[...Object.values(this.texts), ...Object.values(this.lists)].map(({ bytes }) => bytes),
      ...[...this.#orders.values()].map(({ rows }) => rows.bytes),
    ];
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /** Replaces the data sources of the organization and the times of their last scans. */
  setDataSources(dataSources: readonly ColumnDataSource[]): void {
    this.#dataSources = new Map(dataSources.map((dataSource) => [dataSource.id, dataSource]));
  }

  dataSource(id: string): ColumnDataSource | undefined {
    return this.#dataSources.get(id);
  }

  /** Adds findings, or replaces those with the same ids. Throws for an id that is none of a finding. */
  upsert(rows: readonly ColumnRow[]): void {
    for (const row of rows) {
      readId(row.id, this.#word);
      const known = this.#rowsOfIds.find(this.#ids, this.#word);
      if (known >= 0) this.#replace(known, row);
      else this.#append(row);
    }
    // One at a time: a read that follows waits for no more than that.
    for (const { rows: sorted } of this.#orders.values()) if (sorted.fold(this.#maxRecent)) return;
  }

  get #maxRecent(): number {
    return Math.max(minRecent, this.#size / recentShare);
  }

  #append(given: ColumnRow): void {
    const row = this.#size;
    this.#makeRoom(row + 1);
    this.#ids.set(this.#word, row * 4);
    this.#size += 1;
    this.#rowsOfIds.add(this.#ids, row);
    this.#write(row, given);
    for (const { rows } of this.#orders.values()) rows.moved(row);
  }

  #replace(row: number, given: ColumnRow): void {
    const moved = [...this.#orders.values()].filter(({ key }) =>
      key.some((column) => this.numbers(column)[row] !== given[column]),
    );
    this.#write(row, given);
    for (const { rows } of moved) rows.moved(row);
  }

  #makeRoom(rows: number): void {
    this.#ids = withRoom(this.#ids, rows * 4);
    this.#problems = withRoom(this.#problems, rows * 2);
    for (const column of [...Object.values(this.texts), ...Object.values(this.lists)])
      column.codes = withRoom(column.codes, rows);
    for (const name of timeColumns) this.#times[name] = withRoom(this.#times[name], rows);
    this.#severity = withRoom(this.#severity, rows);
    this.#priority = withRoom(this.#priority, rows);
    this.#number = withRoom(this.#number, rows);
    this.#epss = withRoom(this.#epss, rows);
    this.#flags = withRoom(this.#flags, rows);
  }

  #write(row: number, given: ColumnRow): void {
    for (const name of textColumns) this.texts[name].set(row, given[name], given[name]);
    for (const name of listColumns) {
      const list = (given[name] ?? []).map(String);
      this.lists[name].setList(row, list);
    }
    for (const name of timeColumns) this.#times[name][row] = given[name];
    this.#severity[row] = given.severity;
    this.#priority[row] = given.priority;
    this.#number[row] = given.number;
    this.#epss[row] = given.epss ?? Number.NaN;
    this.#flags[row] = flags.reduce((bits, flag, bit) => (given[flag] ? bits | (1 << bit) : bits), 0);
    const problem = given.problem === null ? 0n : BigInt.asUintN(64, BigInt(given.problem));
    this.#problems[row * 2] = Number(problem >> 32n);
    this.#problems[row * 2 + 1] = Number(problem & 0xffffffffn);
    this.#shown = null;
  }

  numbers(column: NumberColumn): Uint8Array | Uint32Array | Float32Array | Float64Array {
    if (column === 'severity') return this.#severity;
    if (column === 'priority') return this.#priority;
    if (column === 'number') return this.#number;
    if (column === 'epss') return this.#epss;
    return this.#times[column];
  }

  /** Returns a test of rows for a flag. */
  flagTest(flag: Flag): (row: number) => boolean {
    const [all, mask] = [this.#flags, 1 << flags.indexOf(flag)];
    return (row) => (all[row]! & mask) !== 0;
  }

  idOf(row: number): string {
    return writeId(this.#ids, row * 4);
  }

  /** Returns the rows that all terms select. */
  select(terms: readonly Term[]): Bits {
    const bits = allRows(this.#size);
    this.#compileAll(terms).restrict(bits);
    return bits;
  }

  /** Returns the condition that all terms hold. Those that look at texts come last: for the fewest rows. */
  #compileAll(terms: readonly Term[]): Predicate {
    const looksAtTexts = (term: Term) => 'where' in term || ('not' in term && 'where' in term.not);
    const sorted = [...terms.filter((term) => !looksAtTexts(term)), ...terms.filter(looksAtTexts)];
    return new EveryTest(sorted.map((term) => this.#compile(term)));
  }

  #compile(term: Term): Predicate {
    if ('every' in term) return new EveryTest(term.every.map((part) => this.#compile(part)));
    if ('some' in term) return new SomeTest(term.some.map((part) => this.#compile(part)));
    if ('not' in term) return new NotTest(this.#compile(term.not));
    if ('shown' in term) return new RowTest(this.#readShown());
    if ('flag' in term) {
      const mask = 1 << flags.indexOf(term.flag);
      return new SetTest(this.#flags, mask, [term.is ? mask : 0]);
    }
    if ('number' in term) {
      if ('in' in term) return new SetTest(this.numbers(term.number) as Uint32Array, 0xffffffff, term.in);
      const { from = Number.NEGATIVE_INFINITY, before = Number.NaN } = term;
      return new RangeTest(this.numbers(term.number), from, before);
    }
    return this.#compileCodes(term);
  }

  #compileCodes(term: Extract<Term, { text: unknown } | { list: unknown } | { dataSource: unknown }>): Predicate {
    if ('dataSource' in term) {
      const { codes, values } = this.texts.dataSourceId;
      return new CodeTest(codes, values.length, (code) => {
        const dataSource = this.#dataSources.get(values[code]!);
        return dataSource !== undefined && term.dataSource(dataSource);
      });
    }
    if ('list' in term) {
      const column = this.lists[term.list];
      const { codes, values } = column;
      if ('isEmpty' in term) return new CodeTest(codes, values.length, (code) => values[code]!.length === 0);
      return new CodeTest(codes, values.length, column.withAny(term.anyOf, term.inAnyCase ?? false));
    }
    const column = this.texts[term.text];
    const { codes, values } = column;
    if ('where' in term) return new CodeTest(codes, values.length, (code) => term.where(values[code]!));
    const accepted = term.in.map((value) => column.find(value)).filter((code) => code !== undefined);
    return new CodeTest(codes, values.length, accepted);
  }

  #readShown(): Bits {
    this.#shown ??= shownRows({
      size: this.#size,
      ids: this.#ids,
      problems: this.#problems,
      sources: this.texts.source.codes,
      isClosed: this.flagTest('closed'),
    });
    return this.#shown;
  }

  #sorted(key: OrderKey): SortedRows {
    const name = key.join();
    const known = this.#orders.get(name);
    if (known) {
      // An import puts more into the small part than is worth sorting.
      known.rows.fold(4 * this.#maxRecent);
      return known.rows;
    }
    const keys = (): Keys => ({
      numbers: key.map((column) => this.numbers(column) as Uint8Array | Float64Array),
      ids: this.#ids,
      count: this.#size,
    });
    const rows = new SortedRows(keys);
    this.#orders.set(name, { key, rows });
    return rows;
  }

  /** Returns the rows that all terms select, at most `limit` behind a place of an order. */
  page(terms: readonly Term[], { key, descending, after, limit }: PageRequest): number[] {
    const found: number[] = [];
    const all = this.#compileAll(terms);
    const sorted = this.#sorted(key);
    let visited = 0;
    sorted.walk(after, descending, (row) => {
      visited += 1;
      if (all.test(row)) found.push(row);
      return found.length < limit && visited < maxVisited;
    });
    if (visited < maxVisited || found.length === limit) return found;
    const bits = allRows(this.#size);
    all.restrict(bits);
    if (countRows(bits) < this.#size / fewShare) return sorted.first(listRows(bits), after, descending, limit);
    const rows: number[] = [];
    sorted.walk(after, descending, (row) => {
      if (hasRow(bits, row)) rows.push(row);
      return rows.length < limit;
    });
    return rows;
  }
}
