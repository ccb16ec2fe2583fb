import { type BuiltInSource, builtInSources } from './contract/built-in-sources.ts';
import type { Detector, DetectorDescription } from './contract/detector.ts';
import { codeDescription } from './detectors/code/code-description.ts';
import { dependenciesDescription } from './detectors/dependencies/dependencies-description.ts';
import { infrastructureDescription } from './detectors/infrastructure/infrastructure-description.ts';
import { secretsDescription } from './detectors/secrets/secrets-description.ts';
import { webDescription } from './detectors/web/web-description.ts';
import { listTools } from './external/index.ts';

/** Loads rules, parsers and grammars with the first scan, so that an API that only lists sources saves some 40 MB. */
const lazily = (description: DetectorDescription, load: () => Promise<Detector>): Detector => ({
  ...description,
  detect: async (target, run) => (await load()).detect(target, run),
});

const builtIn: Record<BuiltInSource, Detector> = {
  secrets: lazily(
    secretsDescription,
    async () => (await import('./detectors/secrets/secrets-detector.ts')).secretsDetector,
  ),
  dependencies: lazily(
    dependenciesDescription,
    async () => (await import('./detectors/dependencies/dependencies-detector.ts')).dependenciesDetector,
  ),
  code: lazily(codeDescription, async () => (await import('./detectors/code/code-detector.ts')).codeDetector),
  infrastructure: lazily(
    infrastructureDescription,
    async () => (await import('./detectors/infrastructure/infrastructure-detector.ts')).infrastructureDetector,
  ),
  web: lazily(webDescription, async () => (await import('./detectors/web/web-detector.ts')).webDetector),
};

/** The built-in detection sources, in the order of lists. */
export const detectors: readonly Detector[] = builtInSources.map((type) => builtIn[type]);

/** Returns every source that the platform can run: the built-in ones, then third-party scanners. */
export const listDetectors = (): Detector[] => [...detectors, ...listTools()];

export const findDetector = (type: string): Detector | undefined =>
  listDetectors().find((detector) => detector.type === type);
