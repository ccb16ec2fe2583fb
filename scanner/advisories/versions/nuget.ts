import { type Compare, compareDigits, compareParts } from './compare.ts';
import { compareSemver } from './semver.ts';

/** NuGet's order: four numbers, then semantic versioning's pre-releases, case-insensitively. */
export const compareNuget: Compare = (one, other) => {
  const [left, right] = [read(one), read(other)];
  return (
    compareParts(left.numbers, right.numbers, '0', compareDigits) || compareSemver(`0${left.rest}`, `0${right.rest}`)
  );
};

function read(version: string): { numbers: string[]; rest: string } {
  const [, numbers = '', rest = ''] = /^v?([\d.]*)(.*)$/s.exec(version.trim().toLowerCase()) ?? [];
  return { numbers: numbers.split('.'), rest };
}
