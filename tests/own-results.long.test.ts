import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { sample } from '../server/detection/detectors/secrets/sample.ts';
import { serveSite } from '../server/detection/detectors/web/site.fixture.ts';
import { AdvisoryDirectory, osvAdvisory } from './harness/advisories.ts';
import type { Finding } from './harness/finding-set.ts';
import { HostedInstallation } from './harness/installation.ts';
import { RepositoryFixture } from './harness/repository.ts';

const run = promisify(execFile);
const program = join(import.meta.dirname, 'harness', 'scan-program.ts');
const stripe = (name: string) => `sk_${'live'}_${sample('0-9A-Za-z', 24, name)}`;
const fileSources = ['secrets', 'dependencies', 'code', 'infrastructure'];

const repository = new RepositoryFixture('payments');
const feed = new AdvisoryDirectory();
const installation = new HostedInstallation({
  ASSAY_LOCAL_REPOSITORIES: repository.root,
  ASSAY_ALLOWED_TARGETS: '127.0.0.1',
});

before(async () => {
  const gone = stripe('gone');
  repository.commit(
    { 'old/run.py': 'import os\nfrom flask import request\n\nos.system(request.args["x"])\n' },
    'Start',
  );
  repository.commit({ 'gone.env': `STRIPE_KEY=${gone}\n`, 'pay.env': `STRIPE_KEY=${stripe('pay')}\n` });
  repository.git('rm', '--quiet', 'gone.env');
  repository.git('mv', 'old', 'app');
  repository.commit(
    {
      'tests/pay.env': `# first\nSTRIPE_KEY=${stripe('pay')}\nOTHER=${stripe('test')}\n`,
      'accepted.txt': `key = "${stripe('accepted')}" # ${'assay:ignore'} stripe-access-token Revoked in May.\n`,
      Dockerfile: 'FROM node:latest\nRUN curl http://example.com/x | sh\n',
      'requirements.txt': 'flask==1.0\nLeft_Pad==1.0\n-r more/base.txt\n',
      'more/base.txt': 'left-pad==1.0\n',
      'web/package-lock.json': JSON.stringify(
        {
          lockfileVersion: 3,
          packages: {
            'node_modules/left': { version: '1.0.0' },
            'node_modules/a/node_modules/left': { version: '1.0.0' },
          },
        },
        null,
        2,
      ),
      'spec/broken.py': 'def (:\n',
    },
    `Everything\n\nwith ${stripe('message')}`,
  );
  feed.put('PyPI', [
    osvAdvisory('PYSEC-1', 'PyPI', 'left-pad', '1.1', {
      aliases: ['CVE-2021-44228'],
      references: [{ type: 'WEB', url: 'https://example.com/1' }],
    }),
    osvAdvisory('PYSEC-2', 'PyPI', 'flask', '2.0', { details: `Long. ${'Words and words. '.repeat(2_000)}` }),
  ]);
  feed.put('npm', [osvAdvisory('GHSA-aaaa-bbbb-cccc', 'npm', 'left', '1.1.0')]);
  await installation.start();
  installation.command('advisories', 'sync', '--from', feed.directory);
});
after(async () => {
  await installation.remove();
  feed.remove();
  repository.remove();
});

/** Adds a repository with the same commits at another address. */
async function addCopy(name: string, config: object = {}): Promise<string> {
  const copy = join(repository.root, name);
  repository.git('clone', '--quiet', '--bare', repository.work, copy);
  const given = { kind: 'git_repository', name, config: { url: pathToFileURL(copy).href, ...config } };
  return (await installation.ask('POST', '/data-sources', given)).id;
}

/** Runs `assay scan` on the repository, or on what is named first. */
async function scanHere(...commandLine: string[]): Promise<string> {
  const [first, ...others] = commandLine;
  const words = first!.startsWith('-') ? [repository.work, ...commandLine] : [first!, ...others];
  return (await run(process.execPath, [program, 'scan', ...words], { maxBuffer: 1e8 })).stdout;
}

async function importFile(dataSourceId: string, file: string, query = 'close_missing=true') {
  const path = `/data-sources/${dataSourceId}/imports?${query}`;
  const { status, body } = await installation.call('POST', path, { raw: file });
  assert.equal(status, 202, JSON.stringify(body));
  const scan = await installation.ended(body.id);
  assert.equal(scan.status, 'completed', JSON.stringify(scan.errors));
  return scan;
}

