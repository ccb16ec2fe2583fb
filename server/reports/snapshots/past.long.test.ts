import { test } from 'node:test';
import { checkReportsOfHistory } from './past.fixture.ts';

const seed = Number(process.env.ASSAY_TEST_SEED) || 777;

for (let index = 0; index < 10; index++)
  test(`every figure of the reports on a history of 60 days equals a plain computation (${index + 1} of 10)`, () =>
    checkReportsOfHistory(seed + index, { days: 60, findings: index === 0 ? 2_000 : 120 }));
