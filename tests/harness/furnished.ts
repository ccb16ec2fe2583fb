import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import type { Detection } from '../../scanner/contract/detection.ts';
import { mergeDecisions } from '../../server/decisions/apply-decisions.ts';
import { detectionOf } from '../../server/findings/findings.fixture.ts';
import { finishSighting, plainTransactions, recordDetections } from '../../server/findings/record-detections.ts';
import { issueToken } from '../../server/identity/issue-token.ts';
import type { Role } from '../../server/organization/roles.ts';
import { newId } from '../../server/platform/id.ts';
import type { Database } from '../../server/platform/postgres/database.ts';
import { createReport } from '../../server/reports/create-report.ts';
import {
  beginExport,
  completeExport,
  type ExportKey,
  insertExport,
  insertPiece,
} from '../../server/reports/exports/export-queries.ts';
import { takeSnapshotJob } from '../../server/reports/take-snapshot.ts';
import { reportFormatNames } from '../../server/reports/writers/index.ts';
import type { Application } from './application.ts';
import type { ApiResponse } from './exchange.ts';
import { createTenant, createTestMember, type Person, testBaseUrl, testPassword } from './people.ts';

/** An organization with one resource of each kind; `marker` is in every name and text of it. */
export type Furnished = {
  marker: string;
  orgId: string;
  people: Record<Role, Person>;
  /** The headers of the owner's console session. */
  session: Record<string, string>;
  /** An id for every resource collection of the API: for `{id}` below `/findings`, that of a finding. */
  ids: Record<string, string>;
  dataSourceId: string;
};

export function succeeded(response: ApiResponse): ApiResponse['body'] {
  assert.ok(response.status < 300, `${response.status} ${response.text}`);
  return response.body;
}

/** A result file with one result. */
const resultFile = (marker: string) => ({
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: `tool ${marker}`, rules: [{ id: 'r1' }] } },
      results: [{ ruleId: 'r1', level: 'error', message: { text: `result of ${marker}` }, locations: [] }],
    },
  ],
});

let scans = 0;

/** Records detections like a complete scan of the data source; with `close`, missing findings are resolved. */
export async function recordScan(
  database: Database,
  orgId: string,
  dataSourceId: string,
  detections: Detection[],
  { source = 'secrets', close = true, startedAt = new Date(), scanId = newId('scan') } = {},
): Promise<string> {
  const sighting = { scanId, dataSourceId, source, startedAt };
  const transact = plainTransactions(database, orgId);
  await transact((tx) => recordDetections(tx, orgId, sighting, detections, mergeDecisions));
  const seen = new Set(detections.map((detection) => detection.fingerprint));
  await finishSighting(transact, orgId, sighting, (fingerprint) => seen.has(fingerprint), { close, isComplete: true });
  return sighting.scanId;
}

/** Records a finished scan, without findings of its own. */
export async function recordEndedScan(
  database: Database,
  orgId: string,
  dataSourceId: string,
  scan: {
    source?: string;
    status?: 'completed' | 'failed' | 'cancelled';
    daysAgo?: number;
    error?: string;
    /** The reason why the scan was incomplete. */
    warning?: string;
    version?: string;
    /** The scanned commit. */
    revision?: string;
    scanId?: string;
  } = {},
): Promise<string> {
  const {
    source = 'secrets',
    status = 'completed',
    daysAgo = 0,
    error,
    warning,
    version,
    revision,
    scanId = newId('scan'),
  } = scan;
  await database.single(orgId, {
    text: `WITH at AS (SELECT now() - make_interval(days => $6) AS at),
             scan AS (INSERT INTO scans (org_id, id, source, status, trigger, extent, created_at, started_at, completed_at)
               SELECT $1, $2, $4, $5, 'api', $2, at, at, at FROM at),
             target AS (INSERT INTO scan_targets (org_id, scan_id, data_source_id, source, status, started_at, completed_at,
                 error, warnings, closed_nothing, tool_versions, revision)
               SELECT $1, $2, $3, $4, $5, at, at, $7, array_remove(ARRAY[$8::text], NULL),
                 CASE WHEN $8::text IS NOT NULL THEN 'incomplete' END, json_build_object($4::text, $9::text), $10 FROM at)
           UPDATE data_sources SET last_scanned_at = at FROM at WHERE org_id = $1 AND id = $3`,
    values: [
      orgId,
      scanId,
      dataSourceId,
      source,
      status,
      daysAgo,
      error ?? null,
      warning ?? null,
      version ?? null,
      revision ?? null,
    ],
  });
  return scanId;
}

export async function signIn(app: Application, email: string): Promise<Record<string, string>> {
  const response = await app.node.app.inject({
    method: 'POST',
    url: '/auth/sign-in/email',
    payload: { email, password: testPassword },
    remoteAddress: `10.1.${++scans % 250}.1`,
  });
  assert.equal(response.statusCode, 200, response.body);
  return { cookie: String(response.headers['set-cookie']).split(';')[0]!, origin: testBaseUrl };
}

