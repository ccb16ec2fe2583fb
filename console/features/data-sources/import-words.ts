import type { ImportParams } from '@assay/client';

export type ImportFormat = NonNullable<ImportParams['format']>;

/** The formats that can be imported, in the words of their tools. */
const formatNames: Record<ImportFormat, string> = {
  sarif: 'SARIF',
  cyclonedx: 'CycloneDX',
  spdx: 'SPDX',
  trivy: 'Trivy',
  grype: 'Grype',
  gitleaks: 'Gitleaks',
  trufflehog: 'TruffleHog',
  'detect-secrets': 'detect-secrets',
  semgrep: 'Semgrep',
  'osv-scanner': 'OSV-Scanner',
  'npm-audit': 'npm audit',
  'pip-audit': 'pip-audit',
  govulncheck: 'govulncheck',
  gosec: 'gosec',
  bandit: 'Bandit',
  checkov: 'Checkov',
  kics: 'KICS',
  tfsec: 'tfsec',
  hadolint: 'Hadolint',
  dockle: 'Dockle',
  brakeman: 'Brakeman',
  mobsf: 'MobSF',
  gitlab: 'GitLab',
  github: 'GitHub alerts',
  sonarqube: 'SonarQube',
  checkmarx: 'Checkmarx SAST',
  veracode: 'Veracode',
  snyk: 'Snyk',
  nuclei: 'Nuclei',
  nmap: 'Nmap',
  zap: 'ZAP',
  burp: 'Burp Suite',
  acunetix: 'Acunetix',
  openvas: 'OpenVAS',
  nessus: 'Nessus',
  qualys: 'Qualys',
  nexpose: 'Rapid7 Nexpose',
  nikto: 'Nikto',
  testssl: 'testssl.sh',
  ocsf: 'OCSF',
  asff: 'AWS Security Hub (ASFF)',
  inspector: 'Amazon Inspector',
  prowler: 'Prowler (CSV)',
  scoutsuite: 'ScoutSuite',
  defender: 'Microsoft Defender for Cloud',
  wiz: 'Wiz (CSV)',
  generic: 'Generic JSON',
};

export const formatOptions = [
  { value: '', label: 'Detect automatically' },
  ...Object.entries(formatNames)
    .map(([value, label]) => ({ value, label }))
    .sort((left, right) => left.label.localeCompare(right.label)),
];

/** A size as people say it: "3.1 MB". */
export function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
