import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { call, createTestNode } from '../../../tests/harness/identity.ts';
import { createTenant, createTestMember, createTokenFor } from '../../../tests/harness/people.ts';
import { identityRoutes } from './routes.ts';

const db = await createTestDatabase();
const { database } = db;
const node = await createTestNode(database, identityRoutes);
after(async () => {
  await node.close();
  await db.drop();
});

const path = '/profile/preferences';
const defaults = { theme: 'system', density: 'comfortable', columns: null, single_keys: true, custom: {} };

test('preferences start with defaults, and are replaced as a whole', async () => {
  const { token } = await createTenant(database);
  assert.deepEqual((await call(node, token, 'GET', path)).body, defaults);
  const custom = { 'findings.sidebar': { open: true }, recent_reasons: ['Test fixture'] };
  await call(node, token, 'PUT', path, { theme: 'dark', single_keys: false, custom });
  assert.deepEqual((await call(node, token, 'GET', path)).body, {
    ...defaults,
    theme: 'dark',
    single_keys: false,
    custom,
  });
  assert.deepEqual((await call(node, token, 'PUT', path, { density: 'compact' })).body, {
    ...defaults,
    density: 'compact',
  });
  assert.deepEqual((await call(node, token, 'GET', path)).body, { ...defaults, density: 'compact' });
});

test('preferences belong to a person, in all of their organizations', async () => {
  const person = await createTenant(database);
  const elsewhere = await createTenant(database);
  await call(node, person.token, 'PUT', path, { theme: 'dark' });
  assert.equal((await call(node, elsewhere.token, 'GET', path)).body.theme, 'system');
  const { insertMember } = await import('../../organization/queries.ts');
  await database.transaction(elsewhere.orgId, (tx) => insertMember(tx, elsewhere.orgId, person.userId, 'viewer'));
  const there = await createTokenFor(database, elsewhere.orgId, person.userId);
  assert.equal((await call(node, there, 'GET', path)).body.theme, 'dark');
});

test('unknown members, values and more than 16 kB are refused', async () => {
  const { token } = await createTenant(database);
  for (const wrong of [
    { thema: 'dark' },
    { theme: 'pink' },
    { custom: { 'No Key': 1 } },
    { custom: { big: 'x'.repeat(17_000) } },
    { custom: Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`key${index}`, 1])) },
  ]) {
    assert.equal((await call(node, token, 'PUT', path, wrong)).status, 400, JSON.stringify(wrong).slice(0, 80));
  }
  assert.equal((await call(node, token, 'PUT', path, { custom: { big: 'x'.repeat(16_000) } })).status, 200);
});

test('the profile says what a role and scopes allow, to tokens too', async () => {
  const owner = await createTenant(database);
  const viewer = await createTestMember(database, owner.orgId, 'viewer');
  const permissionsOf = async (token: string) => (await call(node, token, 'GET', '/profile')).body.permissions;
  assert.deepEqual(await permissionsOf(viewer.token), [
    'findings:read',
    'views:write',
    'scans:read',
    'reports:read',
    'sources:read',
    'organization:read',
    'preferences:write',
  ]);
  const narrow = await createTokenFor(database, owner.orgId, owner.userId, {
    scopes: ['findings:read', 'scans:write'],
  });
  assert.deepEqual(await permissionsOf(narrow), ['findings:read', 'scans:write', 'schedules:write', 'imports:write']);
  assert.ok((await permissionsOf(owner.token)).includes('owners:write'));
});
