import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { createTestDatabase, type TestDatabase } from '../../tests/harness/database.ts';
import { call, createTestNode, type Node } from '../../tests/harness/identity.ts';
import { createTenant, createTestMember, createTokenFor } from '../../tests/harness/people.ts';
import { dataSourceRoutes } from '../data-sources/routes.ts';
import { oneFindingRoutes } from '../decisions/finding-routes.ts';
import { findingRoutes } from '../findings/routes.ts';
import { identityRoutes } from '../identity/profile/routes.ts';
import { auditRoutes } from '../organization/audit/routes.ts';
import { newId } from './id.ts';
import { createMetrics } from './metrics.ts';

const written: string[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => void written.push(line) });
const metrics = createMetrics();
let db: TestDatabase;
let node: Node;
before(async () => {
  db = await createTestDatabase();
  const routes = [...findingRoutes, ...oneFindingRoutes, ...identityRoutes, ...auditRoutes, ...dataSourceRoutes];
  node = await createTestNode(db.database, routes, undefined, {}, undefined, {}, {}, null, { log, metrics });
});
after(async () => {
  await node.close();
  await db.drop();
});

/** Returns the log lines of refusals that a call causes. */
async function refusals(run: () => Promise<unknown>) {
  const from = written.length;
  await run();
  return written
    .slice(from)
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => /^refused/.test(msg));
}

test('a refused token is logged with address, reason and path, a known one also with its owner, and none with its text', async () => {
  const { orgId, userId, token } = await createTenant(db.database);
  const unknown = `asy_${'0'.repeat(34)}${token.slice(-6)}`;
  const [line] = await refusals(() => call(node, unknown, 'GET', '/findings?q=private'));
  const { msg, address, path, code } = line;
  assert.deepEqual(
    [msg, address, path, code],
    ['refused credential', '127.0.0.1', '/api/v1/findings', 'unauthenticated'],
  );
  assert.ok(['malformed', 'unknown'].includes(line.reason));
  await db.database.transaction(orgId, (tx) =>
    tx.query({ text: 'UPDATE api_tokens SET revoked_at = now() WHERE org_id = $1', values: [orgId] }),
  );
  const [revoked] = await refusals(() => call(node, token, 'GET', '/findings'));
  assert.deepEqual([revoked.reason, revoked.orgId, revoked.userId], ['revoked', orgId, userId]);
  assert.ok(!written.join('').includes(token));
  assert.match(await metrics.registry.metrics(), /assay_refused_credentials_total\{reason="revoked"\} 1/);
});

test('a request without a credential is no refused credential', async () => {
  assert.deepEqual(await refusals(() => call(node, null, 'GET', '/findings')), []);
});

test('an action without its role, its scope or a session is logged with caller, target and what it needs', async () => {
  const owner = await createTenant(db.database);
  const viewer = await createTestMember(db.database, owner.orgId, 'viewer');
  const id = newId('ds');
  const [byRole] = await refusals(() => call(node, viewer.token, 'DELETE', `/data-sources/${id}`));
  assert.deepEqual(
    [byRole.msg, byRole.code, byRole.path, byRole.userId, byRole.role, byRole.needs.role, byRole.address],
    ['refused action', 'forbidden', `/api/v1/data-sources/${id}`, viewer.userId, 'viewer', 'admin', '127.0.0.1'],
  );
  const narrow = await createTokenFor(db.database, owner.orgId, owner.userId, { scopes: ['findings:read'] });
  const [byScope] = await refusals(() => call(node, narrow, 'DELETE', `/data-sources/${id}`));
  assert.deepEqual([byScope.code, byScope.needs.scope], ['insufficient_scope', 'sources:write']);
  const [bySession] = await refusals(() => call(node, owner.token, 'GET', '/profile/tokens'));
  assert.equal(bySession.code, 'session_required');
});

test('an id that the caller cannot see, of another organization for example, is logged as the target of its 404', async () => {
  const ours = await createTenant(db.database);
  const id = newId('fnd');
  const [line] = await refusals(() => call(node, ours.token, 'GET', `/findings/${id}`));
  assert.deepEqual([line.code, line.path, line.orgId], ['not_found', `/api/v1/findings/${id}`, ours.orgId]);
  assert.deepEqual(await refusals(() => call(node, ours.token, 'GET', '/nothing-here')), []);
});

test('a secret in a path reaches no log', async () => {
  const { token } = await createTenant(db.database);
  await call(node, token, 'GET', `/findings/${token}`);
  assert.ok(!written.join('').includes(token));
});