/** Returns the findings of a data source in whole, without ids, times and what hangs on them. */
async function factsOf(dataSourceId: string, sources = fileSources): Promise<Finding[]> {
  const query = `data_source=${dataSourceId}&source=${sources.join(',')}&limit=200`;
  const { data } = await installation.ask('GET', `/findings?${query}`);
  const findings = await Promise.all(data.map(({ id }: Finding) => installation.ask('GET', `/findings/${id}`)));
  return findings
    .map(({ id, data_source, first_seen_at, last_seen_at, updated_at, closed_at, related, due_at, ...facts }) => facts)
    .sort((a, b) => (`${a.source} ${a.fingerprint}` < `${b.source} ${b.fingerprint}` ? -1 : 1));
}

const scanByServer = async (dataSourceId: string) => {
  const ended = [];
  for (const source of fileSources) ended.push(await installation.scan(`?data_source=${dataSourceId}`, source));
  for (const { status } of ended) assert.equal(status, 'completed');
  return ended.map(({ findings }) => findings as Record<string, number>);
};

const whole = ['--advisories', feed.directory];
const reports: Record<string, Promise<string>> = {};
const formats = {
  sarif: ['--format', 'sarif'],
  json: ['--format', 'json'],
  object: ['--json'],
  cyclonedx: ['--format', 'cyclonedx'],
};
/** Writes each report once. */
const eachReport = async function* () {
  for (const [name, format] of Object.entries(formats)) {
    reports[name] ??= scanHere(...format, ...whole);
    yield [name, await reports[name]] as const;
  }
};

test('a scan by the command line, imported after one by the server, changes nothing, in each format', async () => {
  const dataSourceId = await addCopy('scanned');
  await scanByServer(dataSourceId);
  const before = await factsOf(dataSourceId);
  assert.deepEqual([...new Set(before.map(({ source }) => source))].sort(), fileSources.toSorted());
  for await (const [name, report] of eachReport()) {
    const { findings } = await importFile(dataSourceId, report);
    assert.deepEqual([findings.new, findings.reopened, findings.resolved], [0, 0, 0], name);
    assert.ok(findings.seen > 0, name);
    assert.deepEqual(await factsOf(dataSourceId), before, name);
  }
  const types = (await installation.ask('GET', '/detection-sources')).data.map(({ type }: { type: string }) => type);
  assert.ok(!types.some((type: string) => /^assay|-import$/.test(type)), types.join());
});

test('a scan by the server makes nothing new of what the command line sent before, in each format', async () => {
  for await (const [name, report] of eachReport()) {
    const dataSourceId = await addCopy(`sent-as-${name}`);
    const { findings: sent } = await importFile(dataSourceId, report);
    const sources = name === 'cyclonedx' ? ['dependencies'] : fileSources;
    const before = await factsOf(dataSourceId, sources);
    assert.equal(before.length, sent.new, name);
    const scans = await scanByServer(dataSourceId);
    const after = await factsOf(dataSourceId, sources);
    // Only an array of findings leaves out what comments accept.
    const accepted = name === 'json' ? after.filter(({ status }) => status === 'accepted_risk') : [];
    assert.equal(accepted.length, name === 'json' ? 1 : 0);
    if (name !== 'cyclonedx')
      assert.equal(
        scans.reduce((sum, scan) => sum + scan.new!, 0),
        accepted.length,
        name,
      );
    assert.deepEqual(
      after.filter((finding) => !accepted.includes(finding)),
      before,
      name,
    );
  }
});

test('a website scanned from the command line has the findings that the server finds, both ways', async () => {
  await using server = await serveSite((_request, response) => {
    response.setHeader('set-cookie', 'session=1; path=/');
    response.writeHead(200, { 'content-type': 'text/html', server: 'Apache/2.4.41' }).end('<title>Shop</title>');
  });
  const url = `http://127.0.0.1:${new URL(server.url).port}/`;
  const add = () => installation.ask('POST', '/data-sources', { kind: 'website', config: { url } });
  for (const format of ['--json', '--format=sarif', '--format=json']) {
    const report = await scanHere(url, '--source', 'web', format);
    const { id } = await add();
    const sent = await importFile(id, report);
    assert.ok(sent.findings.new > 3);
    const before = await factsOf(id, ['web']);
    const scan = await installation.scan(`?data_source=${id}`, 'web');
    assert.deepEqual([scan.findings.new, scan.findings.resolved], [0, 0]);
    const again = await importFile(id, report);
    assert.deepEqual([again.findings.new, again.findings.resolved], [0, 0]);
    assert.deepEqual(await factsOf(id, ['web']), before);
    await installation.ask('DELETE', `/data-sources/${id}`);
  }
});

