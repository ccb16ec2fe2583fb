import type { Compare } from '../../advisories/versions/compare.ts';
import type { Affected, Range } from '../../contract/advisory.ts';

/** Returns whether a range contains a version, or lists it (https://ossf.github.io/osv-schema/#evaluation). */
export function isAffected(affected: Affected, version: string, compare: Compare): boolean {
  return (
    affected.versions.includes(version) ||
    affected.ranges.some((range) => isInRange(range, version, compare)) ||
    affected.versions.some((listed) => compare(listed, version) === 0)
  );
}

/** Events, in the order of their versions, switch between affected and not; `0` precedes every version. */
function isInRange({ events }: Range, version: string, compare: Compare): boolean {
  const limits = events.filter(({ kind }) => kind === 'limit');
  if (limits.length > 0 && !limits.some(({ version: limit }) => limit === '*' || compare(version, limit) < 0))
    return false;
  const compareBounds: Compare = (left, right) =>
    left === '0' || right === '0' ? Number(right === '0') - Number(left === '0') : compare(left, right);
  let isIn = false;
  for (const event of [...events].sort((left, right) => compareBounds(left.version, right.version))) {
    const order = event.version === '0' ? 1 : compare(version, event.version);
    if (event.kind === 'introduced' && order >= 0) isIn = true;
    if (event.kind === 'fixed' && order >= 0) isIn = false;
    if (event.kind === 'last_affected' && order > 0) isIn = false;
  }
  return isIn;
}

/** Returns the versions that fixed it, of all ranges. */
export const fixedVersions = ({ ranges }: Affected): string[] =>
  ranges.flatMap(({ events }) => events.filter(({ kind }) => kind === 'fixed').map(({ version }) => version));
