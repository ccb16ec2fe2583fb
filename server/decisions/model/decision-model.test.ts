import { after, before, test } from 'node:test';
import { type Application, startApplication } from '../../../tests/harness/application.ts';
import { checkSequences } from './sequence.fixture.ts';

let app: Application;
before(async () => {
  app = await startApplication();
});
after(() => app.close());

test('decisions, requests, approvals, bulk updates, their undo, ends, merges and crashes in any order leave what the rules say', () =>
  checkSequences(app, { numRuns: 40, limitMs: 3_000 }));
