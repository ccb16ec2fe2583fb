import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { Dependency } from '../dependency.ts';
import { manifestFormats } from './index.ts';
import type { ManifestFormat } from './manifest-format.ts';

type Expected = {
  fixture: string;
  kind: string;
  error: boolean;
  packages: Array<{ name: string; version: string }>;
};

const data = process.env.ASSAY_TEST_DATA ? join(process.env.ASSAY_TEST_DATA, 'lockfiles') : null;
const skip = data && existsSync(data) ? false : 'ASSAY_TEST_DATA names no directory with lockfiles';

/** The data set's name of each format, and a path that selects our format. */
const pathOf: Record<string, string> = {
  ApkInstalled: 'lib/apk/db/installed',
  CargoLock: 'Cargo.lock',
  ComposerLock: 'composer.lock',
  ConanLock: 'conan.lock',
  DpkgStatus: 'var/lib/dpkg/status',
  GemfileLock: 'Gemfile.lock',
  GoLock: 'go.mod',
  GradleLock: 'gradle.lockfile',
  GradleVerificationMetadata: 'gradle/verification-metadata.xml',
  MavenLock: 'pom.xml',
  MixLock: 'mix.lock',
  NpmLock: 'package-lock.json',
  NuGetLock: 'packages.lock.json',
  PdmLock: 'pdm.lock',
  PipenvLock: 'Pipfile.lock',
  PnpmLock: 'pnpm-lock.yaml',
  PoetryLock: 'poetry.lock',
  PubspecLock: 'pubspec.lock',
  RenvLock: 'renv.lock',
  RequirementsTxt: 'requirements.txt',
  YarnLock: 'yarn.lock',
};

/** The deviations of our results, and why they are better. */
const differences: Record<string, 'open version' | 'missing include' | 'source package'> = {
  // A range, a lower bound or a missing version says nothing about the installed one: the data set has the bound, or
  // 0.0.0.
  'maven/interpolation.xml': 'open version',
  'pip/with-per-requirement-options.txt': 'open version',
  // The included files are missing: a warning says so, and the rest is read.
  'pip/file-format-example.txt': 'missing include',
  'pip/with-multiple-r-options.txt': 'missing include',
  'pip/with-bad-r-option.txt': 'missing include',
  'pip/duplicate-r-dev.txt': 'missing include',
  'pip/cyclic-r-complex-1.txt': 'missing include',
  // Alpine's advisories are on source packages, which may be fewer.
  'apk/multiple_installed': 'source package',
};

async function readFixture(format: ManifestFormat, fixture: string) {
  const warnings: string[] = [];
  const folder = dirname(join(data!, fixture));
  const dependencies = await format.read(readFileSync(join(data!, fixture), 'utf8'), {
    read: async (path) => (existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : null),
    warn: (sentence) => warnings.push(sentence),
  });
  return { dependencies, warnings };
}

const written = (packages: Array<{ name: string; version: string | null }>) =>
  [...new Set(packages.map(({ name, version }) => `${name} ${version ?? ''}`.trim()))].sort();

const namesOf = (packages: Array<{ name: string }>) => [...new Set(packages.map(({ name }) => name))].sort();

/** Scanner results are imported, not read as a manifest. */
const cases: Expected[] = skip ? [] : JSON.parse(readFileSync(join(data!, 'expected.json'), 'utf8'));
for (const { fixture, kind, error, packages } of cases.filter((known) => pathOf[known.kind])) {
  test(`${fixture} contains the expected packages`, async () => {
    const path = pathOf[kind]!;
    const format =
      manifestFormats.find((candidate) => candidate.matches(path)) ?? assert.fail(`${path} has no reader.`);
    const difference = differences[fixture];
    if (error && !difference) {
      await assert.rejects(async () => readFixture(format, fixture), /^Error: [A-Z].*\.$/);
      return;
    }
    const { dependencies, warnings } = await readFixture(format, fixture);
    if (difference === 'missing include' && warnings.length > 0) {
      const expected = new Set(packages.map(({ name }) => name));
      assert.ok(error || dependencies.every(({ name }) => expected.has(name)));
    } else if (difference === 'source package') {
      assert.deepEqual(written(dependencies).length, written(packages).length);
    } else if (difference) {
      assert.deepEqual(namesOf(dependencies), namesOf(packages));
    } else {
      assert.deepEqual(written(dependencies), written(packages));
    }
    assert.ok(dependencies.every(({ line }: Dependency) => line === null || line > 0));
  });
}
test('real lockfiles contain the expected packages', { skip }, () => {});
