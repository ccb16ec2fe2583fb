import type { Detection } from '../../contract/detection.ts';
import { TargetError } from '../../contract/target-error.ts';
import { createNetworkPolicy } from '../../platform/egress/network-policy.ts';
import { toDetection } from './to-detection.ts';
import { visitSite } from './visit-site.ts';

type Scan = { signal: AbortSignal; progress(fraction: number | null, message: string): void };

/**
 * Scans a website from the command line. All accessible addresses are allowed, except a cloud's metadata service.
 * Throws TargetError.
 */
export async function scanUrl(text: string, scan: Scan) {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  if (!url) throw new TargetError(`The source web scans http and https URLs; ${text} is not one.`);
  if (url.username || url.password) throw new TargetError("A website's URL must not contain a user name or password.");
  url.hash = '';
  const policy = createNetworkPolicy({ allowed: ['0.0.0.0/0', '::/0'] });
  const { problems, site, warnings, isComplete } = await visitSite(url.href, { ...scan, policy });
  const detections = new Map<string, Detection>();
  for (const problem of problems) {
    const detection = toDetection(problem, site.page.url.origin);
    detections.set(detection.fingerprint, detection);
  }
  const findings = [...detections.values()].map((detection) => ({ source: 'web', detection }));
  const coverage = [{ source: 'web', partial: isComplete ? [] : warnings, uncovered: [] }];
  return { target: { name: url.host, kind: 'website' as const }, findings, ignored: [], warnings, coverage };
}
