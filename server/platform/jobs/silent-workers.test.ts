import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SilentWorkers } from './silent-workers.ts';

const silentForMs = 30_000;

/** Checks workers every ten seconds, with heartbeats from a clock that the test can set. */
function watched() {
  let nowMs = 0;
  const workers = new SilentWorkers(silentForMs, () => nowMs);
  let clockMs = 1_000_000_000;
  const heartbeats = new Map<string, number>();
  return {
    heartbeat(...names: string[]) {
      for (const name of names) heartbeats.set(name, clockMs);
    },
    setClock: (byMs: number) => {
      clockMs += byMs;
    },
    look() {
      nowMs += 10_000;
      clockMs += 10_000;
      return workers.look(
        [...heartbeats].map(([worker, at]) => ({ worker, sign: String(at), isOld: at <= clockMs - silentForMs })),
      );
    },
  };
}

test('a worker that is silent for half a minute is dead, and one that sends heartbeats is not', () => {
  const { heartbeat, look } = watched();
  heartbeat('dead', 'alive');
  for (let n = 0; n < 2; n++) {
    assert.deepEqual(look(), []);
    heartbeat('alive');
  }
  assert.deepEqual(look(), ['dead']);
});

for (const hours of [-6, 6]) {
  test(`a clock that is set by ${hours} hours makes no running worker look dead, and keeps no dead one's jobs`, () => {
    const { heartbeat, look, setClock } = watched();
    heartbeat('dead', 'alive');
    assert.deepEqual(look(), []);
    heartbeat('alive');
    setClock(hours * 3_600_000);
    const dead: string[] = [];
    for (let n = 0; n < 3; n++) {
      dead.push(...look());
      heartbeat('alive');
    }
    assert.deepEqual([...new Set(dead)], ['dead']);
  });
}

test('jobs of a worker that died long before the first check are unlocked at the second', () => {
  const { heartbeat, look, setClock } = watched();
  heartbeat('dead');
  setClock(3_600_000);
  assert.deepEqual([look(), look()], [[], ['dead']]);
});
