import { type Severity, severities } from '@assay/scanner/contract/severity.ts';
import type {
  BySeverity,
  ChangedFindings,
  ReportAction,
  ReportAnalysis,
  RollForward,
  RollForwardFigures,
} from '../analysis-model.ts';
import type { ReportMapping } from '../mapping-model.ts';
import { ada, dayMs, takenAt, time } from '../report-finding.fixture.ts';

const counts = (...values: number[]): BySeverity =>
  Object.fromEntries(severities.map((severity, index) => [severity, values[index] ?? 0])) as BySeverity;

const payments = { id: 'ds_01jd3x7k2pfr6v0t9y8n7m6k5j', name: 'payments-api' };
const website = { id: 'ds_01jd3x7k2pfr6v0t9y8n7m6k5k', name: 'www.example.com' };
const bastion = { id: 'ds_01jd3x7k2pfr6v0t9y8n7m6k5n', name: 'bastion.example.com' };
const owner = { id: ada.id, name: ada.name };
const daysAgo = (days: number) => time(takenAt - days * dayMs);
const findingId = (index: number) => `fnd_01jd3x8v6z${String(index).padStart(16, '0')}`;

const sampleAction = (changes: Partial<ReportAction> = {}): ReportAction => ({
  kind: 'upgrade',
  name: 'log4j-core',
  package: { ecosystem: 'Maven', name: 'log4j-core', version: '2.17.1', current: ['2.14.0', '2.14.1'] },
  rule: null,
  cwe: 'CWE-502',
  findings: 14,
  by_severity: counts(6, 8),
  priority: 92,
  data_sources: [payments, website, bastion],
  data_source_count: 3,
  owners: [owner],
  earliest_due_at: daysAgo(2),
  overdue: 6,
  finding_id: findingId(1),
  remediation: null,
  ...changes,
});

const listed = (title: string, severity: Severity, days: number): ChangedFindings['most_severe'][number] => ({
  id: findingId(days),
  title,
  place: `${title.split(' in ').at(-1)}:${days}`,
  severity,
  status: 'new',
  data_source: payments,
  at: daysAgo(days),
});

const changed = (by_severity: BySeverity, most_severe: ChangedFindings['most_severe']): ChangedFindings => ({
  total: Object.values(by_severity).reduce((sum, value) => sum + value, 0),
  by_severity,
  most_severe,
});

const due = (...figures: number[]) => {
  const [open_in_time = 0, overdue = 0, kept = 0, missed = 0, without_due_date = 0] = figures;
  return { open_in_time, overdue, kept, missed, without_due_date, resolved_without_due_date: without_due_date };
};

const mapping: ReportMapping = {
  weaknesses: [
    { id: 'CWE-798', name: 'Use of hard-coded credentials', open: 21, open_by_severity: counts(21) },
    { id: 'CWE-89', name: 'SQL injection', open: 9, open_by_severity: counts(0, 9) },
  ],
  without_cwe: 12,
  standards: [
    {
      id: 'owasp-2021',
      name: 'OWASP Top 10 2021',
      source: 'https://owasp.org/Top10/2021/',
      categories: [
        { id: 'A03', name: 'Injection', open: 9, open_by_severity: counts(0, 9) },
        {
          id: 'A07',
          name: 'Identification and Authentication Failures',
          open: 21,
          open_by_severity: counts(21),
        },
      ],
      unmapped: 12,
    },
  ],
};

/**
 * Figures of a roll-forward: the findings open at the start, and the changes in order, reductions as negative numbers.
 */
const flowsOf = (values: number[]): RollForwardFigures => {
  const names = ['open_then', 'new', 'reopened', 'resolved', 'removed', 'accepted', 'false_positive', 'reclassified'];
  const figures = names.map((name, index) => [
    name,
    name === 'reclassified' ? values[index] : Math.abs(values[index]!),
  ]);
  return { ...Object.fromEntries(figures), open_now: values.reduce((sum, value) => sum + value, 0) };
};

