import { type Codes, type Numbers, type Restored, type Stored, withRoom } from './arrays.ts';
import { allRows, type Bits } from './bits.ts';
import { TermCompiler } from './compile-terms.ts';
import { inPassOrder, inTestOrder } from './costs.ts';
import { findRows } from './find-rows.ts';
import { IdTable, readId, writeId } from './id-words.ts';
import { meetsAll, type Predicate, type Range } from './predicates.ts';
import type { ColumnDataSource, ColumnRow } from './row.ts';
import { RowSet } from './row-sets.ts';
import { ShownRows } from './shown-rows.ts';
import { type Keys, type Place, SortedRows, type StoredOrder } from './sorted-rows.ts';
import { type CodeColumn, ListCodes, TextCodes } from './stored.ts';
import { KeptSums, type Sums } from './sums.ts';
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

/** The columns of each list order, most significant first; the id is last. */
export const orderKeys = [
  ['severity', 'firstSeenAt'],
  ['priority', 'firstSeenAt'],
  ['dueAt'],
  ['firstSeenAt'],
  ['updatedAt'],
] satisfies OrderKey[];
export type OrderKey = readonly ('severity' | 'priority' | 'firstSeenAt' | 'updatedAt' | 'dueAt')[];

/** A page of an order: the rows after a position, or the first rows. */
export type PageRequest = { key: OrderKey; descending: boolean; after: Place | null; limit: number };

const record = <Name extends string, Value>(names: readonly Name[], make: () => Value) =>
  Object.fromEntries(names.map((name) => [name, make()])) as Record<Name, Value>;

/**
 * Rows that are new or whose key changed wait in the small part of an order until they exceed one in this many of all
 * rows, and `minMoved`.
 */
const movedShare = 512;
/** `maxRows` is the number of rows that one merge step visits. */
const usualFold = { minMoved: 2048, maxRows: 150_000 };

/** The columns with filters on their values. */
const listedColumns = ['dataSourceId', 'ruleId', 'assigneeId', 'packageName', 'tags', 'identifiers'] as const;

/** Sets with fewer rows than one in this many are built row by row. */
const fewShare = 32;

/**
 * The findings of one organization in columns: one number per finding and column, so that a pass over a million
 * findings takes about a millisecond. Rows are numbered in order of arrival and never removed. Apply every change
 * before querying.
 */