/** Stores a file of a report like a worker: no worker runs the jobs of these applications. */
export async function keepExport(database: Database, orgId: string, key: ExportKey, content: string): Promise<void> {
  const attempt = await database.transaction(orgId, async (tx) => {
    await insertExport(tx, orgId, key);
    return (await beginExport(tx, orgId, key))!;
  });
  const packed = zstdCompressSync(content);
  await insertPiece(database, orgId, key, { attempt, sequence: 0, content: packed });
  const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest();
  const file = { size: Buffer.byteLength(content), sha256: sha256(content), packedSha256: sha256(packed) };
  await database.transaction(orgId, (tx) => completeExport(tx, orgId, key, { attempt, ...file }));
}

export async function furnish(app: Application, marker: string): Promise<Furnished> {
  const owner = await createTenant(app.database, `Organization ${marker}`);
  const { orgId } = owner;
  const member = (role: Role) => createTestMember(app.database, orgId, role);
  const people = {
    owner,
    admin: await member('admin'),
    analyst: await member('analyst'),
    developer: await member('developer'),
    viewer: await member('viewer'),
  };
  const session = await signIn(app, owner.email);
  const post = async (path: string, json: object, headers = {}) =>
    succeeded(await app.call(Object.keys(headers).length > 0 ? null : owner.token, 'POST', path, { json, headers }));

  const config = { url: `https://git.example.com/${marker}.git` };
  const dataSource = await post('/data-sources', { kind: 'git_repository', name: `source ${marker}`, config });
  await recordScan(app.database, orgId, dataSource.id, [
    detectionOf(`${marker}-1`, { evidence: marker }),
    detectionOf(`${marker}-2`),
  ]);
  const findings = succeeded(await app.call(owner.token, 'GET', '/findings')).data;
  const comment = await post(`/findings/${findings[0].id}/comment`, { comment: `about ${marker}` });
  const scan = succeeded(await app.call(owner.token, 'POST', '/detection-sources/secrets/scan'));
  const invitation = await post('/organization/invitations', { email: `${marker}@example.com` });
  await signIn(app, owner.email);
  const sessions = succeeded(await app.call(null, 'GET', '/profile/sessions', { headers: session }));
  const passkeyId = newId('psk');
  await app.database.single(null, {
    text: `INSERT INTO passkeys (id, user_id, name, public_key, credential_id, counter, device_type, backed_up)
           VALUES ($1, $2, $3, '', $1, 0, 'multiDevice', true)`,
    values: [passkeyId, owner.userId, marker],
  });
  const token = await post('/profile/tokens', { name: `token ${marker}` }, session);
  const memberToken = await app.database.transaction(orgId, (tx) =>
    issueToken(tx, orgId, { userId: people.viewer.userId, name: `member ${marker}`, scopes: null, expiresAt: null }),
  );
  await signIn(app, people.viewer.email);
  await post(`/data-sources/${dataSource.id}/imports`, resultFile(marker));
  const schedule = await post('/scan-schedules', { name: `schedule ${marker}`, source: 'secrets', cron: '@daily' });
  const scheduledReport = await post('/scheduled-reports', {
    title: `report ${marker}`,
    filters: { q: marker },
    cron: '@weekly',
    recipients: [`${marker}-reports@example.com`],
  });
  const decision = await post('/decisions', { outcome: 'triaged', reason: marker, scope: { rule: [marker] } });
  const view = await post('/views', { name: `view ${marker}`, shared: true, filter: { q: marker } });
  const updated = await app.call(owner.token, 'PATCH', '/findings', {
    json: { ids: [findings[1].id], add_tags: [marker] },
  });
  const report = await post('/reports', { title: `report ${marker}` });
  await takeSnapshotJob.run({ org_id: orgId, report_id: report.id }, app);
  for (const format of reportFormatNames)
    await keepExport(app.database, orgId, { reportId: report.id, format }, JSON.stringify([{ marker }]));
  await app.database.transaction(orgId, (tx) =>
    createReport(tx, orgId, {
      ...{
        title: `mailed report ${marker}`,
        filters: { q: marker },
        createdBy: owner.userId,
        scheduledReportId: scheduledReport.id,
      },
      mail: { format: 'csv', recipients: [`${marker}@example.com`] },
    }),
  );
  return {
    marker,
    orgId,
    people,
    session,
    dataSourceId: dataSource.id,
    ids: {
      '/findings': findings[0].id,
      '/scans': scan.id,
      '/data-sources': dataSource.id,
      '/scan-schedules': schedule.id,
      '/reports': report.id,
      '/views': view.id,
      '/decisions': decision.id,
      '/bulk-operations': succeeded(updated).operation.id,
      '/scheduled-reports': scheduledReport.id,
      '/organization/members': people.viewer.userId,
      '/organization/members/{id}/tokens': memberToken.id,
      '/organization/invitations': invitation.id,
      '/profile/tokens': token.id,
      '/profile/passkeys': passkeyId,
      '/profile/sessions': sessions.data[0].id,
      '/findings/{id}/comment': comment.id,
    },
  };
}
