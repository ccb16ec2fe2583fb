import type { Detector } from '../../contract/detector.ts';
import { createCodeDetector } from './create-detector.ts';
import { loadRuleBook } from './rule-book.ts';

/** The built-in detector for source code, with the built-in rules and the operator's. */
export const codeDetector: Detector = createCodeDetector(loadRuleBook);