export class FindingColumns {
  #size = 0;
  /** The number of rows that the arrays have room for. */
  #room = 0;
  #ids = new Uint32Array(0);
  readonly #rowsOfIds = new IdTable();
  readonly #word = new Uint32Array(4);
  readonly texts: Record<TextColumn, TextCodes> = record(textColumns, () => new TextCodes());
  readonly lists: Record<ListColumn, ListCodes> = record(listColumns, () => new ListCodes());
  readonly #coded = { ...this.texts, ...this.lists } as Record<
    TextColumn | ListColumn,
    CodeColumn<string | null> | CodeColumn<readonly string[]>
  >;
  readonly #numbers = {
    severity: new Uint8Array(0),
    priority: new Uint8Array(0),
    number: new Uint32Array(0),
    epss: new Float32Array(0),
    /** The high and the low half of each problem number. */
    problemHigh: new Uint32Array(0),
    problemLow: new Uint32Array(0),
    ...record(timeColumns, () => new Float64Array(0)),
  };
  /** The rows of each severity. */
  readonly severities = Array.from({ length: 5 }, () => new RowSet());
  readonly flags: Record<Flag, RowSet> = record(flags, () => new RowSet());
  readonly #shown = new ShownRows(() => ({
    problems: [this.#numbers.problemHigh, this.#numbers.problemLow],
    ids: this.#ids,
    count: this.#size,
    sources: this.texts.source.codes,
    isClosed: (row) => this.flags.closed.has(row),
  }));
  readonly #orders = new Map<string, { key: OrderKey; rows: SortedRows }>();
  #dataSources = new Map<string, ColumnDataSource>();
  /** Restored rows may be newer than their positions in orders until all changes are applied. */
  #isRestored = false;
  readonly #compiler = new TermCompiler(this);
  readonly #sums = new KeptSums(this);

  get size(): number {
    return this.#size;
  }

  /**
   * The memory of all columns. The share of distinct texts and lists is an estimate. Unused capacity is not resident
   * yet and not included.
   */
  get bytes(): number {
    const codes = Object.values(this.#coded).map((column) => column.codes);
    const arrays = [this.#ids, ...Object.values(this.#numbers), ...codes];
    const inUse = this.#room > this.#size ? this.#size / this.#room : 1;
    const sets = [...this.severities, ...Object.values(this.flags)];
    const sizes = [
      this.#rowsOfIds.bytes,
      ...arrays.map(({ byteLength }) => Math.ceil(byteLength * inUse)),
      ...sets.map(({ bits }) => bits.byteLength),
      this.#shown.bytes,
      this.#compiler.bytes,
      this.#sums.bytes,
      ...Object.values(this.#coded).map((column) => column.bytes - column.codes.byteLength),
      ...[...this.#orders.values()].map(({ rows }) => rows.bytes),
    ];
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /** Replaces the data sources of the organization and the times of their last scans. */
  setDataSources(dataSources: readonly ColumnDataSource[]): void {
    this.#dataSources = new Map(dataSources.map((dataSource) => [dataSource.id, dataSource]));
  }

  get dataSources(): Iterable<ColumnDataSource> {
    return this.#dataSources.values();
  }

  dataSource(id: string): ColumnDataSource | undefined {
    return this.#dataSources.get(id);
  }

  /**
   * Builds all structures that the first query of each kind would build, in steps that take seconds at ten million
   * findings.
   */
  *preparing(): Generator<void, void, void> {
    this.#isRestored = false;
    for (const key of orderKeys) yield void this.#order(key);
    for (const column of listedColumns) yield this.#coded[column].prepare();
    yield void this.#shown.read();
    this.#sums.read([], []);
  }

  /** Adds findings, or replaces those with the same ids. Throws for an invalid finding id. */
  upsert(rows: readonly ColumnRow[]): void {
    for (const row of rows) {
      const known = this.rowOf(row.id);
      if (known >= 0) this.#write(known, row, false);
      else this.#append(row);
    }
  }

  /**
   * Merges some of the moved rows into the sorted parts, in about a millisecond; returns whether there is more to do.
   * Queries are correct at any time, but slower the more rows have moved.
   */
  fold({ minMoved, maxRows } = usualFold): boolean {
    const maxMoved = Math.max(minMoved, this.#size / movedShare);
    for (const { rows } of this.#orders.values()) if (rows.fold(maxMoved, maxRows)) return true;
    if (this.#shown.fold(maxMoved, maxRows)) return true;
    if (Object.values(this.#coded).some((column) => column.fold({ minMoved: 2 * minMoved, maxRows }))) return true;
    this.#sums.settle();
    return false;
  }

  #append(given: ColumnRow): void {
    const row = this.#size;
    this.#makeRoom(row + 1);
    this.#ids.set(this.#word, row * 4);
    this.#size += 1;
    this.#rowsOfIds.add(this.#ids, row);
    this.#write(row, given, true);
  }

  #makeRoom(rows: number): void {
    if (rows <= this.#room) return;
    this.#room = Math.ceil(rows * 1.5);
    this.#ids = withRoom(this.#ids, this.#room * 4);
    for (const column of Object.values(this.#coded)) column.codes = withRoom(column.codes, this.#room);
    const numbers: Record<string, Numbers> = this.#numbers;
    for (const [name, array] of Object.entries(numbers)) numbers[name] = withRoom(array, this.#room);
  }

  #write(row: number, given: ColumnRow, isNew: boolean): void {
    this.#sums.changes(row);
    const isMoved = isNew || this.#isRestored;
    for (const { key, rows } of this.#orders.values())
      if (isMoved || key.some((column) => this.numbers(column)[row] !== given[column])) rows.moved(row);
    const numbers = this.#numbers;
    for (const name of timeColumns) numbers[name][row] = given[name];
    if (!isNew) this.severities[numbers.severity[row]!]!.put(row, false);
    this.severities[given.severity]!.put(row, true);
    numbers.severity[row] = given.severity;
    numbers.priority[row] = given.priority;
    numbers.number[row] = given.number;
    numbers.epss[row] = given.epss ?? Number.NaN;
    const problem = BigInt.asUintN(64, BigInt(given.problem ?? 0));
    const [high, low] = [Number(problem >> 32n), Number(problem & 0xffffffffn)];
    const before = isNew ? null : ([numbers.problemHigh[row]!, numbers.problemLow[row]!] as const);
    const source = this.texts.source.codes[row];
    for (const name of textColumns) this.texts[name].set(row, given[name]);
    for (const name of listColumns) this.lists[name].set(row, (given[name] ?? []).map(String));
    const isClosedNow = this.flags.closed.has(row) !== given.closed;
    for (const flag of flags) this.flags[flag].put(row, given[flag]);
    numbers.problemHigh[row] = high;
    numbers.problemLow[row] = low;
    const isSame = before !== null && before[0] === high && before[1] === low && !isClosedNow;
    if (!isSame || source !== this.texts.source.codes[row]) this.#shown.changed(row, before);
  }

  numbers(column: NumberColumn): Uint8Array | Uint32Array | Float32Array | Float64Array {
    return this.#numbers[column];
  }

  idOf(row: number): string {
    return writeId(this.#ids, row * 4);
  }

  /** Returns the rows that meet all terms. */
  select(terms: readonly Term[]): Bits {
    return this.#selectAll(this.compile(terms));
  }

  /**
   * Counts the rows that meet all terms, and the open ones by age: `ageBounds` are the times between age bands,
   * descending. The sums of recent terms are updated with each change.
   */
  sum(terms: readonly Term[], ageBounds: readonly number[]): Sums {
    return this.#sums.read(terms, ageBounds);
  }

  #selectAll(parts: readonly Predicate[]): Bits {
    const rarest = parts.find(({ isListed }) => isListed);
    if (!rarest || rarest.estimate > this.#size / fewShare) {
      const bits = allRows(this.#size);
      for (const part of inPassOrder(parts, this.#size)) part.restrict(bits);
      return bits;
    }
    const others = inTestOrder(parts, this.#size).filter((part) => part !== rarest);
    const bits = new Uint32Array((this.#size + 31) >>> 5);
    for (const row of rarest.list()) if (meetsAll(others, row)) bits[row >>> 5]! |= 1 << (row & 31);
    return bits;
  }

  /** Returns the conditions, most selective first. */
  compile(terms: readonly Term[]): Predicate[] {
    return this.#compiler.compile(terms);
  }

  /** Returns the row with an id; -1 if there is none. Throws for an invalid finding id. */
  rowOf(id: string): number {
    readId(id, this.#word);
    return this.#rowsOfIds.find(this.#ids, this.#word);
  }

  /** Returns the rows that represent their problem. */
  shownRows(): RowSet {
    return this.#shown.read();
  }

  /**
   * Returns the rows whose number is in a range, and their approximate count; null if no order starts with this column.
   */
  inRange(range: Range): { count: number; list(): Uint32Array } | null {
    const order = [...this.#orders.values()].find(({ key }) => key[0] === range.column)?.rows;
    const section = order?.section({ range });
    return order && section ? { count: order.count(section), list: () => order.list(section) } : null;
  }

  #order(key: OrderKey): SortedRows {
    return this.#orders.get(key.join())?.rows ?? this.#addOrder(key);
  }

  #addOrder(key: OrderKey, stored?: StoredOrder): SortedRows {
    const keys = (): Keys => ({
      numbers: key.map((column) => this.numbers(column) as Uint8Array | Float64Array),
      ids: this.#ids,
      count: this.#size,
    });
    const rows = new SortedRows(keys, stored);
    this.#orders.set(key.join(), { key, rows });
    return rows;
  }

  /** Returns the arrays with one number per row, by their stored names. */
  #arrays(): Record<string, Numbers> {
    const codes = Object.entries(this.#coded).map(([name, column]) => [`codes of ${name}`, column.codes]);
    return { ...this.#numbers, ...Object.fromEntries(codes) };
  }

  /**
   * Returns the data that restores the rows, in their current state or a later one if they change while they are
   * written.
   */
  store(): Stored {
    const size = this.#size;
    const arrays: Stored['arrays'] = { ids: this.#ids.subarray(0, size * 4) };
    for (const [name, array] of Object.entries(this.#arrays())) arrays[name] = array.subarray(0, size);
    for (const flag of flags) arrays[`rows of ${flag}`] = this.flags[flag].bits.subarray(0, (size + 31) >>> 5);
    for (const key of orderKeys)
      for (const [part, rows] of Object.entries(this.#order(key).store())) arrays[`${part} of ${key}`] = rows;
    const values = () =>
      Object.fromEntries(Object.entries(this.#coded).map(([name, column]) => [name, column.values()]));
    return { size, arrays, values };
  }

  /**
   * Restores stored columns. Replace all rows that have changed since before calling `prepare`. Throws if a part is
   * missing.
   */
  static of({ size, arrays, values }: Restored): FindingColumns {
    const columns = new FindingColumns();
    const take = (name: string, length = size) => {
      const array = arrays[name];
      if (array?.length !== length) throw new Error(`The columns have no ${name}.`);
      return array;
    };
    columns.#size = size;
    columns.#ids = take('ids', size * 4) as Uint32Array<ArrayBuffer>;
    for (let row = 0; row < size; row++) columns.#rowsOfIds.add(columns.#ids, row);
    const numbers: Record<string, Numbers> = columns.#numbers;
    for (const name of Object.keys(numbers)) numbers[name] = take(name);
    for (let row = 0; row < size; row++) columns.severities[columns.#numbers.severity[row]!]!.put(row, true);
    for (const [name, column] of Object.entries(columns.#coded))
      column.restore(values[name] ?? [], take(`codes of ${name}`) as Codes);
    for (const flag of flags) columns.flags[flag].restore(arrays[`rows of ${flag}`] as Uint32Array<ArrayBuffer>, size);
    for (const key of orderKeys) {
      const [main, moved] = [arrays[`main of ${key}`], arrays[`moved of ${key}`]] as Array<Uint32Array<ArrayBuffer>>;
      if (!main || !moved || main.length + moved.length < size) throw new Error(`The columns have no order of ${key}.`);
      columns.#addOrder(key, { main, moved });
    }
    columns.#isRestored = true;
    return columns;
  }

  /** Returns up to `limit` rows that meet all terms, after a position in an order. */
  page(terms: readonly Term[], { key, ...request }: PageRequest): number[] {
    const order = this.#order(key);
    const parts = this.compile(terms);
    const ranges = parts.map(({ range }) => range).filter((range) => range?.column === key[0]);
    return findRows(order, parts, this.#size, ranges, request, () => this.#selectAll(parts));
  }
}
