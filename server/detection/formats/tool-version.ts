import { text } from './values.ts';

const maxLength = 60;

/** Returns the version that a file names, in one line; undefined if it names none. */
export function toolVersion(named: unknown): string | undefined {
  const version = text(named)
    ?.replace(/[\s\0]+/g, ' ')
    .trim()
    .slice(0, maxLength)
    .toWellFormed();
  return version === undefined || /^(?:unknown|dev|none|n\/a|\[not provided\])$/i.test(version) ? undefined : version;
}
