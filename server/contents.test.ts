import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { routes } from './api.ts';
import { signInRoutes } from './identity/sign-in/routes.ts';
import { allPermissions, permissionsOf, type Role, roles, scopes } from './organization/roles.ts';
import { cellTicks, jobs, promptJobs, ticks } from './worker.ts';

const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?<!\.test|\.fixture)\.ts$/.test(file) && !file.includes('node_modules'))
  .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'));
const namesOf = (pattern: RegExp) => sources.flatMap((text) => [...text.matchAll(pattern)].map((match) => match[1]!));

test('the worker runs every job that a slice defines, each once', () => {
  const defined = namesOf(/(?:: JobDefinition<[^=]*>|\w+JobType) = \{\s+name: '([^']+)'/g);
  const run = [...jobs, ...promptJobs].map(({ name }) => name);
  assert.ok(defined.length >= 7, 'The pattern of this test finds the definitions.');
  assert.deepEqual(run.toSorted(), defined.toSorted(), 'Add the job to its slice’s list, and the list to worker.ts.');
});

test('the worker runs every tick that a slice defines, each once', () => {
  const defined = namesOf(/\bname: '([^']+)',\s+everyMs:/g);
  const run = [...cellTicks, ...ticks].map(({ name }) => name);
  assert.ok(defined.length >= 7, 'The pattern of this test finds the definitions.');
  assert.deepEqual(run.toSorted(), defined.toSorted(), 'Add the tick to its slice’s list, and the list to worker.ts.');
});

test('the API serves every route that a slice defines, each once', () => {
  const defined = namesOf(/^ {2}operationId: '(\w+)'/gm);
  const served = [...routes, ...signInRoutes].map(({ operationId }) => operationId);
  assert.ok(defined.length >= 30, 'The pattern of this test finds the definitions.');
  assert.deepEqual(served.toSorted(), defined.toSorted(), 'Add the route to its slice’s list, and the list to api.ts.');
});

test('every route that needs a role and a scope is allowed by a permission code with exactly these', () => {
  const codesOf = (role: string, scope: string) => permissionsOf({ role, scopes: [scope] });
  const pairs = new Map<string, { role: string; scope: string }>();
  for (const { permission } of routes)
    if (typeof permission === 'object') pairs.set(Object.values(permission).join(), permission);
  const without = [...pairs.values()].filter(({ role, scope }) => {
    const lower = roles[roles.indexOf(role as Role) - 1];
    const below = lower === undefined ? [] : codesOf(lower, scope);
    return !codesOf(role, scope).some((code) => !below.includes(code));
  });
  assert.deepEqual(without, [], 'Add a code to permissionCodes (organization/roles.ts).');
  assert.deepEqual(permissionsOf({ role: 'owner', scopes: null }), allPermissions);
  assert.deepEqual(permissionsOf({ role: 'owner', scopes: [...scopes] }), allPermissions);
});
