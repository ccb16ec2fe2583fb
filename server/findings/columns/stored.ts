import { type Codes, withRoom } from './arrays.ts';
import { CodeRows } from './code-rows.ts';

/** Returns the codes in a type that fits this code. */
function widened(codes: Codes, code: number): Codes {
  if (code < 256 * 256 ** (codes.BYTES_PER_ELEMENT - 1)) return codes;
  return code < 65_536 ? new Uint16Array(codes) : new Uint32Array(codes);
}

/** Most texts are ASCII. A list is stored with its text, too. */
const bytesOfCharacter = 2;
const bytesOfValue = 80;

/** A column of texts or lists that stores each distinct value once. */
export class CodeColumn<Value> {
  codes: Codes = new Uint8Array(0);
  readonly values: Value[] = [];
  readonly #codes = new Map<string | null, number>();
  /** The number of rows with each code. */
  #counts = new Uint32Array(0);
  #size = 0;
  readonly #rows = new CodeRows();
  #bytesOfValues = 0;

  /** The memory of the column; the share of the values is an estimate. */
  get bytes(): number {
    return this.codes.byteLength + this.#counts.byteLength + this.#rows.bytes + this.#bytesOfValues;
  }

  /** Returns the code of a value by its text; undefined if no finding ever had it. */
  find(text: string | null): number | undefined {
    return this.#codes.get(text);
  }

  /** The number of rows with each code. */
  get counts(): Uint32Array {
    return this.#counts.subarray(0, this.values.length);
  }

  /** The rows with each code as sets; null if there are too many codes. */
  get sets() {
    return this.#rows.sets;
  }

  set(row: number, text: string | null, value: Value): void {
    const code = this.#codes.get(text) ?? this.#add(text, value);
    const before = row < this.#size ? this.codes[row]! : -1;
    if (before === code) return;
    this.codes[row] = code;
    this.#size = Math.max(this.#size, row + 1);
    this.#counts[code]! += 1;
    if (before >= 0) this.#counts[before]! -= 1;
    this.#rows.change(row, before, code);
  }

  #add(text: string | null, value: Value): number {
    const code = this.values.length;
    this.values.push(value);
    this.#codes.set(text, code);
    this.#counts = withRoom(this.#counts, code + 1);
    this.codes = widened(this.codes, code);
    this.#bytesOfValues += (text?.length ?? 0) * bytesOfCharacter + bytesOfValue;
    return code;
  }

  /** Returns the text by which a value is looked up. */
  protected textOf(value: Value): string | null {
    return value as string | null;
  }

  /** Restores the stored values and codes of rows. Throws if a code has no value. */
  restore(values: readonly unknown[], codes: Codes): void {
    for (const value of values as Value[]) this.#add(this.textOf(value), value);
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

  /** Returns the rows with any of the codes, unordered; null if there are no lists of rows. */
  list(accepted: readonly number[], isAccepted: (code: number) => boolean): Uint32Array | null {
    if (this.sets !== null) return null;
    this.prepare();
    return this.#rows.list(this.codes, accepted, isAccepted);
  }
}

/** A column of lists, with an index from each item to its lists. */
export class ListCodes extends CodeColumn<readonly string[]> {
  /** By item in lower case, the codes of the lists that contain it in any case. */
  readonly #lists = new Map<string, number[]>();

  setList(row: number, list: readonly string[]): void {
    const known = this.values.length;
    this.set(row, this.textOf(list), list);
    if (this.values.length > known) this.#note(list, known);
  }

  #note(list: readonly string[], code: number): void {
    for (const item of new Set(list.map((text) => text.toLowerCase()))) {
      const codes = this.#lists.get(item);
      if (codes) codes.push(code);
      else this.#lists.set(item, [code]);
    }
  }

  protected override textOf(list: readonly string[]): string {
    return JSON.stringify(list);
  }

  override restore(values: readonly unknown[], codes: Codes): void {
    super.restore(values, codes);
    for (const [code, list] of this.values.entries()) this.#note(list, code);
  }

  /** Returns the items that pass a test in lower case, as they are written first, with the codes of their lists. */
  itemsWith(test: (item: string) => boolean): { item: string; codes: readonly number[] }[] {
    return [...this.#lists]
      .filter(([item]) => test(item))
      .map(([item, codes]) => ({
        item: this.values[codes[0]!]!.find((written) => written.toLowerCase() === item)!,
        codes,
      }));
  }

  /** Returns the distinct codes of the lists with any of the items. */
  withAny(items: readonly string[], inAnyCase: boolean): number[] {
    const found = items.flatMap((item) => {
      const codes = this.#lists.get(item.toLowerCase()) ?? [];
      return inAnyCase ? codes : codes.filter((code) => this.values[code]!.includes(item));
    });
    return [...new Set(found)];
  }
}
