import type { Severity } from '@assay/scanner/contract/severity.ts';
import type { Static } from 'typebox';
import type { Criticality, Exposure } from '../data-sources/importance.ts';
import type { DataSourceKind } from '../data-sources/kind.ts';
import type { DataSourceStatus, ScannerStatus } from '../data-sources/scan-status.ts';
import type { DecisionJustification } from '../findings/finding-schema.ts';
import type { Status } from '../findings/lifecycle.ts';
import type { ReportMapping } from './mapping-model.ts';

/** Times are `YYYY-MM-DDThh:mm:ssZ`; names are those at the time of the snapshot. */
export type BySeverity = Record<Severity, number>;
export type Named = { id: string; name: string };

/** The earlier report that figures and changes are compared with. */
export type Comparison = {
  report: { id: string; title: string };
  taken_at: string;
  /** Whether that report had the same filters; if not, the figures count different findings. */
  same_filters: boolean;
};

/** A figure and its change since the earlier report. Each is null if it is unknown. */
export type KeyFigure = { value: number | null; change: number | null };

export const keyFigureNames = [
  'open',
  'open_critical_high',
  'overdue',
  'unassigned_critical_high',
  'median_days_to_fix',
  'accepted_ending_soon',
] as const;
export type KeyFigureName = (typeof keyFigureNames)[number];

/**
 * Open findings; open findings of critical or high severity; overdue ones; critical or high ones without an assignee;
 * the median of the days to fix, from the first sighting or the last reopening, of findings resolved in the period;
 * accepted risks that end within 30 days.
 */
export type KeyFigures = Record<KeyFigureName, KeyFigure>;

/** One piece of work that closes open findings. */
export type ReportAction = {
  kind: 'upgrade' | 'rotate_secret' | 'fix';
  /** A readable name of the package, the secret or the problem; never a bare rule id. */
  name: string;
  /**
   * With `upgrade`: `version` is the lowest version that closes all findings with a known fix; null if there is none.
   */
  package: { ecosystem: string; name: string; version: string | null; current: string[] } | null;
  rule: { id: string; name: string } | null;
  /** The first CWE of the example. */
  cwe: string | null;
  /** The number of open findings that it closes. */
  findings: number;
  by_severity: BySeverity;
  /** The highest priority of these findings, 0 to 100. */
  priority: number;
  /** The data sources with most of these findings, at most 5, and their total number. */
  data_sources: Named[];
  data_source_count: number;
  /** The owners of these data sources, at most 5. */
  owners: Named[];
  earliest_due_at: string | null;
  overdue: number;
  /** The most urgent of these findings. */
  finding_id: string;
  /** The tool's advice on fixing it, otherwise general advice on its CWE; Markdown. */
  remediation: string | null;
};

export type ReportActions = {
  /** The ten actions that close most, weighted by severity and priority. */
  first: ReportAction[];
  /** The number of all actions. */
  total: number;
  /** The number of open findings that the first actions close, and of those of critical and high severity. */
  covered: { open: number; critical_high: number };
};

/** A finding in a list of the report. */
type ListedFinding = {
  id: string;
  title: string;
  /** Its package, path and line, or address; null if it has none. */
  place: string | null;
  severity: Severity;
  status: Status;
  data_source: Named;
  /** When it was first seen, fixed, reopened or accepted, depending on the list. */
  at: string;
};

export type ChangedFindings = {
  total: number;
  by_severity: BySeverity;
  /** The most severe findings, at most 20. */
  most_severe: ListedFinding[];
};

/** Numbers of findings. The findings open at the start plus the changes since give those open now. */
export type RollForwardFigures = {
  open_then: number;
  new: number;
  reopened: number;
  resolved: number;
  /** Resolved because their data source was deleted. */
  removed: number;
  accepted: number;
  false_positive: number;
  /** Open findings that came from another severity, minus those that left for another. */
  reclassified: number;
  open_now: number;
};

/**
 * The change of open findings from the start of a day (UTC) to now. With the `basis` of recorded severities (filters on
 * severity, data source and source only, or none), findings count by the severity recorded at the time. Under other
 * filters, the findings that match now count, by their current severity.
 */
export type RollForward = {
  since: string;
  basis: 'at_the_time' | 'selected_now';
  by_severity: Record<Severity, RollForwardFigures>;
  total: RollForwardFigures;
};

