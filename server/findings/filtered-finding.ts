import type { Static } from 'typebox';
import type { FindingWithPlaces } from './finding-schema.ts';

/** A finding as the API returns it, and what else filters depend on. */
export type FilteredFinding = Static<typeof FindingWithPlaces> & {
  /** The owner, criticality and tags of its data source. */
  importance: { tags: string[]; owner_id: string | null; criticality: string };
  /** Whether it stands for all findings about its problem. */
  isShown: boolean;
  /** The scan that saw it for the first time. */
  firstScanId: string;
};
