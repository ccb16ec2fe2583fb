import type { Severity } from '@assay/scanner/contract/severity.ts';
import type { Static } from 'typebox';
import type { FilterInput } from '../findings/filters/table.ts';
import type { FindingWithPlaces } from '../findings/finding-schema.ts';
import type { Status } from '../findings/lifecycle.ts';
import type { ReportAnalysis } from './analysis-model.ts';
import type { ReportApproval, ReportDocument, ReportLanguage, ReportTemplate } from './report-document.ts';

/** A comment on a finding, as it was when the snapshot was taken. */
export type ReportComment = { author: string | null; created_at: string; comment: string };

/** A finding as `GET /findings/{id}` returned it at that moment, with its newest comments, oldest of them first. */
export type ReportFinding = Static<typeof FindingWithPlaces> & {
  comments: ReportComment[];
  /** The name of the person who closed the finding (null for a scan), and the comment with that decision. */
  closed: { by: string | null; reason: string | null } | null;
};

/** The maximum number of comments per finding in a report; `comment_count` counts all. */
export const commentsPerFinding = 20;

/** The number of findings that PDF and DOCX show in detail: the most severe ones. The other formats contain all. */
export const detailedFindings = 2_000;

/** All severities and statuses are present, but only the sources and data sources that have findings. */
export type ReportSummary = {
  total: number;
  by_severity: Record<Severity, number>;
  by_status: Record<Status, number>;
  by_source: Record<string, number>;
  /** Most open findings first. */
  by_data_source: Array<{ id: string; name: string; open: number; total: number }>;
};

/**
 * A report without its findings, computed from them in the same view of the database. Times are `YYYY-MM-DDThh:mm:ssZ`.
 * Open findings are new, triaged or in progress.
 */
export type ReportHead = {
  id: string;
  title: string;
  organization: { id: string; name: string };
  created_by: { id: string; name: string } | null;
  scheduled_report_id: string | null;
  template: ReportTemplate;
  document: ReportDocument;
  /** When the snapshot was taken. */
  taken_at: string;
  /**
   * The period of "new" and "closed": the bounds of the filters, the time since the last report of the schedule, or 30
   * days.
   */
  period: { from: string; to: string };
  filters: FilterInput;
  /**
   * The filters in readable form, in each language: `{ label: 'Data source', values: ['payments-api'] }`; empty for all
   * findings.
   */
  selection: Record<ReportLanguage, Array<{ label: string; values: string[] }>>;
  summary: ReportSummary;
  by_severity_and_status: Record<Severity, Record<Status, number>>;
  open: number;
  open_by_severity: Record<Severity, number>;
  open_by_source: Record<string, number>;
  /** Display names of the report's detection sources, by type. */
  source_names: Record<string, string>;
  /** The data sources with the most open findings, at most 10. */
  top_data_sources: Array<{
    id: string;
    name: string;
    kind: string;
    open: number;
    open_by_severity: Record<Severity, number>;
  }>;
  /**
   * Findings first seen in the period, and how many of them are still open; findings closed in it, and how many of them
   * as resolved.
   */
  in_period: { opened: number; opened_still_open: number; closed: number; resolved: number };
  /** Open findings that had been resolved before. */
  reopened: number;
  /** Open findings without an assignee, by severity. */
  unassigned_open: Record<Severity, number>;
  /** Accepted risks: all, and those that expire within 30 days. */
  accepted_risks: { total: number; ending_soon: number };
  /**
   * The last 26 weeks, oldest first; the last may be incomplete. `week` is its Monday, `YYYY-MM-DD`; `open` counts at
   * its end.
   */
  weekly: Array<{ week: string; opened: number; closed: number; open: number }>;
  /**
   * Open findings by age since they were first seen, youngest first: up to 7, 30, 90, 180, 365 days, and older (null).
   */
  age: Array<{ up_to_days: number | null; by_severity: Record<Severity, number> }>;
  /** The open findings that were first seen longest ago, at most 5. */
  oldest_open: Array<{
    id: string;
    title: string;
    severity: Severity;
    data_source: string;
    first_seen_at: string;
    age_days: number;
  }>;
  /** The first steps: rules with open findings, first by severity and then by frequency, at most 5. */
  first_steps: Array<{
    rule: { id: string; name: string };
    severity: Severity;
    open: number;
    data_sources: number;
    /** The remediation of one of the findings; Markdown. */
    remediation: string | null;
    /** The rule's earliest finding. */
    finding_id: string;
  }>;
  /** The numbers of all findings referenced above or in the analysis, by id. */
  finding_numbers: Record<string, string>;
  /** Null in reports of versions that did not compute it. */
  analysis: ReportAnalysis | null;
  /** The SHA-256 of the snapshot in hexadecimal. */
  snapshot_sha256: string;
  /** The state that documents show. It changes after the snapshot, so no other format contains it. */
  approval: ReportApproval;
};

/** Returns the head as documents in another language show it. */
export const inLanguage = (head: ReportHead, language = head.document.language): ReportHead => ({
  ...head,
  document: { ...head.document, language },
});

/** Returns the filters in the language of the document. */
export const selectionIn = ({ selection, document }: Pick<ReportHead, 'selection' | 'document'>) =>
  selection[document.language];

/** A head before its findings are stored: the hash of the snapshot covers them. */
export type ComposedHead = Omit<ReportHead, 'snapshot_sha256' | 'approval'>;

/**
 * A report as writers read it. Findings come in batches, sorted by severity, then by status (open first), then oldest
 * first.
 */
export type ReportModel = { head: ReportHead; findings: AsyncIterable<ReportFinding[]> };
