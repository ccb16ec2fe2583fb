import type { DecisionOutcome, Finding, FindingStatus, PriorityReason, Severity } from '@assay/client';

export const severityNames: Record<Severity, string> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  info: 'Info',
};

export const statusNames: Record<FindingStatus, string> = {
  new: 'New',
  triaged: 'Triaged',
  in_progress: 'In progress',
  resolved: 'Resolved',
  false_positive: 'False positive',
  accepted_risk: 'Risk accepted',
};

/** The outcomes of decisions. */
export const outcomeNames: Record<DecisionOutcome, string> = {
  false_positive: statusNames.false_positive,
  accepted_risk: statusNames.accepted_risk,
  triaged: statusNames.triaged,
  demoted: 'Shown as info',
};

/** Statuses by the key that sets them. */
export const statusKeys: Record<string, FindingStatus> = {
  0: 'new',
  1: 'triaged',
  2: 'in_progress',
  3: 'resolved',
  4: 'false_positive',
  5: 'accepted_risk',
};

export const severities = Object.keys(severityNames) as Severity[];

/** Names of the reasons that raise or lower a priority. */
export const reasonNames: Record<PriorityReason, string> = {
  test_code: 'in test code',
  fix_available: 'a fix is available',
  cvss: 'by its CVSS score',
  data_source_low: 'data source of low criticality',
  data_source_high: 'data source of high criticality',
  data_source_critical: 'critical data source',
  public: 'publicly reachable',
  known_exploited: 'known to be exploited',
  epss_top_1_percent: 'exploit likely (top 1% of EPSS)',
  epss_top_5_percent: 'exploit likely (top 5% of EPSS)',
  epss_top_20_percent: 'exploit possible (top 20% of EPSS)',
};

/** Contexts in one word and as the end of a sentence. */
export const contextWords: Record<NonNullable<Finding['context']>, string> = { test: 'Test', example: 'Example' };
export const contextSentences: Record<NonNullable<Finding['context']>, string> = {
  test: 'In tests',
  example: 'In documentation or an example',
};

/** Confidences in one word and as a sentence. */
export const confidenceWords: Record<NonNullable<Finding['confidence']>, string> = {
  high: 'High',
  medium: 'Medium',
  low: 'Low',
};
export const confidenceSentences: Record<NonNullable<Finding['confidence']>, string> = {
  high: 'High: nothing was assumed',
  medium: 'Medium: a part was assumed',
  low: 'Low: only a hint',
};

const numbers = new Intl.NumberFormat('en');
export const formatCount = (count: number): string => numbers.format(count);

/** Formats a share of 0 to 1 as a percentage: `0.9 %`, `97 %`. */
export const formatShare = (share: number): string => {
  const percent = share * 100;
  return `${percent.toFixed(percent < 10 ? 1 : 0)} %`;
};

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

/** The location of a finding: `src/app.ts:12`, a package, an address, or a commit with the finding in its message. */
export function placeOf({ location }: Pick<Finding, 'location'>): string {
  if (location.path !== null) return location.start_line ? `${location.path}:${location.start_line}` : location.path;
  if (location.package) return [location.package.name, location.package.version].filter(Boolean).join(' ');
  if (location.url !== null) return location.url;
  return location.commit === null ? '' : `commit ${location.commit.slice(0, 10)}`;
}

/** The location beside the title of its finding: only the line, if the title ends with the path. */
export function placeBesideTitle(finding: Pick<Finding, 'location' | 'title'>): string {
  const { path, start_line } = finding.location;
  if (path === null || !finding.title.endsWith(` ${path}`)) return placeOf(finding);
  return start_line ? `line ${start_line}` : '';
}

/** The address to open for a location; null if a browser should not follow it. */
export function safeUrl(url: string | null | undefined): string | null {
  return url && /^https?:\/\//i.test(url) ? url : null;
}

/** Whether feeds on exploitation use this kind of identifier. */
export const isCve = (identifier: string): boolean => identifier.startsWith('CVE-');

/** The reasons for which a decision ends before its day. */
export const endReasons: Record<string, string> = {
  kev: 'it is exploited',
  epss_above: 'its EPSS score rose',
  severity_above: 'its severity rose',
  fix_available: 'a fix became available',
  version_changes: 'its version changed',
  removed: 'it was removed from the repository',
  policy: 'the policy no longer lets the repository decide',
};
