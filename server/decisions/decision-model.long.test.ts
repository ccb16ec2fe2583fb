import { after, before, test } from 'node:test';
import { type Application, startApplication } from '../../tests/harness/application.ts';
import { checkSequences } from './decision-model.fixture.ts';

let app: Application;
before(async () => {
  app = await startApplication();
});
after(() => app.close());

test('up to 500 random sequences of decisions, requests, approvals, withdrawals, ends, merges, people, late and killed jobs equal the model', () =>
  // Long runs have ten times as many values, and ten times the time.
  checkSequences(app, { numRuns: 50, limitMs: 12_000 }));
