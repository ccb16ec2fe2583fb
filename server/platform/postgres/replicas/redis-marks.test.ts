import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { eventually } from '../../../../tests/harness/installation.ts';
import { createRedis } from '../../../../tests/soak/redis.ts';
import type { SharedMarks } from './marks.ts';
import { createRedisMarks } from './redis-marks.ts';

const { redis, redisUrl } = await createRedis();
const opened: SharedMarks[] = [];
before(() => redis.start());
after(async () => {
  for (const marks of opened) marks.close();
  await redis.kill({ all: true });
});

/** Connects like a node. Marks are stored for `spareMs`. */
async function openNode(prefix: string, spareMs = 60_000): Promise<SharedMarks> {
  const marks = createRedisMarks({
    url: redisUrl,
    log: pino({ level: 'silent' }),
    prefix,
    keptMs: 0,
    spareMs,
    onConnect: () => {},
    onLost: () => {},
  });
  opened.push(marks);
  await eventually(() => marks.look('anyone'));
  return marks;
}

test('every node sees who uses the primary, and which position includes everything they have seen', async () => {
  const [one, other] = [await openNode('known:'), await openNode('known:')];
  assert.deepEqual(await other.look('tok'), { busy: false, lsn: 0 });
  assert.equal(await one.begin('tok'), true);
  assert.deepEqual(await other.look('tok'), { busy: true, lsn: 0 });
  await one.record('tok', 2 ** 45);
  await other.record('tok', 7);
  assert.deepEqual(await one.look('tok'), { busy: false, lsn: 2 ** 45 });
  assert.deepEqual(await one.look('another'), { busy: false, lsn: 0 });
});

test('the mark of a killed node expires in time, however busy the credential is on others', async () => {
  const spareMs = 1_000;
  const [killed, other] = [await openNode('killed:', spareMs), await openNode('killed:', spareMs)];
  await killed.begin('tok');
  killed.close();
  for (let round = 0; round < 12; round++) {
    await other.begin('tok');
    await other.record('tok', round);
    await delay(spareMs / 8);
  }
  assert.deepEqual(await other.look('tok'), { busy: false, lsn: 11 });
});
