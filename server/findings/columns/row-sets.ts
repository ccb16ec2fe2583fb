import { withRoom } from './arrays.ts';
import { addRow, allRows, type Bits, countRows, hasRow, removeRow } from './bits.ts';

/** A set of rows that tracks its size. */
export class RowSet {
  bits: Bits = new Uint32Array(0);
  count = 0;

  has(row: number): boolean {
    return row >>> 5 < this.bits.length && hasRow(this.bits, row);
  }

  /** Adds or removes a row; returns whether the set changed. */
  put(row: number, isIn: boolean): boolean {
    if (this.has(row) === isIn) return false;
    this.bits = withRoom(this.bits, (row >>> 5) + 1);
    if (isIn) addRow(this.bits, row);
    else removeRow(this.bits, row);
    this.count += isIn ? 1 : -1;
    return true;
  }

  /** Restores a stored set; rows from `size` on were added later. */
  restore(bits: Bits, size: number): void {
    const all = allRows(size);
    this.bits = bits.map((word, index) => word & (all[index] ?? 0));
    this.count = countRows(this.bits);
  }
}
