import { bitOf } from './urgency.ts';

/** The context of a finding: `test` if all its places are in tests or examples. */
export const contexts = ['test'] as const;

/** The contexts that lists can be filtered by; `none` is for all other findings. */
export const contextChoices = [...contexts, 'none'] as const;

/** SQL for whether finding `f` is in tests; the index `findings_in_tests` has exactly these. */
export const inTestsCondition = `(f.urgency_bits & ${bitOf('test_code')}) <> 0`;
export const notInTestsCondition = `(f.urgency_bits & ${bitOf('test_code')}) = 0`;

/** SQL for the context of a finding `f`, as JSON text. */
export const contextJson = `CASE WHEN ${inTestsCondition} THEN '"test"' ELSE 'null' END`;
