/** Hand-written results in the formats of scanners for vulnerable packages. */
export const trivySample = {
  SchemaVersion: 2,
  ArtifactName: 'shop:1.4',
  ArtifactType: 'container_image',
  Results: [
    {
      Target: 'shop:1.4 (debian 12.5)',
      Class: 'os-pkgs',
      Type: 'debian',
      Vulnerabilities: [
        {
          VulnerabilityID: 'CVE-2099-0001',
          PkgName: 'libexample',
          InstalledVersion: '1.2-1',
          FixedVersion: '1.2-2',
          Severity: 'LOW',
          SeveritySource: 'debian',
          Title: 'libexample: a buffer is read past its end',
          CweIDs: ['CWE-125'],
          CVSS: { nvd: { V3Score: 7.5 } },
          PkgIdentifier: { PURL: 'pkg:deb/debian/libexample@1.2-1' },
          PrimaryURL: 'https://example.com/CVE-2099-0001',
        },
      ],
    },
    {
      Target: 'app/package-lock.json',
      Class: 'lang-pkgs',
      Type: 'npm',
      Vulnerabilities: [
        { VulnerabilityID: 'CVE-2099-0002', PkgName: 'left', InstalledVersion: '3.0.0', Severity: 'CRITICAL' },
        { VulnerabilityID: 'CVE-2099-0003', PkgName: 'left', InstalledVersion: '3.0.0', Severity: 'UNKNOWN' },
      ],
    },
    {
      Target: 'Dockerfile',
      Class: 'config',
      Type: 'dockerfile',
      Misconfigurations: [
        {
          ID: 'DS002',
          AVDID: 'AVD-DS-0002',
          Title: 'The image runs as root',
          Message: 'Say USER with another user',
          Resolution: 'Add a USER line.',
          Severity: 'HIGH',
          Status: 'FAIL',
          CauseMetadata: { StartLine: 1, EndLine: 1, Code: { Lines: [{ Number: 1, Content: 'FROM scratch' }] } },
        },
        { ID: 'DS001', Title: 'Passed', Severity: 'HIGH', Status: 'PASS' },
      ],
    },
    {
      Target: 'settings.env',
      Class: 'secret',
      Secrets: [
        {
          RuleID: 'some-key',
          Title: 'Some key',
          Severity: 'CRITICAL',
          StartLine: 4,
          EndLine: 4,
          Match: 'SOME_KEY=****************',
        },
      ],
    },
    {
      Target: 'Node.js',
      Class: 'license',
      Licenses: [
        { Severity: 'HIGH', Category: 'forbidden', PkgName: 'left', Name: 'AGPL-3.0' },
        { Severity: 'LOW', Category: 'notice', PkgName: 'right', Name: 'MIT' },
      ],
    },
  ],
};

export const grypeSample = {
  matches: [
    {
      vulnerability: {
        id: 'GHSA-2222-3333-4444',
        severity: 'High',
        fix: { versions: ['2.1.0'], state: 'fixed' },
        dataSource: 'https://example.com/a',
      },
      relatedVulnerabilities: [
        {
          id: 'CVE-2099-0004',
          description: 'A template is evaluated.',
          cvss: [{ version: '3.1', metrics: { baseScore: 8.8 } }],
        },
      ],
      artifact: {
        name: 'templates',
        version: '2.0.0',
        type: 'python',
        purl: 'pkg:pypi/templates@2.0.0',
        locations: [{ path: '/srv/b/requirements.txt' }, { path: '/srv/a/requirements.txt' }],
      },
    },
    {
      vulnerability: { id: 'CVE-2099-0005', severity: 'Negligible', fix: { versions: [], state: 'wont-fix' } },
      artifact: { name: 'libold', version: '0.9', type: 'deb', locations: [{ path: '/var/lib/dpkg/status' }] },
    },
  ],
  source: { type: 'directory', target: '/srv' },
  distro: { name: '', version: '' },
  descriptor: { name: 'grype', version: '0.100.0' },
};

const osvAdvisory = (id: string, aliases: string[], extra: object = {}) => ({
  id,
  aliases,
  summary: 'Requests are answered for others',
  details: 'The cache mixes up answers.',
  affected: [
    {
      package: { name: 'cachier', ecosystem: 'PyPI' },
      ranges: [
        {
          type: 'ECOSYSTEM',
          events: [{ introduced: '0' }, { fixed: '1.9.1' }, { introduced: '2.0' }, { fixed: '2.4' }],
        },
      ],
    },
  ],
  references: [{ type: 'WEB', url: 'https://example.com/cachier' }],
  ...extra,
});

