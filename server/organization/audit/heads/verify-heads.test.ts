import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createNetworkPolicy } from '@assay/scanner/platform/egress/network-policy.ts';
import { Command } from 'commander';
import pg from 'pg';
import { createTestDatabase } from '../../../../tests/harness/database.ts';
import { createTenant } from '../../../../tests/harness/people.ts';
import { openLog } from '../../../platform/log.ts';
import { operator, recordAudit } from '../../audit.ts';
import { registerAuditCommand } from '../audit-command.ts';
import { createHeadChannels } from './channels.ts';
import { sendAuditHeads } from './send-heads.ts';
import { createTimestampAuthority, serveTimestamps } from './timestamp.fixture.ts';

const db = await createTestDatabase();
const { database } = db;
const admin = new pg.Client({ connectionString: db.adminUrl });
await admin.connect();
const authority = createTimestampAuthority();
const directory = mkdtempSync(join(tmpdir(), 'heads-'));
const outside = join(directory, 'outside.log');
after(async () => {
  authority.remove();
  rmSync(directory, { recursive: true, force: true });
  await admin.end();
  await db.drop();
});

type Result = {
  organization: string;
  events: number;
  broken: { sequence: number; reason: string } | null;
  heads: { outside: number; noted: number };
  timestamps: { checked: number; unchecked: number; last: { sequence: number } | null };
};

/** Runs `assay audit verify`. */
async function verify(...options: string[]): Promise<{ whole: boolean; data: Result[] }> {
  const program = new Command('assay').exitOverride();
  const output: string[] = [];
  program.configureOutput({ writeOut: (text) => void output.push(text) });
  const settings = () => ({ timestampCaFile: null });
  registerAuditCommand(program, (run) => run(database), settings);
  await program.parseAsync(['audit', 'verify', '--json', ...options], { from: 'user' });
  const result = JSON.parse(output.join(''));
  assert.equal(process.exitCode === 1, !result.whole);
  process.exitCode = 0;
  return result;
}

async function record(orgId: string): Promise<void> {
  const target = { id: 'sch_1', name: 'audit head org_00000000000000000000000000 1:00' };
  await database.transaction(orgId, (tx) =>
    recordAudit(tx, orgId, { actor: operator, action: 'scan_schedule.updated', target, details: { changed: true } }),
  );
}

/** Creates an organization whose head was sent and timestamped three times; the external log has only its lines. */
async function createSentHistory() {
  const { orgId } = await createTenant(database);
  const lines: string[] = [];
  const log = openLog({ level: 'info', destination: { write: (line: string) => void lines.push(line) } });
  await using timestamps = await serveTimestamps(authority.reply);
  const policy = createNetworkPolicy({ allowed: ['127.0.0.1'] });
  const config = { syslog: null, webhook: null, timestampCaFile: null };
  const timestamping = { url: timestamps.url, caFile: authority.caFile };
  const headChannels = createHeadChannels({ ...config, timestamps: timestamping }, policy, log);
  for (let hour = 0; hour < 3; hour += 1) {
    await record(orgId);
    await record(orgId);
    await admin.query(`UPDATE audit_heads SET read_at = read_at - interval '61 minutes'`);
    await sendAuditHeads({ database, headChannels });
  }
  const own = lines.filter((line) => line.includes(orgId));
  assert.equal(own.length, 3);
  writeFileSync(outside, ['a line of another program', '{"level":"info","msg":"started"}', ...own].join('\n'));
  return { orgId, lines: own };
}

/** Changes the log as an intruder with the permissions of the tables' owner could. */
async function tamper(...statements: string[]): Promise<void> {
  await admin.query('BEGIN; ALTER TABLE audit_events DISABLE TRIGGER USER');
  for (const text of statements) await admin.query(text);
  await admin.query('ALTER TABLE audit_events ENABLE TRIGGER USER; COMMIT');
}

/** Changes the address of each event from number 2 on, and recomputes all hashes. */
const rewriting = (orgId: string) => `
  WITH RECURSIVE rewritten AS (
    SELECT (e).id, (e).sequence, audit_event_hash('', e) AS hash FROM (
      SELECT e FROM audit_events e WHERE org_id = '${orgId}' AND sequence = 1) first
    UNION ALL
    SELECT (n.e).id, (n.e).sequence, audit_event_hash(r.hash, n.e) FROM rewritten r, LATERAL (
      SELECT jsonb_populate_record(e, jsonb_build_object('address', '192.0.2.1')) AS e
      FROM audit_events e WHERE org_id = '${orgId}' AND sequence = r.sequence + 1) n),
  events AS (UPDATE audit_events e SET hash = r.hash, address = CASE WHEN e.sequence > 1 THEN '192.0.2.1' END
             FROM rewritten r WHERE e.org_id = '${orgId}' AND e.id = r.id)
  UPDATE audit_chains c SET hash = r.hash FROM rewritten r WHERE c.org_id = '${orgId}' AND r.sequence = c.sequence`;

