/** Hand-written results in the formats of code, configuration and secret scanners. */

/** Assembled at run time, so that the repository contains nothing that looks like a live credential. */
export const sampleSecret = ['9f86d081', '884c7d65', '9a2feaa0', 'c55ad015'].join('');

export const sarifSample = {
  $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
  version: '2.1.0',
  runs: [
    {
      tool: {
        driver: {
          name: 'Example Linter',
          rules: [
            {
              id: 'EX1',
              shortDescription: { text: 'SQL from input' },
              defaultConfiguration: { level: 'error' },
              properties: { tags: ['security', 'external/cwe/cwe-089'] },
              messageStrings: { default: { text: 'The value {0} reaches a query.' } },
            },
            {
              id: 'EX2',
              properties: { 'security-severity': '9.1' },
              relationships: [{ target: { id: '79', toolComponent: { name: 'CWE' } } }],
            },
          ],
        },
        extensions: [
          {
            name: 'extra',
            rules: [
              { id: 'EXT1', shortDescription: { text: 'From an extension' }, defaultConfiguration: { level: 'note' } },
            ],
          },
        ],
      },
      artifacts: [{ location: { uri: 'src/by%20index.ts' } }],
      results: [
        {
          ruleId: 'EX1',
          ruleIndex: 0,
          message: { id: 'default', arguments: ['name'] },
          locations: [place('src/a.ts', 3, 'query("…" + name)'), place('src/b.ts', 9, 'query("…" + name)')],
        },
        {
          ruleId: 'EX2',
          message: { text: 'Written to [the page](1).' },
          locations: [{ physicalLocation: { artifactLocation: { index: 0 }, region: { startLine: 5 } } }],
        },
        { rule: { id: 'EXT1', index: 0, toolComponent: { index: 0 } }, message: { text: 'A remark.' } },
        { ruleId: 'EX1', kind: 'pass', message: { text: 'All is well.' } },
        {
          ruleId: 'EX1',
          baselineState: 'absent',
          message: { text: 'It was there.' },
          locations: [place('src/c.ts', 1, 'gone')],
        },
        {
          ruleId: 'EX1',
          message: { text: 'Known.' },
          locations: [place('src/d.ts', 1, 'known')],
          suppressions: [{ kind: 'inSource', justification: 'Only numbers come here' }],
        },
        {
          ruleId: 'EX1',
          message: { text: 'Known, and not accepted.' },
          locations: [place('src/e.ts', 1, 'refused')],
          suppressions: [{ kind: 'external', status: 'rejected' }],
        },
      ],
    },
    {
      tool: { driver: { name: 'Other Tool' } },
      invocations: [{ executionSuccessful: false }],
      results: [{ message: { text: 'Without a rule.' }, locations: [place('src/a.ts', 3, 'x')] }],
    },
  ],
};

function place(uri: string, startLine: number, text: string): object {
  return { physicalLocation: { artifactLocation: { uri }, region: { startLine, startColumn: 1, snippet: { text } } } };
}

export const semgrepSample = {
  results: [
    {
      check_id: 'rules.python.eval',
      path: 'app/views.py',
      start: { line: 10, col: 5 },
      end: { line: 10, col: 20 },
      extra: {
        message: 'Input is evaluated. Do not.',
        severity: 'ERROR',
        lines: '    eval(request.body)',
        fingerprint: 'requires login',
        metadata: { cwe: ['CWE-95: Eval'], references: ['https://example.com/eval'] },
      },
    },
    {
      check_id: 'rules.python.eval',
      path: 'app/views.py',
      start: { line: 30, col: 5 },
      end: { line: 30, col: 20 },
      extra: {
        message: 'Input is evaluated. Do not.',
        severity: 'INFO',
        lines: '    eval(request.body)',
        is_ignored: true,
      },
    },
  ],
  errors: [],
  paths: { scanned: [] },
  version: '1.100.0',
};

