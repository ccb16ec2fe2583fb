import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { outsideRoutes } from '../server/api.ts';
import { defaultPolicy } from '../server/findings/policy.ts';
import { createBrowser } from '../server/identity/browser.fixture.ts';
import { totpOf } from '../server/identity/totp.fixture.ts';
import { defaultDocument } from '../server/reports/report-document.ts';
import { takeSnapshotJob } from '../server/reports/take-snapshot.ts';
import { type Application, startApplication } from './harness/application.ts';
import type { ApiResponse } from './harness/exchange.ts';
import { type Furnished, furnish, keepExport, signIn, succeeded } from './harness/furnished.ts';
import { createTenant, testPassword } from './harness/people.ts';
import { routes } from './harness/requests.ts';

/** Writing routes that record no audit event, each with the reason. */
const explained: Record<string, string> = {
  updateFinding: 'triage of one finding is in its history',
  updateFindings: 'triage is in the history of each finding',
  createFindingComment: 'comments are in the timeline of the finding, with author and time',
  startScan: 'the scan itself says who requested it, and when',
  importResults: 'the scan of the import says who sent it, and when',
  setUpTwoFactor: 'nothing changes until a code confirms it',
  readInvitation: 'it changes nothing',
  createJoinCode: 'it changes nothing; the joining is recorded',
  beginPasskey: 'it changes nothing',
  beginPasskeySignIn: 'it changes nothing',
  beginSingleSignOn: 'it changes nothing',
  replacePreferences: 'they concern nobody but the person',
  updateFindingComment: 'the comment says that it was edited',
  deleteFindingComment: 'the comment leaves a mark',
  previewScanSchedule: 'it changes nothing',
  previewPolicy: 'it changes nothing',
  testDataSource: 'it changes nothing',
};

type Call = (
  app: Application,
  of: Furnished,
) => Promise<{ answer: ApiResponse; actions: string[]; expect?: Record<string, unknown> }>;

const asOwner = (app: Application, { people }: Furnished, method: string, path: string, json?: object) =>
  app.call(people.owner.token, method, path, json && { json });
const inConsole = async (app: Application, of: Furnished, method: string, path: string, json?: object) =>
  app.call(null, method, path, { ...(json && { json }), headers: await signIn(app, of.people.owner.email) });

/** Calls a route. Returns the action that it must record, and fields that must be in `before` or `after`. */
const calls =
  (
    action: string,
    method: string,
    path: (of: Furnished) => string,
    json?: object,
    expect?: Record<string, unknown>,
  ): Call =>
  async (app, of) => ({ answer: await asOwner(app, of, method, path(of), json), actions: [action], expect });

const id = (collection: string) => (of: Furnished) => `${collection}/${of.ids[collection]}`;
const name = { name: 'Renamed' };
const renamed = { after: name };

