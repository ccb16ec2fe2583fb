import type { Parameters } from '../filter.ts';

/** More values than these are looked up in a hash table instead of one by one. */
const maxCompared = 20;

type Layout = {
  /** The lowest bit and the bits from there on, in `f.traits`. */
  shift: number;
  mask: number;
  /** SQL of a value's code. */
  code?: (value: string) => string;
  /** The value whose code is zero. */
  zero?: string;
};

/**
 * Makes the condition on a trait that is a short hash (finding_traits() in the migrations). The subqueries encode the values once per
 * statement instead of once per row.
 */
export const hashedTrait =
  ({ shift, mask, code = (value) => `hashtext(${value})`, zero }: Layout) =>
  (values: string[], parameters: Parameters): string => {
    const given = parameters.add(values.filter((value) => value !== zero));
    const none = zero !== undefined && values.includes(zero) ? ' || 0::bigint' : '';
    const codes = `SELECT (${code('value')} & ${mask})::bigint FROM unnest(${given}::text[]) AS value`;
    // IS TRUE keeps the subquery from becoming a join: it is hashed once, however many values there are.
    if (values.length > maxCompared && none === '') return `((f.traits >> ${shift}) & ${mask} IN (${codes})) IS TRUE`;
    return `(f.traits >> ${shift}) & ${mask} = ANY(ARRAY(${codes})${none})`;
  };
