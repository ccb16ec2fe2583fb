/** Filters that take several values, each of which a leading "-" excludes. Named as in the API. */
const listFields = [
  'severity',
  'status',
  'source',
  'data_source',
  'rule',
  'tag',
  'assignee',
  'identifier',
  'path',
  'package',
  'data_source_tag',
  'owner',
  'criticality',
  'context',
] as const;
export type ListField = (typeof listFields)[number];

/** Filters with one value. `age` is of the console: it becomes `from` and `to`. */
const singleFields = [
  'age',
  'from',
  'to',
  'updated_from',
  'updated_to',
  'accepted_until_to',
  'reopened',
  'overdue',
  'due_to',
  'priority_min',
  'kev',
  'epss_min',
] as const;
export type SingleField = (typeof singleFields)[number];

type FilterField = ListField | SingleField;

export const isListField = (name: string): name is ListField => (listFields as readonly string[]).includes(name);
export const isSingleField = (name: string): name is SingleField => (singleFields as readonly string[]).includes(name);

/** The filters of a page as in its URL: `{ severity: 'critical,-info', q: 'log4j' }`. */
export type Filters = Partial<Record<FilterField | 'q', string>>;

/** Ages that can be chosen: how long ago a finding was first seen, in days. */
export const ages = {
  '1d': { label: 'Last 24 hours', from: 1 },
  '7d': { label: 'Last 7 days', from: 7 },
  '30d': { label: 'Last 30 days', from: 30 },
  '90d': { label: 'Last 90 days', from: 90 },
  '30d+': { label: 'Older than 30 days', to: 30 },
  '90d+': { label: 'Older than 90 days', to: 90 },
  '365d+': { label: 'Older than a year', to: 365 },
} as const satisfies Record<string, { label: string; from?: number; to?: number }>;

export const isAge = (text: string): text is keyof typeof ages => Object.hasOwn(ages, text);