export const osvSample = {
  results: [
    {
      source: { path: '/srv/poetry.lock', type: 'lockfile' },
      packages: [
        {
          package: { name: 'cachier', version: '2.1', ecosystem: 'PyPI' },
          vulnerabilities: [
            osvAdvisory('GHSA-5555-6666-7777', ['CVE-2099-0006'], {
              severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
              database_specific: { severity: 'HIGH', cwe_ids: ['CWE-444'] },
            }),
            osvAdvisory('PYSEC-2099-7', ['CVE-2099-0006']),
            osvAdvisory('PYSEC-2099-8', []),
          ],
          groups: [{ ids: ['GHSA-5555-6666-7777', 'PYSEC-2099-7'] }, { ids: ['PYSEC-2099-8'] }],
        },
        {
          package: { name: 'evil', version: '1.0', ecosystem: 'PyPI' },
          vulnerabilities: [osvAdvisory('MAL-2099-1', [])],
        },
      ],
    },
  ],
};

export const npmSample = {
  auditReportVersion: 2,
  vulnerabilities: {
    deep: {
      name: 'deep',
      severity: 'moderate',
      via: [
        {
          source: 1,
          name: 'deep',
          title: 'Prototype pollution in deep',
          url: 'https://github.com/advisories/GHSA-8888-9999-cccc',
          severity: 'moderate',
          cwe: ['CWE-1321'],
          cvss: { score: 5.3 },
          range: '<2.0.0',
        },
      ],
      nodes: ['node_modules/deep'],
      fixAvailable: { name: 'framework', version: '9.0.0', isSemVerMajor: true },
    },
    framework: { name: 'framework', severity: 'moderate', via: ['deep'], nodes: ['node_modules/framework'] },
  },
  metadata: {},
};

export const oldNpmSample = {
  actions: [],
  advisories: {
    7: {
      id: 7,
      findings: [
        { version: '1.0.0', paths: ['a>deep'] },
        { version: '1.1.0', paths: ['b>deep'] },
      ],
      title: 'Prototype pollution',
      module_name: 'deep',
      cves: ['CVE-2099-0008'],
      severity: 'high',
      cwe: 'CWE-1321',
      url: 'https://example.com/advisories/7',
      recommendation: 'Upgrade to 2.0.0.',
      overview: 'Keys are merged without a look.',
      references: '- [One](https://example.com/one)',
    },
  },
  metadata: {},
};

export const pipSample = {
  dependencies: [
    {
      name: 'Flask-Thing',
      version: '0.5',
      vulns: [{ id: 'PYSEC-2099-9', fix_versions: ['1.0'], aliases: ['CVE-2099-0009'], description: 'Debug is on.' }],
    },
    { name: 'fine', version: '1.0', vulns: [] },
  ],
};

export const cargoAuditSample = {
  database: { 'advisory-count': 700, 'last-commit': null, 'last-updated': null },
  lockfile: { 'dependency-count': 3 },
  settings: { target_arch: [], severity: null, ignore: [], informational_warnings: ['unmaintained'] },
  vulnerabilities: {
    found: true,
    count: 1,
    list: [
      {
        advisory: {
          id: 'RUSTSEC-2099-0001',
          package: 'parser-thing',
          title: 'Parsing reads beyond the end',
          description: 'Certain input is read beyond its end.',
          aliases: ['CVE-2099-0011'],
          cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
          references: ['https://example.com/discussion'],
          url: 'https://example.com/advisories/RUSTSEC-2099-0001',
        },
        versions: { patched: ['>=1.2.3'], unaffected: ['<1.0.0'] },
        affected: null,
        package: { name: 'parser-thing', version: '1.2.0', source: 'registry+https://example.com/index' },
      },
    ],
  },
  warnings: {
    unmaintained: [
      {
        kind: 'unmaintained',
        package: { name: 'old-thing', version: '0.1.0' },
        advisory: {
          id: 'RUSTSEC-2099-0002',
          title: 'old-thing is unmaintained',
          description: 'Nobody mends it.',
          cvss: null,
        },
        versions: { patched: [], unaffected: [] },
      },
    ],
    yanked: [{ kind: 'yanked', package: { name: 'bad-thing', version: '2.0.0' }, advisory: null, versions: null }],
  },
};

