import type { Detector } from '../../contract/detector.ts';
import { allRules } from './all-rules.ts';
import { createSecretsDetector } from './create-detector.ts';

/** The built-in secrets detector, with the built-in rules. */
export const secretsDetector: Detector = createSecretsDetector(allRules);
