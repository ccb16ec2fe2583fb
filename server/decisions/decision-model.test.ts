import { after, before, test } from 'node:test';
import { type Application, startApplication } from '../../tests/harness/application.ts';
import { checkSequences } from './decision-model.fixture.ts';

let app: Application;
before(async () => {
  app = await startApplication();
});
after(() => app.close());

test('decisions, requests, approvals, withdrawals, ends, merges, people, late and killed jobs in any order leave what the rules say', () =>
  checkSequences(app, { numRuns: 50, limitMs: 4_000 }));
