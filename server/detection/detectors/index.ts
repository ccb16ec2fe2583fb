import type { Detector, DetectorDescription } from '../detector.ts';
import { listTools } from '../tools/index.ts';
import { codeDescription } from './code/description.ts';
import { dependenciesDescription } from './dependencies/description.ts';
import { infrastructureDescription } from './infrastructure/description.ts';
import { secretsDescription } from './secrets/description.ts';
import { webDescription } from './web/description.ts';

/** Rules, parsers and grammars are loaded by the first scan: an API that only lists does without them (some 40 MB). */
const lazily = (description: DetectorDescription, load: () => Promise<Detector>): Detector => ({
  ...description,
  detect: async (target, run) => (await load()).detect(target, run),
});

/** The built-in detection sources, in the order in which they are listed. */
export const detectors: readonly Detector[] = [
  lazily(secretsDescription, async () => (await import('./secrets/detector.ts')).secretsDetector),
  lazily(dependenciesDescription, async () => (await import('./dependencies/detector.ts')).dependenciesDetector),
  lazily(codeDescription, async () => (await import('./code/detector.ts')).codeDetector),
  lazily(infrastructureDescription, async () => (await import('./infrastructure/detector.ts')).infrastructureDetector),
  lazily(webDescription, async () => (await import('./web/detector.ts')).webDetector),
];

/** All that the platform can run: the built-in detection sources, then other people's scanners. */
export const listDetectors = (): Detector[] => [...detectors, ...listTools()];

export const findDetector = (type: string): Detector | undefined => listDetectors().find((one) => one.type === type);
