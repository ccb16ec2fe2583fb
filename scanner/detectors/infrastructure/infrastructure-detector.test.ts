import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { fetchRepository } from '../../../server/data-sources/connectors/git.ts';
import { RepositoryFixture } from '../../../tests/harness/repository.ts';
import { noAdvisories } from '../../advisories/no-advisories.ts';
import type { Detection } from '../../contract/detection.ts';
import { scanPath } from '../../path-scan/scan-path.ts';
import { createNetworkPolicy } from '../../platform/egress/network-policy.ts';
import { infrastructureDetector } from './infrastructure-detector.ts';

let fixture: RepositoryFixture;
let directory: string;
beforeEach(() => {
  fixture = new RepositoryFixture();
  directory = mkdtempSync(join(tmpdir(), 'infrastructure-'));
});
afterEach(() => {
  fixture.remove();
  rmSync(directory, { recursive: true, force: true });
});

async function scan() {
  const signal = AbortSignal.timeout(600_000);
  const repository = await fetchRepository({
    url: `file://${fixture.work}`,
    branch: null,
    credential: null,
    proxyUrl: null,
    directory: join(directory, 'git'),
    signal,
    allowFile: true,
  });
  const found: Detection[] = [];
  const target = { kind: 'git_repository' as const, name: 'x', repository, address: null, directory };
  const result = await infrastructureDetector.detect(target, {
    signal,
    progress: () => {},
    keyedHash: () => '',
    advisories: noAdvisories,
    networkPolicy: createNetworkPolicy({ allowed: [] }),
    egressProxyUrl: null,
    cacheDirectory: directory,
    emit: async (batch) => void found.push(...batch),
  });
  return {
    ...result,
    found,
    reported: found.map(({ rule, location }) => `${location.path}:${location.start_line} ${rule.id}`).sort(),
  };
}

