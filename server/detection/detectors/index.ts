import type { Detector } from '../detector.ts';
import { listTools } from '../tools/index.ts';
import { codeDetector } from './code/detector.ts';
import { dependenciesDetector } from './dependencies/detector.ts';
import { infrastructureDetector } from './infrastructure/detector.ts';
import { secretsDetector } from './secrets/detector.ts';
import { webDetector } from './web/detector.ts';

/** The built-in detection sources, in the order in which they are listed. */
export const detectors: readonly Detector[] = [
  secretsDetector,
  dependenciesDetector,
  codeDetector,
  infrastructureDetector,
  webDetector,
];

/** All that the platform can run: the built-in detection sources, then other people's scanners. */
export const listDetectors = (): Detector[] => [...detectors, ...listTools()];

export const findDetector = (type: string): Detector | undefined => listDetectors().find((one) => one.type === type);