/** An analysis with an example of everything. Its figures are not computed from findings. */
export const sampleAnalysis: ReportAnalysis = {
  comparison: {
    report: { id: 'rpt_01jd3zb8m9n0p1q2r3s4t5v6w6', title: 'Findings of the second quarter' },
    taken_at: daysAgo(30),
    same_filters: true,
  },
  key_figures: {
    open: { value: 60, change: -4 },
    open_critical_high: { value: 42, change: -7 },
    overdue: { value: 11, change: 3 },
    unassigned_critical_high: { value: 19, change: 0 },
    median_days_to_fix: { value: 12, change: null },
    accepted_ending_soon: { value: 2, change: 2 },
  },
  actions: {
    first: [
      sampleAction(),
      sampleAction({
        kind: 'rotate_secret',
        name: 'AWS access key',
        package: null,
        rule: { id: 'aws-access-token', name: 'AWS access key' },
        cwe: 'CWE-798',
        findings: 1,
        by_severity: counts(1),
        data_sources: [payments],
        data_source_count: 1,
        overdue: 0,
        earliest_due_at: time(takenAt + 3 * dayMs),
        remediation: 'Deactivate the key, make a new one, and read it from a secret store.',
      }),
      sampleAction({
        kind: 'fix',
        name: 'SQL built from input',
        package: null,
        rule: { id: 'sql-injection', name: 'SQL built from input' },
        cwe: 'CWE-89',
        findings: 9,
        by_severity: counts(0, 9),
        data_sources: [payments, website],
        data_source_count: 2,
        owners: [],
        earliest_due_at: null,
        overdue: 0,
        remediation: 'Pass values as parameters of the statement.',
      }),
    ],
    total: 37,
    covered: { open: 24, critical_high: 24 },
  },
  roll_forward: {
    since: daysAgo(30),
    basis: 'at_the_time',
    by_severity: Object.fromEntries(
      severities.map((severity, index) => [severity, flowsOf([12, 3, 1, -5, 0, -1, 0, index === 1 ? 1 : 0])]),
    ) as RollForward['by_severity'],
    total: flowsOf([60, 15, 5, -25, 0, -5, 0, 1]),
  },
  changes: {
    since: daysAgo(30),
    new: changed(counts(1, 2), [listed('AWS access key in src/billing/keys.ts', 'critical', 3)]),
    fixed: changed(counts(0, 4), [listed('SQL built from input in src/accounts/list.ts', 'high', 5)]),
    reopened: changed(counts(0, 1), [listed('SQL built from input in src/gateway/find.ts', 'high', 8)]),
    accepted: changed(counts(), []),
  },
  coverage: {
    data_sources: [
      {
        ...bastion,
        kind: 'host',
        owner: null,
        criticality: 'high',
        exposure: 'public',
        state: 'never_scanned',
        last_complete_scan_at: null,
        tools: [],
        open: 0,
      },
      {
        ...website,
        kind: 'website',
        owner: null,
        criticality: 'medium',
        exposure: 'public',
        state: 'failed',
        last_complete_scan_at: daysAgo(9),
        tools: [
          {
            source: 'web',
            name: 'Website',
            status: 'failed',
            at: daysAgo(1),
            reason: 'The website did not respond.',
            revision: null,
            is_behind: false,
            last_complete_scan_at: daysAgo(9),
          },
        ],
        open: 12,
      },
      {
        ...payments,
        kind: 'git_repository',
        owner,
        criticality: 'critical',
        exposure: 'internal',
        state: 'ok',
        last_complete_scan_at: daysAgo(1),
        tools: [
          {
            source: 'code',
            name: 'Code',
            status: 'ok',
            at: daysAgo(1),
            reason: null,
            revision: '9fceb02d0ae598e95dc970b74767f19372d61af8',
            is_behind: false,
            last_complete_scan_at: daysAgo(1),
          },
        ],
        open: 48,
      },
    ],
    total: 3,
    stale_after_days: 7,
    by_state: { failed: 1, partial: 0, stale: 0, never_scanned: 1, ok: 1 },
    feeds: [
      { name: 'kev', loaded_at: daysAgo(1) },
      { name: 'epss', loaded_at: daysAgo(1) },
      { name: 'advisories', loaded_at: null },
    ],
  },
  owners: {
    owners: [
      { owner, data_sources: 1, open: 48, open_by_severity: counts(10, 20, 18), overdue: 9, unassigned: 12 },
      { owner: null, data_sources: 2, open: 12, open_by_severity: counts(2, 10), overdue: 2, unassigned: 12 },
    ],
    total: 2,
  },
  due_dates: {
    by_severity: {
      critical: due(6, 6, 4, 1, 0),
      high: due(25, 5, 10, 2, 0),
      medium: due(18, 0, 3, 0, 0),
      low: due(0, 0, 0, 0, 0),
      info: due(0, 0, 0, 0, 2),
    },
    by_owner: [
      { owner, ...due(39, 9, 15, 2, 0) },
      { owner: null, ...due(10, 2, 2, 1, 2) },
    ],
  },
  register: {
    entries: [
      {
        id: findingId(6),
        title: 'Weak hash for passwords in src/accounts/legacy.ts',
        place: 'src/accounts/legacy.ts:7',
        severity: 'medium',
        status: 'accepted_risk',
        data_source: payments,
        decided_by: owner,
        decided_at: daysAgo(20),
        reason: 'The old accounts are deleted in January.',
        accepted_until: time(takenAt + 20 * dayMs),
      },
      {
        id: findingId(7),
        title: 'Note about security in src/gateway/todo.ts',
        place: null,
        severity: 'info',
        status: 'false_positive',
        data_source: payments,
        decided_by: null,
        decided_at: null,
        reason: null,
        accepted_until: null,
      },
    ],
    accepted_risk: { total: 1, by_severity: counts(0, 0, 1), without_reason: 0, without_end: 0 },
    false_positive: { total: 1, by_severity: counts(0, 0, 0, 0, 1), without_reason: 1 },
  },
  mapping,
  severity_comparison: {
    compared: 30,
    agree: 24,
    tool_higher: 4,
    tool_lower: 2,
    pairs: [
      { tool: 'high', cvss: 'medium', findings: 4 },
      { tool: 'medium', cvss: 'high', findings: 2 },
    ],
  },
  tools: [
    {
      source: 'code',
      name: 'Code',
      version: null,
      findings: 48,
      data_sources: 1,
      last_complete_scan_at: daysAgo(1),
    },
  ],
};