const pod = (container: string) =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec:\n  containers:\n    - name: app\n      image: a:1\n${container}`;
const locked =
  '      resources: { limits: { memory: 1Gi } }\n      securityContext:\n        allowPrivilegeEscalation: false\n        readOnlyRootFilesystem: true\n        runAsNonRoot: true\n        capabilities: { drop: [ALL] }\n';

const planted = {
  Dockerfile: 'FROM node\nRUN curl -k https://example.com/a\nUSER root\n',
  'compose.yaml': 'services:\n  web:\n    image: a:1\n    privileged: true\n    network_mode: host\n',
  'k8s/web.yaml': pod(`${locked}        privileged: true\n`),
  'chart/templates/web.yaml': pod('      securityContext: {{ .Values.x }}\n'),
  'main.tf': 'resource "aws_s3_bucket_acl" "a" {\n  acl = "public-read"\n}\n\nresource "aws_ebs_volume" "a" {\n}\n',
  '.github/workflows/ci.yml':
    'on: issues\npermissions: {}\njobs:\n  a:\n    steps:\n      - run: echo "${{ github.event.issue.title }}"\n      - uses: someone/action@v1\n',
  '.gitlab-ci.yml': 'build:\n  image: node\n  script:\n    - curl https://example.com/i.sh | sh\n',
};

test('planted problems of every kind are found at their lines, and fixing one removes only that finding', async () => {
  fixture.commit(planted);
  const first = await scan();
  assert.deepEqual(first.reported, [
    '.github/workflows/ci.yml:6 github-actions-script-injection',
    '.github/workflows/ci.yml:7 github-actions-unpinned',
    '.gitlab-ci.yml:2 gitlab-ci-image-latest',
    '.gitlab-ci.yml:3 gitlab-ci-pipe-to-shell',
    'Dockerfile:1 dockerfile-base-latest',
    'Dockerfile:2 dockerfile-curl-insecure',
    'Dockerfile:3 dockerfile-user-root',
    'compose.yaml:4 compose-privileged',
    'compose.yaml:5 compose-host-network',
    'k8s/web.yaml:14 kubernetes-privileged',
    'main.tf:1 terraform-s3-public-acl',
    'main.tf:5 terraform-ebs-unencrypted',
  ]);
  assert.equal(first.coverage, 'complete');
  assert.deepEqual(first.warnings, []);
  assert.equal(new Set(first.found.map(({ fingerprint }) => fingerprint)).size, first.found.length);
  fixture.commit({
    Dockerfile: '# Moved down\n\nFROM node\nRUN curl https://example.com/a\nUSER root\n',
    'compose.yaml': 'services:\n  db:\n    image: b:1\n  web:\n    image: a:1\n    network_mode: host\n',
    'k8s/web.yaml': pod(locked),
    'main.tf': 'resource "aws_ebs_volume" "a" {\n}\n',
    '.github/workflows/ci.yml': planted['.github/workflows/ci.yml'].replace('@v1', `@${'0123456789'.repeat(4)}`),
    '.gitlab-ci.yml': planted['.gitlab-ci.yml'].replace('node', 'node:20'),
  });
  const second = await scan();
  const left = new Set(second.found.map(({ fingerprint }) => fingerprint));
  assert.deepEqual(
    first.found
      .filter(({ fingerprint }) => !left.has(fingerprint))
      .map(({ rule }) => rule.id)
      .sort(),
    [
      'compose-privileged',
      'dockerfile-curl-insecure',
      'github-actions-unpinned',
      'gitlab-ci-image-latest',
      'kubernetes-privileged',
      'terraform-s3-public-acl',
    ],
  );
  assert.equal(second.found.length, 6);
});

test('findings in a renamed file stay the same, in the server and on the command line', async () => {
  fixture.commit(planted);
  const first = await scan();
  fixture.git('mv', 'Dockerfile', 'build.dockerfile');
  fixture.git('mv', 'main.tf', 'storage.tf');
  fixture.commit({});
  const second = await scan();
  const fingerprints = (found: Detection[]) => found.map(({ fingerprint }) => fingerprint).sort();
  assert.deepEqual(fingerprints(second.found), fingerprints(first.found));
  assert.ok(second.reported.includes('storage.tf:1 terraform-s3-public-acl'));
  const signal = AbortSignal.timeout(600_000);
  const local = await scanPath(fixture.work, { sources: ['infrastructure'], signal });
  assert.deepEqual(fingerprints(local.findings.map(({ detection }) => detection)), fingerprints(first.found));
});

test('an unreadable file is reported with its path and keeps its findings; the others are checked', async () => {
  fixture.commit({
    ...planted,
    'main.tf': 'resource "a" {\n',
    'k8s/web.yaml': `${pod('')}  x: [\n`,
    'big.tf': `# ${'x'.repeat(2 ** 21)}\n`,
  });
  const { warnings, uncoveredPaths, reported, coverage } = await scan();
  assert.equal(coverage, 'complete');
  assert.deepEqual([...uncoveredPaths!].sort(), ['big.tf', 'k8s/web.yaml', 'main.tf']);
  assert.match(warnings.join('\n'), /main\.tf could not be read: line 1/);
  assert.match(warnings.join('\n'), /k8s\/web\.yaml could not be read: line \d/);
  assert.ok(reported.includes('Dockerfile:3 dockerfile-user-root'));
});

test('no finding shows a secret', async () => {
  const password = ['hunter', '22', 'very', 'private'].join('-');
  fixture.commit({
    Dockerfile: `FROM a:1\nENV DB_PASSWORD=${password}\nRUN echo "root:${password}" | chpasswd\nUSER app\n`,
    'compose.yaml': `services:\n  db:\n    image: a:1\n    environment:\n      POSTGRES_PASSWORD: ${password}\n`,
    'db.tf': `resource "aws_db_instance" "a" {\n  storage_encrypted = true\n  deletion_protection = true\n  backup_retention_period = 7\n  enabled_cloudwatch_logs_exports = ["audit"]\n  password = "${password}"\n}\n`,
  });
  const { found } = await scan();
  assert.equal(found.length, 4);
  assert.doesNotMatch(JSON.stringify(found), new RegExp(password));
});

test('directories without git are checked too', async () => {
  fixture.write('a/Dockerfile', planted.Dockerfile);
  const { findings } = await scanPath(join(fixture.work, 'a'), {
    sources: ['infrastructure'],
    signal: AbortSignal.timeout(600_000),
  });
  assert.equal(findings.length, 3);
});

