/** A finding's values for filters, orders, facets and groups. Times are microseconds since the epoch. */
export type ColumnRow = {
  id: string;
  number: number;
  dataSourceId: string;
  source: string;
  /** The stored rank: 0 (info) to 4 (critical). */
  severity: number;
  status: string;
  ruleId: string;
  /** The name of its rule, as its scanner gives it. */
  ruleName: string;
  assigneeId: string | null;
  tags: string[];
  identifiers: string[];
  /** The tags that the scanner assigns to its rule. */
  ruleTags: string[];
  packageName: string | null;
  path: string | null;
  /** CWE numbers; null if there are none. */
  weaknesses: number[] | null;
  /** The number of its problem, a signed 64-bit integer in decimal digits. */
  problem: string | null;
  inPackage: boolean;
  inTests: boolean;
  inExamples: boolean;
  highConfidence: boolean;
  mediumConfidence: boolean;
  lowConfidence: boolean;
  kev: boolean;
  commented: boolean;
  reopened: boolean;
  /** Whether its status is a closed one. */
  closed: boolean;
  /** Whether the last completed scan of its data source and source saw it. */
  seenLast: boolean;
  epss: number | null;
  priority: number;
  firstSeenAt: number;
  updatedAt: number;
  lastSeenAt: number;
  /** `Infinity` if it has no due date. */
  dueAt: number;
  /** `Infinity` if its risk is not accepted, or accepted without an end. */
  acceptedUntil: number;
};

/** A data source. Its changes don't change the rows of findings. */
export type ColumnDataSource = {
  id: string;
  kind: string;
  exposure: string;
  ownerId: string | null;
  tags: string[];
  criticality: string;
  /** The time of each source's last completed scan, in microseconds since the epoch. */
  lastScans: Record<string, number>;
};