/** Changes since the start of the day (UTC) of the earlier report or, without one, since the start of the period. */
export type ReportChanges = {
  since: string;
  new: ChangedFindings;
  fixed: ChangedFindings;
  reopened: ChangedFindings;
  accepted: ChangedFindings;
};

export type CoveredDataSource = Named & {
  kind: DataSourceKind;
  owner: Named | null;
  criticality: Criticality;
  exposure: Exposure;
  state: DataSourceStatus;
  /** The last time that a tool completed a scan or an import of it. */
  last_complete_scan_at: string | null;
  /** The tools that scanned it and the status of their last scans, worst first. */
  tools: Array<ScannerStatus & { name: string; last_complete_scan_at: string | null }>;
  open: number;
};

/** The scanned and the unscanned parts. */
export type ReportCoverage = {
  /** The number of days after which a scan is stale. */
  stale_after_days: number;
  /** Worst first, at most 1,000. */
  data_sources: CoveredDataSource[];
  total: number;
  by_state: Record<DataSourceStatus, number>;
  /** The feeds on exploitation and advisories, with the time of their last load; null if never loaded. */
  feeds: Array<{ name: 'kev' | 'epss' | 'advisories'; loaded_at: string | null }>;
};

export type OwnerFigures = {
  /** The owner of the data sources; null for data sources without an owner. */
  owner: Named | null;
  data_sources: number;
  open: number;
  open_by_severity: BySeverity;
  overdue: number;
  unassigned: number;
};

/** Open findings by the current policy; resolved ones by their due date at the time. */
export type DueFigures = {
  /** Open, and due later. */
  open_in_time: number;
  /** Open, and past the due date. */
  overdue: number;
  /** Resolved in the period, by the due date and after it. */
  kept: number;
  missed: number;
  /** Open, without a due date. */
  without_due_date: number;
  /** Resolved in the period, without a due date. */
  resolved_without_due_date: number;
};

export type ReportOwners = {
  /** The owners with the most open critical and high findings first, at most 50. */
  owners: OwnerFigures[];
  total: number;
};

export type ReportDueDates = {
  by_severity: Record<Severity, DueFigures>;
  /** In the order of the owners, at most 50. */
  by_owner: Array<{ owner: Named | null } & DueFigures>;
};

/** A class of reasons for a decision, spelled as in the API. */
export type Justification = Static<typeof DecisionJustification>;

/** A decision not to fix a finding. */
export type RegisterEntry = {
  id: string;
  title: string;
  /** The place, as in a listed finding. */
  place: string | null;
  severity: Severity;
  status: 'accepted_risk' | 'false_positive';
  data_source: Named;
  /** Null if unknown, as for a suppression in the code. */
  decided_by: Named | null;
  decided_at: string | null;
  /** The comment with the decision, or the reason in the code. */
  reason: string | null;
  /** The class of the reason, for a decision without a written one. */
  justification?: Justification;
  /** Null if the acceptance has no end. */
  accepted_until: string | null;
};

export type ReportRegister = {
  /** The most severe entries, at most 1,000. */
  entries: RegisterEntry[];
  accepted_risk: { total: number; by_severity: BySeverity; without_reason: number; without_end: number };
  false_positive: { total: number; by_severity: BySeverity; without_reason: number };
};

/** Findings whose tool severity and CVSS score disagree. The tool's severity counts; the priority uses the score. */
export type SeverityComparison = {
  /** Open findings with a CVSS score. */
  compared: number;
  agree: number;
  tool_higher: number;
  tool_lower: number;
  /** Only pairs that disagree, most frequent first. */
  pairs: Array<{ tool: Severity; cvss: Severity; findings: number }>;
};

export type ReportTool = {
  source: string;
  name: string;
  /** Null if the tool does not report it. */
  version: string | null;
  findings: number;
  data_sources: number;
  last_complete_scan_at: string | null;
};

/** The contents of a report besides the findings and their counts. */
export type ReportAnalysis = {
  /** Null if there is no earlier report to compare with. */
  comparison: Comparison | null;
  key_figures: KeyFigures;
  actions: ReportActions;
  /** Null if the filters exclude open findings by status or time, so that the past ones are unknown. */
  roll_forward: RollForward | null;
  changes: ReportChanges;
  coverage: ReportCoverage;
  owners: ReportOwners;
  due_dates: ReportDueDates;
  register: ReportRegister;
  mapping: ReportMapping;
  severity_comparison: SeverityComparison;
  tools: ReportTool[];
};