test('a file with more hits of a rule than are reported keeps its findings and has a warning', async () => {
  const volumes = (count: number) =>
    Array.from({ length: count }, (_, index) => `resource "aws_ebs_volume" "v${index}" {\n}\n`).join('');
  const runs = `FROM a:1\nUSER app\n${'RUN curl -k https://example.com/a\n'.repeat(501)}`;
  fixture.commit({
    'full/main.tf': volumes(500),
    'many/a.tf': volumes(499),
    'many/b.tf': volumes(509).slice(volumes(499).length),
    Dockerfile: runs,
  });
  const { warnings, uncoveredPaths } = await scan();
  assert.deepEqual([...new Set(uncoveredPaths)].sort(), ['Dockerfile', 'many/b.tf']);
  assert.ok(warnings.some((warning) => /^many\/b\.tf has more than 500 matches of terraform-\S+: only/.test(warning)));
});

test('a workload in several manifests is one finding with their places, and another image makes it another workload', async () => {
  const privileged = pod(`${locked}        privileged: true\n`);
  fixture.commit({
    'base/web.yaml': privileged,
    'overlays/live/web.yaml': privileged.replace('a:1', 'registry.example.com/a:2'),
    'other/web.yaml': privileged.replace('a:1', 'b:1'),
  });
  const { found } = await scan();
  const places = found
    .filter(({ rule }) => rule.id === 'kubernetes-privileged')
    .map(({ location, places: all, occurrences }) => [location.path, all.map(({ path }) => path), occurrences]);
  assert.deepEqual(places.sort(), [
    ['base/web.yaml', ['base/web.yaml', 'overlays/live/web.yaml'], 2],
    ['other/web.yaml', ['other/web.yaml'], 1],
  ]);
});

test('a warning names providers and formats that have no checks', async () => {
  fixture.commit({
    'main.tf': 'resource "hcloud_server" "a" {\n}\n\nresource "random_id" "a" {\n}\n',
    'deploy/site.bicep': "resource site 'Microsoft.Web/sites@2022-03-01' = {}\n",
  });
  const { warnings } = await scan();
  assert.deepEqual(warnings, [
    'Not checked by infrastructure, which has no rules for Bicep: 1 file, such as deploy/site.bicep.',
    "Not checked by infrastructure, which has no rules for Terraform's hcloud resources: 1 file, such as main.tf.",
  ]);
});

test('a warning names the types of a CloudFormation template that no check looks at', async () => {
  fixture.commit({
    'stack.yaml': `Parameters:
  Network:
    Type: AWS::EC2::VPC::Id
Resources:
  Address:
    Type: AWS::EC2::EIP
  Other:
    Type: AWS::EC2::EIP
  Key:
    Type: AWS::KMS::Key
    Properties:
      EnableKeyRotation: true
  Plan:
    Type: "AWS::Deadline::Farm"
`,
  });
  const { warnings } = await scan();
  assert.deepEqual(warnings, [
    "Not checked by infrastructure, which has no rules for 2 types of CloudFormation's resources: AWS::EC2::EIP (2), AWS::Deadline::Farm.",
  ]);
});

test('a warning names the types of each provider that no check looks at, the most frequent first', async () => {
  const resource = (type: string, name: string) => `resource "${type}" "${name}" {\n}\n\n`;
  const checked = [
    'aws_s3_bucket',
    'google_sql_database_instance',
    'azurerm_storage_account',
    'kubernetes_deployment_v1',
  ];
  const many = Array.from({ length: 21 }, (_, index) => `google_unknown_${String(index + 1).padStart(2, '0')}`);
  fixture.commit({
    'a.tf': [...checked, 'random_id', 'helm_release', 'aws_eip', 'azurerm_resource_group', ...many]
      .map((type) => resource(type, 'a'))
      .join(''),
    'b/main.tf': ['aws_eip', 'aws_placement_group'].map((type) => resource(type, 'b')).join(''),
  });
  const { warnings } = await scan();
  const named = 'Not checked by infrastructure, which has no rules for';
  assert.deepEqual(warnings, [
    `${named} 2 types of Terraform's aws resources: aws_eip (2), aws_placement_group.`,
    `${named} a type of Terraform's azurerm resources: azurerm_resource_group.`,
    `${named} 21 types of Terraform's google resources: ${many.slice(0, 20).join(', ')}, and 1 more.`,
  ]);
});
