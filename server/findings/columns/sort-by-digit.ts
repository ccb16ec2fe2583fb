/**
 * Sorts rows by 8 or 16 bits of their keys from `rows` into `to`, keeping the order of rows with equal bits. Returns
 * the array that contains the result.
 */
export function sortByDigit(
  words: Uint8Array | Uint16Array,
  stride: number,
  offset: number,
  rows: Uint32Array,
  to: Uint32Array,
): Uint32Array {
  const counts = new Uint32Array(65_536);
  for (const row of rows) counts[words[row * stride + offset]!]! += 1;
  // Most high digits are the same in all rows.
  if (rows.length > 0 && counts[words[rows[0]! * stride + offset]!] === rows.length) return rows;
  let sum = 0;
  for (let digit = 0; digit < counts.length; digit++) {
    const count = counts[digit]!;
    counts[digit] = sum;
    sum += count;
  }
  for (const row of rows) to[counts[words[row * stride + offset]!]!++] = row;
  return to;
}
