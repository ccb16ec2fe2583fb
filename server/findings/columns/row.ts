/** A finding as columns hold it: what filters, orders, facets and groups read. Times are microseconds since the epoch. */
export type ColumnRow = {
  id: string;
  number: number;
  dataSourceId: string;
  source: string;
  /** The stored rank: 0 (info) to 4 (critical). */
  severity: number;
  status: string;
  ruleId: string;
  assigneeId: string | null;
  tags: string[];
  identifiers: string[];
  /** The tags that its scanner gives its rule. */
  ruleTags: string[];
  packageName: string | null;
  path: string | null;
  /** The numbers of its CWEs; null when there are none. */
  weaknesses: number[] | null;
  /** The number of its problem, 64 bits with a sign, in decimal digits. */
  problem: string | null;
  inPackage: boolean;
  inTests: boolean;
  kev: boolean;
  commented: boolean;
  reopened: boolean;
  /** Whether its status is not open. */
  closed: boolean;
  /** Whether the last completed scan of its data source and source saw it. */
  seenLast: boolean;
  epss: number | null;
  priority: number;
  firstSeenAt: number;
  updatedAt: number;
  lastSeenAt: number;
  /** `Infinity` without one. */
  dueAt: number;
  /** `Infinity` when its risk is not accepted, or without an end. */
  acceptedUntil: number;
};

/** A data source, whose changes change no finding. */
export type ColumnDataSource = {
  id: string;
  kind: string;
  exposure: string;
  ownerId: string | null;
  tags: string[];
  criticality: string;
  /** When the last completed scan of each source was, in microseconds since the epoch. */
  lastScans: Record<string, number>;
};
