import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { takeSnapshotJob } from '../server/reports/take-snapshot.ts';
import { type Application, startApplication } from './harness/application.ts';
import { asAdmin } from './harness/database.ts';
import { type ApiResponse, exchange, type Sent } from './harness/exchange.ts';
import { type Furnished, furnish, succeeded } from './harness/furnished.ts';
import { testPassword } from './harness/people.ts';
import { bodyOf, callerOf, callRoute, nameOf, pathOf, type Route, requiredQuery, routes } from './harness/requests.ts';

/** Makes writes to these tables, or to all, fail with a PostgreSQL error. */
const failWrites = (code: string, tables: string[] | null = null) => `
  CREATE OR REPLACE FUNCTION refuse_write() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '${code}'; END $$;
  DO $$
    DECLARE target regclass;
    BEGIN
      FOR target IN SELECT c.oid FROM pg_class c
        WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
          AND c.relnamespace IN ('public'::regnamespace, 'graphile_worker'::regnamespace)
          AND ${tables === null ? 'true' : `c.relname IN (${tables.map((name) => `'${name}'`).join(', ')})`}
      LOOP
        EXECUTE format('CREATE TRIGGER refuse_write BEFORE INSERT OR UPDATE OR DELETE ON %s EXECUTE FUNCTION refuse_write()', target);
      END LOOP;
    END $$`;

const makeRoom = 'DROP FUNCTION IF EXISTS refuse_write CASCADE';

let app: Application;
let ours: Furnished;
/** Creates a report without exports. */
let reportId: string;
before(async () => {
  app = await startApplication();
  ours = await furnish(app, 'ours');
  reportId = succeeded(await app.call(ours.people.owner.token, 'POST', '/reports', { json: { title: 'R' } })).id;
  await takeSnapshotJob.run({ org_id: ours.orgId, report_id: reportId }, app);
});
after(() => app.close());

const run = (sql: string) => asAdmin(app.adminUrl, (client) => client.query(sql));

function assertNoRoom(response: ApiResponse): void {
  assert.equal(`${response.status} ${response.body?.error?.code}`, '503 unavailable', response.text);
  assert.match(response.body.error.message, /no room left/);
  assert.equal(response.headers['retry-after'], '30');
  assert.equal(response.body.error.request_id, response.headers['x-request-id']);
}

const sarif = { version: '2.1.0', runs: [{ tool: { driver: { name: 'T' } }, results: [{ message: { text: 'm' } }] }] };

/** Request bodies that write, for routes whose example would not. */
const bodies: Record<string, () => unknown> = {
  'PATCH /findings': () => ({ filter: { status: ['new'] }, status: 'triaged' }),
  'POST /data-sources/{id}/imports': () => sarif,
  'POST /imports': () => sarif,
  'POST /reports': () => ({ title: 'Another' }),
  'PATCH /scan-schedules/{id}': () => ({ enabled: false }),
  'PATCH /profile': () => ({ organization_id: ours.orgId }),
  'POST /profile/tokens': () => ({ name: 'Dashboard' }),
};

function requestOf(route: Route): { path: string; sent: Sent } {
  const body = bodies[nameOf(route)];
  const sent = body ? { json: body() } : bodyOf(route);
  if (nameOf(route) === 'POST /detection-sources/{type}/scan') return { path: '/detection-sources/code/scan', sent };
  const query = requiredQuery(route);
  return { path: pathOf(route, ours) + (query && `?${query}`), sent };
}