/** A successful call of every other writing route. They run in this order. */
const recorded: Record<string, Call> = {
  createReport: calls(
    'report.created',
    'POST',
    () => '/reports',
    { title: 'Quarter' },
    { after: { title: 'Quarter', filters: {}, template: 'audit', document: defaultDocument, compare_to: null } },
  ),
  updateReport: calls(
    'report.state_changed',
    'PATCH',
    id('/reports'),
    { state: 'reviewed' },
    { before: { state: 'draft' }, after: { state: 'reviewed' } },
  ),
  deleteReport: calls('report.deleted', 'DELETE', id('/reports')),
  createScanSchedule: calls('scan_schedule.created', 'POST', () => '/scan-schedules', {
    source: 'secrets',
    cron: '@hourly',
  }),
  updateScanSchedule: calls('scan_schedule.updated', 'PATCH', id('/scan-schedules'), name, renamed),
  deleteScanSchedule: calls('scan_schedule.deleted', 'DELETE', id('/scan-schedules')),
  createScheduledReport: calls('scheduled_report.created', 'POST', () => '/scheduled-reports', {
    cron: '@weekly',
    recipients: ['a@example.com'],
  }),
  updateScheduledReport: calls(
    'scheduled_report.updated',
    'PATCH',
    id('/scheduled-reports'),
    { title: 'Renamed' },
    { after: { title: 'Renamed' } },
  ),
  deleteScheduledReport: calls('scheduled_report.deleted', 'DELETE', id('/scheduled-reports')),
  cancelScan: calls('scan.cancelled', 'POST', (of) => `/scans/${of.ids['/scans']}/cancel`),
  createDataSource: calls('data_source.created', 'POST', () => '/data-sources', {
    kind: 'git_repository',
    name: 'New',
    config: { url: 'https://git.example.com/new.git', credential: { token: 'hunter2hunter2' } },
  }),
  importResultsByName: calls('data_source.created', 'POST', () => '/imports?data_source_name=audited', {
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'T' } }, results: [] }],
  }),
  updateDataSource: calls('data_source.updated', 'PATCH', id('/data-sources'), name, renamed),
  deleteDataSource: calls('data_source.deleted', 'DELETE', id('/data-sources')),
  updateMember: calls(
    'member.role_changed',
    'PATCH',
    id('/organization/members'),
    { role: 'analyst' },
    {
      before: { role: 'viewer' },
      after: { role: 'analyst' },
    },
  ),
  endMemberSessions: async (app, of) => {
    await signIn(app, of.people.viewer.email);
    const path = `${id('/organization/members')(of)}/sessions`;
    return { answer: await asOwner(app, of, 'DELETE', path), actions: ['member.sessions_ended'] };
  },
  deleteMemberToken: calls(
    'token.revoked',
    'DELETE',
    (of) => `${id('/organization/members')(of)}/tokens/${of.ids['/organization/members/{id}/tokens']}`,
  ),
  deleteMember: async (app, of) => ({
    answer: await asOwner(app, of, 'DELETE', id('/organization/members')(of)),
    actions: ['token.revoked', 'member.removed'],
  }),
  updateOrganization: calls('organization.updated', 'PATCH', () => '/organization', name, renamed),
  replacePolicy: calls(
    'policy.updated',
    'PUT',
    () => '/organization/policy',
    { ...defaultPolicy, test_grace_days: 7 },
    { after: { test_grace_days: 7 } },
  ),
  resendInvitation: calls(
    'invitation.resent',
    'POST',
    (of) => `/organization/invitations/${of.ids['/organization/invitations']}/resend`,
  ),
  createInvitation: calls('invitation.created', 'POST', () => '/organization/invitations', {
    email: 'new@example.com',
  }),
  deleteInvitation: calls('invitation.revoked', 'DELETE', id('/organization/invitations')),
  updateProfile: async (app, of) => ({
    answer: await inConsole(app, of, 'PATCH', '/profile', name),
    actions: ['account.renamed'],
    expect: renamed,
  }),
  createToken: async (app, of) => ({
    answer: await inConsole(app, of, 'POST', '/profile/tokens', { name: 'New' }),
    actions: ['token.created'],
  }),
  deleteToken: async (app, of) => ({
    answer: await inConsole(app, of, 'DELETE', id('/profile/tokens')(of)),
    actions: ['token.revoked'],
  }),
};

/** People's actions on their own accounts, in the order of the test below. */
const accountActions: Record<string, string> = {
  acceptInvitation: 'invitation.accepted',
  signIn: 'account.signed_in',
  confirmTwoFactor: 'account.two_factor_enabled',
  signInWithCode: 'account.signed_in',
  renewRecoveryCodes: 'account.recovery_codes_renewed',
  signInWithRecoveryCode: 'account.signed_in',
  deleteSession: 'account.session_ended',
  deleteOtherSessions: 'account.session_ended',
  removeTwoFactor: 'account.two_factor_removed',
  changePassword: 'account.password_changed',
  signOut: 'account.signed_out',
};

