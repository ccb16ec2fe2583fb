import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database.ts';
import { recordScan } from '../../../tests/harness/furnished.ts';
import { createTenant, type Person } from '../../../tests/harness/people.ts';
import { type MailReceiver, type Part, type ReceivedMail, startMailReceiver } from '../../../tests/harness/smtp.ts';
import { detectionOf } from '../../findings/findings.fixture.ts';
import { newId } from '../../platform/id.ts';
import { silentLog } from '../../platform/log.ts';
import { createMailer, type Mailer } from '../../platform/mail/mail.ts';
import { createReport } from '../create-report.ts';
import { actionDetail, actionTitle } from '../document/actions.ts';
import { changeSentence } from '../document/changes.ts';
import { sixFigures, verdict } from '../document/verdict.ts';
import { openExport } from '../exports/exports.ts';
import { renderExportJob } from '../exports/render-export.ts';
import { renderHere } from '../exports/render-here.fixture.ts';
import { findHead } from '../queries.ts';
import { bytesOf } from '../report.fixture.ts';
import { hostileTitles } from '../report-finding.fixture.ts';
import { wordingOf } from '../sentences/wording.ts';
import { takeSnapshotJob } from '../take-snapshot.ts';
import type { ReportFormatName } from '../writers/index.ts';
import { deliverReportJob, maxAttachmentBytes } from './deliver-report.ts';

let testDatabase: TestDatabase;
let receiver: MailReceiver;
let mailer: Mailer;
let tenant: Person;
const mailerTo = (smtpUrl: string) =>
  createMailer({ smtpUrl, directory: '/nonexistent', from: 'Assay <assay@example.com>', log: silentLog });

before(async () => {
  testDatabase = await createTestDatabase();
  receiver = await startMailReceiver();
  mailer = mailerTo(receiver.url);
  tenant = await createTenant(testDatabase.database, 'Example & Söhne');
  await addFindings(tenant, 3);
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.policy.recipient = () => null;
  receiver.policy.size = () => null;
});
after(async () => {
  mailer.close();
  await receiver.close();
  await testDatabase.drop();
});

async function addFindings({ orgId }: Person, count: number, description = 'About it.'): Promise<void> {
  const id = newId('ds');
  await testDatabase.database.single(orgId, {
    text: `INSERT INTO data_sources (org_id, id, kind, name, config) VALUES ($1, $2, 'upload', 'results', '{}')`,
    values: [orgId, id],
  });
  const detections = Array.from({ length: count }, (_, index) => detectionOf(`${id}-${index}`, { description }));
  await recordScan(testDatabase.database, orgId, id, detections);
}

const services = () => ({
  database: testDatabase.database,
  log: silentLog,
  stopping: new AbortController().signal,
  mailer,
  baseUrl: 'https://assay.example.org/',
});

type Wanted = { title?: string; recipients?: string[]; format?: ReportFormatName; scheduledReportId?: string };
const render = ({ orgId }: Person, id: string, format: string) =>
  renderExportJob.run({ org_id: orgId, report_id: id, format }, services());

/** Creates a report that is ready, rendered and due to be mailed. */
async function makeReport(owner: Person, wanted: Wanted = {}): Promise<string> {
  const { title = 'Weekly findings', recipients = ['ada@example.org'], format = 'csv' } = wanted;
  const { orgId, userId: createdBy } = owner;
  const id = await testDatabase.database.transaction(orgId, (tx) => {
    const scheduledReportId = wanted.scheduledReportId ?? null;
    return createReport(tx, orgId, { title, filters: {}, createdBy, scheduledReportId, mail: { format, recipients } });
  });
  await takeSnapshotJob.run({ org_id: orgId, report_id: id }, testDatabase);
  await renderHere(testDatabase.database, orgId, id, format);
  return id;
}

const deliver = ({ orgId }: Person, id: string, recipient = 'ada@example.org') =>
  deliverReportJob.run({ org_id: orgId, report_id: id, recipient }, services());

