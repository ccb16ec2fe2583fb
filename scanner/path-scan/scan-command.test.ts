import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { AdvisoryDirectory, osvAdvisory } from '../../tests/harness/advisories.ts';
import { RepositoryFixture } from '../../tests/harness/repository.ts';
import { sample } from '../detectors/secrets/sample.ts';

const program = join(import.meta.dirname, '..', '..', 'tests', 'harness', 'scan-program.ts');
const secret = `sk_${'live'}_${sample('0-9A-Za-z', 24, 'command')}`;
let fixture: RepositoryFixture;
let commit: string;

before(() => {
  fixture = new RepositoryFixture();
  commit = fixture.commit({ 'pay ments/ü.txt': `key = "${secret}"\n`, 'clean/a.txt': 'nothing\n' });
});
after(() => fixture.remove());

function scan(...commandLine: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'scan', ...commandLine], {
    encoding: 'utf8',
  });
  assert.doesNotMatch(stdout + stderr, new RegExp(secret));
  return { status, stdout, stderr };
}

test('the table lists each finding with its location, and a total', () => {
  const { status, stdout, stderr } = scan(fixture.work);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /SEVERITY +RULE +PLACE +EVIDENCE/);
  assert.match(stdout, new RegExp(`pay ments/ü\\.txt:1 \\(${commit.slice(0, 10)}\\)`));
  assert.match(stdout, /1 finding in work: 1 critical\./);
  assert.equal(scan(join(fixture.work, 'clean')).stdout, 'No findings in clean.\n');
});

test('the exit code distinguishes success, failure, wrong usage and findings', () => {
  assert.equal(scan(fixture.work, '--fail-on', 'high').status, 3);
  assert.equal(scan(join(fixture.work, 'clean'), '--fail-on', 'info').status, 0);
  // Nothing shows where the text comes from: a finding of low confidence.
  const hints = join(fixture.root, 'hints');
  mkdirSync(hints);
  writeFileSync(join(hints, 'page.twig'), '<p>{{ text|raw }}</p>\n');
  const hint = scan(hints, '--source', 'code', '--fail-on', 'info');
  assert.equal(hint.status, 0, hint.stderr);
  assert.match(
    hint.stdout,
    /^medium +\? Template writes a value as HTML .*\n\n1 finding in hints: 1 medium\. 1 of low confidence \(\?\)\./m,
  );
  assert.equal(scan(hints, '--source', 'code', '--fail-on', 'medium', '--fail-on-low-confidence').status, 3);
  const missing = scan(join(fixture.root, 'nothing'));
  assert.equal(missing.status, 1);
  assert.match(missing.stderr, /there is nothing at/);
  assert.equal(scan(`file://${fixture.root}/nothing`).status, 1);
  for (const wrong of [
    [],
    ['--format', 'xml', fixture.work],
    ['--fail-on', 'worst', fixture.work],
    ['--source', 'nothing', fixture.work],
    ['--unknown', fixture.work],
    [fixture.work, fixture.work],
    ['--write-baseline', fixture.work],
    ['--staged', '--diff', 'HEAD', fixture.work],
    ['--staged', '--baseline', 'x', '--write-baseline', fixture.work],
  ]) {
    assert.equal(scan(...wrong).status, 2, wrong.join(' '));
  }
  assert.equal(scan('--help').status, 0);
});

