/** The array types that columns use. */
export type Numbers =
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

/** Returns an array with room for at least `length` numbers. It grows by half its size at a time. */
export function withRoom<Array extends Numbers>(array: Array, length: number): Array {
  if (length <= array.length) return array;
  const Kind = array.constructor as new (length: number) => Array;
  const larger = new Kind(Math.max(1024, length, Math.ceil(array.length * 1.5)));
  larger.set(array);
  return larger;
}

/** The value codes of rows, in the smallest type that fits. */
export type Codes = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/**
 * Columns as they are stored. They may change while they are written: `arrays` refer to `values`, which only grow and
 * are read after all arrays are written.
 */
export type Stored = {
  size: number;
  arrays: Record<string, Numbers>;
  values(): Record<string, readonly unknown[]>;
};
/** Stored columns after they are read. */
export type Restored = Pick<Stored, 'size' | 'arrays'> & { values: Record<string, unknown[]> };
