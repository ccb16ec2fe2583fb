import { nameSchema } from '../platform/name.ts';

/** A tag. A comma separates the values of a filter, so tags must not contain one. */
export const TagName = {
  $id: 'TagName',
  ...nameSchema('A tag, without a comma.', 64),
  pattern: '^[^,]*$',
  errorMessage:
    'must be 1 to 64 characters on one line, not all blank, without control or direction characters, and without a comma: it separates the values of a filter',
};

/** Trims tags and keeps the first of those that differ only in case. */
export function foldTags(tags: string[]): string[] {
  const folded = new Map<string, string>();
  for (const tag of tags.map((text) => text.trim().normalize('NFC'))) {
    if (!folded.has(tag.toLowerCase())) folded.set(tag.toLowerCase(), tag);
  }
  return [...folded.values()];
}
