import { sampleSecret } from './code-samples.fixture.ts';

/** Hand-written results in the remaining formats. */
export const kicsSample = {
  kics_version: '2.0.0',
  queries_total: 1,
  queries: [
    {
      query_name: 'Bucket is public',
      query_id: 'f861041c-8c9f-4156-acfc-5e6e524f5884',
      severity: 'HIGH',
      cwe: '732',
      description: 'Everyone may read it.',
      files: [
        {
          file_name: '../main.tf',
          similarity_id: 'aa11',
          line: 5,
          search_key: 'store[logs].acl',
          expected_value: 'private',
          actual_value: 'public',
        },
        { file_name: '../main.tf', similarity_id: 'bb22', line: 25, search_key: 'store[data].acl' },
      ],
    },
  ],
};

export const tfsecSample = {
  results: [
    {
      rule_id: 'AVD-X-1',
      long_id: 'x-store-no-public',
      rule_description: 'Public store',
      rule_provider: 'x',
      links: ['https://example.com/rule'],
      description: 'Store is public.',
      impact: 'Everyone may read it.',
      resolution: 'Make it private.',
      severity: 'CRITICAL',
      status: 0,
      resource: 'store.logs',
      location: { filename: '/src/main.tf', start_line: 3, end_line: 5 },
    },
    { rule_id: 'AVD-X-2', rule_provider: 'x', description: 'Passed', severity: 'LOW', status: 1, location: {} },
  ],
};

export const hadolintSample = [
  {
    line: 3,
    code: 'DL3008',
    message: 'Pin versions in apt get install.',
    column: 1,
    file: 'Dockerfile',
    level: 'warning',
  },
  {
    line: 9,
    code: 'DL3008',
    message: 'Pin versions in apt get install.',
    column: 1,
    file: 'Dockerfile',
    level: 'warning',
  },
  { line: 9, code: 'SC2086', message: 'Double quote.', column: 1, file: 'Dockerfile', level: 'style' },
];

export const brakemanSample = {
  scan_info: { brakeman_version: '7.0.0' },
  warnings: [
    {
      warning_type: 'SQL Injection',
      check_name: 'SQL',
      fingerprint: 'a'.repeat(64),
      message: 'Possible SQL injection',
      file: 'app/models/user.rb',
      line: 12,
      code: 'where("name = #{params[:name]}")',
      confidence: 'High',
      cwe_id: [89],
    },
  ],
  ignored_warnings: [
    {
      warning_type: 'Redirect',
      check_name: 'Redirect',
      fingerprint: 'b'.repeat(64),
      message: 'Possible redirect',
      file: 'app/a.rb',
      line: 3,
      note: 'Only to ourselves',
    },
  ],
  errors: [],
};

const snykVulnerability = (from: string) => ({
  id: 'SNYK-JS-DEEP-1',
  title: 'Prototype pollution',
  description: 'Keys are merged.',
  severity: 'high',
  cvssScore: 7.3,
  identifiers: { CVE: ['CVE-2099-0201'], CWE: ['CWE-1321'] },
  packageName: 'deep',
  version: '1.0.0',
  fixedIn: ['2.0.0'],
  from: ['app@1.0.0', from, 'deep@1.0.0'],
  upgradePath: [],
  semver: { vulnerable: ['<2.0.0'] },
});

export const snykSample = [
  {
    vulnerabilities: [snykVulnerability('a@1'), snykVulnerability('b@1')],
    ok: false,
    dependencyCount: 2,
    packageManager: 'npm',
    displayTargetFile: 'web/package-lock.json',
  },
  {
    vulnerabilities: [snykVulnerability('a@1')],
    ok: false,
    packageManager: 'npm',
    displayTargetFile: 'api/package-lock.json',
  },
];

export const snykIacSample = {
  infrastructureAsCodeIssues: [
    {
      id: 'SNYK-CC-1',
      title: 'Public store',
      severity: 'medium',
      iacDescription: { issue: 'It is public', impact: 'Read by all', resolve: 'Make it private' },
      path: ['store', 'acl'],
      lineNumber: 4,
    },
  ],
  targetFile: 'main.tf',
};

