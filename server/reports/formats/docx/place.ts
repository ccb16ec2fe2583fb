import { plainText } from '../../plain-text.ts';
import type { ReportFinding } from '../../report-model.ts';

type Lines = { start_line: number | null; end_line: number | null };

/** `:12`, or `:12-14`; nothing if no line is known. */
export function linesOf({ start_line: start, end_line: end }: Lines): string {
  if (start === null) return '';
  return end === null || end === start ? `:${start}` : `:${start}-${end}`;
}

/** Where a finding is, in one line: its file and lines, or its page, or its package. Empty if it has none. */
export function placeOf(location: ReportFinding['location']): string {
  const place =
    location.path === null ? (location.url ?? location.package?.purl ?? '') : `${location.path}${linesOf(location)}`;
  return plainText(place, { line: true, max: 2_000 });
}
