import { withRoom } from './arrays.ts';
import { allRows, type Bits, listRows } from './bits.ts';
import { meetsAll, type Predicate, type Range } from './predicates.ts';
import { RowSet } from './row-sets.ts';
import type { TextCodes } from './stored.ts';
import type { Term, TextColumn } from './term.ts';

const severityCount = 5;
/** A finding has one of six statuses. */
const maxStatuses = 8;
/** The number of selections whose sums are cached, besides the sums of all rows. */
const maxKept = 8;
/** If more than one in this many rows has changed, sums are computed from scratch. */
const changedShare = 32;
const minChanged = 10_000;

/** The columns by which rows are counted. */
type Columns = {
  readonly size: number;
  readonly texts: Record<TextColumn, TextCodes>;
  readonly flags: { readonly closed: RowSet };
  numbers(column: 'severity' | 'firstSeenAt'): ArrayLike<number>;
  select(terms: readonly Term[]): Bits;
  compile(terms: readonly Term[]): Predicate[];
  inRange(range: Range): { count: number; list(): Uint32Array } | null;
};

type ByCode = Record<'total' | 'open', Uint32Array<ArrayBuffer>>;
const noCodes = (): ByCode => ({ total: new Uint32Array(0), open: new Uint32Array(0) });

/** The rows of a selection, and its open rows, counted by the codes of columns. */
export class Sums {
  readonly dataSources = noCodes();
  readonly rules = noCodes();
  /** By source code, severity and status code; `cellOf` returns the index. */
  cells = new Uint32Array(0);
  /** The open rows by age band and severity. A row's band is the number of bounds that its age has reached. */
  bands = new Uint32Array(severityCount);
  /** The times between the age bands, descending. */
  #bounds: readonly number[] = [];
  readonly #columns: Columns;

  constructor(columns: Columns) {
    this.#columns = columns;
  }

  static cellOf(source: number, severity: number, status: number): number {
    return (source * severityCount + severity) * maxStatuses + status;
  }

  get bytes(): number {
    const { dataSources, rules, cells, bands } = this;
    const arrays = [dataSources.total, dataSources.open, rules.total, rules.open, cells, bands];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Returns an independent copy of the sums. */
  copy(): Sums {
    const copied = new Sums(this.#columns);
    for (const name of ['dataSources', 'rules'] as const)
      for (const part of ['total', 'open'] as const) copied[name][part] = this[name][part].slice();
    copied.cells = this.cells.slice();
    copied.bands = this.bands.slice();
    copied.#bounds = this.#bounds;
    return copied;
  }

  /** Adds rows to the counts, or removes them with -1. */
  add(rows: ArrayLike<number>, by: 1 | -1): void {
    const { texts } = this.#columns;
    for (const [counts, column] of [
      [this.dataSources, texts.dataSourceId],
      [this.rules, texts.ruleId],
    ] as const)
      for (const part of ['total', 'open'] as const) counts[part] = withRoom(counts[part], column.count);
    this.cells = withRoom(this.cells, Sums.cellOf(texts.source.count, 0, 0));
    const severities = this.#columns.numbers('severity');
    const [sources, states] = [texts.source.codes, texts.status.codes];
    const [dataSources, rules] = [texts.dataSourceId.codes, texts.ruleId.codes];
    const { total: inDataSources, open: openInDataSources } = this.dataSources;
    const { total: ofRules, open: openOfRules } = this.rules;
    const { cells } = this;
    const { closed } = this.#columns.flags;
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index]!;
      const [dataSource, rule] = [dataSources[row]!, rules[row]!];
      cells[Sums.cellOf(sources[row]!, severities[row]!, states[row]!)]! += by;
      inDataSources[dataSource]! += by;
      ofRules[rule]! += by;
      if (closed.has(row)) continue;
      openInDataSources[dataSource]! += by;
      openOfRules[rule]! += by;
    }
    this.#addBands(rows, by);
  }