/** Writing routes whose events are tested elsewhere, with the folder that records them. */
const testedBesides: Record<string, string> = {
  createDecision: 'decisions',
  approveDecision: 'decisions',
  approveDecisions: 'decisions',
  rejectDecision: 'decisions',
  updateDecision: 'decisions',
  withdrawDecision: 'decisions',
  createView: 'findings/views',
  updateView: 'findings/views',
  deleteView: 'findings/views',
  undoBulkOperation: 'decisions/bulk',
  loadFeeds: 'detection/advisories',
  uploadFeed: 'detection/advisories',
  createPasskey: 'identity',
  updatePasskey: 'identity',
  deletePasskey: 'identity',
  signInWithPasskey: 'identity',
  changeEmail: 'identity',
  confirmEmail: 'identity',
  joinAccounts: 'identity',
  requestPasswordReset: 'identity',
  resetPassword: 'identity',
};

const writing = [...routes, ...outsideRoutes]
  .filter(({ method }) => method !== 'GET')
  .map(({ operationId }) => operationId);

test('every route that writes is recorded in the audit log, or the list above says why not', () => {
  const called = [recorded, accountActions].flatMap((table) => Object.keys(table));
  const known = [...called, ...Object.keys(explained), ...Object.keys(testedBesides)];
  assert.deepEqual(
    writing.filter((operation) => !known.includes(operation)),
    [],
    'Call recordAudit, and the route here.',
  );
  assert.deepEqual(
    called.filter((operation) => !writing.includes(operation)),
    [],
  );
  assert.equal(new Set(known).size, known.length);
});

