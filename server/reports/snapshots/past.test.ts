import { test } from 'node:test';
import { checkReportsOfHistory } from './past.fixture.ts';

test('every figure about the past equals what was written down, for any span, severity, data source and source', () =>
  checkReportsOfHistory(Number(process.env.ASSAY_TEST_SEED) || Math.floor(Math.random() * 2 ** 31), {
    days: 40,
    findings: 120,
  }));
