import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { createAllInOne } from './all-in-one.ts';
import { createSeveralNodes } from './several-nodes.ts';
import { faultsMs, soak } from './soak.ts';

const minutes = 5;
const layouts = [createAllInOne, createSeveralNodes];

for (const createLayout of layouts) {
  const seed = Number(process.env.ASSAY_TEST_SEED) || randomInt(1, 1_000_000);
  const name = createLayout === createAllInOne ? 'one process tree' : 'several nodes';
  test(`${name} under load and faults, half of ${minutes} minutes: nothing is lost, doubled, stuck or failed`, async (context) => {
    const layout = await createLayout();
    context.after(() => layout.remove());
    const outcome = await soak(layout, { seed, durationMs: faultsMs(minutes / layouts.length) });
    const { kills, counts, faults, tried } = outcome;
    assert.deepEqual(faults, [], `npm run soak -- --layout ${outcome.layout} --seed ${seed}\n${layout.output()}`);
    if (layout.upgrade) assert.equal(tried[layout.upgrade.name], 1);
    const done = ['imports', 'comments', 'answers compared with SQL'].map((what) => counts[what] ?? 0);
    assert.ok(kills > 0 && done.every((times) => times > 0), JSON.stringify(outcome));
  });
}