describe('while the disk is full', () => {
  before(() => run(failWrites('53100')));
  after(() => run(makeRoom));

  // Without a browser's challenge, a passkey is refused before anything is written. So is a code of a second factor
  // that nobody has set up. A preview and a test write nothing, a decision that already holds is not approved, and no feed has a source here.
  const writesNothing = [
    'POST /profile/passkeys',
    'POST /profile/two-factor/confirm',
    'POST /scan-schedules/preview',
    'POST /organization/policy/preview',
    'POST /decisions/approvals',
    'POST /decisions/{id}/approve',
    'POST /decisions/{id}/reject',
    'POST /data-sources/test',
    'POST /feeds/load',
  ];
  const writing = routes.filter((route) => route.method !== 'GET' && !writesNothing.includes(nameOf(route)));
  for (const route of writing) {
    test(`${nameOf(route)} returns 503 with Retry-After`, async () => {
      const { path, sent } = requestOf(route);
      const response = await callRoute(app, route, callerOf(route, ours), path, sent);
      assertNoRoom(response);
      assert.deepEqual(response.wrong, []);
    });
  }

  test('the first export of a report returns 503 with Retry-After', async () => {
    assertNoRoom(await app.call(ours.people.owner.token, 'GET', `/reports/${reportId}/export?format=csv`));
  });

  test('reads still work', async () => {
    for (const path of ['/findings', `/findings/${ours.ids['/findings']}`, '/findings/summary', '/scans', '/reports']) {
      succeeded(await app.call(ours.people.viewer.token, 'GET', path));
    }
  });

  test('a request with an Idempotency-Key is not recorded as completed', async () => {
    const { token } = ours.people.owner;
    const sent = { json: { title: 'Once' }, headers: { 'idempotency-key': 'while-full' } };
    assertNoRoom(await app.call(token, 'POST', '/reports', sent));
    await run(makeRoom);
    const response = await app.call(token, 'POST', '/reports', sent);
    await run(failWrites('53100'));
    succeeded(response);
    assert.equal(response.headers['idempotency-replayed'], undefined);
  });
});

for (const [what, code] of [
  ['memory', '53200'],
  ['a limit of the configuration', '53400'],
  ['resources', '53000'],
]) {
  test(`a database without ${what} is 503 with Retry-After, too`, async (context) => {
    await run(failWrites(code!, ['finding_comments', 'finding_changes', 'findings', 'reports']));
    context.after(() => run(makeRoom));
    assertNoRoom(await app.call(ours.people.owner.token, 'POST', '/reports', { json: { title: 'R' } }));
  });
}

test('a request that refers to something deleted at the same time is 409', async (context) => {
  await run(failWrites('23503', ['reports']));
  context.after(() => run(makeRoom));
  const { status, body } = await app.call(ours.people.owner.token, 'POST', '/reports', { json: { title: 'R' } });
  assert.deepEqual([status, body.error.code], [409, 'conflict']);
  assert.match(body.error.message, /deleted meanwhile/);
});

describe('the sign-in', () => {
  let session: Record<string, string>;
  beforeEach(() => {
    session = ours.session;
  });

  const call = (path: string, json: object, headers: Record<string, string> = session, method = 'POST') =>
    exchange(app.origin, undefined as never, method, path, { json, headers });

  const requests: Array<[path: string, body: () => object, isSignedIn?: boolean, method?: string]> = [
    ['/auth/sign-in/email', () => ({ email: ours.people.viewer.email, password: testPassword }), false],
    [
      '/api/v1/profile/password',
      () => ({ current_password: testPassword, new_password: 'another long password' }),
      true,
      'PUT',
    ],
    ['/api/v1/profile/two-factor', () => ({ password: testPassword })],
    ['/auth/sign-out', () => ({})],
  ];

  /** Guesses are counted before the sign-in's own tables are written. */
  for (const [where, tables] of [
    ['any table', null],
    [
      'the tables of the sign-in',
      ['users', 'accounts', 'sessions', 'verifications', 'two_factors', 'pending_two_factors'],
    ],
  ] as const) {
    describe(`with no room in ${where}`, () => {
      before(() => run(failWrites('53100', tables && [...tables])));
      after(() => run(makeRoom));
      for (const [path, body, isSignedIn = true, method = 'POST'] of requests) {
        test(`${path} returns 503 with Retry-After`, async () => {
          assertNoRoom(await call(path, body(), isSignedIn ? session : {}, method));
        });
      }
    });
  }
});