/** Truncates the last events, and moves the end of the chain. */
const cuttingOff = (orgId: string, last: number) => [
  `DELETE FROM audit_events WHERE org_id = '${orgId}' AND sequence > ${last}`,
  `UPDATE audit_chains c SET sequence = e.sequence, hash = e.hash FROM audit_events e
   WHERE c.org_id = '${orgId}' AND e.org_id = c.org_id AND e.sequence = ${last}`,
];

/** Makes the heads in the database agree with the chain. */
const adapting = (orgId: string) =>
  `UPDATE audit_heads h SET hash = e.hash FROM audit_events e
   WHERE h.org_id = '${orgId}' AND e.org_id = h.org_id AND e.sequence = h.sequence`;

const trust = ['--timestamp-ca', authority.caFile];

test('an intact chain agrees with the external log, the sent heads and their timestamps', async () => {
  const { orgId, lines } = await createSentHistory();
  await record(orgId);
  const { whole, data } = await verify('--organization', orgId, '--heads', outside, ...trust);
  assert.equal(whole, true, JSON.stringify(data));
  assert.deepEqual(data[0]!.heads, { outside: 3, noted: 3 });
  assert.deepEqual([data[0]!.timestamps.checked, data[0]!.timestamps.unchecked], [3, 0]);
  assert.equal(data[0]!.timestamps.last!.sequence, data[0]!.events - 1);
  const unchecked = await verify('--organization', orgId);
  assert.equal(unchecked.data[0]!.timestamps.unchecked, 3);
  // The form in which syslog and a webhook's receiver store them.
  const text = JSON.parse(lines[2]!).msg;
  writeFileSync(outside, `Feb  2 10:00:00 host assay[7]: ${text}\r\n${JSON.stringify({ type: 'audit.head', text })}\n`);
  assert.equal((await verify('--organization', orgId, '--heads', outside)).data[0]!.heads.outside, 1);
});

test('a rewritten chain is detected by the external log, and by timestamps even if the stored heads were rewritten too', async () => {
  const { orgId } = await createSentHistory();
  await tamper(rewriting(orgId));
  const byKept = await verify('--organization', orgId);
  assert.match(byKept.data[0]!.broken!.reason, /not the one that was noted in the database when it was sent/);
  await tamper(adapting(orgId));
  assert.equal((await verify('--organization', orgId)).whole, true, 'nothing inside shows it any more');
  const byLog = await verify('--organization', orgId, '--heads', outside);
  assert.match(byLog.data[0]!.broken!.reason, /not the one that was noted in the log outside/);
  const byTime = await verify('--organization', orgId, ...trust);
  assert.match(byTime.data[0]!.broken!.reason, /timestamp proves something else.*of something else/);
});

test('a truncated tail is detected by the sent heads, and by the external log', async () => {
  const { orgId } = await createSentHistory();
  const { events } = (await verify('--organization', orgId)).data[0]!;
  await tamper(...cuttingOff(orgId, events - 1));
  const byKept = await verify('--organization', orgId);
  assert.match(byKept.data[0]!.broken!.reason, /ends before number \d+, which was noted in the database/);
  await tamper(`DELETE FROM audit_heads WHERE org_id = '${orgId}' AND sequence = ${events}`);
  assert.equal((await verify('--organization', orgId, ...trust)).whole, true, 'nothing inside shows it any more');
  const byLog = await verify('--organization', orgId, '--heads', outside);
  assert.match(byLog.data[0]!.broken!.reason, /ends before number \d+, which was noted in the log outside/);
});

test('a head that was removed from the database is detected by the external log', async () => {
  const { orgId } = await createSentHistory();
  await admin.query(
    `DELETE FROM audit_heads WHERE org_id = $1 AND sequence = (SELECT min(sequence) FROM audit_heads WHERE org_id = $1)`,
    [orgId],
  );
  assert.equal((await verify('--organization', orgId, ...trust)).whole, true);
  const { data } = await verify('--organization', orgId, '--heads', outside, ...trust);
  assert.match(data[0]!.broken!.reason, /was sent, and then removed/);
});

test('a removed end of a chain, or a removed organization, is detected', async () => {
  const { orgId, lines } = await createSentHistory();
  await tamper(`DELETE FROM audit_chains WHERE org_id = '${orgId}'`);
  assert.match((await verify('--organization', orgId)).data[0]!.broken!.reason, /has no chain/);
  const gone = 'org_01kaz000000000000000000000';
  writeFileSync(outside, JSON.parse(lines[0]!).msg.replace(orgId, gone));
  const { data } = await verify('--heads', outside);
  assert.match(data.find(({ organization }) => organization === gone)!.broken!.reason, /not in the database/);
});

test('an external log without heads is an error and proves nothing', async () => {
  for (const text of [
    '',
    'nothing here\n',
    `{"msg":"started","reason":"audit head org_01kaz000000000000000000000 1:00"}`,
  ]) {
    writeFileSync(outside, text);
    await assert.rejects(verify('--heads', outside), /has no line that ends with/);
  }
  await assert.rejects(verify('--heads', join(directory, 'missing')), /there is nothing at/);
  await assert.rejects(verify('--timestamp-ca', outside), /no certificate in PEM/);
});
