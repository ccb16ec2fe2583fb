import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAllInOne } from './all-in-one.ts';
import { soak } from './soak.ts';

test('an installation under load loses, doubles and delays nothing in ten seconds of kills', {
  timeout: 280_000,
}, async (context) => {
  const layout = await createAllInOne();
  context.after(() => layout.remove());
  const outcome = await soak(layout, { seed: 3, durationMs: 10_000 });
  assert.ok(outcome.kills > 0 && outcome.counts.imports! > 0 && outcome.counts.comments! > 0, JSON.stringify(outcome));
  assert.deepEqual(outcome.faults, [], layout.output());
});
