import { type BuiltInSource, builtInSources } from '@assay/scanner/contract/built-in-sources.ts';
import type { Detector, DetectorDescription } from '@assay/scanner/contract/detector.ts';
import { codeDescription } from '@assay/scanner/detectors/code/code-description.ts';
import { dependenciesDescription } from '@assay/scanner/detectors/dependencies/dependencies-description.ts';
import { infrastructureDescription } from '@assay/scanner/detectors/infrastructure/infrastructure-description.ts';
import { secretsDescription } from '@assay/scanner/detectors/secrets/secrets-description.ts';
import { webDescription } from '@assay/scanner/detectors/web/web-description.ts';
import { listTools } from './external/index.ts';

/**
 * Loads rules, parsers and grammars with the first scan, which saves about 40 MB in an API that only lists sources.
 */
const lazily = (description: DetectorDescription, load: () => Promise<Detector>): Detector => ({
  ...description,
  detect: async (target, run) => (await load()).detect(target, run),
});

const builtIn: Record<BuiltInSource, Detector> = {
  secrets: lazily(
    secretsDescription,
    async () => (await import('@assay/scanner/detectors/secrets/secrets-detector.ts')).secretsDetector,
  ),
  dependencies: lazily(
    dependenciesDescription,
    async () => (await import('@assay/scanner/detectors/dependencies/dependencies-detector.ts')).dependenciesDetector,
  ),
  code: lazily(
    codeDescription,
    async () => (await import('@assay/scanner/detectors/code/code-detector.ts')).codeDetector,
  ),
  infrastructure: lazily(
    infrastructureDescription,
    async () =>
      (await import('@assay/scanner/detectors/infrastructure/infrastructure-detector.ts')).infrastructureDetector,
  ),
  web: lazily(webDescription, async () => (await import('@assay/scanner/detectors/web/web-detector.ts')).webDetector),
};

/** The built-in detection sources, in the order of lists. */
export const detectors: readonly Detector[] = builtInSources.map((type) => builtIn[type]);

/** Returns every source that the platform can run: the built-in ones, then third-party scanners. */
export const listDetectors = (): Detector[] => [...detectors, ...listTools()];

export const findDetector = (type: string): Detector | undefined =>
  listDetectors().find((detector) => detector.type === type);
