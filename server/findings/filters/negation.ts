/** The values of a list filter: a finding must match any of `any`, if there are some, and none of `none`. */
export type ChosenValues = { any: string[] | undefined; none: string[] | undefined };

const someOf = (values: string[]) => (values.length === 0 ? undefined : values);

/**
 * Separates excluding values, which start with `-`, from the others. `\-` starts a value that itself starts with `-`.
 * Returns null for a `-` without a value.
 */
export function readNegation(values: readonly string[] | undefined): ChosenValues | null {
  if (!values) return { any: undefined, none: undefined };
  if (values.includes('-')) return null;
  const isExcluded = (value: string) => value.startsWith('-');
  return {
    any: someOf(values.filter((value) => !isExcluded(value)).map((value) => value.replace(/^\\-/, '-'))),
    none: someOf(values.filter(isExcluded).map((value) => value.slice(1))),
  };
}

/** Returns the chosen values of a small set; undefined if no value was given. */
export function choose<Value extends string>(all: readonly Value[], values: readonly string[] | undefined) {
  if (!values) return undefined;
  const { any, none } = readNegation(values) ?? { any: values, none: undefined };
  return all.filter((value) => (any === undefined || any.includes(value)) && !none?.includes(value));
}
