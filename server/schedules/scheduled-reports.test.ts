import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../tests/harness/database.ts';
import { call, createTestNode, type Node } from '../../tests/harness/identity.ts';
import { eventually } from '../../tests/harness/installation.ts';
import { createTenant, createTestMember, type Person } from '../../tests/harness/people.ts';
import { startMailReceiver } from '../../tests/harness/smtp.ts';
import { startJobRunner } from '../platform/jobs/job-runner.ts';
import { silentLog } from '../platform/log.ts';
import { createMailer } from '../platform/mail/mail.ts';
import { type DeliveryServices, reportDeliveryJobs } from '../reports/deliveries/deliver-report.ts';
import { type RenderServices, renderExportJob } from '../reports/exports/render-export.ts';
import { reportRoutes } from '../reports/routes.ts';
import { takeSnapshotJob } from '../reports/take-snapshot.ts';
import { fireDueSchedules } from './fire-due.ts';
import { scheduleTicks } from './jobs.ts';
import { scheduledReportRoutes } from './scheduled-report-routes.ts';

let testDatabase: TestDatabase;
let node: Node;
before(async () => {
  testDatabase = await createTestDatabase();
  node = await createTestNode(testDatabase.database, [...scheduledReportRoutes, ...reportRoutes]);
});
after(async () => {
  await node.close();
  await testDatabase.drop();
});

const weekly = { cron: '0 7 * * MON', timezone: 'Europe/Berlin', recipients: ['ops@example.com'] };
const create = (tenant: Person, body: object = {}) =>
  call(node, tenant.token, 'POST', '/scheduled-reports', { ...weekly, ...body });
const read = async (tenant: Person, id: string) =>
  (await call(node, tenant.token, 'GET', `/scheduled-reports/${id}`)).body;
const reportsOf = async (tenant: Person) => (await call(node, tenant.token, 'GET', '/reports')).body.data;
const fire = () => fireDueSchedules(testDatabase.database);

const run = <Row extends object>({ orgId }: Person, text: string, ...values: unknown[]) =>
  testDatabase.database.single<Row>(orgId, { text, values: [orgId, ...values] });

/** Moves a due time into the past, as if time had passed. */
const makeDue = (tenant: Person, id: string, ago = '1 minute') =>
  run(
    tenant,
    'UPDATE scheduled_reports SET next_run_at = clock_timestamp() - $3::interval WHERE org_id = $1 AND id = $2',
    ...[id, ago],
  );

test('a scheduled report is created with its next time, read, changed, listed and deleted', async () => {
  const tenant = await createTenant(testDatabase.database);
  const { status, body, headers } = await create(tenant, { filters: { severity: 'critical,high' } });
  assert.equal(status, 201);
  assert.equal(headers.location, `/api/v1/scheduled-reports/${body.id}`);
  assert.deepEqual(
    [body.title, body.format, body.enabled, body.last_report_id, body.last_error, body.created_by.id],
    ['Scheduled findings report', 'pdf', true, null, null, tenant.userId],
  );
  assert.deepEqual(body.filters, { severity: 'critical,high' });
  assert.equal(new Date(body.next_run_at).getUTCDay(), 1);
  const path = `/scheduled-reports/${body.id}`;
  const off = await call(node, tenant.token, 'PATCH', path, { enabled: false, format: 'csv', title: ' Audit ' });
  assert.deepEqual([off.body.next_run_at, off.body.format, off.body.title], [null, 'csv', 'Audit']);
  const stale = { authorization: `Bearer ${tenant.token}`, 'if-match': String(headers.etag) };
  assert.equal((await call(node, stale, 'PATCH', path, { enabled: true })).status, 412);
  assert.equal((await call(node, stale, 'DELETE', path)).status, 412);
  assert.deepEqual((await call(node, tenant.token, 'GET', '/scheduled-reports')).body.data, [off.body]);
  assert.equal((await call(node, tenant.token, 'DELETE', path)).status, 204);
  assert.equal((await call(node, tenant.token, 'GET', path)).status, 404);
  const trail = await run<{ action: string }>(
    tenant,
    `SELECT action FROM audit_events WHERE org_id = $1 AND subject_id = $2 ORDER BY id`,
    body.id,
  );
  const verbs = ['created', 'updated', 'deleted'];
  assert.deepEqual(
    trail.map((event) => event.action),
    verbs.map((verb) => `scheduled_report.${verb}`),
  );
});

