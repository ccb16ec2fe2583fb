import { kindsOfChange } from './parts.ts';
import type { Sentences } from './sentences.ts';

const plural = (value: number, one: string, many: string) => (value === 1 ? one : many);

export const en: Sentences = {
  locale: 'en-GB',
  headings: {
    document_control: 'Document control',
    foreword: 'Foreword',
    summary: 'Summary',
    actions: 'What to do first',
    changes: 'What changed',
    coverage: 'Scope and coverage',
    method: 'Method',
    limitations: 'Limitations',
    charts: 'Charts',
    owners: 'Open findings by owner',
    ages: 'Open findings by age',
    due_dates: 'Due dates',
    register: 'Accepted risks and false positives',
    mapping: 'Standards',
    weaknesses: 'Most frequent weaknesses',
    findings: 'Findings',
    conclusion: 'Conclusion',
    appendix: 'Appendix',
    severity_comparison: 'Severity and CVSS',
    tools: 'Tools',
    glossary: 'Glossary',
  },
  severities: { critical: 'Critical', high: 'High', medium: 'Medium', low: 'Low', info: 'Info' },
  statuses: {
    new: 'New',
    triaged: 'Triaged',
    in_progress: 'In progress',
    resolved: 'Resolved',
    false_positive: 'False positive',
    accepted_risk: 'Accepted risk',
  },
  coverageStates: {
    never_scanned: 'Never scanned',
    failed: 'Last scan failed',
    stale: 'Out of date',
    current: 'Current',
  },
  keyFigures: {
    open_critical_high: 'Open critical and high',
    overdue: 'Overdue',
    unassigned_critical_high: 'Critical and high without an assignee',
    median_days_to_fix: 'Median time to fix',
    new_minus_closed: 'New minus closed',
    accepted_ending_soon: 'Accepted risks that end within 30 days',
  },
  days: (value, { number }) => `${number(value)} ${plural(value, 'day', 'days')}`,
  unknown: 'unknown',
  verdict: {
    nothingScanned: (total, { number }) =>
      total === 0
        ? 'Nothing can be said yet: there are no data sources.'
        : `Nothing can be said yet: ${plural(total, 'the data source has', `none of the ${number(total)} data sources has`)}${plural(total, ' not', '')} been scanned completely.`,
    noneOpen: 'No findings are open.',
    noneSevere: (open, overdue, { number }) => {
      const late =
        overdue > 0 ? `, and ${number(overdue)} ${plural(overdue, 'finding is', 'findings are')} overdue` : '';
      return `No critical or high findings are open; ${number(open)} less severe ${plural(open, 'one is', 'ones are')}${late}.`;
    },
    severe: ({ critical, high, overdue }, { number, list }) => {
      const parts = [
        ...(critical > 0 ? [`${number(critical)} critical`] : []),
        ...(high > 0 ? [`${number(high)} high`] : []),
      ];
      const open = `${list(parts)} ${plural(critical + high, 'finding is', 'findings are')} open`;
      const late =
        overdue > 0 ? `, and ${number(overdue)} ${plural(overdue, 'finding is', 'findings are')} overdue` : '';
      return `${critical > 0 || overdue > 0 ? 'Action is needed: ' : ''}${open}${late}.`;
    },
    trend: (change, since, { number }) =>
      change === 0
        ? `The number of critical and high findings is the same as on ${since}.`
        : `That is ${number(Math.abs(change))} ${change > 0 ? 'more' : 'fewer'} critical or high ${plural(Math.abs(change), 'finding', 'findings')} than on ${since}.`,
    gaps: (missing, total, { number }) =>
      `${number(missing)} of ${number(total)} ${plural(total, 'data source', 'data sources')} ${plural(missing, 'has', 'have')} no current scan.`,
  },
  change: (text) => `${text} since the earlier report`,
  noChange: 'unchanged since the earlier report',
  noComparison: '',
  actions: {
    upgrade: (name, version) =>
      version === null ? `Replace or update ${name}: no fixed version is known` : `Upgrade ${name} to ${version}`,
    rotateSecret: (name, findings) =>
      findings === 1 ? `Revoke and replace this secret: ${name}` : `Revoke and replace these secrets: ${name}`,
    fix: (name) => `Fix: ${name}`,
    closes: (findings, dataSources, { number }) =>
      `closes ${number(findings)} ${plural(findings, 'finding', 'findings')} in ${number(dataSources)} ${plural(dataSources, 'data source', 'data sources')}`,
    owners: (names, { list }) => `${plural(names.length, 'owner', 'owners')}: ${list(names)}`,
    noOwner: 'no owner',
    due: (day) => `due on ${day}`,
    overdue: (findings, { number }) => `${number(findings)} overdue`,
    covered: ({ actions, open, ofOpen, severe, ofSevere }, { number, share }) => {
      const start = `${plural(actions, 'This action closes', `These ${number(actions)} actions close`)} ${number(open)} of ${number(ofOpen)} open ${plural(ofOpen, 'finding', 'findings')}`;
      return ofSevere === 0
        ? `${start}.`
        : `${start}, and ${number(severe)} of the ${number(ofSevere)} critical and high ${plural(ofSevere, 'one', 'ones')} (${share(severe, ofSevere)}).`;
    },
  },
  changes: (counts, since, formats) => {
    const parts = kindsOfChange(counts, formats, {
      new: ['new', 'new'],
      fixed: ['fixed', 'fixed'],
      reopened: ['reopened', 'reopened'],
      accepted: ['accepted as a risk', 'accepted as risks'],
    });
    return parts.length === 0 ? `Nothing has changed since ${since}.` : `Since ${since}: ${formats.list(parts)}.`;
  },
  coverage: ({ current, stale, failed, never_scanned: never }, total, { number, list }) => {
    if (total === 0) return 'There are no data sources in the scope of this report.';
    const gaps = [
      ...(stale > 0 ? [`${number(stale)} ${plural(stale, 'is', 'are')} out of date`] : []),
      ...(failed > 0 ? [`of ${number(failed)} the last scan failed`] : []),
      ...(never > 0 ? [`${number(never)} ${plural(never, 'was', 'were')} never scanned`] : []),
    ];
    const start = `${number(current)} of ${number(total)} ${plural(total, 'data source', 'data sources')} ${plural(current, 'has', 'have')} a current, complete scan`;
    if (gaps.length === 0) return `${start}.`;
    return `${start}; ${list(gaps)}. Where there was no scan, the absence of findings proves nothing.`;
  },
  method:
    'The findings come from automated tools. Results of repeated scans are merged: a finding keeps its history, is resolved when a complete scan no longer finds it, and is reopened when it comes back. Decisions of people are kept.',
  limitations:
    'Tools find known patterns and known vulnerabilities. They miss problems of design and business logic, and report some that are none. This report shows what was known when its snapshot was taken, for the selected data sources and filters only.',
  dueDates: ({ kept, missed, overdue }, { number, share }) => {
    const closed =
      kept + missed === 0
        ? 'No finding was fixed in the period.'
        : `Of ${number(kept + missed)} ${plural(kept + missed, 'finding', 'findings')} fixed in the period, ${number(kept)} ${plural(kept, 'was', 'were')} fixed in time (${share(kept, kept + missed)}).`;
    return `${closed} ${overdue === 0 ? 'No open finding is overdue.' : `${number(overdue)} open ${plural(overdue, 'finding is', 'findings are')} overdue.`}`;
  },
  register: ({ accepted, falsePositives, withoutReason, shown }, { number }) => {
    const all = accepted + falsePositives;
    if (all === 0) return 'No risk is accepted, and no finding is marked as a false positive.';
    const counts = `${number(accepted)} ${plural(accepted, 'risk is', 'risks are')} accepted, and ${number(falsePositives)} ${plural(falsePositives, 'finding is', 'findings are')} marked as ${plural(falsePositives, 'a false positive', 'false positives')}.`;
    const reasons =
      withoutReason > 0
        ? ` ${number(withoutReason)} of these decisions ${plural(withoutReason, 'has', 'have')} no comment.`
        : '';
    return `${counts}${reasons}${shown < all ? ` The ${number(shown)} most severe are listed.` : ''}`;
  },
  unmapped: ({ withoutCwe, open }, { number }) =>
    withoutCwe === 0
      ? 'Every open finding has a CWE.'
      : `${number(withoutCwe)} of ${number(open)} open ${plural(open, 'finding', 'findings')} ${plural(withoutCwe, 'has', 'have')} no CWE and can't be mapped.`,
  unmappedIn: (standard, unmapped, { number }) =>
    unmapped === 0
      ? `Every open finding is in a category of ${standard}.`
      : `${number(unmapped)} open ${plural(unmapped, 'finding is', 'findings are')} in no category of ${standard}.`,
  severityComparison: ({ compared, agree, toolHigher, toolLower }, { number }) =>
    compared === 0
      ? 'No open finding has a CVSS score.'
      : `${number(compared)} open ${plural(compared, 'finding has', 'findings have')} a CVSS score. The severity of the tool and that of the score agree for ${number(agree)}; the tool is higher for ${number(toolHigher)} and lower for ${number(toolLower)}. The severity of the tool counts in this report; the priority uses the score.`,
  glossary: {
    finding: {
      term: 'Finding',
      text: 'A problem that a tool reported, with its history. Several sightings of the same problem are one finding.',
    },
    data_source: {
      term: 'Data source',
      text: 'What is scanned: a repository, a website, a host, a container image, or results that are uploaded.',
    },
    detection_source: { term: 'Detection source', text: 'A tool that finds problems, built in or external.' },
    severity: {
      term: 'Severity',
      text: 'How serious a problem is: critical, high, medium, low or info. The tool decides it.',
    },
    cvss: {
      term: 'CVSS',
      text: 'Common Vulnerability Scoring System: a score from 0 to 10. From 9.0 critical, from 7.0 high, from 4.0 medium, above 0 low.',
    },
    cwe: { term: 'CWE', text: 'Common Weakness Enumeration: a catalogue of kinds of weaknesses.' },
    cve: {
      term: 'CVE',
      text: 'Common Vulnerabilities and Exposures: a catalogue of known vulnerabilities of products.',
    },
    priority: {
      term: 'Priority',
      text: 'What to fix first, from 0 to 100: severity or CVSS, criticality and exposure of the data source, test code, and whether a fix is known.',
    },
    due_date: {
      term: 'Due date',
      text: 'The day by which a finding must be fixed under the policy of the organization.',
    },
    accepted_risk: {
      term: 'Accepted risk',
      text: 'A finding that a person decided not to fix, often until a given day. It is then open again.',
    },
    false_positive: { term: 'False positive', text: 'A finding that a person judged not to be a problem.' },
    reopened: { term: 'Reopened', text: 'A finding that was resolved and then found again.' },
    snapshot: {
      term: 'Snapshot',
      text: 'The findings at one moment. It never changes, and every format of a report is made from it.',
    },
  },
};