async function deliveryOf({ orgId }: Person, id: string, recipient = 'ada@example.org') {
  const rows = await testDatabase.database.single<{ status: string; attempts: number; error: string | null }>(orgId, {
    text: `SELECT status, attempts, error FROM report_deliveries WHERE org_id = $1 AND report_id = $2 AND recipient = $3`,
    values: [orgId, id, recipient],
  });
  return rows[0]!;
}

const only = (): ReceivedMail => {
  assert.equal(receiver.received.length, 1);
  return receiver.received[0]!;
};
const partOf = (mail: ReceivedMail, type: string): Part =>
  mail.parts.find((part) => part.filename === null && part.contentType.startsWith(type))!;
const textOf = (mail: ReceivedMail) => partOf(mail, 'text/plain').content.toString().replaceAll('\r\n', '\n');
const htmlOf = (mail: ReceivedMail) => partOf(mail, 'text/html').content.toString();
const attachmentsOf = (mail: ReceivedMail) => mail.parts.filter((part) => part.filename !== null);

async function bytesOfExport({ orgId }: Person, id: string, format: ReportFormatName): Promise<Buffer> {
  return bytesOf((await openExport(testDatabase.database, orgId, id, format, { waitMs: 600_000 }))!.content);
}

for (const format of ['csv', 'json', 'pdf', 'docx'] as const) {
  test(`a mail contains the exact bytes of the export (${format}) and its key figures`, async () => {
    const id = await makeReport(tenant, { format });
    await deliver(tenant, id);
    const mail = only();
    assert.deepEqual(mail.to, ['ada@example.org']);
    assert.match(
      mail.headers.get('subject')!,
      /^Weekly findings – (?:\d+|no) critical or high open – Example & Söhne$/,
    );
    const [attachment, ...others] = attachmentsOf(mail);
    assert.equal(others.length, 0);
    assert.ok(attachment!.content.equals(await bytesOfExport(tenant, id, format)));
    assert.match(attachment!.filename!, new RegExp(`^Weekly-findings(-audit-en)?-[0-9-]+\\.${format}$`));
    const report = await testDatabase.database.transaction(tenant.orgId, (tx) => findHead(tx, tenant.orgId, id));
    const { head } = report!;
    const figures = sixFigures(head);
    const actions = head.analysis!.actions.first.map((action) => ({
      title: actionTitle(action, wordingOf(head)),
      detail: actionDetail(action, wordingOf(head)),
      id: action.finding_id,
    }));
    assert.ok(figures.length > 0 && actions.length > 0);
    for (const text of [textOf(mail), htmlOf(mail)]) {
      const figureTexts = figures.flatMap((figure) => [figure.label, figure.value, figure.note]);
      const actionTexts = actions.slice(0, 3).flatMap(({ title, detail, id }) => [title, detail, id]);
      for (const said of [verdict(head), changeSentence(head), ...figureTexts, ...actionTexts])
        assert.ok(text.includes(said), said);
      const [verdictAt, actionAt, figureAt] = [verdict(head), actions[0]!.title, figures[0]!.label].map((said) =>
        text.indexOf(said),
      );
      assert.ok(verdictAt! < actionAt! && actionAt! < figureAt!);
      assert.ok(text.includes(`https://assay.example.org/reports/${id}`));
      assert.match(text, /The report is attached: Weekly-findings/);
      assert.match(
        text,
        new RegExp(`ask ${tenant.email.split('@')[0]} \\(${tenant.email}\\) or another administrator`),
      );
    }
    assert.deepEqual(await deliveryOf(tenant, id), { status: 'sent', attempts: 1, error: null });
  });
}

test('a report without findings is mailed too, and says so', async () => {
  const owner = await createTenant(testDatabase.database);
  const id = await makeReport(owner);
  await deliver(owner, id);
  assert.equal(attachmentsOf(only()).length, 1);
  assert.match(textOf(only()), /There are no findings.*\n\n.*not prove that there are no problems/s);
});

