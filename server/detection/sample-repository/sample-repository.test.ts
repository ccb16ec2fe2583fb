import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type PathScanResult, scanPath } from '@assay/scanner/path-scan/scan-path.ts';
import { createSampleRepository } from './sample-repository.ts';

let root: string;
let directory: string;
let result: PathScanResult;
const head = (at: string) => execFileSync('git', ['-C', at, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();

before(async () => {
  root = mkdtempSync(join(tmpdir(), 'sample-'));
  directory = join(root, 'sample');
  await createSampleRepository(directory);
  result = await scanPath(directory, { sources: ['secrets'], signal: AbortSignal.timeout(600_000) });
});
after(() => rmSync(root, { recursive: true, force: true }));

const of = (rule: RegExp) => result.findings.filter(({ detection }) => rule.test(detection.rule.id));

test('the sample repository is the same everywhere, and creating it again changes nothing', async () => {
  const commit = head(directory);
  await createSampleRepository(join(root, 'other'));
  assert.equal(head(join(root, 'other')), commit);
  writeFileSync(join(directory, 'kept.txt'), 'mine');
  execFileSync('git', ['-C', directory, 'add', '--all']);
  const identity = ['-c', 'user.name=Me', '-c', 'user.email=me@example.com'];
  execFileSync('git', ['-C', directory, ...identity, 'commit', '--quiet', '--message=Mine']);
  await createSampleRepository(directory);
  assert.equal(readFileSync(join(directory, 'kept.txt'), 'utf8'), 'mine');
  rmSync(join(directory, '.git', 'HEAD'));
  await createSampleRepository(directory);
  assert.equal(head(directory), commit);
});

test('every planted secret is found once, in the newest files or in the history', () => {
  const expected: Array<[RegExp, string | null]> = [
    [/^aws-access-token$/, 'deploy/prod.env'],
    [/^aws-secret/, 'deploy/prod.env'],
    [/private-key/, 'deploy/deploy_key.pem'],
    [/^slack-webhook/, 'src/notify.ts'],
    [/^stripe/, 'docs/payments.md'],
    [/^github-pat$/, 'scripts/release.sh'],
    [/^npm/, null],
  ];
  for (const [rule, path] of expected) {
    const found = of(rule);
    assert.equal(found.length, 1, `${rule}: ${found.length}`);
    assert.equal(found[0]!.detection.location.path, path, String(rule));
    assert.match(found[0]!.detection.location.commit!, /^[0-9a-f]{40}$/);
  }
  assert.equal(of(/^stripe/)[0]!.detection.occurrences, 2);
  assert.ok(result.findings.some(({ detection }) => detection.location.path === 'config/database.yml'));
});

test('placeholders of the sample repository are not findings', () => {
  const paths = result.findings.flatMap(({ detection }) => detection.places.map((place) => place.path));
  assert.ok(!paths.includes('.env.example'));
  assert.equal(result.findings.length, 8);
});
