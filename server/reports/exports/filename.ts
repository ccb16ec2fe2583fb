import type { ReportHead } from '../report-model.ts';

const maxTitleLength = 80;

/** The names of a file: in ASCII for every client, and with the letters of the title for clients that read UTF-8. */
export type Filenames = { ascii: string; full: string };

/**
 * Returns names that every file system accepts: `Findings-of-payments-2026-11-20.csv`. `marks` distinguish documents of
 * one report: `Findings-of-payments-audit-de-2026-11-20.pdf`.
 */
export function exportFilenames(
  head: Pick<ReportHead, 'title' | 'taken_at'>,
  extension: string,
  marks: string[] = [],
): Filenames {
  const end = `${marks.map((mark) => `-${mark}`).join('')}-${head.taken_at.slice(0, 10)}.${extension}`;
  const ascii = head.title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '-');
  const full = [...head.title.toWellFormed().normalize('NFC')].join('').replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-');
  return { ascii: `${trimmed(ascii)}${end}`, full: `${trimmed(full)}${end}` };
}

const trimmed = (name: string): string =>
  [...name]
    .slice(0, maxTitleLength)
    .join('')
    .replaceAll(/^-+|-+$/g, '') || 'report';

/** Returns a `Content-Disposition` (RFC 6266), with the full name (RFC 8187) if it is not all ASCII. */
export function contentDisposition({ ascii, full }: Filenames): string {
  const plain = `attachment; filename="${ascii}"`;
  if (full === ascii) return plain;
  const encoded = encodeURIComponent(full).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${plain}; filename*=UTF-8''${encoded}`;
}
