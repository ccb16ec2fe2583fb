import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEvent } from '@assay/client';
import { actorOf, linesOf, sentenceOf } from './sentences.ts';

const [usr, ds, gone] = ['usr', 'ds', 'fnd'].map((kind) => `${kind}_01jd3q5r8wf0ht6vsx2p9k4m7n`) as [
  string,
  string,
  string,
];
const event: AuditEvent = {
  id: 'aud_01jd3q5r8wf0ht6vsx2p9k4m7n',
  sequence: 1,
  occurred_at: '2026-01-31T09:30:00Z',
  actor: { type: 'user', user: { id: usr, name: 'Ada' }, token: null, address: null },
  action: 'member.role_changed',
  target: { id: usr, name: 'Grace' },
  before: { role: 'viewer' },
  after: { role: 'analyst' },
  details: {},
  hash: '',
};
const say = (change: Partial<AuditEvent>) => {
  const changed = { ...event, ...change };
  return `${actorOf(changed)} ${sentenceOf(changed).join('')}`;
};
const names: Record<string, string> = { [usr]: 'Ada', [ds]: 'shop' };
const lines = (change: Partial<AuditEvent>) =>
  linesOf({ ...event, ...change }, (id) => names[id]).map(({ name, text }) => `${name}: ${text}`);

test('an event is a sentence: who did what to what', () => {
  assert.equal(say({}), 'Ada changed the role of Grace from viewer to analyst');
  assert.equal(say({ action: 'account.signed_in' }), 'Ada signed in');
  assert.equal(say({ action: 'view.unshared', target: { id: 'x', name: 'Mine' } }), 'Ada made the view Mine private');
  const system = { ...event.actor, user: null };
  assert.equal(say({ action: 'account.sign_in_failed', actor: system }), 'Somebody failed to sign in as Grace');
  assert.equal(say({ action: 'account.disabled', actor: system }), 'Assay disabled the account of Grace');
  // A newer server recorded it.
  assert.equal(say({ action: 'robot_arm.moved' }), 'Ada Robot arm moved Grace');
});

test('changes are listed field by field, with names instead of ids', () => {
  assert.deepEqual(lines({}), ['Role: viewer → analyst']);
  assert.deepEqual(
    lines({
      before: { owner_id: null, config: { url: 'a', branch: 'main' }, tags: [] },
      after: { owner_id: usr, config: { url: 'b', branch: 'main' }, tags: ['pci', 'eu'] },
    }),
    ['Owner: nothing → Ada', 'Config: address: a → b', 'Tags: none → pci, eu'],
  );
  const added = { name: 'x', data_source_ids: [ds, gone], user: 'usr_01jd3q5r8wf0ht6vsx2p9k4m7p', off: false };
  assert.deepEqual(lines({ before: null, after: added }), [
    'Name: x',
    'Data sources: shop, a finding',
    'User: a former member',
    'Off: no',
  ]);
  const details = { matched: 3, ids: [gone, gone], change: { status: 'false_positive', comment: true } };
  assert.deepEqual(lines({ before: null, after: null, details }), [
    'Findings: 3',
    'Chosen: 2 times a finding',
    'Change: status false positive; comment yes',
  ]);
});

test('a decision names its scope, unless it is about single findings', () => {
  const decision = (action: string, scope: object) =>
    sentenceOf({ ...event, action, before: null, after: { scope } }, (id) => names[id]).join('');
  assert.equal(
    decision('decision.created', { rule: ['B308'], path: ['tests/**'], data_source: [ds] }),
    'made a decision about findings: B308, where the path matches tests/**, in shop',
  );
  assert.equal(decision('decision.approved', { finding: [gone] }), 'approved a requested decision');
  const withdrawn: AuditEvent = {
    ...event,
    action: 'decision.withdrawn',
    before: { scope: { rule: ['B308'] } },
    after: null,
  };
  assert.equal(sentenceOf(withdrawn).join(''), 'withdrew a decision: B308');
});
