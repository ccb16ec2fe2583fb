import { formatNumber } from '../../labels.ts';
import { plainText } from '../../plain-text.ts';
import type { ReportFinding } from '../../report-model.ts';

const shownPlaces = 10;

type Lines = { start_line: number | null; end_line: number | null };

/** Returns `:12` or `:12-14`; an empty string if the line is unknown. */
function linesOf({ start_line: start, end_line: end }: Lines): string {
  if (start === null) return '';
  return end === null || end === start ? `:${start}` : `:${start}-${end}`;
}

/**
 * Returns the location of a finding in one line: its file and lines, its page, or its package. Empty if it has none.
 */
export function placeOf(location: ReportFinding['location']): string {
  const { path, url, package: found } = location;
  if (path === null) return plainText(url ?? found?.purl ?? '', { line: true, max: 2_000 });
  return plainText(path, { line: true, max: 1_000 }) + linesOf(location);
}

/** Returns the first places of a finding, one per line; null if its only place is already shown. */
export function placesOf({ occurrences, places }: ReportFinding): { label: string; lines: string } | null {
  if (occurrences === 1 || places.length === 0) return null;
  const shown = places.slice(0, shownPlaces);
  const lines = shown
    .map((place) => plainText(place.path ?? '–', { line: true, max: 500 }) + linesOf(place))
    .join('\n');
  const others = occurrences > shown.length;
  return { label: others ? `Locations (${shown.length} of ${formatNumber(occurrences)})` : 'Locations', lines };
}
