import { type Bits, countRows, listRows } from './bits.ts';
import { inPassOrder, inTestOrder, passNs, testNs } from './costs.ts';
import { meetsAll, type Predicate, type Range } from './predicates.ts';
import type { Place, SortedRows } from './sorted-rows.ts';

/** The cost of visiting a row of an order, in nanoseconds. */
const visitNs = 6;
/** Above this size, the rows no longer fit in the processor's caches. */
const cachedRows = 2_000_000;
const farFactor = 4;
/** Costs in nanoseconds: adding a row to a set, looking a row up in it, and comparing a row with those of a page. */
const putNs = 4;
const lookUpNs = 3;
const compareNs = 12;
/** With unevenly spread matches, scanning an order takes up to this many times as long as expected. */
const unevenFactor = 1.5;

type Request = { after: Place | null; descending: boolean; limit: number };

/**
 * Returns the first rows of an order that meet all conditions. There are three plans, and the fastest is chosen by
 * estimate: scanning the order until the page is full; testing the rows that meet the rarest listed condition and
 * sorting the matches; or building the set of all matches. If a scan takes too long, the better of the other plans
 * replaces it.
 */
export function findRows(
  order: SortedRows,
  parts: readonly Predicate[],
  size: number,
  ranges: readonly (Range | null)[],
  { after, descending, limit }: Request,
  select: () => Bits,
): number[] {
  if (parts.some(({ estimate }) => estimate === 0)) return [];
  const from = Math.max(Number.NEGATIVE_INFINITY, ...ranges.map((range) => range!.from));
  const before = Math.min(
    Number.POSITIVE_INFINITY,
    ...ranges.map((range) => range!.before).filter((end) => !Number.isNaN(end)),
  );
  const range = { from, before: before === Number.POSITIVE_INFINITY ? Number.NaN : before };
  const section = order.section({ range, after, descending });
  const page = { descending, limit };
  const far = size > cachedRows ? farFactor : 1;

  const share = parts.reduce((product, part) => product * Math.min(1, part.estimate / size), 1);
  const matches = Math.max(1, share * size);
  const inSection = Math.max(1, order.count(section));
  const shareOfSection = ranges.length > 0 ? Math.min(1, matches / inSection) : share;
  const tests = inTestOrder(parts, size);
  const stepNs = (visitNs + testNs(tests, size)) * far;
  const scanNs = Math.min(inSection, limit / shareOfSection) * stepNs;

  const rarest = parts.find(({ isListed }) => isListed);
  const others = tests.filter((part) => part !== rarest);
  const listNs = rarest
    ? (rarest.estimate * (putNs + testNs(others, size)) + matches * compareNs) * far
    : Number.POSITIVE_INFINITY;
  const setNs =
    passNs(inPassOrder(parts, size), size) +
    Math.min(matches * compareNs, Math.min(inSection, (limit * size) / matches) * lookUpNs) * far;

  const otherNs = Math.min(listNs, setNs);
  if (scanNs < otherNs || parts.length === 0) {
    const maxVisited = parts.length > 0 ? Math.ceil(Math.max(unevenFactor * scanNs, otherNs) / stepNs) : inSection;
    const found = order.take(section, tests, page, maxVisited);
    if (found) return found;
  }
  if (rarest && listNs < setNs) {
    const candidates = rarest.list();
    const matching = others.length === 0 ? candidates : candidates.filter((row) => meetsAll(others, row));
    return order.first(matching, after, descending, limit);
  }
  const bits = select();
  const count = countRows(bits);
  if (count * count < limit * size) return order.first(listRows(bits), after, descending, limit);
  return order.takeOf(section, bits, page);
}