const warningsOf = (scan: { warnings: Array<{ message: string }> }) =>
  scan.warnings.map(({ message }) => message).join('\n');

/** Adds an upload with everything that the command line finds, and returns the number of its open findings. */
async function addSent(name: string) {
  const { id } = await installation.ask('POST', '/data-sources', { kind: 'upload', name });
  await importFile(id, await scanHere('--format', 'sarif'));
  const open = async (): Promise<string[]> => {
    const { data } = await installation.ask('GET', `/findings?data_source=${id}&status=new&limit=200`);
    return data.map(({ source, location }: Finding) => `${source} ${location.path}`).sort();
  };
  return { id, open };
}

test('a scan of a part closes nothing of what it did not cover, and the import says so', async () => {
  const { id, open } = await addSent('part');
  const before = await open();
  const shallow = join(repository.root, 'shallow');
  const emptied = join(repository.root, 'emptied');
  repository.git('clone', '--quiet', '--depth', '1', pathToFileURL(repository.work).href, shallow);
  repository.git('clone', '--quiet', repository.work, emptied);
  for (const name of ['app', 'web', 'more', 'tests', 'spec']) rmSync(join(emptied, name), { recursive: true });
  for (const name of ['Dockerfile', 'pay.env', 'accepted.txt']) rmSync(join(emptied, name));
  const parts: Array<[reason: RegExp, commandLine: string[]]> = [
    [/Only changes were scanned/, ['--since', 'HEAD']],
    [/Only a folder of the repository was scanned/, [join(repository.work, 'more')]],
    [/Only one file was scanned/, [join(repository.work, 'pay.env')]],
    [/shallow clone/, [shallow, '--source', 'secrets']],
  ];
  for (const [index, [reason, commandLine]] of parts.entries()) {
    const report = await scanHere(...commandLine, index % 2 === 0 ? '--json' : '--format=sarif');
    const scan = await importFile(id, report);
    assert.equal(scan.findings.resolved, 0, String(reason));
    assert.match(warningsOf(scan), reason);
    const path = `/data-sources/${id}/imports?close_missing=true&dry_run=true`;
    const { body } = await installation.call('POST', path, { raw: report });
    assert.equal(body.findings.resolved, 0);
    assert.match(body.incomplete.join(), reason);
  }
  const array = await importFile(id, await scanHere(emptied, '--format', 'json'));
  assert.equal(array.findings.resolved, 0);
  assert.match(warningsOf(array), /does not say what the scan covered/);
  assert.deepEqual(await open(), before);

  // A file that can no longer be read keeps its findings; those of files that are gone are resolved.
  writeFileSync(join(emptied, 'Dockerfile'), Buffer.alloc(40 * 1024 ** 2, 'FROM x\n'));
  const rest = await importFile(id, await scanHere(emptied, '--format', 'sarif'));
  assert.match(warningsOf(rest), /infrastructure: Dockerfile could not be checked/);
  const left = await open();
  assert.deepEqual(
    left.filter((name) => name.startsWith('infrastructure')),
    before.filter((name) => name.startsWith('infrastructure')),
  );
  assert.deepEqual(
    left.filter((name) => name.startsWith('code')),
    [],
  );
  assert.ok(rest.findings.resolved > 0);
});

test('a file that claims to be of Assay changes no finding that the server itself has made, and closes only what it may', async () => {
  const dataSourceId = await addCopy('claimed');
  await scanByServer(dataSourceId);
  const before = await factsOf(dataSourceId);
  const report = JSON.parse(await scanHere('--json', ...whole));
  for (const finding of report.findings) {
    finding.title = 'Nothing to see';
    finding.severity = 'info';
    finding.status = 'accepted_risk';
    finding.evidence = `key = "${stripe('forged')}"`;
  }
  const { findings } = await importFile(dataSourceId, JSON.stringify(report), '');
  assert.deepEqual([findings.new, findings.resolved], [0, 0]);
  assert.deepEqual(await factsOf(dataSourceId), before);
  report.findings[0].fingerprint = `v1:${'x'.repeat(22)}`;
  const added = await importFile(dataSourceId, JSON.stringify({ ...report, coverage: [] }));
  assert.deepEqual([added.findings.new, added.findings.resolved], [1, 0]);
  const forged = (await factsOf(dataSourceId)).find(({ title }) => title === 'Nothing to see')!;
  assert.equal(forged.status, 'accepted_risk');
  assert.match(forged.evidence, /redacted/);
});
