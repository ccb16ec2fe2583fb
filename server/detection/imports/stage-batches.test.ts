import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImportedDetection } from '@assay/scanner/readers/format.ts';
import { detectionOf } from '../../findings/findings.fixture.ts';
import type { ImportBatch } from './queries.ts';
import { lanes, stageBatches } from './stage-batches.ts';

async function staged(count: number, description: string) {
  const batches = new Map<number, ImportBatch>();
  async function* groups(): AsyncGenerator<ImportedDetection[]> {
    for (let at = 0; at < count; at += 1)
      yield [{ ...detectionOf(`result-${at}`, { description }), source: 'tool', suppression: null }];
  }
  await stageBatches(groups(), async (sequence, batch) => {
    batches.set(sequence, batch);
  });
  return batches;
}

test('batches stay small however long the texts of results are, and contain each result once', async () => {
  const batches = await staged(5_000, 'x'.repeat(5_000));
  for (const { rows } of batches.values()) assert.ok(JSON.stringify(rows).length < 1_650_000);
  const fingerprints = [...batches.values()].flatMap(({ rows }) => rows.map(({ cells }) => cells.fingerprint));
  assert.equal(new Set(fingerprints).size, 5_000);
  assert.equal(fingerprints.length, 5_000);
});

test('however many tools a file names, only a few of their results wait for a batch to fill', async () => {
  let waiting = 0;
  let most = 0;
  async function* groups(): AsyncGenerator<ImportedDetection[]> {
    for (let at = 0; at < 8_000; at += 1) {
      waiting += 1;
      most = Math.max(most, waiting);
      const detection = detectionOf(`result-${at}`, { description: 'x'.repeat(5_000) });
      yield [{ ...detection, source: `tool-${at % 1_000}`, suppression: null }];
    }
  }
  await stageBatches(groups(), async (_, { rows }) => {
    waiting -= rows.length;
  });
  assert.equal(waiting, 0);
  assert.ok(most * 5_000 < 7_000_000, `${most} results waited`);
});

test('batches of short results contain two thousand of them, each of one lane', async () => {
  const batches = await staged(9_000, 'x');
  assert.equal(Math.max(...[...batches.values()].map(({ rows }) => rows.length)), 2_000);
  const lanesOf = new Map<string, Set<number>>();
  for (const [sequence, { rows }] of batches)
    for (const { cells } of rows) {
      const last = cells.fingerprint.at(-1)!;
      lanesOf.set(last, (lanesOf.get(last) ?? new Set()).add(sequence % lanes));
    }
  for (const [last, used] of lanesOf) assert.equal(used.size, 1, `fingerprints that end with ${last}`);
});