test('addresses are normalized and deduplicated', async () => {
  const recipients = [' Ops@Example.com', 'ops@example.com', 'jürgen@exämple.de'];
  const { body } = await create(await createTenant(testDatabase.database), { recipients });
  assert.deepEqual(body.recipients, ['ops@example.com', 'jürgen@exämple.de']);
});

test('an invalid field is rejected by name', async () => {
  const tenant = await createTenant(testDatabase.database);
  for (const [body, field] of [
    [{ cron: '* * * * *' }, 'cron'],
    [{ cron: undefined }, 'cron'],
    [{ timezone: 'Mars/Base' }, 'timezone'],
    [{ recipients: [] }, 'recipients'],
    [{ recipients: Array.from({ length: 51 }, (_, one) => `a${one}@example.com`) }, 'recipients'],
    [{ recipients: ['ops@example.com', 'Ops <ops@example.com>'] }, 'recipients[1]'],
    [{ recipients: ['a@example.com\r\nBcc: b@example.com'] }, 'recipients[0]'],
    [{ recipients: [`${'a'.repeat(64)}@${'b'.repeat(200)}.com`] }, 'recipients[0]'],
    [{ format: 'odt' }, 'format'],
    [{ filters: { severity: 'grave' } }, 'filters.severity'],
    [{ filters: { from: '2026-02-30T00:00:00Z' } }, 'filters.from'],
    [{ filters: { colour: 'red' } }, 'filters.colour'],
    [{ title: '   ' }, 'title'],
    [{ next_run_at: '2026-01-01T00:00:00Z' }, 'next_run_at'],
  ] as const) {
    const { status, body: response } = await create(tenant, body);
    assert.equal(status, 400, JSON.stringify(body));
    assert.equal(response.error.details[0].field, field, JSON.stringify(response));
  }
});

test('a due time creates one report, however many nodes check at once', async () => {
  const tenant = await createTenant(testDatabase.database);
  const { body } = await create(tenant, { title: 'Audit', filters: { severity: ['high'] } });
  await makeDue(tenant, body.id);
  await Promise.all(Array.from({ length: 5 }, fire));
  await fire();
  const [report, ...others] = await reportsOf(tenant);
  assert.equal(others.length, 0);
  assert.deepEqual(
    [report.title, report.filters, report.scheduled_report_id, report.created_by.id],
    ['Audit', { severity: ['high'] }, body.id, tenant.userId],
  );
  const after = await read(tenant, body.id);
  assert.deepEqual([after.last_report_id, after.last_error], [report.id, null]);
  assert.ok(new Date(after.next_run_at) > new Date() && after.last_run_at !== null);
});

test('times missed while nothing ran are made up for once', async () => {
  const tenant = await createTenant(testDatabase.database);
  const { body } = await create(tenant, { cron: '@hourly' });
  await makeDue(tenant, body.id, '3 days');
  for (let round = 0; round < 3; round++) await fire();
  assert.equal((await reportsOf(tenant)).length, 1);
});

test('a disabled scheduled report is never due', async () => {
  const tenant = await createTenant(testDatabase.database);
  await create(tenant, { enabled: false });
  await fire();
  assert.deepEqual(await reportsOf(tenant), []);
});

test('a report needs its creator as a member; otherwise the error says what to do, and the next due time is kept', async () => {
  const tenant = await createTenant(testDatabase.database);
  const admin = await createTestMember(testDatabase.database, tenant.orgId, 'admin');
  const { body } = await create(admin);
  await run(tenant, 'DELETE FROM members WHERE org_id = $1 AND user_id = $2', admin.userId);
  await makeDue(tenant, body.id);
  await fire();
  const after = await read(tenant, body.id);
  assert.match(after.last_error, /has left the organization\. Create it again/);
  assert.ok(new Date(after.next_run_at) > new Date());
  assert.deepEqual(await reportsOf(tenant), []);
});

