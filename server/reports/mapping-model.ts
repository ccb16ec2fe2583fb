import type { Severity } from '@assay/scanner/contract/severity.ts';

export type MappedCategory = { id: string; name: string; open: number; open_by_severity: Record<Severity, number> };

/** The open findings by the categories of one standard. A finding may be in several. */
export type MappedStandard = {
  /** Its name in the `standards` of findings, before the colon. */
  id: string;
  name: string;
  /** The source of the table. */
  source: string;
  /** All categories in the order of the standard, including those without findings. */
  categories: MappedCategory[];
  /** Open findings in no category. */
  unmapped: number;
};

export type ReportMapping = {
  /** The most frequent weaknesses, at most 25. */
  weaknesses: MappedCategory[];
  /** Open findings without a CWE, whether their own or known for their rule. */
  without_cwe: number;
  standards: MappedStandard[];
};
