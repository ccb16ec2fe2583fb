import { orderOf } from '@assay/scanner/advisories/versions/index.ts';

type Pair = { version: string | null; fixed: string };

/** The version order for ecosystems without a known one: runs of digits by value, other runs as text. */
function compareRoughly(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

/** A tool may list the fix of each supported release: `2.15.0, 2.12.2`. */
const alternatives = (fixed: string): string[] =>
  fixed
    .split(/,|\|\||\s+or\s+/)
    .map((version) => version.trim().replace(/^(>=?|=|~>|\^)\s*/, ''))
    .filter((version) => version !== '');

/**
 * Returns the lowest version of a package that fixes all the findings; null if none is known. If a finding has several
 * fixes, the next one after its current version applies.
 */
export function neededVersion(ecosystem: string, pairs: Pair[]): string | null {
  const order = orderOf(ecosystem) ?? compareRoughly;
  const compare = (one: string, other: string) => {
    try {
      return order(one, other);
    } catch {
      return compareRoughly(one, other);
    }
  };
  const needed = pairs.map(({ version, fixed }) => {
    const known = alternatives(fixed).sort(compare);
    return (version === null ? undefined : known.find((one) => compare(one, version) > 0)) ?? known.at(-1);
  });
  return (
    needed
      .filter((version) => version !== undefined)
      .sort(compare)
      .at(-1) ?? null
  );
}
