import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const program = `
  import { generateSarif } from '${join(import.meta.dirname, 'generate-sarif.fixture.ts')}';
  import { readResultFile } from '${join(import.meta.dirname, '..', 'read-result-file.ts')}';
  const file = await readResultFile(generateSarif(100_000, { toolLast: process.argv[1] === 'tool-last' }), { keyedHash: (value) => value });
  let count = 0;
  for await (const batch of file.detections) count += batch.length;
  console.log(count);
`;

for (const order of ['tool-first', 'tool-last']) {
  test(`100,000 results are read in 104 MiB of heap (${order})`, async () => {
    const heap = ['--max-old-space-size=88', '--max-semi-space-size=8', '--input-type=module-typescript'];
    const { stdout } = await promisify(execFile)(process.execPath, [...heap, '-e', program, order], {
      timeout: 600_000,
    });
    assert.equal(stdout.trim(), '100000');
  });
}
