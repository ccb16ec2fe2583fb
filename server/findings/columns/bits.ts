/** Sets of rows: bit `row & 31` of word `row >> 5`. */
export type Bits = Uint32Array<ArrayBuffer>;

/** Returns the set of the rows below `count`. */
export function allRows(count: number): Bits {
  const bits = new Uint32Array((count + 31) >> 5).fill(0xffffffff);
  if (count % 32 !== 0) bits[bits.length - 1] = 2 ** (count % 32) - 1;
  return bits;
}

export const hasRow = (bits: Uint32Array, row: number): boolean => ((bits[row >>> 5]! >>> (row & 31)) & 1) !== 0;

export function addRow(bits: Uint32Array, row: number): void {
  bits[row >>> 5]! |= 1 << (row & 31);
}

export function removeRow(bits: Uint32Array, row: number): void {
  bits[row >>> 5]! &= ~(1 << (row & 31));
}

/** Returns the number of bits that are set in a word. */
export function countBits(word: number): number {
  let sums = word - ((word >>> 1) & 0x55555555);
  sums = (sums & 0x33333333) + ((sums >>> 2) & 0x33333333);
  return Math.imul((sums + (sums >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Returns the number of rows in a set. */
export function countRows(bits: Uint32Array): number {
  let count = 0;
  for (let index = 0; index < bits.length; index++) count += countBits(bits[index]!);
  return count;
}

/** Returns the rows of a set in ascending order. */
export function listRows(bits: Uint32Array): Uint32Array {
  const rows = new Uint32Array(countRows(bits));
  let next = 0;
  for (let index = 0; index < bits.length; index++) {
    for (let word = bits[index]!; word !== 0; word &= word - 1) {
      rows[next++] = index * 32 + 31 - Math.clz32(word & -word);
    }
  }
  return rows;
}