describe('a successful call is in the audit log, with who, from where, what, before and after:', () => {
  let app: Application;
  let ours: Furnished;
  before(async () => {
    app = await startApplication();
    ours = await furnish(app, 'ours0marker');
  });
  after(() => app.close());

  const events = async () =>
    succeeded(await app.call(ours.people.owner.token, 'GET', '/audit-events?limit=200')).data as Array<{
      id: string;
      action: string;
      actor: { type: string; user: { id: string }; address: string };
      target: { id: string; name: string | null };
      before: Record<string, unknown> | null;
      after: Record<string, unknown> | null;
    }>;

  for (const [operation, run] of Object.entries(recorded)) {
    test(operation, async () => {
      // Sign-ins may be events, too: they have ended before a console route is called.
      const { answer, actions, expect } = await run(app, ours);
      succeeded(answer);
      const newest = (await events()).slice(0, actions.length).reverse();
      assert.deepEqual(
        newest.map(({ action }) => action),
        actions,
      );
      for (const event of newest) {
        assert.equal(event.actor.user.id, ours.people.owner.userId);
        assert.equal(event.actor.address, '127.0.0.1');
        assert.ok(event.target.name, JSON.stringify(event));
        assert.doesNotMatch(JSON.stringify(event), /hunter2|asy_[0-9A-Za-z]{40}/);
      }
      const { before, after } = newest.at(-1)!;
      assert.ok(before !== null || after !== null || /report.deleted|invitation.revoked/.test(actions.at(-1)!));
      for (const [field, value] of Object.entries(expect ?? {})) assert.deepEqual({ before, after }[field], value);
    });
  }

  test("people's actions on their own accounts", async () => {
    const person = await createTenant(app.database);
    const browser = createBrowser(app.node.app);
    const other = createBrowser(app.node.app);
    const third = createBrowser(app.node.app);
    const done = async (answer: Promise<{ status: number; text: string; body?: unknown }>) => {
      const { status, text } = await answer;
      assert.ok(status < 300, `${status} ${text}`);
      return (await answer) as {
        body: { secret: string; recovery_codes: string[]; data: Array<{ id: string; current: boolean }> };
      };
    };
    const password = { password: testPassword };
    await browser.signIn(person.email);
    const { secret, recovery_codes: first } = (await done(browser.api('POST', '/profile/two-factor', password))).body;
    await done(browser.api('POST', '/profile/two-factor/confirm', { code: totpOf(secret) }));
    await other.signIn(person.email);
    await done(other.send('POST', '/auth/sign-in/code', { code: totpOf(secret, 1) }));
    const renewal = browser.api('POST', '/profile/two-factor/recovery-codes', { ...password, code: first[0]! });
    const { recovery_codes: codes } = (await done(renewal)).body;
    await third.signIn(person.email);
    await done(third.send('POST', '/auth/sign-in/recovery-code', { code: codes[0]! }));
    const sessions = (await done(browser.api('GET', '/profile/sessions'))).body.data;
    await done(browser.api('DELETE', `/profile/sessions/${sessions.find(({ current }) => !current)!.id}`));
    await done(browser.api('DELETE', '/profile/sessions'));
    await done(browser.api('POST', '/profile/two-factor/remove', { ...password, code: codes[1]! }));
    const changed = { current_password: testPassword, new_password: 'another horse battery' };
    await done(browser.api('PUT', '/profile/password', changed));
    await done(browser.send('POST', '/auth/sign-out', {}));
    const log = succeeded(await app.call(person.token, 'GET', `/audit-events?target=${person.userId}`)).data;
    const actions: string[] = log.map(({ action }: { action: string }) => action).reverse();
    const recovery = 'account.recovery_code_used';
    assert.equal(actions.filter((action) => action === recovery).length, 3);
    assert.deepEqual(
      actions.filter((action) => action !== recovery),
      Object.values(accountActions).filter((action) => action.startsWith('account.')),
    );
    for (const { actor } of log) {
      assert.equal(actor.user.id, person.userId);
      assert.match(actor.address, /^10\.2\./);
    }
    assert.doesNotMatch(JSON.stringify(log), new RegExp([secret, testPassword, ...first, ...codes].join('|')));
  });

  test('an export is recorded with its format and filters before it is sent, and HEAD, which sends nothing, is not', async () => {
    const { token, userId } = ours.people.owner;
    const newest = async () =>
      (await events())[0]! as { action: string; details: Record<string, unknown> } & Awaited<
        ReturnType<typeof events>
      >[number];
    const findings = '/findings/export?format=csv&severity=high,critical&q=key';
    assert.equal((await app.call(token, 'GET', findings)).status, 200);
    const exported = await newest();
    assert.deepEqual([exported.action, exported.actor.user.id], ['findings.exported', userId]);
    assert.deepEqual(exported.details, {
      format: 'csv',
      filters: { severity: ['high', 'critical'], q: 'key' },
      sort: '-first_seen_at',
    });
    const before = (await events()).length;
    await app.call(token, 'HEAD', findings);
    assert.equal((await events()).length, before);
    const { id: report } = succeeded(await app.call(token, 'POST', '/reports', { json: { title: 'Exported' } }));
    await takeSnapshotJob.run({ org_id: ours.orgId, report_id: report }, app);
    await keepExport(app.database, ours.orgId, { reportId: report, format: 'csv' }, 'id\n');
    assert.equal((await app.call(token, 'GET', `/reports/${report}/export?format=csv`)).status, 200);
    const exportedReport = await newest();
    assert.deepEqual([exportedReport.action, exportedReport.target?.id], ['report.exported', report]);
    assert.equal(exportedReport.details.format, 'csv');
    const csv = '/audit-events?format=csv&action=token.created';
    assert.equal((await app.call(token, 'GET', csv)).status, 200);
    const log = await newest();
    assert.equal(log.action, 'audit_log.exported');
    assert.deepEqual((log.details.filters as { action: string[] }).action, ['token.created']);
  });

  test('a refused call records nothing', async () => {
    const count = (await events()).length;
    for (const [method, path] of [
      ['POST', '/reports'],
      ['DELETE', `/scan-schedules/${ours.ids['/scan-schedules']}`],
      ['PATCH', '/organization/members/usr_01jd3q5r8wf0ht6vsx2p9k4m7n'],
    ] as const) {
      const { status } = await app.call(ours.people.owner.token, method, path, { json: { wrong: true } });
      assert.ok(status >= 400);
    }
    assert.equal((await events()).length, count);
  });
});
