import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { makeCertificate, serveSite } from '../server/detection/detectors/web/site.fixture.ts';
import type { Finding } from './harness/finding-set.ts';
import { HostedInstallation } from './harness/installation.ts';
import { RepositoryFixture } from './harness/repository.ts';

const fixture = new RepositoryFixture();
const installation = new HostedInstallation({
  ASSAY_LOCAL_REPOSITORIES: fixture.root,
  ASSAY_ALLOWED_TARGETS: '127.0.0.1',
  ASSAY_SCAN_RETRY_MINUTES: '0',
  LOG_LEVEL: 'error',
});

before(() => installation.start());
after(async () => {
  await installation.remove();
  fixture.remove();
});

const add = async (kind: string, url: string): Promise<string> =>
  (await installation.ask('POST', '/data-sources', { kind, config: { url } })).id;

async function rulesOf(dataSource: string, status: string): Promise<string[]> {
  const { data } = await installation.ask('GET', `/findings?limit=200&data_source=${dataSource}&status=${status}`);
  return (data as Finding[]).map(({ rule }) => rule!.id).sort();
}

async function scan(source: string) {
  const { status, errors } = await installation.scan('', source);
  assert.deepEqual([status, errors], ['completed', []]);
}

describe('a server scans its data sources, and closes only what was fixed', () => {
  test('in the infrastructure of a repository', async () => {
    fixture.commit({
      Dockerfile: 'FROM node\nRUN curl -k https://example.com/a\nUSER root\n',
      'main.tf': 'resource "aws_s3_bucket_acl" "a" {\n  acl = "public-read"\n}\nresource "aws_ebs_volume" "a" {\n}\n',
    });
    const dataSource = await add('git_repository', pathToFileURL(fixture.work).href);
    await scan('infrastructure');
    const found = ['dockerfile-base-latest', 'dockerfile-curl-insecure', 'dockerfile-user-root'];
    const storage = ['terraform-ebs-unencrypted', 'terraform-s3-public-acl'];
    assert.deepEqual(await rulesOf(dataSource, 'new'), [...found, ...storage]);
    fixture.commit({ Dockerfile: '# Later\nFROM node:20\nRUN curl https://example.com/a\nUSER root\n' });
    // An unreadable file closes nothing.
    fixture.commit({ 'main.tf': 'resource {\n' });
    await scan('infrastructure');
    assert.deepEqual(await rulesOf(dataSource, 'resolved'), ['dockerfile-base-latest', 'dockerfile-curl-insecure']);
    assert.deepEqual(await rulesOf(dataSource, 'new'), ['dockerfile-user-root', ...storage]);
    // A comment in the code is a decision that people see, not the end of the finding.
    const comment = `# ${'assay:ignore'} dockerfile-user-root The container starts as root by design.`;
    fixture.commit({ Dockerfile: `FROM node:20\n${comment}\nUSER root\n` });
    await scan('infrastructure');
    assert.deepEqual(await rulesOf(dataSource, 'accepted_risk'), ['dockerfile-user-root']);
    assert.deepEqual(await rulesOf(dataSource, 'new'), storage);
  });

  test('on a website, and nothing while it is unavailable', async () => {
    let listener: RequestListener = (request, response) => {
      if (request.url === '/.git/HEAD') response.end('ref: refs/heads/main\n');
      else
        response.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html', server: 'a/1.2.3' }).end();
    };
    const server = await serveSite((request, response) => listener(request, response), makeCertificate({}));
    const dataSource = await add('website', `https://127.0.0.1:${server.port}/`);
    await scan('web');
    const first = await rulesOf(dataSource, 'new');
    for (const rule of ['web-exposed-git', 'web-csp-missing', 'web-frameable', 'web-version-leak']) {
      assert.ok(first.includes(rule), `${rule} in ${first}`);
    }
    listener = (request, response) => {
      const headers = { 'content-type': 'text/html', server: 'a/1.2.3', 'x-frame-options': 'DENY' };
      response.writeHead(request.url === '/' ? 200 : 404, headers).end();
    };
    await scan('web');
    const fixed = ['web-exposed-git', 'web-frameable'];
    assert.deepEqual(await rulesOf(dataSource, 'resolved'), fixed);
    await server[Symbol.asyncDispose]();
    const { status, errors } = await installation.scan('', 'web');
    assert.equal(status, 'failed');
    assert.match(JSON.stringify(errors), /refused the connection/);
    assert.deepEqual(await rulesOf(dataSource, 'resolved'), fixed);
  });
});
