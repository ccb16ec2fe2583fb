import { sampleSecret } from './code-samples.fixture.ts';

/** Hand-written results in the export formats of platforms and in the format of detect-secrets. */
export const detectSecretsSample = {
  version: '1.5.0',
  plugins_used: [{ name: 'AWSKeyDetector' }, { name: 'KeywordDetector' }],
  filters_used: [{ path: 'detect_secrets.filters.heuristic.is_uuid' }],
  results: {
    'app/settings.py': [
      {
        type: 'AWS Access Key',
        filename: 'app/settings.py',
        hashed_secret: 'a94a8fe5ccb19ba61c4c0873d391e987982fbbd3',
        is_verified: false,
        line_number: 8,
      },
      {
        type: 'Secret Keyword',
        filename: 'app/settings.py',
        hashed_secret: 'de9f2c7fd25e1b3afad3e85a0bd17d9b100db4b3',
        is_verified: false,
        is_secret: false,
        line_number: 9,
      },
    ],
    'deploy/settings.py': [
      {
        type: 'AWS Access Key',
        filename: 'deploy/settings.py',
        hashed_secret: 'a94a8fe5ccb19ba61c4c0873d391e987982fbbd3',
        is_verified: true,
        line_number: 3,
      },
    ],
  },
  generated_at: '2099-01-01T00:00:00Z',
};

const address = (kind: string, number: number): string => `https://github.com/example/shop/security/${kind}/${number}`;

export const githubCodeSample = [
  {
    number: 4,
    html_url: address('code-scanning', 4),
    state: 'open',
    rule: {
      id: 'js/zipslip',
      severity: 'error',
      security_severity_level: 'high',
      description: 'Arbitrary file write',
      name: 'js/zipslip',
      tags: ['security', 'external/cwe/cwe-022'],
    },
    tool: { name: 'CodeQL', version: '2.20.0' },
    most_recent_instance: {
      ref: 'refs/heads/main',
      state: 'open',
      commit_sha: '39406e42cb832f683daa691dd652a8dc36ee8930',
      message: { text: 'This path depends on a value of the user.' },
      location: { path: 'src/unzip.ts', start_line: 9, end_line: 9, start_column: 7, end_column: 18 },
    },
  },
  {
    number: 3,
    html_url: address('code-scanning', 3),
    state: 'dismissed',
    dismissed_reason: 'false positive',
    dismissed_comment: 'The name is constant.',
    rule: { id: 'js/path', severity: 'warning', description: 'Path' },
    tool: { name: 'CodeQL' },
    most_recent_instance: { message: { text: 'A path.' }, location: { path: 'src/path.ts', start_line: 1 } },
  },
  { number: 2, html_url: address('code-scanning', 2), state: 'fixed', rule: { id: 'js/x' }, most_recent_instance: {} },
];

export const githubDependencySample = [
  {
    number: 7,
    html_url: address('dependabot', 7),
    state: 'open',
    dependency: {
      package: { ecosystem: 'pip', name: 'django' },
      manifest_path: 'api/requirements.txt',
      scope: 'runtime',
    },
    security_advisory: {
      ghsa_id: 'GHSA-2222-3333-4444',
      cve_id: 'CVE-2099-0403',
      summary: 'Queries can be changed',
      description: 'Values of a form reach a query.',
      severity: 'high',
      cvss: { vector_string: null, score: 8.1 },
      cwes: [{ cwe_id: 'CWE-89', name: 'SQL injection' }],
      identifiers: [{ value: 'CVE-2099-0403', type: 'CVE' }],
      references: [{ url: 'https://example.com/advisory' }],
    },
    security_vulnerability: {
      package: { ecosystem: 'pip', name: 'django' },
      severity: 'high',
      vulnerable_version_range: '< 9.0.2',
      first_patched_version: { identifier: '9.0.2' },
    },
  },
  {
    number: 8,
    html_url: address('dependabot', 8),
    state: 'dismissed',
    dismissed_reason: 'tolerable_risk',
    dependency: { package: { ecosystem: 'npm', name: 'left' }, manifest_path: 'package-lock.json' },
    security_advisory: { ghsa_id: 'GHSA-2222-3333-5555', severity: 'low' },
    security_vulnerability: { severity: 'low' },
  },
];

export const githubSecretSample = [
  {
    number: 2,
    html_url: address('secret-scanning', 2),
    state: 'open',
    secret_type: 'example_token',
    secret_type_display_name: 'Example Token',
    secret: sampleSecret,
    validity: 'active',
    first_location_detected: { path: 'src/config.ts', start_line: 3, end_line: 3, start_column: 9, end_column: 41 },
  },
  {
    number: 5,
    html_url: address('secret-scanning', 5),
    state: 'open',
    secret_type: 'example_token',
    secret_type_display_name: 'Example Token',
    secret: null,
    validity: 'unknown',
  },
  { number: 6, html_url: address('secret-scanning', 6), state: 'resolved', resolution: 'revoked', secret_type: 'x' },
];

