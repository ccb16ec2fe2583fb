/**
 * The files for which the counts of another platform (`expected.json` of the test data) differ from ours, and the
 * reasons why ours are right. `folder/file` → our severities and the reason. All other files must agree.
 */
export const differences: Record<string, { severities: Record<string, number>; reason: string }> = {
  'asff/config_many_findings.json': {
    severities: {},
    reason: 'Checks that passed are not problems.',
  },
  'cyclonedx/issue_9277.json': {
    severities: { Low: 13, Medium: 1 },
    reason: 'Of several ratings the one of the reporting source counts (Ubuntu’s for its packages), not NVD’s.',
  },
  'gitlab-container-scanning/issue6639_v14.json': {
    severities: { Critical: 12, High: 57, Medium: 26, Low: 2 },
    reason: 'Two versions of a package in one image are two places of one problem.',
  },
  'govulncheck/issue_14642.json': {
    severities: { High: 22, Medium: 8, Low: 10 },
    reason:
      'Advisories that were only looked at are not findings; what is called is high, imported medium, required low.',
  },
  'govulncheck/many_vulns_new_version.json': {
    severities: { High: 1 },
    reason: 'The vulnerable function is called; that is not information only.',
  },
  'hadolint/many_dockerfile.json': {
    severities: { Medium: 9, Info: 3 },
    reason: 'A warning is the second of hadolint’s four levels: medium, as a warning of any other tool.',
  },
  'npm-audit/many_vulns.json': {
    severities: { Medium: 2, Low: 1 },
    reason:
      'Packages that only depend on a vulnerable one are the same problem: one finding for each advisory and package.',
  },
  'osv-scanner/many_findings.json': {
    severities: { Critical: 5, High: 18, Medium: 14 },
    reason: 'Advisories of one group (GHSA and PYSEC of one CVE) are one problem with the highest of their severities.',
  },
  'osv-scanner/some_findings.json': {
    severities: { Critical: 1 },
    reason: 'A malicious package (MAL) has no score because it is the attack itself: critical.',
  },
  'sarif/gitleaks_7.5.0.sarif': {
    severities: { High: 2 },
    reason:
      'One secret is one finding with all its places, and a secret without a level is high, as in Gitleaks’ own format.',
  },
  'sarif/snykcode_issue_9270.json': {
    severities: { High: 12, Medium: 24, Low: 3 },
    reason: 'Snyk documents its levels as high, medium and low; the priority score is about what to fix first.',
  },
  'semgrep/sca-deployments-vulns.json': {
    severities: { High: 21, Critical: 1 },
    reason: 'The same dependency in different repositories is a finding in each.',
  },
  'snyk/snykcode_issue_9270.json': {
    severities: { High: 12, Medium: 24, Low: 3 },
    reason: 'As the same file among the SARIF ones: Snyk’s documented levels.',
  },
  'testssl/defectdojo_many_vuln.csv': {
    severities: { High: 1, Low: 3, Info: 91 },
    reason: 'A check is one finding of its site, even when its addresses respond differently.',
  },
  'testssl/overall_critical.csv': {
    severities: { Critical: 11, Medium: 12, Low: 34, Info: 88 },
    reason: 'A check that names two CVEs is one finding with both; only the rating’s lines are left out.',
  },
  'zap/dvwa_baseline_dojo.xml': {
    severities: { Medium: 4, Low: 8, Info: 6 },
    reason: 'An alert that the report lists twice for one site, by confidence, is one finding with all instances.',
  },
};

/** Files whose format can't be recognised and must be specified. */
export const unrecognisable = new Set(['nuclei/no_findings.json', 'pip-audit/empty.json']);

/** The format of each folder whose name is not its format's. */
export const formatOfFolder: Record<string, string> = {
  'gitlab-container-scanning': 'gitlab',
  'gitlab-dependency-scanning': 'gitlab',
  'gitlab-sast': 'gitlab',
  'gitlab-secret-detection': 'gitlab',
};
