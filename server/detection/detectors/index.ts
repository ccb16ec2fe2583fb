import type { Detector } from '../detector.ts';
import { dependenciesDetector } from './dependencies/detector.ts';
import { infrastructureDetector } from './infrastructure/detector.ts';
import { secretsDetector } from './secrets/detector.ts';
import { webDetector } from './web/detector.ts';

/** The built-in detection sources, in the order in which they are listed. */
export const detectors: readonly Detector[] = [secretsDetector, dependenciesDetector, infrastructureDetector, webDetector];

export const findDetector = (type: string): Detector | undefined => detectors.find((one) => one.type === type);
