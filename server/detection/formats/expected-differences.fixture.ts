/**
 * Where the counts of another platform (`expected.json` of the test data) are not ours, and why ours are right.
 * `folder/file` → our severities and the reason; a file that is not here must agree.
 */
export const differences: Record<string, { severities: Record<string, number>; reason: string }> = {
  'cyclonedx/issue_9277.json': {
    severities: { Low: 13, Medium: 1 },
    reason:
      'Of several ratings, that of the source which told the vulnerability counts (Ubuntu’s for its packages), not NVD’s.',
  },
  'govulncheck/issue_14642.json': {
    severities: { High: 22, Medium: 8, Low: 10 },
    reason:
      'Advisories that were only looked at are no findings; what is called is high, imported medium, required low.',
  },
  'govulncheck/many_vulns_new_version.json': {
    severities: { High: 1 },
    reason: 'The vulnerable function is called; that is not information only.',
  },
  'npm-audit/many_vulns.json': {
    severities: { Medium: 2, Low: 1 },
    reason:
      'Packages that only depend on a vulnerable one are the same problem: one finding for each advisory and package.',
  },
  'osv-scanner/many_findings.json': {
    severities: { Critical: 5, High: 18, Medium: 14 },
    reason: 'Advisories of one group (GHSA and PYSEC of one CVE) are one problem, as grave as the gravest of them.',
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
  'sarif/njsscan.sarif': {
    severities: { Medium: 1, High: 1 },
    reason: 'One finding for each result; its two locations are its places.',
  },
  'sarif/snykcode_issue_9270.json': {
    severities: { High: 12, Medium: 24, Low: 3 },
    reason: 'Snyk documents its levels as high, medium and low; the priority score is about what to mend first.',
  },
  'semgrep/sca-deployments-vulns.json': {
    severities: { High: 21, Critical: 1 },
    reason: 'The same dependency in different repositories is a finding in each.',
  },
};

/** Files that say nothing of their format, so that it must be named. */
export const unrecognisable = new Set(['pip-audit/empty.json']);

/** The format of each folder, where the folder's name is another. */
export const formatOfFolder: Record<string, string> = {};
