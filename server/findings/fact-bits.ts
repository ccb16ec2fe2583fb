import { type Confidence, confidences } from '@assay/scanner/contract/confidence.ts';
import { contextOf, contexts } from '@assay/scanner/contract/test-path.ts';
import { bitOf } from './urgency.ts';

/** The contexts by which lists are filtered; `none` is for findings elsewhere. */
export const contextChoices = [...contexts, 'none'] as const;
/** The confidences by which lists are filtered; `none` is for findings whose tool states none. */
export const confidenceChoices = [...confidences, 'none'] as const;

// Bits of `findings.urgency_bits` that are no reasons of a priority.
const exampleBit = 1 << 14;
const confidenceBits: Record<Confidence, number> = { high: 1 << 13, medium: 1 << 12, low: (1 << 12) | (1 << 13) };
/** The bits that only a scan sets: nothing else of a finding implies them. */
export const reportedBits = confidenceBits.low;

/** Returns the bits that a finding's context adds to those of its priority. */
export const contextBits = (...where: Parameters<typeof contextOf>): number =>
  contextOf(...where) === 'example' ? exampleBit : 0;

export const bitsOfConfidence = (confidence: Confidence | null | undefined): number =>
  confidence ? confidenceBits[confidence] : 0;

const bits = 'f.urgency_bits';
/** SQL for findings `f` whose places are all in tests. */
export const inTestsCondition = `(${bits} & ${exampleBit | bitOf('test_code')}) = ${bitOf('test_code')}`;
/** SQL for findings `f` whose places are all in examples, documentation or tests, and not all in tests. */
export const inExamplesCondition = `(${bits} & ${exampleBit}) <> 0`;
export const elsewhereCondition = `(${bits} & ${exampleBit | bitOf('test_code')}) = 0`;

/** SQL for findings `f` of a confidence. */
export const confidenceCondition = (confidence: (typeof confidenceChoices)[number]): string =>
  `(${bits} & ${reportedBits}) = ${bitsOfConfidence(confidence === 'none' ? null : confidence)}`;

/** SQL for the bits that only a scan sets of a finding `f`, and for the confidence in them. */
export const reportedOf = `${bits} & ${reportedBits}`;
export const confidenceIn = (reported: string): string =>
  `CASE ${reported} ${confidences.map((name) => `WHEN ${confidenceBits[name]} THEN '${name}'`).join(' ')} ELSE 'none' END`;

/** SQL for the context of a finding `f`, as JSON text. */
export const contextJson = `CASE WHEN ${inExamplesCondition} THEN '"example"' WHEN ${inTestsCondition} THEN '"test"' ELSE 'null' END`;
/** SQL for the confidence of a finding `f`, as JSON text. */
export const confidenceJson = `CASE ${bits} & ${reportedBits} ${confidences
  .map((name) => `WHEN ${confidenceBits[name]} THEN '"${name}"'`)
  .join(' ')} ELSE 'null' END`;
