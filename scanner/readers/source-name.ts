import { builtInSources } from '../contract/built-in-sources.ts';

/** The types that a tool may not use in its file. */
const ownSources = new Set<string>(builtInSources);

/** Other names that tools use for themselves. */
const otherNames: Record<string, string> = {
  'aqua-trivy': 'trivy',
  'bandit-scanner': 'bandit',
  'golang-security-checks-by-gosec': 'gosec',
  'grype-scanner': 'grype',
  'osv-scanner-cli': 'osv-scanner',
  'opengrep-oss': 'opengrep',
  'owasp-zap': 'zap',
  'semgrep-oss': 'semgrep',
  'semgrep-pro': 'semgrep',
  'snyk-open-source': 'snyk',
  snykcode: 'snyk-code',
  'zed-attack-proxy': 'zap',
};

/** The names of these types in their vendors' spelling. */
const spelledNames: Record<string, string> = {
  codeql: 'CodeQL',
  config: 'AWS Config',
  'cyclonedx-python-lib': 'cyclonedx-python-lib',
  'dependency-check': 'OWASP Dependency-Check',
  devskim: 'DevSkim',
  eslint: 'ESLint',
  'find-sec-bugs': 'Find Security Bugs',
  guardduty: 'Amazon GuardDuty',
  inspector: 'Amazon Inspector',
  mobsfscan: 'mobsfscan',
  njsscan: 'njsscan',
  'nodejs-scan': 'nodejsscan',
  nodejsscan: 'nodejsscan',
  phpstan: 'PHPStan',
  pmd: 'PMD',
  'security-hub': 'AWS Security Hub',
  spotbugs: 'SpotBugs',
  tflint: 'TFLint',
};

/** Returns a display name for the type of a detection source: `snyk-code` is “Snyk Code”. */
export const displayName = (type: string): string =>
  spelledNames[type] ?? type.replace(/(^|[-_])(\w)/g, (_all, gap, letter) => `${gap && ' '}${letter.toUpperCase()}`);

/**
 * Returns the type of the detection source for the name that a tool writes into its file: `Semgrep OSS` is `semgrep`.
 */
export function sourceName(tool: string | undefined, fallback: string): string {
  const slug = slugOf(tool ?? '');
  if (slug === '') return fallback;
  return ownSources.has(slug) ? `${slug}-import` : (otherNames[slug] ?? slug);
}

/** Returns the type of the detection source for a tool name that a person enters; null for a forbidden name. */
export function namedSource(tool: string): string | null {
  const slug = slugOf(tool);
  return slug === '' || ownSources.has(slug) ? null : sourceName(tool, '');
}

const slugOf = (tool: string): string =>
  tool
    .slice(0, 200)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '');
