import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Application, startApplication } from '../../../tests/harness/application.ts';
import { succeeded } from '../../../tests/harness/furnished.ts';
import { eventually } from '../../../tests/harness/installation.ts';
import { createTenant, createTestMember, type Person } from '../../../tests/harness/people.ts';
import type { JobRunner } from '../../platform/jobs/job-runner.ts';
import { lettersOf } from '../document/blocks.ts';
import { coverOf } from '../document/cover.ts';
import { reportHead } from '../report.fixture.ts';
import { readClaims } from '../verification/read-claims.ts';
import { verifyDocument } from '../verification/report-command.ts';
import { startExportRunner } from './export-runner.fixture.ts';

let app: Application;
let runner: JobRunner;
let owner: Person;
let analyst: Person;
let viewer: Person;

before(async () => {
  app = await startApplication();
  ({ runner } = await startExportRunner(app));
  owner = await createTenant(app.database);
  analyst = await createTestMember(app.database, owner.orgId, 'analyst');
  viewer = await createTestMember(app.database, owner.orgId, 'viewer');
});
after(async () => {
  await runner.stop();
  await app.close();
});

async function readyReport(): Promise<string> {
  const { id } = succeeded(await app.call(analyst.token, 'POST', '/reports', { json: { title: 'Q3' } }));
  await eventually(async () => (await app.call(analyst.token, 'GET', `/reports/${id}`)).body.status === 'ready');
  return id;
}
const move = (person: Person, id: string, state: string) =>
  app.call(person.token, 'PATCH', `/reports/${id}`, { json: { state } });
const codeOf = async (response: ReturnType<typeof move>) =>
  (await response).body.error?.code ?? (await response).status;

test('each step of a report to reviewed and final records a person, and only an admin changes or deletes a final report', async () => {
  const id = await readyReport();
  const report = succeeded(await app.call(viewer.token, 'GET', `/reports/${id}`));
  assert.deepEqual([report.state, report.reviewed, report.finalized], ['draft', null, null]);
  assert.equal(await codeOf(move(viewer, id, 'reviewed')), 'forbidden');
  assert.equal(await codeOf(move(analyst, id, 'final')), 'conflict');
  const reviewed = succeeded(await move(analyst, id, 'reviewed'));
  assert.deepEqual([reviewed.state, reviewed.reviewed.by.id], ['reviewed', analyst.userId]);
  const final = succeeded(await move(owner, id, 'final'));
  assert.deepEqual([final.state, final.finalized.by.id, final.reviewed], ['final', owner.userId, reviewed.reviewed]);
  // A retry after a lost response changes nothing.
  assert.deepEqual(succeeded(await move(owner, id, 'final')), final);
  for (const state of ['draft', 'reviewed']) assert.equal(await codeOf(move(analyst, id, state)), 'forbidden');
  assert.equal((await app.call(analyst.token, 'DELETE', `/reports/${id}`)).body.error.code, 'forbidden');
  const again = succeeded(await move(owner, id, 'draft'));
  assert.deepEqual([again.state, again.reviewed, again.finalized], ['draft', null, null]);
  assert.equal((await app.call(analyst.token, 'DELETE', `/reports/${id}`)).status, 204);
  const events = succeeded(await app.call(owner.token, 'GET', `/audit-events?action=report.state_changed`)).data;
  assert.deepEqual(
    events.map(({ before: from, after: to }: { before: object; after: object }) => [from, to]),
    [
      [{ state: 'final' }, { state: 'draft' }],
      [{ state: 'reviewed' }, { state: 'final' }],
      [{ state: 'draft' }, { state: 'reviewed' }],
    ],
  );
});

test('if two people move a report at the same time, one succeeds', async () => {
  const id = await readyReport();
  succeeded(await move(analyst, id, 'reviewed'));
  const outcomes = await Promise.all([codeOf(move(owner, id, 'final')), codeOf(move(analyst, id, 'draft'))]);
  // The admin may also move the final report back, or find it a draft.
  const { state } = succeeded(await app.call(owner.token, 'GET', `/reports/${id}`));
  assert.equal(outcomes.filter((outcome) => outcome === 200).length, 1);
  assert.equal(state, outcomes[0] === 200 ? 'final' : 'draft');
});

test("a document shows the report's state at the time of the request, and data formats are the same in every state", async () => {
  const id = await readyReport();
  const fileOf = async (format: string) =>
    (
      await app.call(owner.token, 'GET', `/reports/${id}/export?format=${format}`, {
        headers: { 'want-repr-digest': '1' },
      })
    ).text;
  const [draft, json] = [await fileOf('docx'), await fileOf('json')];
  succeeded(await move(analyst, id, 'reviewed'));
  const reviewed = await fileOf('docx');
  assert.notEqual(reviewed, draft);
  assert.equal(await fileOf('docx'), reviewed);
  assert.equal(await fileOf('json'), json);
  assert.doesNotMatch(json, /"approval"/);
});

test("documents of every state, language and standard stay genuine when the report's state changes", async () => {
  const id = await readyReport();
  const folder = await mkdtemp(join(tmpdir(), 'assay-approval-'));
  const paths: string[] = [];
  const save = async (format: string) => {
    const headers = { authorization: `Bearer ${owner.token}` };
    const response = await fetch(`${app.origin}/api/v1/reports/${id}/export?format=${format}`, { headers });
    assert.equal(response.status, 200, format);
    const path = join(folder, String(paths.length));
    await writeFile(path, Buffer.from(await response.arrayBuffer()));
    paths.push(path);
  };
  try {
    for (const format of ['pdf', 'docx&language=de']) await save(format);
    succeeded(await move(analyst, id, 'reviewed'));
    for (const format of ['pdf&standard=a-2a', 'pdf&language=de', 'docx']) await save(format);
    succeeded(await move(analyst, id, 'draft'));
    for (const path of paths) assert.equal((await verifyDocument(app.database, await readClaims(path)))?.genuine, true);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('the cover shows the state, and who took each step when', () => {
  const steps = {
    reviewed: { name: 'Grace Hopper', at: '2026-11-21T08:15:00Z' },
    finalized: { name: 'Ada Lovelace', at: '2026-11-22T09:00:00Z' },
  };
  const factsOf = (approval: Parameters<typeof reportHead>[1]) =>
    coverOf(reportHead([], approval)).facts.map(({ label, inlines }) => `${label}: ${lettersOf(inlines)}`);
  assert.ok(factsOf({}).includes('Version: 1.0, draft'));
  const final = factsOf({ approval: { state: 'final', ...steps } });
  for (const fact of [
    'Version: 1.0, final',
    'Reviewer: Grace Hopper, 21 November 2026, 08:15 UTC',
    'Approved by: Ada Lovelace, 22 November 2026, 09:00 UTC',
  ])
    assert.ok(final.includes(fact), `${fact} in ${final.join('; ')}`);
});