test('a faulty scheduled report does not delay others, and is retried', async () => {
  const tenant = await createTenant(testDatabase.database);
  const [broken, whole] = [(await create(tenant)).body, (await create(tenant)).body];
  await run(tenant, `UPDATE scheduled_reports SET cron = 'nonsense' WHERE org_id = $1 AND id = $2`, broken.id);
  await makeDue(tenant, broken.id, '1 hour');
  await makeDue(tenant, whole.id);
  await assert.rejects(fire(), AggregateError);
  assert.deepEqual(
    (await reportsOf(tenant)).map((one: { scheduled_report_id: string }) => one.scheduled_report_id),
    [whole.id],
  );
  await run(tenant, `UPDATE scheduled_reports SET cron = '@daily' WHERE org_id = $1 AND id = $2`, broken.id);
  await fire();
  assert.equal((await reportsOf(tenant)).length, 2);
});

test('the outcome of the last report and its mails is shown, and changes the ETag', async () => {
  const tenant = await createTenant(testDatabase.database);
  const { body } = await create(tenant, { recipients: ['a@x.org', 'b@x.org', 'c@x.org', 'd@x.org', 'e@x.org'] });
  await makeDue(tenant, body.id);
  await fire();
  const errorOf = async () => (await read(tenant, body.id)).last_error;
  const path = `/scheduled-reports/${body.id}`;
  const { headers } = await call(node, tenant.token, 'GET', path);
  const since = { authorization: `Bearer ${tenant.token}`, 'if-none-match': String(headers.etag) };
  assert.equal((await call(node, since, 'GET', path)).status, 304);
  const fail = (change: string, ...recipients: string[]) =>
    run(tenant, `UPDATE report_deliveries SET ${change} WHERE org_id = $1 AND recipient = ANY($2)`, recipients);
  await fail(`error = '550 no such user', attempts = 2`, 'b@x.org');
  assert.equal(await errorOf(), 'mail to b@x.org: 550 no such user (tried 2 times, will be retried)');
  assert.equal((await call(node, since, 'GET', path)).status, 200);
  const current = { authorization: `Bearer ${tenant.token}`, 'if-match': String(headers.etag) };
  assert.equal((await call(node, current, 'PATCH', path, { title: 'Still the same version' })).status, 200);
  await fail(`error = 'it bounced', attempts = 1, status = 'failed'`, 'a@x.org', 'c@x.org', 'd@x.org');
  assert.equal(
    await errorOf(),
    'mail to a@x.org: it bounced (tried once, no attempts left); mail to b@x.org: 550 no such user (tried 2 times, will be retried); mail to c@x.org: it bounced (tried once, no attempts left); and 1 other',
  );
  await fail(`error = NULL, status = 'sent'`, 'a@x.org', 'b@x.org', 'c@x.org', 'd@x.org', 'e@x.org');
  assert.equal(await errorOf(), null);
  await run(tenant, `UPDATE reports SET status = 'failed', error = 'It was too much.' WHERE org_id = $1`);
  assert.equal(await errorOf(), 'The report failed and was not mailed: It was too much.');
  await run(tenant, 'DELETE FROM reports WHERE org_id = $1');
  const after = await read(tenant, body.id);
  assert.deepEqual([after.last_report_id, after.last_error], [null, null]);
});

