import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { sample } from '../scanner/detectors/secrets/sample.ts';
import { AdvisoryDirectory, osvAdvisory } from './harness/advisories.ts';
import type { Finding } from './harness/finding-set.ts';
import { HostedInstallation } from './harness/installation.ts';
import { RepositoryFixture } from './harness/repository.ts';

const run = promisify(execFile);
const program = join(import.meta.dirname, 'harness', 'scan-program.ts');
export const stripe = (name: string) => `sk_${'live'}_${sample('0-9A-Za-z', 24, name)}`;
export const fileSources = ['secrets', 'dependencies', 'code', 'infrastructure'];

export const repository = new RepositoryFixture('payments');
const feed = new AdvisoryDirectory();
export const installation = new HostedInstallation({
  ASSAY_LOCAL_REPOSITORIES: repository.root,
  ASSAY_ALLOWED_TARGETS: '127.0.0.1',
});

/** The option of `assay scan` that names the advisories. */
export const whole = ['--advisories', feed.directory];

/** Fills the repository and the feed, and starts the installation with its advisories. */
export async function startOwnResults(): Promise<void> {
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
}

export async function stopOwnResults(): Promise<void> {
  await installation.remove();
  feed.remove();
  repository.remove();
}

/** Adds a repository with the same commits at another address. */
export async function addCopy(name: string, config: object = {}): Promise<string> {
  const copy = join(repository.root, name);
  repository.git('clone', '--quiet', '--bare', repository.work, copy);
  const given = { kind: 'git_repository', name, config: { url: pathToFileURL(copy).href, ...config } };
  return (await installation.ask('POST', '/data-sources', given)).id;
}

/** Runs `assay scan` on the repository, or on another target if the first argument names one. */
export async function scanHere(...commandLine: string[]): Promise<string> {
  const [first, ...others] = commandLine;
  const words = first!.startsWith('-') ? [repository.work, ...commandLine] : [first!, ...others];
  return (await run(process.execPath, [program, 'scan', ...words], { maxBuffer: 1e8 })).stdout;
}

export async function importFile(dataSourceId: string, file: string, query = 'close_missing=true') {
  const path = `/data-sources/${dataSourceId}/imports?${query}`;
  const { status, body } = await installation.call('POST', path, { raw: file });
  assert.equal(status, 202, JSON.stringify(body));
  const scan = await installation.ended(body.id);
  assert.equal(scan.status, 'completed', JSON.stringify(scan.errors));
  return scan;
}

/** Returns the complete findings of a data source, without ids, times and related resources. */
export async function factsOf(dataSourceId: string, sources = fileSources): Promise<Finding[]> {
  const query = `data_source=${dataSourceId}&source=${sources.join(',')}&limit=200`;
  const { data } = await installation.ask('GET', `/findings?${query}`);
  const findings = await Promise.all(data.map(({ id }: Finding) => installation.ask('GET', `/findings/${id}`)));
  return findings
    .map(({ id, data_source, first_seen_at, last_seen_at, updated_at, closed_at, related, due_at, ...facts }) => facts)
    .sort((a, b) => (`${a.source} ${a.fingerprint}` < `${b.source} ${b.fingerprint}` ? -1 : 1));
}

export const scanByServer = async (dataSourceId: string) => {
  const ended = [];
  for (const source of fileSources) ended.push(await installation.scan(`?data_source=${dataSourceId}`, source));
  for (const { status } of ended) assert.equal(status, 'completed');
  return ended.map(({ findings }) => findings as Record<string, number>);
};
