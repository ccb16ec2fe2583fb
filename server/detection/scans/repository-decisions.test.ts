import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createNetworkPolicy } from '@assay/scanner/platform/egress/network-policy.ts';
import { type Application, startApplication } from '../../../tests/harness/application.ts';
import { type Finding, readAll } from '../../../tests/harness/finding-set.ts';
import { succeeded } from '../../../tests/harness/furnished.ts';
import { createTenant, createTestMember, type Person } from '../../../tests/harness/people.ts';
import { RepositoryFixture } from '../../../tests/harness/repository.ts';
import { decisionJobs } from '../../decisions/jobs.ts';
import { silentLog } from '../../platform/log.ts';
import { CachedDirectories } from '../../platform/room/cached-directories.ts';
import { Room } from '../../platform/room/room.ts';
import { createKeyring } from '../../platform/sealed.ts';
import { findDetector } from '../registry.ts';
import type { DetectionServices } from '../services.ts';
import { detectionJobs } from './jobs.ts';
import { startScan } from './start-scan.ts';

let app: Application;
let services: DetectionServices;
const cacheDirectory = mkdtempSync(join(tmpdir(), 'repository-decisions-'));
before(async () => {
  app = await startApplication();
  services = {
    database: app.database,
    keyring: createKeyring('k'.repeat(40)),
    log: silentLog,
    networkPolicy: createNetworkPolicy({ allowed: [] }),
    localRepositories: async () => [app.repositories],
    cacheDirectory,
    caches: new CachedDirectories(cacheDirectory),
    room: new Room(cacheDirectory),
    roomKeeper: {} as DetectionServices['roomKeeper'],
    databaseRoom: null,
    egressProxyUrl: 'http://127.0.0.1:9',
    feeds: { advisories: null, epss: null, kev: null },
    retryForMs: 0,
    stopping: new AbortController().signal,
  };
});
after(async () => {
  await app.close();
  rmSync(cacheDirectory, { recursive: true, force: true });
});

const scanJob = detectionJobs.find(({ name }) => name === 'scan-target')!;
const flaw = 'import os\nfrom flask import request\n\nos.system("convert " + request.args["name"])\n';
const decisionFile = '.assay/decisions.yaml';
const mark = 'assay:ignore';

let repositories = 0;

class Repository {
  readonly fixture = new RepositoryFixture();
  readonly #name = `work-${++repositories}`;
  readonly #place: Place;
  id = '';