export const banditSample = {
  errors: [],
  generated_at: '2099-01-01T00:00:00Z',
  metrics: { _totals: { loc: 10 } },
  results: [
    {
      code: '4 import os\n5 password = "' + sampleSecret + '"\n6 \n',
      col_offset: 11,
      filename: './app/settings.py',
      issue_confidence: 'MEDIUM',
      issue_cwe: { id: 259, link: 'https://cwe.mitre.org/data/definitions/259.html' },
      issue_severity: 'LOW',
      issue_text: `Possible hardcoded password: '${sampleSecret}'`,
      line_number: 5,
      line_range: [5],
      test_id: 'B105',
      test_name: 'hardcoded_password_string',
    },
  ],
};

export const gosecSample = {
  'Golang errors': {},
  Issues: [
    {
      severity: 'HIGH',
      confidence: 'MEDIUM',
      cwe: { id: '78' },
      rule_id: 'G204',
      details: 'Subprocess launched with variable',
      file: '/src/run.go',
      code: '6: \tname := os.Args[1]\n7: \texec.Command(name).Run()\n',
      line: '6-7',
      column: '2',
      nosec: true,
      suppressions: [{ kind: 'inSource', justification: 'An operator’s own command' }],
    },
  ],
  Stats: { files: 1, found: 1 },
};

export const checkovSample = [
  {
    check_type: 'terraform',
    results: {
      passed_checks: [],
      failed_checks: [
        {
          check_id: 'CKV_X_1',
          check_name: 'Storage is not public',
          check_result: { result: 'FAILED' },
          code_block: [
            [3, 'resource "store" "logs" {\n'],
            [4, '  public = true\n'],
            [5, '}\n'],
          ],
          file_path: '/main.tf',
          file_line_range: [3, 5],
          resource: 'store.logs',
        },
      ],
      skipped_checks: [
        {
          check_id: 'CKV_X_2',
          check_name: 'Storage is encrypted',
          check_result: { result: 'SKIPPED', suppress_comment: 'Nothing secret in it' },
          file_path: '/main.tf',
          file_line_range: [3, 5],
          resource: 'store.logs',
          severity: 'HIGH',
        },
      ],
      parsing_errors: [],
    },
    summary: { passed: 0, failed: 1, checkov_version: '3.0.0' },
  },
];

const leak = (file: string, line: number, commit: string) => ({
  RuleID: 'generic-api-key',
  Description: 'A generic key. Anyone who has it may use it.',
  StartLine: line,
  EndLine: line,
  StartColumn: 7,
  EndColumn: 39,
  Match: `key = "${sampleSecret}"`,
  Secret: sampleSecret,
  File: file,
  Commit: commit,
  Fingerprint: `${commit}:${file}:generic-api-key:${line}`,
});

export const gitleaksSample = [leak('a.env', 3, 'c1'), leak('deploy/b.env', 8, 'c2')];

export const oldGitleaksSample = [
  {
    line: `token = "${sampleSecret}"`,
    lineNumber: 4,
    offender: sampleSecret,
    commit: 'c1',
    rule: 'Some token',
    file: 'a.cfg',
    tags: 'key, some',
  },
  { line: 'token = "REDACTED"', lineNumber: 9, offender: 'REDACTED', commit: 'c1', rule: 'Some token', file: 'b.cfg' },
];

export const trufflehogSample = [
  { level: 'info-0', ts: '2099-01-01T00:00:00Z', logger: 'trufflehog', msg: 'running source' },
  {
    SourceMetadata: { Data: { Git: { commit: 'c1', file: 'a.env', line: 3 } } },
    SourceName: 'trufflehog - git',
    DetectorName: 'Example',
    DetectorDescription: 'Keys of Example.',
    Verified: true,
    Raw: sampleSecret,
    Redacted: '',
  },
]
  .map((line) => JSON.stringify(line))
  .join('\n');
