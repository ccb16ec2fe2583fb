import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cpuTimeMs } from '../../../../tests/harness/cpu-time.ts';
import { checkProperty } from '../../../../tests/harness/properties.ts';
import { baseEcosystem } from '../../../advisories/ecosystem.ts';
import { orderOf } from '../../../advisories/versions/index.ts';
import type { Dependency } from '../dependency.ts';
import { toPackageUrl } from '../package-url.ts';
import { findManifestFormat, manifestFormats } from './index.ts';
import { samples } from './samples.fixture.ts';

const noFiles = { read: async () => null, warn: () => {} };
const shown = ({ ecosystem, name, version, line }: Dependency) => `${ecosystem} ${name} ${version} ${line}`;

for (const { path, content, packages } of samples) {
  test(`the packages of ${path} are read with their lines`, async () => {
    const format = findManifestFormat(path);
    assert.ok(format, `no format matches ${path}`);
    assert.deepEqual((await format.read(content, noFiles)).map(shown), packages);
  });
}

test('every format has a sample', () => {
  const missing = manifestFormats
    .filter((format) => !samples.some(({ path }) => findManifestFormat(path) === format))
    .map(({ name }) => name);
  const remedy = 'Add a file of each of these formats, and the packages in it, to samples.fixture.ts.';
  assert.deepEqual(missing, [], remedy);
});

test('every package of a sample can be matched with advisories, and has a package URL', async () => {
  const found = new Map<string, Dependency>();
  for (const { path, content } of samples) {
    for (const dependency of await findManifestFormat(path)!.read(content, noFiles))
      found.set(baseEcosystem(dependency.ecosystem), dependency);
  }
  const withoutOrder = [...found.keys()].filter((ecosystem) => !orderOf(ecosystem));
  assert.deepEqual(withoutOrder, [], 'Add the order of their versions to advisories/versions/index.ts.');
  // The package URLs of distributions have a release, unlike the databases of dpkg and apk.
  for (const distribution of ['Debian', 'Alpine']) found.delete(distribution);
  const withoutUrl = [...found].filter(([, dependency]) => !toPackageUrl(dependency)).map(([ecosystem]) => ecosystem);
  assert.deepEqual(withoutUrl, [], 'Add the type of their package URLs to package-url.ts.');
});

test('files that only look like manifests are skipped', () => {
  for (const path of [
    'package.json',
    'docs/requirements.md',
    'my-go.mod',
    'xgo.mod',
    'license.txt',
    'bom.txt',
    'a.lock',
  ]) {
    assert.equal(findManifestFormat(path), undefined, path);
  }
  for (const path of [
    'requirements-dev.txt',
    'dev-requirements.txt',
    'requirements/base.txt',
    'a/b/go.mod',
    'x.cdx.json',
  ]) {
    assert.ok(findManifestFormat(path), path);
  }
});

test('requirements files include others, each once, and missing ones are reported', async () => {
  const files: Record<string, string> = {
    'base/common.txt': 'Flask_Login==1.0  # pinned\n-r ../requirements.txt\n-c limits.txt\n',
    'base/limits.txt': 'jinja2==3.0.0\n',
  };
  const warnings: string[] = [];
  const found = await findManifestFormat('requirements.txt')!.read(
    '-r base/common.txt\n-r gone.txt\nrequests[socks] == 2.0 ; python_version > "3"\n',
    {
      read: async (path) => files[path] ?? null,
      warn: (sentence) => warnings.push(sentence),
    },
  );
  assert.deepEqual(
    found.map(({ name, version }) => `${name} ${version}`),
    ['flask-login 1.0', 'jinja2 3.0.0', 'requests 2.0'],
  );
  assert.deepEqual(warnings, [
    'The included file ../requirements.txt is missing.',
    'The included file gone.txt is missing.',
  ]);
});

