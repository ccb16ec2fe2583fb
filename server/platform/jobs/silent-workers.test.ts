import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SilentWorkers } from './silent-workers.ts';

const silentForMs = 30_000;

/** Checks workers every ten seconds, with heartbeats from a clock that the test can set. */
function watched() {
  let nowMs = 0;
  const workers = new SilentWorkers(silentForMs, () => nowMs);
  let clockMs = 1_000_000_000;
  const beats = new Map<string, number>();
  return {
    beat(...names: string[]) {
      for (const name of names) beats.set(name, clockMs);
    },
    setClock: (byMs: number) => {
      clockMs += byMs;
    },
    look() {
      nowMs += 10_000;
      clockMs += 10_000;
      return workers.look(
        [...beats].map(([worker, at]) => ({ worker, sign: String(at), isOld: at <= clockMs - silentForMs })),
      );
    },
  };
}

test('a worker that is silent for half a minute is dead, and one that sends heartbeats is not', () => {
  const { beat, look } = watched();
  beat('dead', 'alive');
  for (let n = 0; n < 2; n++) {
    assert.deepEqual(look(), []);
    beat('alive');
  }
  assert.deepEqual(look(), ['dead']);
});

for (const hours of [-6, 6]) {
  test(`a clock that is set by ${hours} hours makes no running worker look dead, and keeps no dead one's jobs`, () => {
    const { beat, look, setClock } = watched();
    beat('dead', 'alive');
    assert.deepEqual(look(), []);
    beat('alive');
    setClock(hours * 3_600_000);
    const dead: string[] = [];
    for (let n = 0; n < 3; n++) {
      dead.push(...look());
      beat('alive');
    }
    assert.deepEqual([...new Set(dead)], ['dead']);
  });
}

test('jobs of a worker that died long before the first check are unlocked at the second', () => {
  const { beat, look, setClock } = watched();
  beat('dead');
  setClock(3_600_000);
  assert.deepEqual([look(), look()], [[], ['dead']]);
});