test('a baseline hides its own findings, but no later ones', () => {
  const project = new RepositoryFixture('project');
  project.commit({ 'a.txt': `key = "${secret}"\n` });
  const baseline = join(project.root, 'baseline.json');
  const missing = scan(project.work, '--baseline', baseline);
  assert.equal(missing.status, 1);
  assert.match(missing.stderr, /there is no baseline at .* Add --write-baseline/);
  const written = scan(project.work, '--baseline', baseline, '--write-baseline', '--fail-on', 'info');
  assert.deepEqual([written.status, written.stdout], [0, `${baseline} names 1 finding.\n`]);
  assert.doesNotMatch(readFileSync(baseline, 'utf8'), new RegExp(secret));
  project.commit({ 'a.txt': `moved\nkey = "${secret}"\n`, Dockerfile: 'FROM node:latest\nUSER app\n' });
  const arguments_ = [project.work, '--baseline', baseline, '--fail-on', 'low'];
  const later = scan(...arguments_);
  assert.equal(later.status, 3);
  assert.match(later.stdout, /1 finding in project/);
  assert.match(later.stderr, /1 finding of the baseline left out/);
  // An import must not close it.
  const { runs } = JSON.parse(scan(...arguments_, '--format', 'sarif').stdout);
  assert.deepEqual(
    runs.flatMap(({ results }: { results: object[] }) =>
      results.map((result: { ruleId?: string; baselineState?: string }) => [result.ruleId, result.baselineState]),
    ),
    [
      ['stripe-access-token', 'unchanged'],
      ['dockerfile-base-latest', undefined],
    ],
  );
  writeFileSync(baseline, '{"version": 2}');
  assert.match(scan(project.work, '--baseline', baseline).stderr, /is not a baseline of Assay/);
  project.remove();
});

test('a finding that a comment accepts causes no failure and is a suppressed result in SARIF', () => {
  const project = new RepositoryFixture('project');
  project.commit({ 'a.txt': `key = "${secret}" # ${'assay:ignore'} stripe-access-token Revoked in May.\n` });
  const { status, stdout, stderr } = scan(project.work, '--fail-on', 'info');
  assert.deepEqual([status, stdout, stderr], [0, 'No findings in project.\n', '1 finding accepted in the code.\n']);
  const [result] = JSON.parse(scan(project.work, '--format', 'sarif').stdout).runs[0].results;
  const justification = 'Ignored in the code: Revoked in May.';
  assert.deepEqual(result.suppressions, [{ kind: 'inSource', justification }]);
  project.remove();
});

test('a file of decisions in the repository is honoured without a server, and its errors are warnings that fail nothing', () => {
  const project = new RepositoryFixture('project');
  const decision = (path: string) =>
    `decisions:\n  - outcome: false_positive\n    reason: Made for tests.\n    scope:\n      rule: [stripe-access-token]\n      path: ["${path}"]\n`;
  project.commit({ 'tests/a.txt': `key = "${secret}"\n`, '.assay/decisions.yaml': decision('tests/**') });
  const { status, stderr } = scan(project.work, '--fail-on', 'info');
  assert.deepEqual([status, stderr], [0, '1 finding accepted in the code.\n']);
  // The version on disk counts, and of a bare repository that of the commit.
  assert.equal(scan(join(project.work, '.git'), '--fail-on', 'info').status, 0);
  // A demoted rule fails on no severity but info, and is imported with that of its scanner.
  project.commit({ '.assay/decisions.yaml': decision('tests/**').replace('false_positive', 'demoted') });
  const shown = scan(project.work, '--fail-on', 'low');
  assert.equal(shown.status, 0);
  assert.match(shown.stdout, /1 finding in project: 1 info\. 1 shown as info by \.assay\/decisions\.yaml\./);
  const [demoted] = JSON.parse(scan(project.work, '--format', 'json').stdout);
  assert.deepEqual([demoted.status, demoted.severity, demoted.scanner_severity], ['new', 'info', 'critical']);
  const { results, tool } = JSON.parse(scan(project.work, '--format', 'sarif').stdout).runs[0];
  assert.deepEqual(
    [results[0].level, results[0].properties.scanner_severity, tool.driver.rules[0].properties['security-severity']],
    ['note', 'critical', '0.0'],
  );
  project.commit({ '.assay/decisions.yaml': decision('../tests/**') });
  const wrong = scan(project.work, '--fail-on', 'info');
  assert.equal(wrong.status, 3);
  assert.match(wrong.stderr, /\.assay\/decisions\.yaml, line 6: `path` must be relative.*The decision has no effect\./);
  project.remove();
});