test('a mail is not sent twice', async () => {
  const id = await makeReport(tenant);
  await deliver(tenant, id);
  await deliver(tenant, id);
  assert.equal(receiver.received.length, 1);
});

test('a rejected address keeps the response of its server, is retried, and delays nobody else', async () => {
  const recipients = ['nobody@example.org', 'ada@example.org'];
  const id = await makeReport(tenant, { recipients });
  receiver.policy.recipient = (address) => (address.startsWith('nobody') ? '550 mailbox unavailable' : null);
  await assert.rejects(deliver(tenant, id, 'nobody@example.org'));
  await deliver(tenant, id);
  assert.deepEqual(only().to, ['ada@example.org']);
  assert.deepEqual(await deliveryOf(tenant, id, 'nobody@example.org'), {
    status: 'pending',
    attempts: 1,
    error: '550 mailbox unavailable',
  });
  receiver.policy.recipient = () => null;
  await deliver(tenant, id, 'nobody@example.org');
  assert.deepEqual(receiver.received[1]!.to, ['nobody@example.org']);
  assert.deepEqual(await deliveryOf(tenant, id, 'nobody@example.org'), { status: 'sent', attempts: 2, error: null });
});

test('a mail waits for a mail server that is down, and is sent when it is back', async () => {
  const id = await makeReport(tenant);
  const { port } = receiver;
  await receiver.close();
  await assert.rejects(deliver(tenant, id));
  const { status, error } = await deliveryOf(tenant, id);
  assert.deepEqual([status, error], ['pending', 'the mail server could not be reached']);
  receiver = await startMailReceiver(port);
  await deliver(tenant, id);
  assert.equal(receiver.received.length, 1);
});

test('after twelve attempts a mail has failed, and its last error stays visible', async () => {
  const id = await makeReport(tenant);
  receiver.policy.recipient = () => '451 try again later';
  for (let attempt = 1; attempt < 12; attempt++) await assert.rejects(deliver(tenant, id));
  await deliver(tenant, id);
  assert.deepEqual(await deliveryOf(tenant, id), { status: 'failed', attempts: 12, error: '451 try again later' });
  receiver.policy.recipient = () => null;
  await deliver(tenant, id);
  assert.equal(receiver.received.length, 0);
});

test("a mail server's response is stored shortened and sanitized", async () => {
  const id = await makeReport(tenant);
  receiver.policy.recipient = () => `550 ${'no '.repeat(500)}\u0007\u202Egnp`;
  await assert.rejects(deliver(tenant, id));
  const { error } = await deliveryOf(tenant, id);
  assert.ok(error!.length <= 200);
  assert.match(error!, /^550 no no/);
  assert.doesNotMatch(error!, /[\p{Cc}\u202E]/u);
});

test('a report above 10 MiB is linked to, and the link requires a sign-in', async () => {
  const owner = await createTenant(testDatabase.database);
  await addFindings(owner, 2_300, 'long '.repeat(960));
  const id = await makeReport(owner);
  assert.ok((await bytesOfExport(owner, id, 'csv')).length > maxAttachmentBytes);
  await deliver(owner, id);
  assert.deepEqual(attachmentsOf(only()), []);
  const link = `https://assay.example.org/reports/${id}?download=csv`;
  assert.ok(textOf(only()).includes(`\n${link}\n`));
  assert.ok(htmlOf(only()).includes(`href="${link}"`));
  assert.match(textOf(only()), /too large to attach \(\d\d\.?\d* MiB\)\. Sign in/);
});

test('a mail server that rejects the size of a mail gets one with a link', async () => {
  const id = await makeReport(tenant, { format: 'json' });
  receiver.policy.size = (bytes) => (bytes > 30_000 ? '552 message too large' : null);
  await deliver(tenant, id);
  assert.deepEqual(attachmentsOf(only()), []);
  assert.match(textOf(only()), /too large to attach/);
  assert.equal((await deliveryOf(tenant, id)).status, 'sent');
});

