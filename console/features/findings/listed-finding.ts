import type { Finding, FindingField } from '@assay/client';

/** The fields that rows, columns and changes of rows use, without the long texts. */
export const listedFields = [
  'id',
  'number',
  'title',
  'version',
  'severity',
  'status',
  'source',
  'data_source',
  'rule',
  'location',
  'identifiers',
  'cvss_score',
  'tags',
  'assignee',
  'occurrences',
  'reopened_count',
  'accepted_until',
  'first_seen_at',
  'last_seen_at',
  'due_at',
  'priority',
  'epss',
  'kev',
  'context',
  'confidence',
] as const satisfies readonly FindingField[];

/** A finding as the list shows it. */
export type ListedFinding = Pick<Finding, (typeof listedFields)[number]>;
