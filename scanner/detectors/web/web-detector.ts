import type { DetectionResult, DetectionRun, DetectionTarget, Detector } from '../../contract/detector.ts';
import { toDetection } from './to-detection.ts';
import { visitSite } from './visit-site.ts';
import { webDescription } from './web-description.ts';

/**
 * Checks a website from outside, like a visitor: TLS, headers, cookies, content, and files that should not be public.
 */
export const webDetector: Detector = { ...webDescription, detect };

async function detect(target: DetectionTarget, run: DetectionRun): Promise<DetectionResult> {
  if (target.address === null) throw new Error('Only websites can be scanned.');
  const { signal, progress, networkPolicy } = run;
  const visit = await visitSite(target.address, { signal, progress, policy: networkPolicy });
  const { origin } = visit.site.page.url;
  await run.emit(visit.problems.map((problem) => toDetection(problem, origin)));
  const { isComplete, warnings, interruption } = visit;
  return { coverage: isComplete ? 'complete' : 'partial', warnings, interruption };
}