  #addBands(rows: ArrayLike<number>, by: 1 | -1): void {
    const { bands } = this;
    const bounds = Float64Array.from(this.#bounds);
    const [severities, times] = [this.#columns.numbers('severity'), this.#columns.numbers('firstSeenAt')];
    const { closed } = this.#columns.flags;
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index]!;
      if (closed.has(row)) continue;
      const time = times[row]!;
      let band = 0;
      while (band < bounds.length && time <= bounds[band]!) band += 1;
      bands[band * severityCount + severities[row]!]! += by;
    }
  }

  /** Replaces the age bounds. Only counted rows between a previous bound and its replacement are visited. */
  setBounds(bounds: readonly number[], counted: RowSet): void {
    const between = (one: number, other: number) =>
      this.#columns.inRange({
        column: 'firstSeenAt',
        from: Math.min(one, other) + 1,
        before: Math.max(one, other) + 1,
      });
    const isSame = bounds.length === this.#bounds.length;
    const moved = bounds.flatMap((bound, index) => (isSame && bound !== this.#bounds[index] ? [index] : []));
    const found = moved.map((index) => between(bounds[index]!, this.#bounds[index]!));
    const looked = found.reduce((sum, rows) => sum + (rows?.count ?? Number.POSITIVE_INFINITY), 0);
    if (!isSame || looked > counted.count) {
      this.#bounds = bounds;
      this.bands = new Uint32Array((bounds.length + 1) * severityCount);
      this.#addBands(listRows(counted.bits), 1);
      return;
    }
    for (const [place, index] of moved.entries()) {
      const rows = found[place]!.list().filter((row) => counted.has(row));
      this.#addBands(rows, -1);
      this.#bounds = this.#bounds.with(index, bounds[index]!);
      this.#addBands(rows, 1);
    }
  }
}

/** The sums of a selection, the rows that they count, and the changed rows that are not counted yet. */
type Kept = { terms: readonly Term[]; sums: Sums; rows: RowSet; changed: Set<number> };

/** Returns whether the result of a term depends only on the row, and whether it has few values. */
const isLasting = (term: Term): boolean => {
  if ('every' in term) return term.every.every(isLasting);
  if ('some' in term) return term.some.every(isLasting);
  if ('not' in term) return isLasting(term.not);
  if ('flag' in term) return true;
  if ('list' in term) return 'isEmpty' in term || term.anyOf.length < minChanged;
  if ('text' in term) return 'name' in term || term.in.length < minChanged;
  return 'number' in term && ['severity', 'priority', 'epss'].includes(term.number);
};

const keyOf = (terms: readonly Term[]): string =>
  JSON.stringify(terms, (_, value) => (typeof value === 'number' && !Number.isFinite(value) ? String(value) : value));

/** The sums of the most recent selections. They follow each change, at a cost proportional to the changed rows. */
export class KeptSums {
  readonly #columns: Columns;
  /** By terms: the sums of all rows first, then the rest in order of last use. */
  readonly #kept = new Map<string, Kept>();

  constructor(columns: Columns) {
    this.#columns = columns;
  }

  get bytes(): number {
    return [...this.#kept.values()].reduce((sum, { sums, rows }) => sum + sums.bytes + rows.bits.byteLength, 0);
  }

  /** Removes a row that is about to change. */
  changes(row: number): void {
    for (const [key, { sums, rows, changed }] of this.#kept) {
      if (rows.put(row, false)) sums.add([row], -1);
      changed.add(row);
      if (changed.size > Math.max(minChanged, this.#columns.size / changedShare)) this.#kept.delete(key);
    }
  }

  /** Counts the rows that have changed. */
  settle(): void {
    for (const kept of this.#kept.values()) this.#settle(kept);
  }

  #settle({ terms, sums, rows, changed }: Kept): void {
    if (changed.size === 0) return;
    const parts = this.#columns.compile(terms);
    const matching = [...changed].filter((row) => meetsAll(parts, row) && rows.put(row, true));
    sums.add(matching, 1);
    changed.clear();
  }

  read(terms: readonly Term[], ageBounds: readonly number[]): Sums {
    if (!terms.every(isLasting)) return this.#make(terms, ageBounds).sums;
    const key = keyOf(terms);
    const kept = this.#kept.get(key) ?? this.#make(terms, ageBounds);
    this.#settle(kept);
    kept.sums.setBounds(ageBounds, kept.rows);
    if (terms.length > 0) this.#kept.delete(key);
    this.#kept.set(key, kept);
    const oldest = [...this.#kept].filter(([, each]) => each.terms.length > 0).slice(0, -maxKept);
    for (const [each] of oldest) this.#kept.delete(each);
    return kept.sums;
  }

  #make(terms: readonly Term[], ageBounds: readonly number[]): Kept {
    const rows = new RowSet();
    rows.restore(this.#columns.select(terms), this.#columns.size);
    if (rows.count > this.#columns.size / 2 && terms.length > 0) {
      const sums = this.read([], ageBounds).copy();
      sums.add(listRows(allRows(this.#columns.size).map((word, index) => word & ~rows.bits[index]!)), -1);
      return { terms, sums, rows, changed: new Set() };
    }
    const sums = new Sums(this.#columns);
    sums.setBounds(ageBounds, new RowSet());
    sums.add(listRows(rows.bits), 1);
    return { terms, sums, rows, changed: new Set() };
  }
}
