/** Returns a number below 0 if the first version comes before the second, 0 if they are equal, above 0 otherwise. */
export type Compare = (one: string, other: string) => number;

/** Orders strings by code units. */
export const compareTexts: Compare = (one, other) => (one < other ? -1 : one > other ? 1 : 0);

/** Orders runs of digits of any length by value; an empty run is 0. */
export const compareDigits: Compare = (one, other) => {
  const [left, right] = [one.replace(/^0+/, ''), other.replace(/^0+/, '')];
  return left.length - right.length || compareTexts(left, right);
};

export const isDigits = (text: string): boolean => /^\d+$/.test(text);

/** Orders lists part by part; `missing` replaces the parts of the shorter one. */
export function compareParts<Part>(
  one: Part[],
  other: Part[],
  missing: Part,
  compare: (a: Part, b: Part) => number,
): number {
  for (let index = 0; index < Math.max(one.length, other.length); index++) {
    const order = compare(one[index] ?? missing, other[index] ?? missing);
    if (order !== 0) return order;
  }
  return 0;
}