  constructor(place: Place) {
    this.#place = place;
    const path = join(app.repositories, this.#name);
    renameSync(this.fixture.work, path);
    Object.assign(this.fixture, { work: path });
  }

  /** Commits files as a person; null removes one. */
  commit(files: Record<string, string | null>, by = 'ada'): string {
    for (const [path, content] of Object.entries(files)) {
      if (content === null) this.fixture.git('rm', '--quiet', path);
      else this.fixture.write(path, content);
    }
    this.fixture.git('add', '--all');
    const author = `--author=${by[0]!.toUpperCase()}${by.slice(1)} <${by}@example.com>`;
    this.fixture.git('commit', '--quiet', '--allow-empty', author, '--message=Change');
    return this.fixture.git('rev-parse', 'HEAD');
  }

  /** Scans the code like a worker, and follows the decisions. Returns the target. */
  async scan(): Promise<Finding> {
    const { owner, call } = this.#place;
    if (!this.id) {
      const config = { url: `file://${this.fixture.work}` };
      this.id = succeeded(await call(owner, 'POST', '/data-sources', { kind: 'git_repository', config })).id;
    }
    const [detector, dataSourceIds] = [findDetector('code')!, [this.id]];
    const order = { detector, trigger: 'api' as const, requestedBy: null, dataSourceIds };
    const id = await app.database.transaction(owner.orgId, (tx) => startScan(tx, owner.orgId, order));
    const payload = { org_id: owner.orgId, scan_id: id, data_source_id: this.id };
    await scanJob.run(payload, services);
    await this.#place.follow();
    const { data } = succeeded(await call(owner, 'GET', `/scans/${id}/targets`));
    assert.equal(data[0].status, 'completed', JSON.stringify(data[0].errors));
    return data[0];
  }

  /** Returns the statuses of its findings by path. */
  async statuses(): Promise<Record<string, string>> {
    const found = await readAll(app, this.#place.owner.token, `data_source=${this.id}`);
    return Object.fromEntries(found.map(({ location, status }) => [location.path, status]));
  }
}

type Place = Awaited<ReturnType<typeof createPlace>>;

async function createPlace(decisions: object = {}) {
  const owner = await createTenant(app.database, 'Repositories');
  const call = (who: Person, method: string, path: string, json?: object) =>
    app.call(who.token, method, path, json && { json });
  const { sign_in: _, ...policy } = succeeded(await call(owner, 'GET', '/organization/policy'));
  const setPolicy = async (change: object, more: object = {}) =>
    succeeded(
      await call(owner, 'PUT', '/organization/policy', {
        ...{ ...policy, ...more },
        decisions: { ...policy.decisions, ...change },
      }),
    );
  await setPolicy(decisions);
  const list = async (status: string): Promise<Finding[]> =>
    succeeded(await call(owner, 'GET', `/decisions?status=${status}`)).data;
  return {
    ...{ owner, call, setPolicy, list },
    member: (role: 'analyst' | 'admin') => createTestMember(app.database, owner.orgId, role),
    /** Runs the jobs that apply decisions to existing findings, and release them. */
    async follow() {
      for (const status of ['active', 'ended', 'withdrawn'])
        for (const { id } of await list(status))
          await decisionJobs[0]!.run(
            { org_id: owner.orgId, decision_id: id, user_id: null },
            { database: app.database },
          );
    },
  };
}

const fileOf = (...decisions: string[]) => `decisions:\n${decisions.join('')}`;
const inPath = (path: string, reason = 'Never deployed.', more = '') => `  - outcome: false_positive
    justification: test_or_example
    reason: ${reason}
    scope: { rule: python-command-injection, path: "${path}" }
${more}`;

test('entries of the file are decisions with the author of their commit, and end when they are removed', async () => {
  const place = await createPlace();
  const repository = new Repository(place);
  repository.commit({ 'app/run.py': flaw, 'demo/run.py': flaw });
  const commit = repository.commit({ [decisionFile]: fileOf(inPath('demo/**')) }, 'grace');
  repository.commit({ [decisionFile]: `# Reviewed.\n${fileOf(inPath('demo/**'), inPath('other/**'))}` }, 'alan');
  await repository.scan();
  assert.deepEqual(await repository.statuses(), { 'app/run.py': 'new', 'demo/run.py': 'false_positive' });
  const [other, demo] = await place.list('active');
  assert.deepEqual(
    [demo!.origin, demo!.requested_by, demo!.justification, demo!.reason, demo!.findings],
    ['repository', null, 'test_or_example', 'Never deployed.', 1],
  );
  const { data_source, ...entry } = demo!.entry;
  assert.equal(data_source.id, repository.id);
  assert.deepEqual(demo!.scope.data_source, [repository.id]);
  // The location is the one in the commit that wrote the entry.
  const author = { name: 'Grace', email: 'grace@example.com' };
  assert.deepEqual(entry, { path: decisionFile, line: 2, commit, author });
  assert.equal(other!.entry.author.name, 'Alan');
  // Nothing changes: no other decision, and no other version.
  await repository.scan();
  assert.deepEqual(await place.list('active'), [other, demo]);
  repository.commit({ [decisionFile]: fileOf(inPath('other/**')) });
  await repository.scan();
  assert.equal((await repository.statuses())['demo/run.py'], 'new');
  const [ended] = await place.list('ended');
  assert.deepEqual([ended!.id, ended!.ended_because], [demo!.id, 'removed']);
  assert.deepEqual(
    (await place.list('active')).map(({ id }) => id),
    [other!.id],
  );
  const deleted = await place.call(place.owner, 'DELETE', `/data-sources/${repository.id}`);
  assert.equal(deleted.status, 204);
  assert.deepEqual(await place.list('active'), []);
  assert.equal(succeeded(await place.call(place.owner, 'GET', `/decisions/${other!.id}`)).ended_because, 'removed');
});

test('the file demotes a rule for its own repository, until the entry is removed', async () => {
  const place = await createPlace();
  const [repository, other] = [new Repository(place), new Repository(place)];
  const demotion =
    '  - { outcome: demoted, reason: Noisy., scope: { rule: python-command-injection, path: "demo/**" } }\n';
  repository.commit({ 'app/run.py': flaw, 'demo/run.py': flaw, [decisionFile]: fileOf(demotion) });
  other.commit({ 'demo/run.py': flaw });
  await repository.scan();
  await other.scan();
  const severities = async ({ id }: Repository) =>
    Object.fromEntries(
      (await readAll(app, place.owner.token, `data_source=${id}`)).map((found) => [
        found.location.path,
        [found.status, found.severity, found.scanner_severity],
      ]),
    );
  const asScanned = { 'app/run.py': ['new', 'critical', null], 'demo/run.py': ['new', 'critical', null] };
  const demoted = { ...asScanned, 'demo/run.py': ['new', 'info', 'critical'] };
  assert.deepEqual(await severities(repository), demoted);
  assert.deepEqual(await severities(other), { 'demo/run.py': asScanned['demo/run.py'] });
  assert.deepEqual(
    (await place.list('active')).map(({ outcome, findings }) => [outcome, findings]),
    [['demoted', 1]],
  );
  await repository.scan();
  assert.deepEqual(await severities(repository), demoted);
  repository.commit({ [decisionFile]: null });
  await repository.scan();
  assert.deepEqual(await severities(repository), asScanned);
});

test('a comment is a decision about its finding with the author of the line, and ends when it is removed', async () => {
  const place = await createPlace();
  const repository = new Repository(place);
  const commented = flaw.replace('os.system', `# ${mark} python-command-injection Fixed list.\nos.system`);
  repository.commit({ 'run.py': flaw, 'other.py': flaw });
  repository.commit({ 'run.py': commented }, 'grace');
  await repository.scan();
  assert.deepEqual(await repository.statuses(), { 'run.py': 'accepted_risk', 'other.py': 'new' });
  const [decision] = await place.list('active');
  assert.deepEqual(
    [decision!.origin, decision!.outcome, decision!.entry.author.name, decision!.entry.path, decision!.entry.line],
    ['repository', 'accepted_risk', 'Grace', 'run.py', 4],
  );
  await repository.scan();
  assert.deepEqual(await place.list('active'), [decision]);
  repository.commit({ 'run.py': flaw });
  await repository.scan();
  assert.equal((await repository.statuses())['run.py'], 'new');
  assert.equal((await place.list('ended'))[0]!.ended_because, 'removed');
});

test('people decide before the repository, whatever the scopes, and a finding that they reopen stays open', async () => {
  const place = await createPlace();
  const { owner, call } = place;
  const repository = new Repository(place);
  repository.commit({ 'demo/run.py': flaw, [decisionFile]: fileOf(inPath('demo/**')) });
  await repository.scan();
  const [finding] = await readAll(app, owner.token, `data_source=${repository.id}`);
  const wide = { outcome: 'accepted_risk', reason: 'Ours.', scope: { rule: ['python-command-injection'] } };
  const own = succeeded(await call(owner, 'POST', '/decisions', wide));
  await place.follow();
  const held = succeeded(await call(owner, 'GET', `/findings/${finding!.id}`));
  assert.equal(held.decision.id, own.id);
  assert.deepEqual(
    held.also.map(({ outcome }: Finding) => outcome),
    ['false_positive'],
  );
  succeeded(await call(owner, 'DELETE', `/decisions/${own.id}`));
  assert.equal((await repository.statuses())['demo/run.py'], 'false_positive');
  succeeded(await call(owner, 'PATCH', `/findings/${finding!.id}`, { status: 'new' }));
  // Neither the entry nor a new one closes what a person has reopened.
  await repository.scan();
  repository.commit({ [decisionFile]: fileOf(inPath('demo/**', 'Really never deployed.')) });
  await repository.scan();
  assert.equal((await repository.statuses())['demo/run.py'], 'new');
});

test('what a person works on stays open, and a decision that a person withdraws does not come back', async () => {
  const place = await createPlace();
  const { owner, call } = place;
  const repository = new Repository(place);
  repository.commit({ 'a/run.py': flaw, 'b/run.py': flaw });
  await repository.scan();
  const found = await readAll(app, owner.token, `data_source=${repository.id}`);
  const ofA = found.find(({ location }) => location.path === 'a/run.py')!;
  succeeded(await call(owner, 'PATCH', `/findings/${ofA.id}`, { status: 'in_progress' }));
  repository.commit({ [decisionFile]: fileOf(inPath('**/run.py')) });
  await repository.scan();
  assert.deepEqual(await repository.statuses(), { 'a/run.py': 'in_progress', 'b/run.py': 'false_positive' });
  const [decision] = await place.list('active');
  const change = await call(owner, 'PATCH', `/decisions/${decision!.id}`, { reason: 'Mine.' });
  assert.equal(change.body.error.code, 'conflict');
  assert.equal((await call(owner, 'DELETE', `/decisions/${decision!.id}`)).status, 204);
  await repository.scan();
  assert.equal((await repository.statuses())['b/run.py'], 'new');
  assert.deepEqual(await place.list('active'), []);
});

test('a repository decides about its own findings only, and only on its branch', async () => {
  const place = await createPlace();
  const [repository, other] = [new Repository(place), new Repository(place)];
  repository.commit({ 'demo/run.py': flaw });
  other.commit({ 'demo/run.py': flaw, [decisionFile]: fileOf(inPath('demo/**')) });
  repository.fixture.git('checkout', '--quiet', '-b', 'side');
  const commented = flaw.replace('os.system', `# ${mark} python-command-injection Fixed list.\nos.system`);
  repository.commit({ [decisionFile]: fileOf(inPath('demo/**')), 'demo/run.py': commented });
  repository.fixture.git('checkout', '--quiet', 'main');
  for (const one of [repository, other, repository]) await one.scan();
  assert.deepEqual(await repository.statuses(), { 'demo/run.py': 'new' });
  assert.deepEqual(await other.statuses(), { 'demo/run.py': 'false_positive' });
  // An entry that names another data source has no effect, and the scan says where.
  const foreign = inPath('demo/**').replace('scope: {', `scope: { data_source: ${repository.id},`);
  other.commit({ [decisionFile]: fileOf(foreign) });
  const { warnings } = await other.scan();
  assert.match(warnings.join('\n'), /\.assay\/decisions\.yaml, line 5: `data_source` is not accepted here/);
  assert.deepEqual(await repository.statuses(), { 'demo/run.py': 'new' });
  assert.deepEqual(await other.statuses(), { 'demo/run.py': 'new' });
});

test('a file that can’t be read and entries without effect are warnings with their line', async () => {
  const place = await createPlace();
  const repository = new Repository(place);
  const past = inPath('demo/**', 'Until then.', '    until: 2024-01-01\n');
  repository.commit({ 'demo/run.py': flaw, [decisionFile]: fileOf(past, '  - outcome: ignored\n') });
  const first = await repository.scan();
  assert.match(first.warnings.join('\n'), /decisions\.yaml, line 7: `outcome` must be one of .* has no effect/);
  assert.deepEqual([await repository.statuses(), await place.list('active')], [{ 'demo/run.py': 'new' }, []]);
  repository.commit({ [decisionFile]: 'decisions:\n  - {outcome: "x\n' });
  const second = await repository.scan();
  assert.match(second.warnings.join('\n'), /decisions\.yaml, line \d+: The file is not a YAML document/);
});

test('with the policy “request”, entries and comments wait for another person than their author', async () => {
  const place = await createPlace({ repository_file: 'request' });
  const { owner, call, list } = place;
  const [analyst, other] = [await place.member('analyst'), await place.member('analyst')];
  const repository = new Repository(place);
  const commented = flaw.replace('os.system', `# ${mark} python-command-injection Fixed list.\nos.system`);
  repository.commit({ 'demo/run.py': flaw, 'run.py': commented, [decisionFile]: fileOf(inPath('demo/**')) }, 'grace');
  const email = 'Grace@example.com';
  await app.database.single(null, {
    text: 'UPDATE users SET email = lower($2) WHERE id = $1',
    values: [analyst.userId, email],
  });
  await repository.scan();
  assert.deepEqual(await repository.statuses(), { 'demo/run.py': 'new', 'run.py': 'new' });
  const requests = await list('requested');
  assert.deepEqual(
    requests.map(({ origin, entry }) => [origin, entry.path]),
    [
      ['repository', 'run.py'],
      ['repository', decisionFile],
    ],
  );
  const approve = (who: Person, id: string) => call(who, 'POST', `/decisions/${id}/approve`, { version: 1 });
  for (const { id } of requests) {
    assert.equal((await approve(analyst, id)).body.error.code, 'own_request');
    succeeded(await approve(other, id));
  }
  await place.follow();
  assert.deepEqual(await repository.statuses(), { 'demo/run.py': 'false_positive', 'run.py': 'accepted_risk' });
  await repository.scan();
  assert.deepEqual([(await list('requested')).length, (await list('active')).length], [0, 2]);
  // A rejected entry makes no further request; a changed one does.
  repository.commit({ [decisionFile]: fileOf(inPath('demo/**', 'Changed.')) });
  await repository.scan();
  assert.equal((await repository.statuses())['demo/run.py'], 'new');
  const [again] = await list('requested');
  succeeded(await call(other, 'POST', `/decisions/${again!.id}/reject`, { version: 1, answer: 'No.' }));
  await repository.scan();
  assert.deepEqual(await list('requested'), []);
  // With the policy “off”, all end with the next scan.
  await place.setPolicy({ repository_file: 'off' });
  const { warnings } = await repository.scan();
  assert.match(warnings.join('\n'), /decisions\.yaml: The policy of the organization ignores it/);
  assert.deepEqual(
    [await repository.statuses(), await list('active')],
    [{ 'demo/run.py': 'new', 'run.py': 'new' }, []],
  );
  assert.equal((await list('ended'))[0]!.ended_because, 'policy');
  assert.equal(owner.orgId.startsWith('org_'), true);
});

test('from the severity of the policy on, a second person approves what a repository decides', async () => {
  const place = await createPlace({ approval_from: 'low', approvers: 'admin' });
  const { call, list } = place;
  const [analyst, admin] = [await place.member('analyst'), await place.member('admin')];
  const repository = new Repository(place);
  const commented = flaw.replace('os.system', `# ${mark} python-command-injection Fixed list.\nos.system`);
  repository.commit({ 'demo/run.py': flaw, 'run.py': commented, [decisionFile]: fileOf(inPath('demo/**')) });
  await repository.scan();
  assert.deepEqual(await repository.statuses(), { 'demo/run.py': 'new', 'run.py': 'new' });
  const requests = await list('requested');
  assert.equal(requests.length, 2);
  for (const { id } of requests) {
    assert.equal((await call(analyst, 'POST', `/decisions/${id}/approve`, { version: 1 })).status, 403);
    succeeded(await call(admin, 'POST', `/decisions/${id}/approve`, { version: 1 }));
  }
  await place.follow();
  await repository.scan();
  assert.deepEqual(await repository.statuses(), { 'demo/run.py': 'false_positive', 'run.py': 'accepted_risk' });
  assert.equal((await list('active')).length, 2);
  // An acceptance for longer than the policy allows has no effect, whatever the file says.
  await place.setPolicy({ approval_from: null }, { accepted_risk: { max_days: 30, reason_required: true } });
  repository.commit({ [decisionFile]: fileOf(inPath('demo/**').replace('false_positive', 'accepted_risk')) });
  const { warnings } = await repository.scan();
  assert.match(warnings.join('\n'), /decisions\.yaml, line 2: The policy accepts risks for 30 days at most/);
  assert.equal((await repository.statuses())['demo/run.py'], 'new');
});

test('the limits of the policy apply to what a repository says', async () => {
  const place = await createPlace({ longest_days: 30 });
  const repository = new Repository(place);
  const commented = flaw.replace('os.system', `# ${mark} python-command-injection Fixed list.\nos.system`);
  const entry = inPath('demo/**');
  repository.commit({ 'demo/run.py': flaw, 'run.py': commented, [decisionFile]: fileOf(entry) });
  const first = await repository.scan();
  assert.match(first.warnings.join('\n'), /line 2: The policy lets decisions hold for 30 days at most: `until` must/);
  assert.deepEqual(await repository.statuses(), { 'demo/run.py': 'new', 'run.py': 'accepted_risk' });
  const [{ until }] = (await place.list('active')) as [Finding];
  assert.equal(Math.round((Date.parse(until) - Date.now()) / 86_400_000), 30);
  await place.setPolicy({ justification_required: true });
  repository.commit({ [decisionFile]: fileOf(entry.replace(/ {4}justification: .*\n/, '')) });
  const { warnings } = await repository.scan();
  assert.match(warnings.join('\n'), /line 2: The policy requires a `justification`\. The decision has no effect/);
  assert.match(warnings.join('\n'), /Comments have no effect: the policy requires a `justification`/);
  assert.deepEqual(await repository.statuses(), { 'demo/run.py': 'new', 'run.py': 'new' });
  assert.equal((await place.list('ended'))[0]!.ended_because, 'policy');
  repository.commit({ [decisionFile]: fileOf(entry) });
  await repository.scan();
  assert.deepEqual(await repository.statuses(), { 'demo/run.py': 'false_positive', 'run.py': 'new' });
});
