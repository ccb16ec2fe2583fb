import { builtInSources } from '../contract/built-in-sources.ts';

/** The types that a tool may not claim in its file. */
const ownSources = new Set<string>(builtInSources);

/** Other names that tools give themselves. */
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

/**
 * Returns the type of the detection source for the name that a tool writes into its file: `Semgrep OSS` is `semgrep`.
 */
export function sourceName(tool: string | undefined, fallback: string): string {
  const slug = (tool ?? '')
    .slice(0, 200)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '');
  if (slug === '') return fallback;
  return ownSources.has(slug) ? `${slug}-import` : (otherNames[slug] ?? slug);
}
