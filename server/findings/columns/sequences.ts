import { withRoom } from './arrays.ts';

type Units = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/**
 * Distinct sequences of numbers, each with a code. They are in three arrays: as keys of a Map, a million paths would take
 * three times the memory, and the garbage collector would visit them.
 */
export class Sequences<Array extends Units> {
  #units: Array;
  /** The index behind each sequence. */
  #ends = new Uint32Array(0);
  #count = 0;
  /** A hash table of codes plus one, at most three quarters full; 0 for a free slot. */
  #slots = new Uint32Array(16);

  constructor(units: Array) {
    this.#units = units;
  }

  get count(): number {
    return this.#count;
  }

  /** The memory of the sequences. Unused capacity is not resident yet and not included. */
  get bytes(): number {
    return this.#start(this.#count) * this.#units.BYTES_PER_ELEMENT + this.#count * 4 + this.#slots.byteLength;
  }

  #start(code: number): number {
    return code === 0 ? 0 : this.#ends[code - 1]!;
  }

  /** Returns the sequence with a code, as a view. */
  of(code: number): Array {
    return this.#units.subarray(this.#start(code), this.#ends[code]!) as Array;
  }

  /** Returns the slot of a sequence, or the free slot where it belongs. */
  #slotOf(units: Array, start: number, end: number): number {
    let hash = 0x811c9dc5;
    for (let index = start; index < end; index++) hash = Math.imul(hash ^ units[index]!, 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
    const mask = this.#slots.length - 1;
    for (let slot = (hash ^ (hash >>> 13)) & mask; ; slot = (slot + 1) & mask) {
      const code = this.#slots[slot]! - 1;
      if (code < 0 || this.#isEqual(code, units, start, end)) return slot;
    }
  }

  #isEqual(code: number, units: Array, start: number, end: number): boolean {
    const [own, from] = [this.#units, this.#start(code)];
    if (this.#ends[code]! - from !== end - start) return false;
    for (let index = start; index < end; index++) if (own[from + index - start] !== units[index]) return false;
    return true;
  }

  /** Returns the code of the first `length` numbers; undefined if they are no known sequence. */
  find(units: Array, length: number): number | undefined {
    const code = this.#slots[this.#slotOf(units, 0, length)]! - 1;
    return code < 0 ? undefined : code;
  }

  /** Adds the first `length` numbers, which are no known sequence, and returns their code. */
  add(units: Array, length: number): number {
    const [code, start] = [this.#count, this.#start(this.#count)];
    if ((code + 1) * 4 > this.#slots.length * 3) {
      this.#slots = new Uint32Array(this.#slots.length * 2);
      for (let known = 0; known < code; known++)
        this.#slots[this.#slotOf(this.#units, this.#start(known), this.#ends[known]!)] = known + 1;
    }
    this.#slots[this.#slotOf(units, 0, length)] = code + 1;
    this.#units = withRoom(this.#units, start + length);
    this.#units.set(units.subarray(0, length), start);
    this.#ends = withRoom(this.#ends, code + 1);
    this.#ends[code] = start + length;
    this.#count += 1;
    return code;
  }
}

/** Stands for null: no text in UTF-8 contains it. */
const nullByte = 0xff;

/** Distinct texts and null, each with a code. */
export class TextTable {
  readonly #sequences = new Sequences(new Uint8Array(0));
  #written = Buffer.alloc(1024);

  get count(): number {
    return this.#sequences.count;
  }

  get bytes(): number {
    return this.#sequences.bytes;
  }

  /** Writes a text in UTF-8 and returns its length. */
  #write(text: string | null): number {
    if (text === null) {
      this.#written[0] = nullByte;
      return 1;
    }
    if (text.length * 3 > this.#written.length) this.#written = Buffer.alloc(text.length * 4);
    const written = this.#written;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      if (unit >= 0x80) return written.write(text);
      written[index] = unit;
    }
    return text.length;
  }

  /** Returns the code of a text; undefined if it is unknown. */
  find(text: string | null): number | undefined {
    const length = this.#write(text);
    return this.#sequences.find(this.#written, length);
  }

  /** Returns the code of a text, which is added if it is unknown. */
  codeOf(text: string | null): number {
    const length = this.#write(text);
    return this.#sequences.find(this.#written, length) ?? this.#sequences.add(this.#written, length);
  }

  text(code: number): string | null {
    const bytes = this.#sequences.of(code);
    if (bytes[0] === nullByte) return null;
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
  }
}
