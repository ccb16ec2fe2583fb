// Builds Helm from its Go module, for the tests of the chart: Debian has no package for it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { goEnvironment } from './clients/go-tools.mjs';
import { root } from './node.mjs';

const version = 'v3.22.0';
const program = join(root, 'node_modules', '.cache', 'go', 'tools', `helm-${version}`, 'helm');

/** Returns the path of Helm, building it if necessary, which takes some minutes on two cores. */
export function installHelm(say = () => undefined) {
  if (existsSync(program)) return program;
  say('Building Helm, which renders the chart …');
  mkdirSync(dirname(program), { recursive: true });
  // Go checks the module's version with the public checksum database.
  const build = spawnSync('go', ['install', `helm.sh/helm/v3/cmd/helm@${version}`], {
    env: { ...goEnvironment, GOBIN: dirname(program) },
    encoding: 'utf8',
  });
  if (build.status !== 0) throw new Error(`Helm could not be built:\n${build.stderr ?? build.error?.message}`);
  return program;
}
