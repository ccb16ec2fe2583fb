import type { Detection } from '../../contract/detection.ts';
import { fingerprint } from '../../contract/fingerprint.ts';
import type { WebProblem } from './visit-site.ts';

/**
 * Builds the detection. Rule, origin and key (a cookie's name, a path, a header) identify a problem; the rest of the
 * page and the target of a redirect do not. `site` is the origin at the end of the redirects.
 */
export function toDetection({ rule, sight, url }: WebProblem, site: string): Detection {
  return {
    fingerprint: fingerprint('web', rule.id, site, sight.key ?? ''),
    title: sight.key ? `${rule.title}: ${sight.key}` : `${rule.title} on ${url.host}`,
    description: `**${rule.title}** at ${url.href}.\n\n${rule.risk}`,
    severity: rule.severity,
    rule: { id: rule.id, name: rule.title, url: rule.references[0] ?? null },
    location: {
      path: null,
      start_line: null,
      end_line: null,
      start_column: null,
      end_column: null,
      commit: null,
      url: url.href,
      package: null,
    },
    places: [],
    occurrences: 1,
    identifiers: rule.cwe,
    cvss_score: null,
    confidence: 'high',
    evidence: sight.evidence,
    remediation: rule.remediation,
    references: rule.references,
  };
}
