/** The object ids of element types, which are the same in every PostgreSQL. */
const typeIds = {
  boolean: 16,
  bigint: 20,
  smallint: 21,
  integer: 23,
  text: 25,
  json: 114,
  'double precision': 701,
} as const;

export type ElementType = keyof typeof typeIds;

/** An element: `text` and `json` are strings, `bigint` is a decimal string or number, the others are numbers or booleans. */
export type Element = string | number | boolean | null;

const fixedBytes: Partial<Record<ElementType, number>> = {
  boolean: 1,
  smallint: 2,
  integer: 4,
  bigint: 8,
  'double precision': 8,
};
const headerBytes = 20;

function sizeOf(type: ElementType, elements: Element[]): number {
  const fixed = fixedBytes[type];
  let size = headerBytes;
  for (const element of elements) {
    size += 4;
    if (element !== null) size += fixed ?? Buffer.byteLength(element as string);
  }
  return size;
}

function writeElement(buffer: Buffer, at: number, type: ElementType, element: Element): number {
  switch (type) {
    case 'boolean':
      return buffer.writeUInt8(element ? 1 : 0, at);
    case 'smallint':
      return buffer.writeInt16BE(element as number, at);
    case 'integer':
      return buffer.writeInt32BE(element as number, at);
    case 'double precision':
      return buffer.writeDoubleBE(element as number, at);
    case 'bigint':
      return buffer.writeBigInt64BE(BigInt(element as string | number), at);
    default:
      return at + buffer.write(element as string, at, 'utf8');
  }
}

/** A length as four characters of one byte each. */
const spell = (length: number): string =>
  String.fromCharCode(length >>> 24, (length >>> 16) & 255, (length >>> 8) & 255, length & 255);
const shortLengths = Array.from({ length: 1_024 }, (_, length) => spell(length));
const nullLength = spell(-1);

/** Counts by how many bytes each is longer in UTF-8. */
const excessOf = (length: string): number => Buffer.byteLength(length) - 4;
const shortExcesses = shortLengths.map(excessOf);

/**
 * Returns texts that are all ASCII, with their lengths, in which each character is a byte; null if one isn't. One write of all
 * takes half the time of one for each.
 */
function spelledAscii(elements: Element[]): string | null {
  const parts: string[] = [];
  let excess = 0;
  for (const element of elements) {
    if (element === null) {
      parts.push(nullLength);
      excess += 4;
      continue;
    }
    const { length } = element as string;
    const spelled = shortLengths[length] ?? spell(length);
    excess += shortExcesses[length] ?? excessOf(spelled);
    parts.push(spelled, element as string);
  }
  const all = parts.join('');
  return Buffer.byteLength(all) === all.length + excess ? all : null;
}

/**
 * An array as the value of a parameter, which the driver sends in PostgreSQL's binary format: in its text format it
 * quotes and escapes every element, which PostgreSQL then undoes. The statement must cast the parameter to this type of
 * array.
 */
export class BinaryArray {
  readonly #type: ElementType;
  readonly elements: Element[];

  constructor(type: ElementType, elements: Element[]) {
    this.#type = type;
    this.elements = elements;
  }

  /** Called by the driver. */
  toPostgres(): Buffer {
    const { elements } = this;
    const ascii = this.#type === 'text' || this.#type === 'json' ? spelledAscii(elements) : null;
    const buffer = Buffer.allocUnsafe(ascii === null ? sizeOf(this.#type, elements) : headerBytes + ascii.length);
    const isEmpty = elements.length === 0;
    buffer.writeInt32BE(isEmpty ? 0 : 1, 0);
    buffer.writeInt32BE(elements.includes(null) ? 1 : 0, 4);
    buffer.writeInt32BE(typeIds[this.#type], 8);
    if (isEmpty) return buffer.subarray(0, 12);
    buffer.writeInt32BE(elements.length, 12);
    buffer.writeInt32BE(1, 16);
    if (ascii !== null) {
      buffer.write(ascii, headerBytes, 'latin1');
      return buffer;
    }
    let at = headerBytes;
    for (const element of elements) {
      const start = at + 4;
      const end = element === null ? start : writeElement(buffer, start, this.#type, element);
      buffer.writeInt32BE(element === null ? -1 : end - start, at);
      at = end;
    }
    return buffer;
  }
}