test('json is an array of findings as in the API, with places but without ids', () => {
  const findings = JSON.parse(scan(fixture.work, '--format', 'json', '--source', 'secrets').stdout);
  assert.equal(findings.length, 1);
  const [finding] = findings;
  assert.equal(finding.status, 'new');
  assert.equal(finding.source, 'secrets');
  assert.equal(finding.id, undefined);
  assert.deepEqual(finding.data_source, { name: 'work', kind: 'git_repository' });
  assert.deepEqual(finding.places, [{ path: 'pay ments/ü.txt', start_line: 1, end_line: 1, commit }]);
  assert.match(finding.first_seen_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const one = JSON.parse(scan(fixture.work, '--json').stdout);
  assert.deepEqual(Object.keys(one), ['findings', 'warnings', 'ignored', 'known', 'coverage', 'tool']);
  assert.deepEqual(one.coverage[0], { source: 'secrets', partial: [], uncovered: [] });
});

test('no name in a scanned folder can control the terminal', () => {
  const evil = '\x1b]0;owned\x07\x1b[2J\u009b31m\u202Egnp.exe\u2066';
  const hostile = new RepositoryFixture();
  mkdirSync(join(hostile.work, evil));
  try {
    hostile.commit({
      [`${evil}/requirements.txt`]: `-r ${evil}.txt\nflask==1.0\n`,
      [`${evil}/package-lock.json`]: '{ "lockfileVersion": 3',
      [`${evil}/a.txt`]: `key = "${secret}"\n`,
      [`${evil}.txt`]: `key = "${secret}"\n`,
    });
    const runs = [
      scan(hostile.work),
      scan(hostile.work, '--format', 'json'),
      scan(hostile.work, '--format', 'sarif'),
      scan(join(hostile.work, evil, 'nothing')),
    ];
    for (const { stdout, stderr } of runs) {
      assert.doesNotMatch(stdout + stderr, /[^\P{Cc}\n]|\p{Cf}/u);
      assert.ok(stdout.includes('owned') || stderr.includes('owned'), stderr);
    }
    const [finding] = JSON.parse(runs[1]!.stdout) as Array<{ location: { path: string } }>;
    assert.match(finding!.location.path, /\u202Egnp\.exe/, 'JSON has the same text, escaped');
  } finally {
    hostile.remove();
  }
});

test('sarif is 2.1.0 with rules, levels, locations and stable fingerprints', () => {
  const log = JSON.parse(scan(fixture.work, '--format', 'sarif').stdout);
  assert.equal(log.version, '2.1.0');
  const [run] = log.runs;
  const [rule] = run.tool.driver.rules;
  const [result] = run.results;
  assert.equal(run.tool.driver.name, 'Assay');
  assert.equal(result.ruleId, rule.id);
  assert.equal(result.ruleIndex, 0);
  assert.equal(result.level, 'error');
  assert.equal(rule.properties['security-severity'], '9.5');
  assert.deepEqual(result.locations[0].physicalLocation, {
    artifactLocation: { uri: 'pay%20ments/%C3%BC.txt', uriBaseId: '%SRCROOT%' },
    region: { startLine: 1, startColumn: 8, endLine: 1, endColumn: 8 + secret.length },
  });
  assert.match(result.partialFingerprints['assay/v1'], /^v1:/);
  assert.equal(run.invocations[0].executionSuccessful, true);
});

test('gitlab-codequality and github-annotations list each finding, and no file name becomes a command', () => {
  const repository = new RepositoryFixture();
  repository.commit({ 'a,b:c%\n::error::x.txt': `\nkey = "${secret}"\n` });
  const [entry, ...others] = JSON.parse(scan(repository.work, '--format', 'gitlab-codequality').stdout);
  assert.deepEqual(others, []);
  assert.deepEqual([entry.severity, entry.location.lines], ['blocker', { begin: 2 }]);
  assert.match(entry.fingerprint, /^v1:/);
  assert.equal(entry.location.path, 'a,b:c%\\n::error::x.txt');
  const lines = scan(repository.work, '--format', 'github-annotations').stdout.trim().split('\n');
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /^::error file=a%2Cb%3Ac%25\\n%3A%3Aerror%3A%3Ax\.txt,line=2,endLine=2,title=[^,:]+::\S/);
  assert.equal(scan(join(fixture.work, 'clean'), '--format', 'github-annotations').stdout.trim(), '');
  repository.remove();
});

