import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { excused, readEndpoints } from '../bench/read-endpoints.ts';

const document = JSON.parse(await readFile(new URL('../openapi.json', import.meta.url), 'utf8'));

test('the measurements cover every operation that reads, or say why not', () => {
  const reading = Object.values<{ get?: { operationId: string } }>(document.paths).flatMap(({ get }) =>
    get ? [get.operationId] : [],
  );
  const measured = readEndpoints(document).map(({ operationId }) => operationId);
  assert.deepEqual([...measured, ...Object.keys(excused)].sort(), reading.sort());
  for (const reason of Object.values(excused)) assert.match(reason, /\.$/);
});
