import type { Status } from '../../findings/lifecycle.ts';
import type { Severity } from '../../findings/severity.ts';
import type { CoverageState, KeyFigureName, MappedStandard } from '../analysis/analysis-model.ts';
import type { Formats } from './formats.ts';

/** The chapters and sections of a document. */
const headings = [
  ...(['document_control', 'foreword', 'summary', 'actions', 'changes', 'coverage', 'method', 'limitations'] as const),
  ...([
    'charts',
    'owners',
    'ages',
    'due_dates',
    'register',
    'mapping',
    'weaknesses',
    'findings',
    'conclusion',
  ] as const),
  ...(['appendix', 'severity_comparison', 'tools', 'glossary'] as const),
] as const;
type Heading = (typeof headings)[number];

export const terms = [
  ...([
    'finding',
    'data_source',
    'detection_source',
    'severity',
    'cvss',
    'cwe',
    'cve',
    'priority',
    'due_date',
  ] as const),
  ...(['accepted_risk', 'false_positive', 'reopened', 'snapshot'] as const),
] as const;
type Term = (typeof terms)[number];

type SevereCounts = { critical: number; high: number; overdue: number };

/** Everything that a report says about its analysis in one language. A third language is one more object of this type. */
export type Sentences = {
  locale: string;
  headings: Record<Heading, string>;
  severities: Record<Severity, string>;
  statuses: Record<Status, string>;
  coverageStates: Record<CoverageState, string>;
  keyFigures: Record<KeyFigureName, string>;
  /** The unit of a key figure that is not a plain number. */
  days(value: number, formats: Formats): string;
  unknown: string;
  verdict: {
    nothingScanned(total: number, formats: Formats): string;
    noneOpen: string;
    noneSevere(open: number, overdue: number, formats: Formats): string;
    severe(counts: SevereCounts, formats: Formats): string;
    /** How many critical and high findings are open more (or, below 0, fewer) than at an earlier time. */
    trend(change: number, since: string, formats: Formats): string;
    gaps(missing: number, total: number, formats: Formats): string;
  };
  /** A change of a figure since the earlier report. */
  change(text: string): string;
  noChange: string;
  noComparison: string;
  actions: {
    upgrade(name: string, version: string | null): string;
    rotateSecret(name: string, findings: number): string;
    fix(name: string): string;
    closes(findings: number, dataSources: number, formats: Formats): string;
    owners(names: string[], formats: Formats): string;
    noOwner: string;
    due(day: string): string;
    overdue(findings: number, formats: Formats): string;
    covered(
      counts: { actions: number; open: number; ofOpen: number; severe: number; ofSevere: number },
      formats: Formats,
    ): string;
  };
  changes(
    counts: { new: number; fixed: number; reopened: number; accepted: number },
    since: string,
    formats: Formats,
  ): string;
  coverage(counts: Record<CoverageState, number>, total: number, formats: Formats): string;
  method: string;
  limitations: string;
  dueDates(counts: { kept: number; missed: number; overdue: number }, formats: Formats): string;
  register(
    counts: { accepted: number; falsePositives: number; withoutReason: number; shown: number },
    formats: Formats,
  ): string;
  unmapped(counts: { withoutCwe: number; open: number }, formats: Formats): string;
  unmappedIn(standard: MappedStandard['name'], unmapped: number, formats: Formats): string;
  severityComparison(
    counts: { compared: number; agree: number; toolHigher: number; toolLower: number },
    formats: Formats,
  ): string;
  glossary: Record<Term, { term: string; text: string }>;
};
