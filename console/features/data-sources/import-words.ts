import type { ImportParams } from '@assay/client';
import formatNames from './import-formats.json' with { type: 'json' };

export type ImportFormat = NonNullable<ImportParams['format']>;

export const formatOptions = [
  { value: '', label: 'Detect automatically' },
  ...Object.entries(formatNames)
    .map(([value, label]) => ({ value, label }))
    .sort((left, right) => left.label.localeCompare(right.label)),
];

/** Formats a size: "3.1 MB". */
export function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
