import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { installedPackage } from '../../../scripts/clients/packed-typescript.mjs';
import { crc32Base62 } from '../../../server/detection/detectors/secrets/checksums.ts';
import { sample } from '../../../server/detection/detectors/secrets/sample.ts';
import { eventually, HostedInstallation } from '../../../tests/harness/installation.ts';
import { RepositoryFixture } from '../../../tests/harness/repository.ts';

const run = promisify(execFile);

const githubToken = (seed) => {
  const body = sample('0-9A-Za-z', 30, seed);
  return `${'ghp'}_${body}${crc32Base62(body)}`;
};

const sarif = JSON.stringify({
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'Pipeline', rules: [{ id: 'R1', shortDescription: { text: 'Injection' } }] } },
      results: [
        {
          ruleId: 'R1',
          level: 'error',
          message: { text: 'A query is built from input.' },
          locations: [{ physicalLocation: { artifactLocation: { uri: 'src/app.js' }, region: { startLine: 3 } } }],
        },
      ],
    },
  ],
});

describe('the installed TypeScript client against a real server', () => {
  const repository = new RepositoryFixture('payments');
  const url = pathToFileURL(repository.work).href;
  const installation = new HostedInstallation({ ASSAY_LOCAL_REPOSITORIES: repository.root });
  let library;
  let client;
  let folder;
  let scan;

  before(async () => {
    repository.commit({ 'README.md': '# Payments\n', 'deploy.env': `GITHUB_TOKEN=${githubToken('one')}\n` });
    repository.commit({
      'pay.env': `TOKEN=${githubToken('two')}\n`,
      'test/fake.env': `TOKEN=${githubToken('three')}\n`,
    });
    const [installed] = await Promise.all([installedPackage(), installation.start()]);
    library = await installed.module();
    folder = await mkdtemp(join(tmpdir(), 'assay-journey-'));
    await cp(installed.project, folder, { recursive: true });
    client = new library.Assay({ token: installation.token, baseUrl: `${installation.origin}/api/v1` });
  });
  after(async () => {
    await installation.remove();
    repository.remove();
    await rm(folder, { recursive: true });
  });

  test('a repository is added and scanned, and the scan is followed to its end', async () => {
    const dataSource = await client.dataSources.create({ kind: 'git_repository', name: 'payments', config: { url } });
    assert.equal(dataSource.status, 'never_scanned');
    const started = await client.detectionSources.scan('secrets', { data_source: dataSource.id });
    const events = [];
    for await (const { event, data } of client.scans.events(started.id)) events.push([event, data.id]);
    assert.deepEqual(events.at(-1), ['end', started.id]);
    scan = await client.scans.wait(started.id);
    assert.deepEqual([scan.status, scan.findings.new], ['completed', 3]);
  });

  test('its findings are paged through, followed and counted', async () => {
    const page = await client.findings.list({ limit: 2 });
    const next = await page.nextPage();
    assert.deepEqual([page.data.length, next.data.length, await next.nextPage()], [2, 1, null]);
    const ids = [];
    for await (const finding of client.findings.list({ limit: 1, status: ['new'], from: new Date(0) }))
      ids.push(finding.id);
    assert.deepEqual(
      ids,
      [...page.data, ...next.data].map(({ id }) => id),
    );
    const followed = new Set();
    for await (const finding of client.findings.follow(new Date(0))) {
      followed.add(finding.id);
      if (followed.size === 3) break;
    }
    assert.deepEqual([...followed].sort(), ids.sort());
    assert.equal((await client.findings.summary()).total, 3);
  });

  test('they are triaged, and a finding that another person changed meanwhile is not overwritten', async () => {
    const findings = (await client.findings.list()).data;
    const { id } = findings.find(({ location }) => location.path === 'deploy.env');
    const { data, response } = await client.findings.get(id).withResponse();
    const ifMatch = response.headers.get('etag');
    const changed = await client.findings.update(
      data.id,
      { status: 'in_progress', tags: ['pci', 'Zürich'] },
      { ifMatch },
    );
    assert.deepEqual([changed.status, changed.tags], ['in_progress', ['pci', 'Zürich']]);
    await assert.rejects(
      client.findings.update(data.id, { status: 'new' }, { ifMatch }),
      library.PreconditionFailedError,
    );
    const comment = await client.findings.comment(data.id, { comment: 'Rotating it.' });
    assert.deepEqual((await client.findings.comments(data.id)).data, [comment]);
    const history = [];
    for await (const change of client.findings.history(data.id)) history.push(change);
    assert.ok(history.length > 0);
    const { updated } = await client.findings.updateMany({ filter: { status: ['new'] }, status: 'triaged' });
    assert.equal(updated, 2);
  });

  test('a report of them is made and downloaded in full', async () => {
    const { id } = await client.reports.create({ title: 'July' });
    const report = await client.reports.wait(id);
    assert.deepEqual([report.status, report.summary.total], ['ready', 3]);
    const path = join(folder, 'july.csv');
    const csv = await client.reports.export(id, { format: 'csv' });
    assert.match(csv.filename, /\.csv$/);
    await csv.saveTo(path);
    assert.equal((await readFile(path, 'utf8')).trim().split('\r\n').length, 4);
    const pdf = await (await client.reports.export(id, { format: 'pdf' })).bytes();
    assert.equal(new TextDecoder().decode(pdf.subarray(0, 5)), '%PDF-');
    await client.reports.delete(id);
    await assert.rejects(client.reports.get(id), library.NotFoundError);
  });

  test('a schedule and a scheduled report are made, changed and deleted', async () => {
    const schedule = await client.scanSchedules.create({ source: 'secrets', cron: '@daily' });
    assert.equal((await client.scanSchedules.update(schedule.id, { enabled: false })).enabled, false);
    assert.equal(await client.scanSchedules.delete(schedule.id), undefined);
    const mailed = await client.scheduledReports.create({ cron: '@weekly', recipients: ['ciso@example.com'] });
    assert.deepEqual((await client.scheduledReports.list()).data, [mailed]);
    await client.scheduledReports.delete(mailed.id);
  });

  test('a person is invited, and the invitation withdrawn', async () => {
    const invitation = await client.organization.invitations.create({ email: 'bob@example.com', role: 'viewer' });
    assert.deepEqual([invitation.status, invitation.role], ['pending', 'viewer']);
    await client.organization.invitations.delete(invitation.id);
    const [owner] = (await client.organization.members.list()).data;
    assert.deepEqual([owner.role, (await client.organization.get()).member_count], ['owner', 1]);
  });

  test('what the service refuses says what was wrong', async () => {
    const { BadRequestError, PermissionDeniedError, AuthenticationError, Assay } = library;
    await assert.rejects(client.findings.list({ severity: ['grave'] }), (error) => {
      assert.ok(error instanceof BadRequestError && error.requestId);
      assert.deepEqual([error.code, error.details[0].field], ['invalid_request', 'severity']);
      return true;
    });
    await assert.rejects(client.profile.tokens.list(), PermissionDeniedError);
    const stranger = new Assay({ token: 'asy_stranger', baseUrl: `${installation.origin}/api/v1` });
    await assert.rejects(stranger.findings.list(), AuthenticationError);
  });

  describe('each example of the README, as it stands in an empty project', () => {
    const examples = {};
    const environment = () => ({
      PATH: process.env.PATH,
      ASSAY_TOKEN: installation.token,
      ASSAY_BASE_URL: `${installation.origin}/api/v1`,
    });
    const runExample = async (name, ...given) => {
      assert.ok(examples[name], `The README has no ${name}.`);
      return (await run(process.execPath, [name, ...given], { cwd: folder, env: environment() })).stdout;
    };

    before(async () => {
      const text = await readFile(new URL('../README.md', import.meta.url), 'utf8');
      for (const [, code, name] of text.matchAll(/^```js\n(\/\/ (\w+\.mjs)\n[\s\S]*?)^```$/gm)) {
        examples[name] = code;
        await writeFile(join(folder, name), code);
      }
    });

    test('scans a repository', async () => {
      const output = await runExample('scan.mjs', url);
      assert.match(output, /^The scan is completed: 0 new, 3 seen again\.$/m);
    });

    test('triages', async () => {
      const { data } = await client.organization.members.list();
      assert.match(
        await runExample('triage.mjs', data[0].email),
        /^\d+ findings are assigned[\s\S]*^Closed .*test\/fake/m,
      );
    });

    test('reports', async () => {
      assert.equal(await runExample('report.mjs', 'findings.csv'), 'Saved 2 findings to findings.csv.\n');
      assert.match(await readFile(join(folder, 'findings.csv'), 'utf8'), /deploy\.env/);
    });

    test('imports', async () => {
      await writeFile(join(folder, 'results.sarif'), sarif);
      const output = await runExample('import.mjs', 'results.sarif');
      assert.match(output, new RegExp(`^Sent ${sarif.length} of ${sarif.length} bytes\\.$`, 'm'));
      assert.match(output, /^The import is completed: 1 new findings\.$/m);
    });

    test('follows from where it stopped', async () => {
      const follow = async (count) => {
        const child = spawn(process.execPath, ['follow.mjs', 'position.txt'], { cwd: folder, env: environment() });
        const ended = new Promise((resolve) => child.once('exit', resolve));
        let output = '';
        let errors = '';
        child.stdout.on('data', (chunk) => {
          output += chunk;
        });
        child.stderr.on('data', (chunk) => {
          errors += chunk;
        });
        await eventually(async () => output.split('\n').length > count || child.exitCode !== null);
        child.kill('SIGTERM');
        assert.equal(await ended, 0, errors);
        return output
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line));
      };
      assert.equal(new Set((await follow(4)).map(({ id }) => id)).size, 4);
      const position = await readFile(join(folder, 'position.txt'), 'utf8');
      const again = await follow(1);
      assert.ok(again.every(({ updated_at }) => updated_at >= position));
    });

    test('has been run', () => assert.equal(Object.keys(examples).length, 5));
  });
});
