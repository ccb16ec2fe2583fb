import type { Static } from 'typebox';
import type { FindingWithPlaces } from './finding-schema.ts';

/** A finding as the API returns it, and the other properties that filters use. */
export type FilteredFinding = Static<typeof FindingWithPlaces> & {
  /** The owner, criticality and tags of its data source. */
  importance: { tags: string[]; owner_id: string | null; criticality: string };
  /** Whether it represents its problem. */
  isShown: boolean;
  /** The scan that first saw it. */
  firstScanId: string;
};