export const sonarqubeSample = {
  paging: { pageIndex: 1, pageSize: 100, total: 3 },
  issues: [
    {
      key: 'AY1',
      rule: 'typescript:S5147',
      severity: 'BLOCKER',
      component: 'shop:src/orders.ts',
      project: 'shop',
      line: 59,
      textRange: { startLine: 59, endLine: 59, startOffset: 6, endOffset: 21 },
      status: 'OPEN',
      message: 'Change this code to not build a query from a value of the user.',
      tags: ['cwe-943'],
      type: 'VULNERABILITY',
    },
    {
      key: 'AY2',
      rule: 'typescript:S1533',
      severity: 'MINOR',
      component: 'shop:src/flags.ts',
      project: 'shop',
      status: 'RESOLVED',
      resolution: 'FALSE-POSITIVE',
      message: 'Replace this wrapper.',
      type: 'CODE_SMELL',
    },
    { key: 'AY3', rule: 'x:S1', severity: 'MAJOR', component: 'shop', status: 'CLOSED', resolution: 'FIXED' },
  ],
  components: [{ key: 'shop:src/orders.ts', path: 'src/orders.ts' }],
};

export const sonarqubeHotspotSample = {
  paging: { pageIndex: 1, pageSize: 100, total: 1 },
  hotspots: [
    {
      key: 'AZ1',
      component: 'shop:src/tokens.ts',
      project: 'shop',
      securityCategory: 'weak-cryptography',
      vulnerabilityProbability: 'MEDIUM',
      status: 'TO_REVIEW',
      line: 4,
      message: 'Make sure that this value is safe to use.',
      ruleKey: 'typescript:S2245',
    },
  ],
};

const node = (file: string, line: number, name: string) =>
  `<PathNode><FileName>${file}</FileName><Line>${line}</Line><Column>9</Column><NodeId>1</NodeId><Name>${name}</Name><Type/><Length>4</Length><Snippet><Line><Number>${line}</Number><Code>    ${name}(value);</Code></Line></Snippet></PathNode>`;

export const checkmarxSample = `<?xml version="1.0" encoding="utf-8"?><CxXMLResults ScanId="1" ProjectName="shop" CheckmarxVersion="9.9">
<Query id="594" cweId="89" name="SQL_Injection" group="Java_High_Risk" Severity="High" Language="Java">
<Result NodeId="10" FileName="src/Login.java" Status="New" Line="7" Column="2" FalsePositive="False" Severity="High" state="0" Remark="" DeepLink="https://checkmarx.example/scan?pathid=2">
<Path ResultId="1" PathId="2" SimilarityId="1765812516">${node('src/Login.java', 7, 'getParameter')}${node('src/Users.java', 42, 'executeQuery')}</Path></Result>
<Result NodeId="11" FileName="src/Old.java" Status="Recurrent" Line="9" Column="2" FalsePositive="True" Severity="Medium" state="1" Remark="The value is a number.">
<Path ResultId="1" PathId="3" SimilarityId="-5"/></Result></Query></CxXMLResults>`;

export const veracodeSample = `<?xml version="1.0"?><detailedreport xmlns="https://www.veracode.com/schema/reports/export/1.0" app_name="shop">
<severity level="4"><category categoryid="19" categoryname="SQL Injection"><desc/><cwe cweid="89" cwename="SQL"><staticflaws>
<flaw severity="4" categoryname="SQL Injection" issueid="14" type="java.sql.Statement.execute" description="A value reaches a query." cweid="89" remediation_status="Open" mitigation_status="none" sourcefile="Users.java" sourcefilepath="com/example/" line="47"/>
<flaw severity="4" categoryname="SQL Injection" issueid="15" description="Old." cweid="89" remediation_status="Fixed" sourcefile="Old.java" line="1"/>
</staticflaws><dynamicflaws><flaw severity="3" categoryname="SQL Injection" issueid="16" description="Seen." cweid="89" mitigation_status="accepted" remediation_status="Open" url="https://shop.example/search" vuln_parameter="q"/></dynamicflaws></cwe></category></severity>
<software_composition_analysis><vulnerable_components><component library="example-core" file_name="example-core-1.0.jar" version="1.0">
<file_paths><file_path value="shop.war#WEB-INF/lib/example-core-1.0.jar"/></file_paths><vulnerabilities>
<vulnerability cve_id="CVE-2099-0601" cvss_score="9.8" severity="5" cwe_id="CWE-502" cve_summary="Objects can be forged." mitigation="false"/></vulnerabilities></component></vulnerable_components></software_composition_analysis></detailedreport>`;