export const gitlabSample = {
  version: '15.0.0',
  vulnerabilities: [
    {
      id: 'x',
      name: 'AWS key',
      severity: 'Critical',
      raw_source_code_extract: sampleSecret,
      location: { file: 'a.env', start_line: 3, commit: { sha: '0000000' } },
      identifiers: [{ type: 'gitleaks_rule_id', name: 'Gitleaks rule ID aws', value: 'aws' }],
    },
  ],
  scan: { type: 'secret_detection', scanner: { id: 'gitleaks', name: 'Gitleaks' }, status: 'success' },
};

export const gitlabDependencySample = {
  version: '15.0.0',
  vulnerabilities: [
    {
      id: 'y',
      name: 'Billion laughs',
      severity: 'Medium',
      solution: 'Upgrade to 2.0.',
      location: { file: 'go.sum', dependency: { package: { name: 'example.com/yaml' }, version: 'v1.0' } },
      identifiers: [
        { type: 'gemnasium', name: 'Gemnasium-1', value: '1' },
        { type: 'cve', name: 'CVE-2099-0202', value: 'CVE-2099-0202' },
        { type: 'cwe', name: 'CWE-776', value: '776' },
      ],
    },
  ],
  scan: { type: 'dependency_scanning', scanner: { id: 'gemnasium' }, status: 'success' },
};

export const gitlabSastSample = {
  version: '15.0.0',
  vulnerabilities: [3, 30].map((start_line) => ({
    id: `z${start_line}`,
    name: 'Bracket access',
    description: 'A key comes from input.',
    severity: 'High',
    cve: `a.js:${'c'.repeat(64)}:security/detect-object-injection`,
    location: { file: 'a.js', start_line },
    identifiers: [{ type: 'eslint_rule_id', name: 'ESLint rule', value: 'security/detect-object-injection' }],
  })),
  scan: { type: 'sast', scanner: { id: 'eslint' }, status: 'failure' },
};

const asffFinding = (id: string, extra: object = {}) => ({
  SchemaVersion: '2018-10-08',
  Id: `arn:aws:securityhub:eu-central-1:1:finding/${id}`,
  ProductArn: 'arn:aws:securityhub:eu-central-1::product/aws/inspector',
  ProductName: 'Inspector',
  GeneratorId: 'AWSInspector',
  Severity: { Label: 'HIGH', Normalized: 70 },
  Title: `CVE-2099-0203 - ${id}`,
  Description: 'A package is vulnerable.',
  Resources: [{ Type: 'AwsEcrContainerImage', Id: 'arn:aws:ecr:eu-central-1:1:repository/shop' }],
  RecordState: 'ACTIVE',
  Workflow: { Status: 'NEW' },
  ...extra,
});

export const asffSample = {
  Findings: [
    asffFinding('open', {
      Vulnerabilities: [
        { Id: 'CVE-2099-0203', VulnerablePackages: [{ Name: 'zlib', Version: '1.2', PackageManager: 'OS' }] },
      ],
    }),
    asffFinding('unlabelled', { Severity: { Normalized: 90 } }),
    asffFinding('suppressed', { Workflow: { Status: 'SUPPRESSED' }, Note: { Text: 'Not reachable' } }),
    asffFinding('archived', { RecordState: 'ARCHIVED' }),
    asffFinding('passed', { Compliance: { Status: 'PASSED' } }),
  ],
};

const ocsfEvent = (uid: string, extra: object = {}) => ({
  class_uid: 2002,
  category_uid: 2,
  severity_id: 4,
  status_id: 1,
  metadata: { product: { name: 'Example Product', vendor_name: 'Example' }, version: '1.3.0' },
  finding_info: { uid, title: `Finding ${uid}`, desc: 'Something is wrong.' },
  resources: [{ uid: 'host-1' }],
  vulnerabilities: [
    {
      cve: { uid: 'CVE-2099-0204', cvss: [{ base_score: 8.1, version: '3.1' }] },
      references: ['https://example.com/v'],
    },
  ],
  ...extra,
});

