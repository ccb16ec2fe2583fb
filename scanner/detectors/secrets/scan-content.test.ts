import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cpuTimeMs } from '../../../tests/harness/cpu-time.ts';
import { checkProperty } from '../../../tests/harness/properties.ts';
import { testRules } from '../../../tests/harness/scanned-source.ts';
import { createSecretEngine } from './engine.ts';
import { findSecrets } from './scan-content.ts';

const engine = createSecretEngine(testRules);
const plain = ({ secret, startLine, endLine, startColumn, endColumn }: ReturnType<typeof engine.find>[number]) => ({
  secret,
  startLine,
  endLine,
  startColumn,
  endColumn,
});

test('a large blob has the same secrets in chunks as in one piece', async () => {
  const piece = fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 200_000 }).map((length) => 'y'.repeat(length)) },
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 3000 }).map((lines) => 'some line of text\n'.repeat(lines)) },
    fc.stringMatching(/^[a-z0-9]{8}$/).map((end) => ` zzkey-${end} `),
    fc.constant('\n'),
  );
  await checkProperty(
    fc.asyncProperty(fc.array(piece, { minLength: 20, maxLength: 60 }), async (pieces) => {
      const content = Buffer.from(pieces.join(''));
      assert.deepEqual((await findSecrets(engine, content, 'x')).map(plain), engine.find(content, 'x').map(plain));
    }),
    { numRuns: 40 },
  );
});

test('a large blob does not block the event loop', async () => {
  const content = Buffer.from(`some text zzkey-${'a'.repeat(8)} and more of it\n`.repeat(400_000));
  let longest = 0;
  let last = cpuTimeMs();
  const watch = setInterval(() => {
    longest = Math.max(longest, cpuTimeMs() - last);
    last = cpuTimeMs();
  }, 1);
  await findSecrets(engine, content, 'x');
  clearInterval(watch);
  assert.ok(longest < 2_000, `${longest} ms`);
});
