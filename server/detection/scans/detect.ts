import type { DetectionResult, DetectionRun, DetectionTarget, Detector } from '@assay/scanner/contract/detector.ts';
import { quoteCommit } from '@assay/scanner/detectors/quote-code.ts';
import { shallowWarning } from '@assay/scanner/repository/history.ts';
import { ignoreByCommentsIn } from '@assay/scanner/repository/ignore-in-target.ts';
import { storedAdvisories } from '../advisories/queries.ts';
import type { DetectionServices } from '../services.ts';

type Services = Pick<DetectionServices, 'cacheDirectory' | 'database' | 'egressProxyUrl' | 'keyring' | 'networkPolicy'>;

/** Warnings about comments without a reason. */
const maxIncomplete = 20;

/**
 * Runs a detector on a target that is checked out. `emit` gets its detections with the decisions of comments in
 * the code. The result also has the warnings about these and the repository.
 */
export async function runDetector(
  { cacheDirectory, database, egressProxyUrl, keyring, networkPolicy }: Services,
  orgId: string,
  detector: Detector,
  target: DetectionTarget,
  { signal, progress, emit }: Pick<DetectionRun, 'signal' | 'progress' | 'emit'>,
): Promise<DetectionResult> {
  const { repository, directory } = target;
  const ignore = repository
    ? ignoreByCommentsIn({ home: directory, signal, gitDirectory: repository.gitDirectory }, repository.head)
    : null;
  const quote = repository
    ? quoteCommit({ home: directory, signal, gitDirectory: repository.gitDirectory }, repository.head)
    : null;
  const incomplete: string[] = [];
  const result = await detector.detect(target, {
    signal,
    progress,
    keyedHash: (value) => keyring.keyedHash(orgId, value as string),
    advisories: storedAdvisories(database),
    networkPolicy,
    egressProxyUrl,
    cacheDirectory,
    emit: async (detections) => {
      signal.throwIfAborted();
      incomplete.push(
        ...((await ignore?.(detections, detector.type)) ?? []).slice(0, maxIncomplete - incomplete.length),
      );
      await quote?.(detector.type, detections);
      await emit(detections);
    },
  });
  signal.throwIfAborted();
  return {
    ...result,
    warnings: [...result.warnings, ...incomplete, ...(repository?.isShallow ? [shallowWarning] : [])],
  };
}
