import { contextOf, contexts } from '@assay/scanner/contract/test-path.ts';
import { bitOf } from './urgency.ts';

/** The contexts by which lists are filtered; `none` is for findings elsewhere. */
export const contextChoices = [...contexts, 'none'] as const;

/** A bit of `findings.urgency_bits` that is no reason of a priority. */
const exampleBit = 1 << 14;

/** Returns the bits that a finding's context adds to those of its priority. */
export const contextBits = (...where: Parameters<typeof contextOf>): number =>
  contextOf(...where) === 'example' ? exampleBit : 0;

const bits = 'f.urgency_bits';
/** SQL for findings `f` whose places are all in tests. */
export const inTestsCondition = `(${bits} & ${exampleBit | bitOf('test_code')}) = ${bitOf('test_code')}`;
/** SQL for findings `f` whose places are all in examples, documentation or tests, and not all in tests. */
export const inExamplesCondition = `(${bits} & ${exampleBit}) <> 0`;
export const elsewhereCondition = `(${bits} & ${exampleBit | bitOf('test_code')}) = 0`;

/** SQL for the context of a finding `f`, as JSON text. */
export const contextJson = `CASE WHEN ${inExamplesCondition} THEN '"example"' WHEN ${inTestsCondition} THEN '"test"' ELSE 'null' END`;
