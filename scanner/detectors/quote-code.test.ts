import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sarifErrorsIn } from '../../server/reports/writers/sarif-schema.fixture.ts';
import { RepositoryFixture } from '../../tests/harness/repository.ts';
import type { ScannedDetection } from '../contract/detector.ts';
import { formatSarif } from '../path-scan/output/sarif.ts';
import { scanPath } from '../path-scan/scan-path.ts';
import { readAll } from '../readers/testing/formats.fixture.ts';
import { quoteCommit } from './quote-code.ts';
import { sample } from './secrets/sample.ts';

const fixture = new RepositoryFixture();
after(() => fixture.remove());

const stripe = (name: string) => `sk_${'live'}_${sample('0-9A-Za-z', 24, name)}`;
const pem = [
  `-----BEGIN ${'RSA'} PRIVATE KEY-----`,
  ...Array.from({ length: 25 }, (_, line) => sample('0-9A-Za-z', 64, `pem${line}`)),
  `-----END ${'RSA'} PRIVATE KEY-----`,
];
const password = sample('0-9A-Za-z', 16, 'password');
const secrets = [stripe('old'), stripe('first'), stripe('second'), password, ...pem.slice(1, -1)];

const config = [
  'REGION=eu',
  `FIRST=${stripe('old')}`,
  'MODE=live',
  `SECOND=${stripe('second')}`,
  '',
  'A=1',
  'B=2',
  'C=3',
  'D=4',
  'E=5',
  'LAST=6',
];
const shell = [
  'import os',
  '',
  `db_password = "${password}"`,
  `API = "${stripe('second')}"`,
  'def ping(host):',
  '    os.system("ping -c 1 " + host)',
  '    return 1',
  '',
  'x = 1',
  'y = 2',
  'z = 3',
];
const docker = ['FROM node:latest', `ENV KEY=${stripe('first')}`, 'USER root'];
const deployment = [
  'apiVersion: v1',
  'kind: Secret',
  'metadata: {name: k}',
  'stringData:',
  '  key: |',
  ...pem.map((line) => `    ${line}`),
  '---',
  'apiVersion: v1',
  'kind: Pod',
  'metadata: {name: p}',
  'spec:',
  '  containers: [{name: a, image: "a:latest", securityContext: {privileged: true}}]',
];

let detections: Array<{ source: string; detection: ScannedDetection }>;
let head = '';
before(async () => {
  fixture.commit({ 'old name.env': config.join('\n') });
  fixture.git('rm', '--quiet', 'old name.env');
  head = fixture.commit({
    'ping.py': shell.join('\n'),
    Dockerfile: docker.join('\r\n'),
    'pod.yaml': deployment.join('\n'),
  });
  const signal = AbortSignal.timeout(600_000);
  const scanned = await scanPath(fixture.work, { sources: ['secrets', 'code', 'infrastructure'], signal });
  detections = scanned.findings;
  scan = scanned;
});
let scan: Awaited<ReturnType<typeof scanPath>>;

const find = (rule: RegExp, path: string) =>
  detections.find(({ detection }) => rule.test(detection.rule.id) && detection.location.path === path)!.detection;

test('findings of secrets, code and infrastructure have the lines around their location, at most nine', () => {
  assert.ok(detections.length > 5);
  for (const { detection } of detections) {
    const { code, location, title } = detection;
    assert.ok(code, title);
    assert.ok(code.lines.length <= 9 && Buffer.byteLength(code.lines.join('\n')) <= 4_096);
    assert.ok(
      code.start_line <= location.start_line! && code.start_line + code.lines.length > location.start_line!,
      title,
    );
  }
  assert.deepEqual(find(/command/, 'ping.py').code, {
    start_line: 2,
    lines: [
      '',
      'db_password = "…(redacted)"',
      'API = "…(redacted)"',
      'def ping(host):',
      '    os.system("ping -c 1 " + host)',
      '    return 1',
      '',
      'x = 1',
      'y = 2',
    ],
  });
});

test('a secret that is only in the history is quoted from its commit', () => {
  const { code, location } = find(/stripe/, 'old name.env');
  assert.notEqual(location.commit, null);
  assert.deepEqual(code!.lines.slice(0, 4), ['REGION=eu', 'FIRST=…(redacted)', 'MODE=live', 'SECOND=…(redacted)']);
});

test('no quoted line has a part of a secret, such as one of another finding or a key that starts above the lines', () => {
  const text = JSON.stringify(detections);
  for (const secret of secrets) assert.ok(!text.includes(secret.slice(4, 16)), secret);
  const pod = find(/./, 'pod.yaml');
  assert.ok(
    JSON.stringify(detections.filter(({ detection }) => detection.location.path === 'pod.yaml')).includes(
      '…(redacted)',
    ),
  );
  assert.ok(pod.code);
});

test('a commit is quoted like the files on disk', async () => {
  const quote = quoteCommit(
    { gitDirectory: join(fixture.work, '.git'), home: fixture.root, signal: AbortSignal.timeout(60_000) },
    head,
  );
  for (const source of ['secrets', 'code', 'infrastructure']) {
    const own = detections.filter((found) => found.source === source).map(({ detection }) => detection);
    const copies = own.map((detection) => ({ ...structuredClone(detection), code: null }));
    await quote(source, copies);
    assert.deepEqual(
      copies.map(({ code }) => code),
      own.map(({ code }) => code),
    );
  }
});

test('paths that lead out of the repository or are in no commit are not quoted and cause no failure', async () => {
  const quote = quoteCommit(
    { gitDirectory: join(fixture.work, '.git'), home: fixture.root, signal: AbortSignal.timeout(60_000) },
    head,
  );
  const paths = ['../../etc/passwd', './ping.py', 'a\nb', 'gone blob 7', '/etc/passwd', '', 'ping.py'];
  const original = find(/command/, 'ping.py');
  const copies = paths.map((path) => ({
    ...structuredClone(original),
    location: { ...original.location, path },
    code: null,
  }));
  await quote('code', copies);
  assert.deepEqual(
    copies.map(({ code }) => code !== null),
    paths.map((path) => path === 'ping.py'),
  );
});

test('SARIF of the command line is valid and imports with the same code', async () => {
  const report = { ...scan, known: [], version: '1.0.0', at: new Date('2026-01-01T00:00:00Z') };
  const text = formatSarif(report, { color: false, width: 80 });
  assert.deepEqual(sarifErrorsIn(JSON.parse(text)), []);
  const { all } = await readAll(text);
  const keyOf = ({ rule, location }: ScannedDetection) =>
    JSON.stringify([rule.id, location.path, location.start_line, location.start_column]);
  const imported = new Map(all.map((detection) => [keyOf(detection), detection.code]));
  for (const { detection } of detections)
    assert.deepEqual(imported.get(keyOf(detection)), detection.code, keyOf(detection));
});
