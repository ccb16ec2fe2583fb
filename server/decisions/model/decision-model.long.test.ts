import { after, before, test } from 'node:test';
import { type Application, startApplication } from '../../../tests/harness/application.ts';
import { checkSequences } from './sequence.fixture.ts';

let app: Application;
before(async () => {
  app = await startApplication();
});
after(() => app.close());

test('500 random sequences of decisions, requests, approvals, withdrawals, bulk updates, their undo, ends, merges and moved clocks equal the model, with crashes within and between any two steps', () =>
  // Long runs have ten times as many values, and ten times the time: 40 s on a free machine.
  checkSequences(app, { numRuns: 50, limitMs: 30_000 }));
