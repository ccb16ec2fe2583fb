import { type Codes, withRoom } from './arrays.ts';
import { CodeRows } from './code-rows.ts';
import { Sequences, TextTable } from './sequences.ts';

/** Returns the codes in a type that fits this code. */
function widened(codes: Codes, code: number): Codes {
  if (code < 256 * 256 ** (codes.BYTES_PER_ELEMENT - 1)) return codes;
  return code < 65_536 ? new Uint16Array(codes) : new Uint32Array(codes);
}

/** A column that stores each distinct value once. Each row has the code of its value. */
export abstract class CodeColumn<Value> {
  codes: Codes = new Uint8Array(0);
  /** The number of rows with each code. */
  #counts = new Uint32Array(0);
  #size = 0;
  readonly #rows = new CodeRows();

  /** The number of distinct values. */
  abstract get count(): number;
  /** Returns the value with a code. It is read from bytes, so keep it if you need it for each row. */
  abstract value(code: number): Value;
  /** Returns the code of a value; undefined if no finding ever had it. */
  abstract find(value: Value): number | undefined;
  /** Returns the code of a value, which is added if it is new. */
  protected abstract codeOf(value: Value): number;
  protected abstract get bytesOfValues(): number;

  /** The memory of the column. */
  get bytes(): number {
    return this.codes.byteLength + this.#counts.byteLength + this.#rows.bytes + this.bytesOfValues;
  }

  /** The number of rows with each code. */
  get counts(): Uint32Array {
    return this.#counts.subarray(0, this.count);
  }

  /** The rows with each code as sets; null if there are too many codes. */
  get sets() {
    return this.#rows.sets;
  }

  values(): Value[] {
    return Array.from({ length: this.count }, (_, code) => this.value(code));
  }

  set(row: number, value: Value): void {
    const code = this.codeOf(value);
    if (code >= this.#counts.length) this.#counts = withRoom(this.#counts, code + 1);
    this.codes = widened(this.codes, code);
    const before = row < this.#size ? this.codes[row]! : -1;
    if (before === code) return;
    this.codes[row] = code;
    this.#size = Math.max(this.#size, row + 1);
    this.#counts[code]! += 1;
    if (before >= 0) this.#counts[before]! -= 1;
    this.#rows.change(row, before, code);
  }

  /** Restores the stored values and codes of rows. Throws if a code has no value. */
  restore(values: readonly unknown[], codes: Codes): void {
    for (const value of values as Value[]) this.codeOf(value);
    this.#counts = withRoom(this.#counts, values.length);
    this.codes = codes;
    this.#size = codes.length;
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row]!;
      if (code >= values.length) throw new Error('A code has no value.');
      this.#counts[code]! += 1;
      this.#rows.change(row, -1, code);
    }
  }

  /** Builds the lists of rows unless they exist. */
  prepare(): void {
    this.#rows.build(this.codes, this.counts, this.#size);
  }

  /** Merges moved rows with the others once there are many, `maxRows` per call; returns whether there is more to do. */
  fold(given: { minMoved: number; maxRows: number }): boolean {
    return this.#rows.fold(this.codes, this.counts, this.#size, given);
  }

  /** Returns whether `list` finds the rows with any of the codes without a pass. */
  isListed(accepted: readonly number[]): boolean {
    if (this.sets !== null) return false;
    this.prepare();
    return this.#rows.isListed(accepted);
  }

  /** Returns the rows with any of the codes, unordered. Requires `isListed`. */
  list(accepted: readonly number[], isAccepted: (code: number) => boolean): Uint32Array {
    return this.#rows.list(this.codes, accepted, isAccepted);
  }
}

/** A column of texts. */
export class TextCodes extends CodeColumn<string | null> {
  readonly #texts = new TextTable();

  get count(): number {
    return this.#texts.count;
  }

  protected get bytesOfValues(): number {
    return this.#texts.bytes;
  }

  value(code: number): string | null {
    return this.#texts.text(code);
  }

  find(text: string | null): number | undefined {
    return this.#texts.find(text);
  }

  protected codeOf(text: string | null): number {
    return this.#texts.codeOf(text);
  }
}

/** The memory of the index from an item to its lists: for the item, and for each list. */
const [bytesOfItem, bytesOfListed] = [200, 10];

/** A column of lists, with an index from each item to its lists. */
export class ListCodes extends CodeColumn<readonly string[]> {
  readonly #items = new TextTable();
  /** Each list as the codes of its items. */
  readonly #sequences = new Sequences(new Uint32Array(0));
  #written = new Uint32Array(16);
  /** By the code of an item, the codes of the lists that contain it. */
  readonly #lists: number[][] = [];
  /** By text in lower case, the codes of the items that are written so in any case. */
  readonly #spellings = new Map<string, number[]>();
  #listed = 0;

  get count(): number {
    return this.#sequences.count;
  }

  protected get bytesOfValues(): number {
    const index = this.#lists.length * bytesOfItem + this.#listed * bytesOfListed;
    return this.#items.bytes + this.#sequences.bytes + index;
  }

  value(code: number): string[] {
    return Array.from(this.#sequences.of(code), (item) => this.#items.text(item)!);
  }

  find(list: readonly string[]): number | undefined {
    const items = list.map((text) => this.#items.find(text));
    if (items.includes(undefined)) return undefined;
    return this.#sequences.find(Uint32Array.from(items as number[]), items.length);
  }

  protected codeOf(list: readonly string[]): number {
    if (list.length > this.#written.length) this.#written = new Uint32Array(list.length * 2);
    for (const [index, text] of list.entries()) this.#written[index] = this.#itemOf(text);
    const known = this.#sequences.find(this.#written, list.length);
    if (known !== undefined) return known;
    const code = this.#sequences.add(this.#written, list.length);
    for (const item of new Set(this.#sequences.of(code))) this.#lists[item]!.push(code);
    this.#listed += list.length;
    return code;
  }

  #itemOf(text: string): number {
    const item = this.#items.codeOf(text);
    if (item < this.#lists.length) return item;
    this.#lists.push([]);
    const spelling = text.toLowerCase();
    const items = this.#spellings.get(spelling);
    if (items) items.push(item);
    else this.#spellings.set(spelling, [item]);
    return item;
  }

  /** Returns the items whose text in lower case passes a test, as they were written first, with the codes of their lists. */
  itemsWith(test: (item: string) => boolean): { item: string; codes: readonly number[] }[] {
    return [...this.#spellings]
      .filter(([spelling]) => test(spelling))
      .map(([, items]) => ({ item: this.#items.text(items[0]!)!, codes: this.#listsOf(items) }));
  }

  #listsOf(items: readonly number[]): readonly number[] {
    return items.length === 1 ? this.#lists[items[0]!]! : [...new Set(items.flatMap((item) => this.#lists[item]!))];
  }

  /** Returns the distinct codes of the lists with any of the items. */
  withAny(items: readonly string[], inAnyCase: boolean): number[] {
    const found = inAnyCase
      ? items.flatMap((item) => this.#spellings.get(item.toLowerCase()) ?? [])
      : items.flatMap((item) => this.#items.find(item) ?? []);
    return [...new Set(this.#listsOf([...new Set(found)]))];
  }

  /** Adds up the counts of lists by their distinct items. */
  countItems(counts: ArrayLike<number>): Map<string, number> {
    const sums = new Uint32Array(this.#lists.length);
    for (const [item, codes] of this.#lists.entries()) for (const code of codes) sums[item]! += counts[code]!;
    const found = new Map<string, number>();
    for (const [item, sum] of sums.entries()) if (sum > 0) found.set(this.#items.text(item)!, sum);
    return found;
  }
}