export const govulncheckSample = [
  { config: { protocol_version: 'v1.0.0', scanner_name: 'govulncheck' } },
  {
    osv: {
      id: 'GO-2099-0001',
      aliases: ['CVE-2099-0010'],
      summary: 'Parsing may panic',
      details: 'Certain input panics.',
    },
  },
  { osv: { id: 'GO-2099-0002', summary: 'Only looked at' } },
  {
    finding: {
      osv: 'GO-2099-0001',
      fixed_version: 'v1.2.3',
      trace: [{ module: 'example.com/parser', version: 'v1.2.0' }],
    },
  },
  {
    finding: {
      osv: 'GO-2099-0001',
      fixed_version: 'v1.2.3',
      trace: [
        { module: 'example.com/parser', version: 'v1.2.0', package: 'example.com/parser', function: 'Parse' },
        {
          module: 'example.com/app',
          package: 'example.com/app',
          function: 'main',
          position: { filename: 'main.go', line: 12, column: 3 },
        },
      ],
    },
  },
]
  .map((message) => JSON.stringify(message, null, 2))
  .join('\n');

export const bomSample = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  metadata: { tools: { components: [{ type: 'application', name: 'Example Scanner' }] } },
  vulnerabilities: [
    {
      id: 'CVE-2099-0011',
      source: { name: 'Example', url: 'https://example.com/11' },
      ratings: [
        { source: { name: 'NVD' }, score: 9.8, severity: 'critical', method: 'CVSSv31' },
        { source: { name: 'Example' }, severity: 'medium' },
      ],
      cwes: [79],
      description: 'Scripts are run.',
      affects: [{ ref: 'one' }, { ref: 'nested' }],
    },
    {
      id: 'CVE-2099-0012',
      ratings: [{ score: 5, method: 'CVSSv3' }],
      affects: [{ ref: 'one' }],
      analysis: { state: 'not_affected', justification: 'code_not_reachable', detail: 'Never called' },
    },
    { id: 'CVE-2099-0013', affects: [{ ref: 'one' }], analysis: { state: 'resolved' } },
    {
      id: 'CVE-2099-0014',
      ratings: [{ vector: 'AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N' }],
      affects: [{ ref: 'pkg:npm/elsewhere@4.0.0' }],
      analysis: { state: 'exploitable', response: ['will_not_fix'] },
    },
  ],
  components: [
    {
      type: 'library',
      'bom-ref': 'one',
      group: 'org.example',
      name: 'first',
      version: '1.0',
      purl: 'pkg:maven/org.example/first@1.0',
      components: [
        { type: 'library', 'bom-ref': 'nested', name: 'second', version: '2.0', purl: 'pkg:npm/second@2.0' },
      ],
    },
  ],
};

export const xmlBomSample = `<?xml version="1.0"?>
<bom xmlns="http://cyclonedx.org/schema/bom/1.4" version="1">
  <metadata><tools><tool><vendor>example</vendor><name>Example Scanner</name></tool></tools></metadata>
  <components>
    <component type="library" bom-ref="one"><group>org.example</group><name>first</name><version>1.0</version>
      <purl>pkg:maven/org.example/first@1.0</purl></component>
  </components>
  <vulnerabilities>
    <vulnerability>
      <id>CVE-2099-0011</id>
      <source><name>Example</name><url>https://example.com/11</url></source>
      <ratings><rating><source><name>Example</name></source><severity>medium</severity></rating></ratings>
      <cwes><cwe>79</cwe></cwes>
      <description>Scripts &lt;are&gt; run.</description>
      <affects><target><ref>one</ref></target></affects>
    </vulnerability>
  </vulnerabilities>
</bom>
`;

/** Output of `trivy kubernetes --report all`. */
export const trivyClusterSample = {
  ClusterName: 'kind',
  Resources: ['shop', 'blog'].map((namespace) => ({
    Namespace: namespace,
    Kind: 'Deployment',
    Name: 'web',
    Results: [
      {
        Target: 'web:1.4 (debian 12.5)',
        Class: 'os-pkgs',
        Type: 'debian',
        Vulnerabilities: [
          { VulnerabilityID: 'CVE-2099-0001', PkgName: 'libexample', InstalledVersion: '1.0-1', Severity: 'HIGH' },
        ],
      },
      {
        Target: 'Deployment/web',
        Class: 'config',
        Type: 'kubernetes',
        Misconfigurations: [
          { ID: 'KSV001', Title: 'Privileges can grow', Message: 'Container web', Severity: 'MEDIUM', Status: 'FAIL' },
        ],
      },
    ],
  })),
};
