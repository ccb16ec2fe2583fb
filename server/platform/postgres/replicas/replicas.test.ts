import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Marks, type SharedMark, type SharedMarks } from './marks.ts';
import { endOfLog, Positions } from './positions.ts';
import { Placement } from './replicas.ts';

const megabyte = 1_048_576;

test('an idle primary is never ahead of a replica that has replayed everything, not even at the end of a page', () => {
  const segment = 16 * megabyte;
  assert.equal(endOfLog(8_192 + 24, 8_192, segment), 8_192);
  assert.equal(endOfLog(segment + 40, segment, segment), segment);
  // Unflushed log counts: it may be visible already.
  assert.equal(endOfLog(8_192 + 40, 8_192, segment), 8_192 + 40);
  assert.equal(endOfLog(10_024, 10_000, segment), 10_024);
});

test('a replica shows the newest position that it has replayed', () => {
  const positions = new Positions(1_000);
  for (const [begunAt, lsn] of [
    [0, 100],
    [500, 200],
    [1_200, 200],
  ] as const)
    positions.add({ begunAt, lsn, mark: '' });
  assert.equal(positions.reached(199), undefined, 'the position of 0 is forgotten');
  assert.equal(positions.reached(200)?.begunAt, 1_200);
  positions.add({ begunAt: 1_300, lsn: 300, mark: '' });
  assert.equal(positions.reached(250)?.begunAt, 1_200);
});

describe('a credential', () => {
  const names = ['one', 'two', 'three'];
  const credentials = Array.from({ length: 300 }, (_, index) => `tok_${index}`);

  test('reads from the same replica on every node, and all replicas have some', () => {
    const [here, there] = [new Placement(names, 1_000), new Placement([...names].reverse(), 1_000)];
    for (const credential of credentials) assert.equal(here.of(credential, 0), there.of(credential, 0));
    for (const name of names) {
      assert.ok(credentials.filter((credential) => here.of(credential, 0) === name).length > 60);
    }
  });

  test('reads from the primary while it moves to another replica, and other credentials stay where they are', () => {
    const placement = new Placement(names, 1_000);
    const before = new Map(credentials.map((credential) => [credential, placement.of(credential, 0)]));
    placement.update(['one', 'three'], 100);
    for (const credential of credentials) {
      const replica = before.get(credential);
      assert.equal(placement.of(credential, 1_000), replica === 'two' ? undefined : replica);
      assert.notEqual(placement.of(credential, 1_200), undefined);
    }
    placement.update(names, 2_000);
    for (const credential of credentials) {
      const replica = before.get(credential);
      assert.equal(placement.of(credential, 2_500), replica === 'two' ? undefined : replica);
      assert.equal(placement.of(credential, 3_200), replica);
    }
  });

  test('reads from the primary when no replica is in service, and from the only one as soon as it is back', () => {
    const placement = new Placement(['one'], 1_000);
    placement.update([], 100);
    assert.equal(placement.of('tok_1', 200), undefined);
    placement.update(['one'], 300);
    assert.equal(placement.of('tok_1', 301), 'one');
  });
});

/** Marks by node, like those in Redis. */
function sharedMarks() {
  const nodes: (number | 'busy')[] = [];
  const state = { isAway: false, calls: 0 };
  const connect = (): SharedMarks => {
    const node = nodes.push(0) - 1;
    const write = async (value: number | 'busy') => {
      state.calls += 1;
      if (state.isAway) return false;
      nodes[node] = value;
      return true;
    };
    return {
      begin: () => write('busy'),
      record: (_credential, lsn) => write(lsn),
      look: async () => ({ busy: nodes.includes('busy'), lsn: Math.max(...nodes.map((value) => Number(value) || 0)) }),
      close: () => {},
    };
  };
  const look = (marks: Marks) => marks.look('tok') as Promise<SharedMark>;
  return { connect, look, state };
}

describe('what a credential has seen on the primary', () => {
  test('is shared with every node before the response is sent, and recorded with the first position read after it', async () => {
    const { connect, look, state } = sharedMarks();
    const [here, there] = [new Marks(1_000, connect()), new Marks(1_000, connect())];
    here.begin('tok', 10);
    here.begin('tok', 11);
    await here.end('tok', 20);
    assert.equal(state.calls, 1, 'one call for both requests');
    assert.deepEqual(await look(there), { busy: true, lsn: 0 });
    here.record({ begunAt: 25, lsn: 500 }, 26);
    assert.deepEqual(await look(there), { busy: true, lsn: 0 }, 'one request still runs');
    await here.end('tok', 30);
    here.record({ begunAt: 28, lsn: 600 }, 31);
    assert.deepEqual(await look(there), { busy: true, lsn: 0 }, 'the position is older than the end of the request');
    here.record({ begunAt: 40, lsn: 700 }, 41);
    assert.deepEqual(await look(there), { busy: false, lsn: 700 });
    assert.equal(here.usedUntil('tok'), 30);
    here.record({ begunAt: 50, lsn: 700 }, 51);
    assert.equal(state.calls, 2, 'a recorded mark is written once');
    there.begin('tok', 60);
    await there.end('tok', 61);
    assert.deepEqual(await look(here), { busy: true, lsn: 700 });
  });

  test('is recorded later when Redis is unavailable or has lost it, and forgotten when every replica has it', async () => {
    const { connect, look, state } = sharedMarks();
    const marks = new Marks(1_000, connect());
    state.isAway = true;
    marks.begin('tok', 10);
    assert.equal(await marks.end('tok', 20), false, 'other nodes do not know of it');
    assert.equal(marks.usedUntil('tok'), 20);
    marks.record({ begunAt: 30, lsn: 500 }, 31);
    state.isAway = false;
    await Promise.resolve();
    marks.record({ begunAt: 40, lsn: 600 }, 41);
    assert.deepEqual(await look(marks), { busy: false, lsn: 600 });
    marks.shareAgain();
    marks.record({ begunAt: 50, lsn: 700 }, 51);
    assert.deepEqual(await look(marks), { busy: false, lsn: 700 });
    marks.begin('tok', 60);
    marks.shareAgain();
    assert.equal(await marks.end('tok', 70), false, 'Redis was lost between the beginning and the end');
    marks.begin('tok', 80);
    assert.equal(await marks.end('tok', 90), true);
    marks.record({ begunAt: 1_100, lsn: 700 }, 1_101);
    assert.equal(marks.usedUntil('tok'), Number.NEGATIVE_INFINITY);
  });
});
