/** Numbers of the kinds that columns have. */
export type Numbers =
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
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

/** The codes of rows, as short as the number of values allows. */
export type Codes = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/**
 * Columns as they are stored. They may change while somebody writes them: `values`, which only grow, are read when all `arrays`, which
 * refer to them, are written.
 */
export type Stored = {
  size: number;
  arrays: Record<string, Numbers>;
  values(): Record<string, readonly unknown[]>;
};
/** Stored columns that were read. */
export type Restored = Pick<Stored, 'size' | 'arrays'> & { values: Record<string, unknown[]> };