const titles = [
  'Hi\r\nBcc: eve@example.org\r\n\r\nbody',
  '</title><script>alert(1)</script><img src=x onerror=alert(1)>',
  '" onmouseover="alert(1)',
  ...hostileTitles.map((title) => title.toWellFormed().replaceAll('\0', '')),
];

test('no title adds a header, a recipient or markup', async () => {
  const owner = await createTenant(testDatabase.database, '<b>Org</b>\r\nX-Evil: 1');
  for (const title of titles) {
    receiver.received.length = 0;
    const id = await makeReport(owner, { title });
    await deliver(owner, id);
    const mail = only();
    assert.deepEqual(mail.to, ['ada@example.org']);
    const names = ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'];
    assert.deepEqual([...mail.headers.keys()].sort(), names, title);
    assert.doesNotMatch(htmlOf(mail), /<script|<img|<b>|onmouseover="/);
    assert.doesNotMatch(textOf(mail), /[\u202A-\u202E\u2066-\u2069]/);
    assert.ok(mail.headers.get('subject')!.length < 300);
  }
});

test('a waiting mail whose scheduled report is deleted is not sent', async () => {
  const id = await makeReport(tenant, { scheduledReportId: newId('srp') });
  await deliver(tenant, id);
  assert.equal(receiver.received.length, 0);
  assert.equal((await deliveryOf(tenant, id)).status, 'failed');
});

test('a report that could not be rendered is reported, requested again, and then mailed', async () => {
  const { orgId } = tenant;
  const id = await makeReport(tenant);
  const setExport = (change: string) =>
    testDatabase.database.single(orgId, {
      text: `UPDATE report_exports SET ${change} WHERE org_id = $1 AND report_id = $2`,
      values: [orgId, id],
    });
  await setExport(`status = 'failed', size = NULL, completed_at = clock_timestamp() - interval '1 minute'`);
  await assert.rejects(deliver(tenant, id));
  assert.match((await deliveryOf(tenant, id)).error!, /could not be rendered as CSV/);
  await render(tenant, id, 'csv');
  await deliver(tenant, id);
  assert.equal((await deliveryOf(tenant, id)).status, 'sent');
  assert.equal(attachmentsOf(only()).length, 1);
});

test('each mail of a report that no attempt could render reports it once', async () => {
  const id = await makeReport(tenant, { recipients: ['ada@example.org', 'grace@example.org'] });
  const { orgId } = tenant;
  const change = (text: string) => testDatabase.database.single(orgId, { text, values: [orgId, id] });
  await change(
    `UPDATE report_exports SET status = 'pending', size = NULL, attempt = 0 WHERE org_id = $1 AND report_id = $2`,
  );
  await change(`UPDATE reports SET head = (head::jsonb - 'summary')::json WHERE org_id = $1 AND id = $2`);
  const admin = new pg.Client({ connectionString: testDatabase.adminUrl });
  await admin.connect();
  const waiting = async () => {
    const text = `SELECT p.payload->>'recipient' AS recipient FROM graphile_worker._private_jobs p
      JOIN graphile_worker._private_tasks t ON t.id = p.task_id
      WHERE t.identifier = 'deliver-report' AND p.payload->>'report_id' = $1 ORDER BY 1`;
    return (await admin.query(text, [id])).rows.map((row) => row.recipient);
  };
  await admin.query(`DELETE FROM graphile_worker._private_jobs WHERE payload->>'report_id' = $1`, [id]);
  for (let attempt = 1; attempt < 3; attempt++) await assert.rejects(render(tenant, id, 'csv'));
  assert.deepEqual(await waiting(), []);
  await render(tenant, id, 'csv');
  const mailed = await waiting();
  await admin.end();
  assert.deepEqual(mailed, ['ada@example.org', 'grace@example.org']);
});

test('a deleted report is mailed to nobody', async () => {
  const id = await makeReport(tenant);
  const { orgId } = tenant;
  await testDatabase.database.single(orgId, {
    text: 'DELETE FROM reports WHERE org_id = $1 AND id = $2',
    values: [orgId, id],
  });
  await deliver(tenant, id);
  assert.equal(receiver.received.length, 0);
});