test('the mails of a scheduled report are listed page by page, those of the newest report first', async () => {
  const tenant = await createTenant(testDatabase.database);
  const stranger = await createTenant(testDatabase.database);
  const { body } = await create(tenant, { recipients: ['a@x.org', 'b@x.org', 'c@x.org'] });
  const other = await create(tenant, { recipients: ['elsewhere@x.org'] });
  const reports: string[] = [];
  for (const id of [body.id, body.id, other.body.id]) {
    await makeDue(tenant, id);
    await fire();
    if (id === body.id) reports.unshift((await read(tenant, id)).last_report_id);
  }
  await run(
    tenant,
    `UPDATE report_deliveries SET error = '550 no such user', attempts = 12, status = 'failed' WHERE org_id = $1 AND recipient = ANY($2)`,
    ['b@x.org'],
  );
  const path = `/scheduled-reports/${body.id}/deliveries`;
  const mails = [];
  for (let cursor = ''; ; ) {
    const page = (await call(node, tenant.token, 'GET', `${path}?limit=2${cursor}`)).body;
    mails.push(...page.data);
    if (page.next_cursor === null) break;
    cursor = `&next_cursor=${encodeURIComponent(page.next_cursor)}`;
  }
  assert.deepEqual(
    mails.map(({ report_id, recipient, status, attempts, error }) => [report_id, recipient, status, attempts, error]),
    reports.flatMap((report) => [
      [report, 'a@x.org', 'pending', 0, null],
      [report, 'b@x.org', 'failed', 12, '550 no such user'],
      [report, 'c@x.org', 'pending', 0, null],
    ]),
  );
  assert.equal((await call(node, stranger.token, 'GET', path)).status, 404);
});

test('another organization can neither see nor change a scheduled report', async () => {
  const tenant = await createTenant(testDatabase.database);
  const stranger = await createTenant(testDatabase.database);
  const { body } = await create(tenant);
  const path = `/scheduled-reports/${body.id}`;
  assert.equal((await call(node, stranger.token, 'GET', path)).status, 404);
  assert.equal((await call(node, stranger.token, 'PATCH', path, { enabled: false })).status, 404);
  assert.equal((await call(node, stranger.token, 'DELETE', path)).status, 404);
  assert.deepEqual((await call(node, stranger.token, 'GET', '/scheduled-reports')).body.data, []);
});

test('from the due time to the mailbox: each recipient gets the report once, and failures are reported', async (context) => {
  // A separate database, whose queue has no jobs of other tests.
  const alone = await createTestDatabase();
  const { database } = alone;
  const api = await createTestNode(database, [...scheduledReportRoutes, ...reportRoutes]);
  const receiver = await startMailReceiver();
  receiver.policy.recipient = (address) => (address.startsWith('gone') ? '550 mailbox unavailable' : null);
  const from = 'Assay <assay@example.com>';
  const mailer = createMailer({ smtpUrl: receiver.url, directory: '/nonexistent', from, log: silentLog });
  const stopping = new AbortController().signal;
  const start = () =>
    startJobRunner<DeliveryServices & RenderServices>({
      connectionString: alone.appUrl,
      jobs: [takeSnapshotJob, renderExportJob, ...reportDeliveryJobs],
      services: { database, mailer, log: silentLog, baseUrl: 'https://assay.example.org', stopping },
      concurrency: 2,
      log: silentLog,
      ticks: scheduleTicks.map((tick) => ({ ...tick, everyMs: 100 })),
    });
  const runners = [await start(), await start()];
  context.after(async () => {
    await Promise.all(runners.map((runner) => runner.stop()));
    mailer.close();
    await receiver.close();
    await api.close();
    await alone.drop();
  });
  const { orgId, token } = await createTenant(database);
  const recipients = ['ada@example.org', 'gone@example.org', 'grace@example.org'];
  const { body } = await call(api, token, 'POST', '/scheduled-reports', { ...weekly, format: 'csv', recipients });
  const path = `/scheduled-reports/${body.id}`;
  await database.single(orgId, {
    text: 'UPDATE scheduled_reports SET next_run_at = clock_timestamp() WHERE org_id = $1',
    values: [orgId],
  });
  const { last_error, last_report_id } = await eventually(async () => {
    const shown = (await call(api, token, 'GET', path)).body;
    return receiver.received.length >= 2 && shown.last_error !== null && shown;
  });
  assert.match(last_error, /^mail to gone@example\.org: 550 mailbox unavailable \(tried .*, will be retried\)$/);
  assert.deepEqual(receiver.received.flatMap((mail) => mail.to).sort(), ['ada@example.org', 'grace@example.org']);
  assert.deepEqual(
    (await call(api, token, 'GET', '/reports')).body.data.map((one: { id: string }) => one.id),
    [last_report_id],
  );
  receiver.policy.recipient = () => null;
  await eventually(async () => receiver.received.length === 3);
  await eventually(async () => (await call(api, token, 'GET', path)).body.last_error === null);
});
