import { test } from 'node:test';
import { checkReportsOfHistory } from './past.fixture.ts';

test('every figure of a report equals a computation from the rows of a history, and past figures equal the recorded history', () =>
  checkReportsOfHistory(Number(process.env.ASSAY_TEST_SEED) || 21, {
    days: 30,
    findings: 100,
  }));
