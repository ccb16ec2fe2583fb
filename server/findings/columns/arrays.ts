type Numbers =
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