test('a lockfile with another structure is refused, not read as one without packages', async () => {
  const unusable: Array<[path: string, content: string]> = [
    ['package-lock.json', '{"lockfileVersion":9,"pkgs":{}}'],
    ['package-lock.json', '{"lockfileVersion":3,"packages":null}'],
    ['package-lock.json', '{"lockfileVersion":3,"packages":[]}'],
    ['package-lock.json', '{"lockfileVersion":3,"packages":{"node_modules/a":"1.0.0"}}'],
    ['package-lock.json', '{"lockfileVersion":3,"packages":{"node_modules/a":{"version":1}}}'],
    ['package-lock.json', '{"lockfileVersion":1,"dependencies":[]}'],
    ['pnpm-lock.yaml', 'lockfileVersion: 9\npackages: [a]\n'],
    ['yarn.lock', '__metadata:\n  version: 8\n"a@npm:1": 1.0.0\n'],
    ['bun.lock', '{"lockfileVersion":1}'],
    ['bun.lock', '{"lockfileVersion":1,"packages":{"a":{}}}'],
    ['poetry.lock', '[package]\nname = "a"\n'],
    ['pylock.toml', 'lock-version = "1.0"\n'],
    ['Pipfile.lock', '{"default":[]}'],
    ['Cargo.lock', 'package = "a"\n'],
    ['Gemfile.lock', 'a (1.0.0)\n'],
    ['composer.lock', '{"packages":{}}'],
    ['packages.lock.json', '{"version":1}'],
    ['a.deps.json', '{"runtimeTarget":{"name":"x"},"libraries":[]}'],
    ['packages.config', '<configuration/>'],
    ['conan.lock', '{"graph_lock":[]}'],
    ['conan.lock', '{"requires":{}}'],
    ['mix.lock', '[]'],
    ['pubspec.lock', 'sdks: {}\n'],
    ['renv.lock', '{"Packages":[]}'],
  ];
  const accepted: string[] = [];
  for (const [path, content] of unusable) {
    const read = Promise.resolve().then(() => findManifestFormat(path)!.read(content, noFiles));
    const message = await read.then(
      () => null,
      (error: Error) => error.message,
    );
    if (message === null || !/^[A-Z].*\.$/.test(message)) accepted.push(`${path} ${content}`);
  }
  assert.deepEqual(accepted, []);
});

test('a lockfile without packages is read as such', async () => {
  const empty: Array<[path: string, content: string]> = [
    ['package-lock.json', '{"lockfileVersion":1}'],
    ['package-lock.json', '{"lockfileVersion":3,"packages":{}}'],
    ['pnpm-lock.yaml', "lockfileVersion: '9.0'\n"],
    ['Cargo.lock', 'version = 4\n'],
    ['composer.lock', '{"packages":[],"packages-dev":null}'],
    ['conan.lock', '{"version":"0.5"}'],
    ['mix.lock', '%{\n}\n'],
    ['Gemfile.lock', 'PLATFORMS\n  ruby\n\nDEPENDENCIES\n'],
  ];
  for (const [path, content] of empty) assert.deepEqual(await findManifestFormat(path)!.read(content, noFiles), []);
});

test('a damaged manifest is always reported in a sentence', async () => {
  const damaged = fc.constantFrom(...samples).chain(({ path, content }) =>
    fc.record({
      path: fc.constant(path),
      cut: fc.nat(content.length),
      noise: fc.string({ maxLength: 20, unit: 'binary' }),
      content: fc.constant(content),
    }),
  );
  await checkProperty(
    fc.asyncProperty(damaged, async ({ path, cut, noise, content }) => {
      try {
        await findManifestFormat(path)!.read(
          content.slice(0, cut) + noise + content.slice(cut + noise.length),
          noFiles,
        );
      } catch (error) {
        assert.match((error as Error).message, /^[A-Z].*\.$/s);
        assert.equal((error as Error).constructor, Error);
      }
    }),
    { numRuns: 400 },
  );
});

test('files that are designed to be slow are read in linear time', async () => {
  const size = 400_000;
  const hostile = [
    '['.repeat(size),
    '{"a":'.repeat(size / 5),
    `{"dependencies":${'{"a":{"dependencies":'.repeat(20_000)}{}${'}}'.repeat(20_000)}}`,
    `a: ${'['.repeat(5_000)}`,
    '<a>'.repeat(size / 3),
    `<project><properties><a>\${b}\${b}</a><b>\${a}\${a}</b></properties><dependencies>${'<dependency><groupId>${a}</groupId><artifactId>x</artifactId></dependency>'.repeat(2_000)}</dependencies></project>`,
    `"${'\\'.repeat(size)}`,
    ' '.repeat(size),
    `${'a'.repeat(size)}==1`,
    `a${' '.repeat(size)}b`,
    `${'require ('.repeat(size / 9)}`,
    '    a (1-'.repeat(size / 10),
    `lockfileVersion: 5\npackages:\n  &a x: {b: [${'*a,'.repeat(1_000)}]}`,
    `package = [${'{name="a"},'.repeat(10_000)}]`,
    '/*'.repeat(size / 2),
    ','.repeat(size),
  ];
  for (const format of manifestFormats) {
    for (const content of hostile) {
      const start = cpuTimeMs();
      await Promise.resolve()
        .then(() => format.read(content, noFiles))
        .catch((error: Error) => assert.match(error.message, /^[A-Z]/));
      const elapsedMs = cpuTimeMs() - start;
      assert.ok(elapsedMs < 3_000, `${format.name} took ${Math.round(elapsedMs)} ms for ${content.slice(0, 20)}…`);
    }
  }
});