export const ocsfSample = [
  ocsfEvent('1'),
  ocsfEvent('2', { severity_id: 6, status_id: 3 }),
  ocsfEvent('3', { status_id: 4 }),
  ocsfEvent('4', { class_uid: 3002 }),
]
  .map((event) => JSON.stringify(event))
  .join('\n');

export const genericSample = {
  source: 'My Tool',
  findings: [
    {
      title: 'Weak cipher',
      severity: 'medium',
      rule_id: 'T1',
      path: 'src/a.c',
      start_line: 3,
      evidence: 'des(x)',
      identifiers: ['CWE-327'],
    },
    {
      title: 'Old library',
      cvss_score: 9.8,
      package: 'lib',
      package_version: '1.0',
      package_ecosystem: 'npm',
      fixed_version: '1.1',
      status: 'accepted_risk',
      status_reason: 'Going away',
    },
    { title: 'Open door', severity: 'low', url: 'https://shop.example/door', fingerprint: 'door-1' },
  ],
};

export const genericCsvSample = `title,severity,rule_id,path,start_line,evidence,identifiers
Weak cipher,medium,T1,src/a.c,3,des(x),"CWE-327, CVE-2099-0205"
"Quoted, with a comma",low,T2,,,,
`;

const assayFinding = {
  title: 'SQL injection in src/db.py',
  description: '**SQL injection** in `src/db.py`, line 3.',
  severity: 'high',
  status: 'new',
  source: 'code',
  data_source: { name: 'payments', kind: 'git_repository' },
  rule: { id: 'python-sql-injection', name: 'SQL injection', url: 'https://example.com/rule' },
  location: {
    path: 'src/db.py',
    start_line: 3,
    end_line: 3,
    start_column: 5,
    end_column: 30,
    commit: null,
    url: null,
    package: null,
  },
  places: [{ path: 'src/db.py', start_line: 3, end_line: 3, commit: null }],
  identifiers: ['CWE-89'],
  cvss_score: null,
  evidence: 'cursor.execute(query + name)',
  remediation: 'Pass values as parameters.',
  references: ['https://example.com/rule'],
  fingerprint: 'v1:abcdefghijklmnopqrstuv',
  occurrences: 1,
};

/** The SARIF of `assay scan`. */
export const assaySarifSample = {
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'Assay', version: '0.1.0', rules: [], properties: { source: 'code' } } },
      invocations: [{ executionSuccessful: true, properties: { partial: [], uncovered: ['src/large.py'] } }],
      results: [
        {
          ruleId: 'python-sql-injection',
          level: 'error',
          message: { text: 'SQL injection in src/db.py' },
          suppressions: [{ kind: 'inSource', justification: 'Known to us.' }],
          partialFingerprints: { 'assay/v1': 'v1:cbcdefghijklmnopqrstuv' },
          properties: {
            ...assayFinding,
            code: { start_line: 3, lines: ['cursor.execute(query + name)'] },
            flow: [{ number: 1, path: 'src/db.py', start_line: 2, message: 'Input' }],
            fix: {
              description: 'Pass it.',
              changes: [{ path: 'src/db.py', start_line: 3, end_line: 3, start_column: 1, end_column: 5, text: 'x' }],
            },
          },
        },
      ],
    },
  ],
};

/** The JSON of `assay scan`: the array of `--format json`, and the object of `--json`. */
export const assaySample = [
  assayFinding,
  { ...assayFinding, fingerprint: 'v1:bbcdefghijklmnopqrstuv', severity: 'low' },
];
export const assayReportSample = {
  findings: assaySample,
  warnings: [],
  ignored: [],
  known: [],
  coverage: [{ source: 'code', partial: [], uncovered: [] }],
  tool: { name: 'Assay', version: '0.1.0' },
};