test('a secret in a commit message has a location in every format', () => {
  const repository = new RepositoryFixture();
  const commit = repository.commit({ 'a.txt': 'x\n' }, `Try it\n\nwith ${secret}`);
  assert.match(scan(repository.work).stdout, new RegExp(`commit message:3 \\(${commit.slice(0, 10)}\\)`));
  const [finding] = JSON.parse(scan(repository.work, '--format', 'json').stdout);
  assert.equal(finding.location.path, null);
  const [run] = JSON.parse(scan(repository.work, '--format', 'sarif').stdout).runs;
  assert.equal(run.results[0].locations[0].logicalLocations[0].fullyQualifiedName, `commit ${commit}`);
  repository.remove();
});

test('cyclonedx is an SBOM of the packages that were read, and imports with the same findings', () => {
  const project = new RepositoryFixture('project');
  project.write('Cargo.lock', '[[package]]\nname = "time"\nversion = "0.1.43"\n');
  project.write(
    'sub/package-lock.json',
    '{"lockfileVersion": 3, "packages": {"node_modules/@a/left": {"version": "1.0.0"}}}',
  );
  const bom = scan(project.work, '--format', 'cyclonedx').stdout;
  const { bomFormat, specVersion, serialNumber, components } = JSON.parse(bom);
  assert.deepEqual([bomFormat, specVersion], ['CycloneDX', '1.6']);
  assert.match(serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.deepEqual(components, [
    {
      ...{
        type: 'library',
        'bom-ref': 'pkg:cargo/time@0.1.43',
        name: 'time',
        version: '0.1.43',
        purl: 'pkg:cargo/time@0.1.43',
      },
      evidence: { occurrences: [{ location: 'Cargo.lock', line: 2 }] },
    },
    {
      ...{
        type: 'library',
        'bom-ref': 'pkg:npm/%40a/left@1.0.0',
        name: '@a/left',
        version: '1.0.0',
        purl: 'pkg:npm/%40a/left@1.0.0',
      },
      evidence: { occurrences: [{ location: 'sub/package-lock.json' }] },
    },
  ]);
  project.remove();
  const other = new RepositoryFixture('other');
  other.write('bom.json', bom);
  const again = JSON.parse(scan(other.work, '--format', 'cyclonedx').stdout);
  assert.deepEqual(
    again.components.map(({ purl }: { purl: string }) => purl),
    components.map(({ purl }: { purl: string }) => purl),
  );
  other.remove();
});

test('dependencies are matched with the advisories in a directory, and a warning reports a missing one', () => {
  const project = new RepositoryFixture('project');
  project.commit({ 'requirements.txt': '-r more/base.txt\n', 'more/base.txt': 'Left_Pad==1.0\n' });
  const feed = new AdvisoryDirectory();
  feed.put('PyPI', [osvAdvisory('PYSEC-1', 'PyPI', 'left-pad', '1.1')]);
  const matched = JSON.parse(
    scan(project.work, '--source', 'dependencies', '--advisories', feed.directory, '--json').stdout,
  );
  assert.equal(matched.findings[0].location.package.fixed_version, '1.1');
  assert.deepEqual([matched.findings.length, matched.warnings], [1, []]);
  const without = scan(project.work, '--source', 'dependencies');
  assert.match(without.stderr, /warning: 1 package in 1 manifest could not be matched .* --advisories DIR/);
  feed.remove();
  project.git('clone', '--quiet', '--bare', '.', '../bare.git');
  const bare = JSON.parse(scan(join(project.root, 'bare.git'), '--format', 'cyclonedx').stdout);
  assert.equal(bare.components[0].purl, 'pkg:pypi/left-pad@1.0');
  project.remove();
});
