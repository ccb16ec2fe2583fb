type Numbers =
  | Uint8Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

/** Returns an array with room for at least `length` numbers, half as many again when it has to grow. */
export function withRoom<Array extends Numbers>(array: Array, length: number): Array {
  if (length <= array.length) return array;
  const Kind = array.constructor as new (length: number) => Array;
  const larger = new Kind(Math.max(1024, length, Math.ceil(array.length * 1.5)));
  larger.set(array);
  return larger;
}

/** Most texts are ASCII. A list is its text, too. */
const bytesOfCharacter = 2;
const bytesOfValue = 80;

/** A column of texts or lists, of which each distinct one is stored once. */
export class CodeColumn<Value> {
  codes = new Uint32Array(0);
  readonly values: Value[] = [];
  readonly #codes = new Map<string | null, number>();
  #bytesOfValues = 0;

  /** The memory of the column; that of the values is an estimate. */
  get bytes(): number {
    return this.codes.byteLength + this.#bytesOfValues;
  }

  /** Returns the code of a value by its text; undefined when no finding ever had it. */
  find(text: string | null): number | undefined {
    return this.#codes.get(text);
  }

  set(row: number, text: string | null, value: Value): void {
    let code = this.#codes.get(text);
    if (code === undefined) {
      code = this.values.length;
      this.values.push(value);
      this.#codes.set(text, code);
      this.#bytesOfValues += (text?.length ?? 0) * bytesOfCharacter + bytesOfValue;
    }
    this.codes[row] = code;
  }
}

/** A column of lists, with the lists of each item. */
export class ListCodes extends CodeColumn<readonly string[]> {
  /** By the item in lower case, the codes of the lists that have it in any case. */
  readonly #lists = new Map<string, number[]>();

  setList(row: number, list: readonly string[]): void {
    const known = this.values.length;
    this.set(row, JSON.stringify(list), list);
    if (this.values.length === known) return;
    for (const item of new Set(list.map((text) => text.toLowerCase()))) {
      const codes = this.#lists.get(item);
      if (codes) codes.push(known);
      else this.#lists.set(item, [known]);
    }
  }

  /** Returns the codes of the lists with any of the items. */
  withAny(items: readonly string[], inAnyCase: boolean): number[] {
    const found = items.flatMap((item) => {
      const codes = this.#lists.get(item.toLowerCase()) ?? [];
      return inAnyCase ? codes : codes.filter((code) => this.values[code]!.includes(item));
    });
    return found;
  }
}
