// Builds the client libraries' packages and prints how to publish them. It publishes nothing.
//   node scripts/release-clients.mjs [--out DIRECTORY] [LANGUAGE …]
import { spawnSync } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { releases } from './clients/releases.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const { values, positionals } = parseArgs({ options: { out: { type: 'string' } }, allowPositionals: true });
const out = resolve(values.out ?? 'release');

/** Returns sentences about everything that prevents a release. */
async function findObstacles(name, release, version) {
  const own = await release.version();
  const changes = await readFile(`${root}clients/${name}/CHANGELOG.md`, 'utf8');
  return [
    ...(own === version
      ? []
      : [`The version of ${name} is ${own}, that of the API ${version}. They must be the same.`]),
    ...(changes.includes(`\n## ${version}\n`) ? [] : [`clients/${name}/CHANGELOG.md has no section "## ${version}".`]),
  ];
}

const names = positionals.length > 0 ? positionals : Object.keys(releases);
const unknown = names.filter((name) => !(name in releases));
const { version } = JSON.parse(await readFile(`${root}openapi.json`, 'utf8')).info;
const stale = spawnSync(process.execPath, ['scripts/generate-clients.mjs', '--check'], { cwd: root, encoding: 'utf8' });
const obstacles = [
  ...unknown.map((name) => `There is no language ${name}. There are ${Object.keys(releases).join(', ')}.`),
  ...(stale.status === 0 ? [] : [stale.stderr.trim()]),
  ...(
    await Promise.all(names.map((name) => (releases[name] ? findObstacles(name, releases[name], version) : [])))
  ).flat(),
];

if (obstacles.length > 0) {
  console.error(obstacles.join('\n'));
  process.exitCode = 1;
} else {
  await mkdir(out, { recursive: true });
  for (const name of names) {
    const { file, publish } = await releases[name].build(out);
    console.log(`${name} ${version}: ${file}\n  To publish it: ${publish}`);
  }
}
