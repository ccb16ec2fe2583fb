import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { createPerson, createTenant, type Person } from '../../../tests/harness/people.ts';
import { operator } from '../../organization/audit.ts';
import { insertMember } from '../../organization/queries.ts';
import type { Database, Db } from '../../platform/postgres/database.ts';
import { findTokenBearer, updateUserName } from '../queries.ts';
import { hashToken } from '../token.ts';
import {
  type ChangedAccount,
  changeAccount,
  followUpChanges,
  joinOrganization,
  recordAccountAudit,
  revokeTokens,
} from './change-account.ts';

const db = await createTestDatabase();
const { database } = db;
const admin = new pg.Client({ connectionString: db.adminUrl });
await admin.connect();
after(async () => {
  await admin.end();
  await db.drop();
});

const action = 'account.renamed';
const eventsOf = async (orgId: string) =>
  (
    await admin.query(`SELECT * FROM audit_events WHERE org_id = $1 AND action = '${action}' ORDER BY sequence`, [
      orgId,
    ])
  ).rows;
const listFollowUps = async () => (await admin.query('SELECT * FROM account_follow_ups')).rows;
const letTimePass = () => admin.query(`UPDATE account_follow_ups SET happened_at = happened_at - interval '1 minute'`);

const rename = async (tx: Db, account: ChangedAccount) => {
  await updateUserName(tx, account.userId, 'Ada');
  await recordAccountAudit(tx, account, { actor: operator, action, target: { id: account.userId, name: 'Ada' } });
};

/** A database in which transactions of organizations fail, as if the process ended before them. */
const withoutOrganizations: Database = {
  ...database,
  transaction: (orgId, run) =>
    orgId === null ? database.transaction(null, run) : Promise.reject(new Error('This organization is away.')),
};

async function createPersonOfTwo(): Promise<Person & { otherId: string }> {
  const person = await createTenant(database);
  const { orgId: otherId } = await createTenant(database);
  await database.transaction(otherId, (tx) => insertMember(tx, otherId, person.userId, 'viewer'));
  return { ...person, otherId };
}

const isValid = async ({ token }: Person) => (await findTokenBearer(database, hashToken(token)))?.revoked_at === null;

test('an event of an account is recorded in each organization of the person, and nowhere else', async () => {
  const person = await createPersonOfTwo();
  const foreign = await createTenant(database);
  await changeAccount({ database }, person.userId, rename);
  const counts = [];
  for (const orgId of [person.orgId, person.otherId, foreign.orgId]) counts.push((await eventsOf(orgId)).length);
  assert.deepEqual(counts, [1, 1, 0]);
  assert.deepEqual(await listFollowUps(), []);
});

test('an event of a change that is rolled back is not recorded', async () => {
  const person = await createTenant(database);
  const failing = changeAccount({ database }, person.userId, async (tx, account) => {
    await rename(tx, account);
    throw new Error('Something else fails.');
  });
  await assert.rejects(failing, /Something else/);
  assert.deepEqual(await listFollowUps(), []);
  assert.deepEqual(await eventsOf(person.orgId), []);
});

test('an event that a process leaves behind is recorded once, with the time at which it happened', async () => {
  const person = await createPersonOfTwo();
  await changeAccount({ database: withoutOrganizations }, person.userId, rename);
  await followUpChanges(database);
  assert.equal((await listFollowUps()).length, 2, 'The process of the change may still be at it.');
  await letTimePass();
  const [{ happened_at: happenedAt }] = await listFollowUps();
  await Promise.all([followUpChanges(database), followUpChanges(database)]);
  await followUpChanges(database);
  assert.deepEqual(await listFollowUps(), []);
  for (const orgId of [person.orgId, person.otherId]) {
    const events = await eventsOf(orgId);
    assert.equal(events.length, 1);
    assert.equal(Date.parse(events[0].details.happened_at), happenedAt.setMilliseconds(0));
  }
});

test('a follow-up that comes back after a crash of the database adds no second event', async () => {
  const person = await createTenant(database);
  await changeAccount({ database: withoutOrganizations }, person.userId, rename);
  const [row] = await listFollowUps();
  await letTimePass();
  await followUpChanges(database);
  const { organization_id: orgId, id, user_id: userId, work } = row;
  await admin.query(`INSERT INTO account_follow_ups VALUES ($1, $2, $3, clock_timestamp() - interval '1 minute', $4)`, [
    orgId,
    id,
    userId,
    work,
  ]);
  await followUpChanges(database);
  assert.deepEqual(await listFollowUps(), []);
  assert.equal((await eventsOf(person.orgId)).length, 1);
});

test('an organization that is away does not hold up the others', async () => {
  const person = await createPersonOfTwo();
  await changeAccount({ database: withoutOrganizations }, person.userId, rename);
  await letTimePass();
  const withoutOne: Database = {
    ...database,
    transaction: (orgId, run) =>
      orgId === person.orgId ? withoutOrganizations.transaction(orgId, run) : database.transaction(orgId, run),
  };
  await assert.rejects(followUpChanges(withoutOne), /This organization is away/);
  assert.equal((await eventsOf(person.otherId)).length, 1);
  assert.equal((await eventsOf(person.orgId)).length, 0);
  await followUpChanges(database);
  assert.equal((await eventsOf(person.orgId)).length, 1);
});

test('tokens are revoked before the change returns, and one that cannot be revoked is reported and revoked later', async () => {
  const end = (tx: Db, account: ChangedAccount) =>
    revokeTokens(tx, account, { actor: operator, because: 'password reset' });
  const one = await createTenant(database);
  const account = await changeAccount({ database }, one.userId, async (tx, changed) => {
    await end(tx, changed);
    return changed;
  });
  assert.equal(account.revokedTokens, 1);
  assert.equal(await isValid(one), false);

  const other = await createTenant(database);
  await assert.rejects(
    changeAccount({ database: withoutOrganizations }, other.userId, end),
    /This organization is away/,
  );
  assert.equal(await isValid(other), true);
  await letTimePass();
  await followUpChanges(database);
  assert.equal(await isValid(other), false);
  assert.deepEqual(await listFollowUps(), []);
});

test('a person with a new account becomes a member even if the process ends before that', async () => {
  const { orgId } = await createTenant(database);
  const { id: userId } = await createPerson(database);
  const event = { actor: operator, action: 'member.joined' as const, target: { id: userId, name: 'Grace' } };
  const join = (tx: Db, account: ChangedAccount) => joinOrganization(tx, account, orgId, 'viewer', event);
  await assert.rejects(
    changeAccount({ database: withoutOrganizations }, userId, join),
    /This organization is away/,
    'Without a membership, the sign-in must not succeed.',
  );
  await letTimePass();
  await followUpChanges(database);
  const { rows } = await admin.query('SELECT role FROM members WHERE org_id = $1 AND user_id = $2', [orgId, userId]);
  assert.deepEqual(rows, [{ role: 'viewer' }]);
  const events = await admin.query(`SELECT FROM audit_events WHERE org_id = $1 AND action = 'member.joined'`, [orgId]);
  assert.equal(events.rowCount, 1);
});
