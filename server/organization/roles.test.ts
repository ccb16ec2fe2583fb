import assert from 'node:assert/strict';
import test from 'node:test';
import { errorCode } from '../platform/errors.ts';
import { authorize, isAtLeast, mayGrant, type Role, roles, scopes } from './roles.ts';

const outcome = (actor: { role: string; scopes: string[] | null }, permission: { role: string; scope: string }) => {
  try {
    authorize(actor, permission);
    return 'allowed';
  } catch (error) {
    return errorCode(error);
  }
};

test('each role has the permissions of the lower ones and those that it adds, and no more', () => {
  for (const [height, role] of roles.entries()) {
    for (const [neededHeight, needed] of roles.entries()) {
      const expected = height >= neededHeight ? 'allowed' : 'forbidden';
      assert.equal(
        outcome({ role, scopes: null }, { role: needed, scope: 'scans:read' }),
        expected,
        `${role}/${needed}`,
      );
    }
  }
});

test('a scope narrows a role and never widens it', () => {
  for (const carried of scopes) {
    for (const scope of scopes) {
      const expected = carried === scope ? 'allowed' : 'insufficient_scope';
      assert.equal(outcome({ role: 'owner', scopes: [carried] }, { role: 'viewer', scope }), expected);
    }
  }
  assert.equal(
    outcome({ role: 'viewer', scopes: [...scopes] }, { role: 'admin', scope: 'sources:write' }),
    'forbidden',
  );
  assert.equal(
    outcome({ role: 'owner', scopes: [] }, { role: 'viewer', scope: 'findings:read' }),
    'insufficient_scope',
  );
});

test('an unknown role has no permissions and satisfies no check', () => {
  assert.ok(!isAtLeast('root' as Role, 'viewer'));
  assert.ok(!isAtLeast('owner', 'root' as Role));
});

test('only admins and owners can grant roles, and none above their own', () => {
  const granted = (granter: Role) => roles.filter((role) => mayGrant(granter, role));
  assert.deepEqual(roles.map(granted), [
    [],
    [],
    [],
    ['viewer', 'developer', 'analyst', 'admin'],
    ['viewer', 'developer', 'analyst', 'admin', 'owner'],
  ]);
});
