// Builds the scanner's package in its folder, for `npm pack`: compiled modules with their types, rules, and the licence. Plain
// JavaScript for the machine's own Node.js.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './node.mjs';

const home = join(root, 'scanner');
const output = join(home, 'dist');
const copied = /\.(yml|mjs)$/;

rmSync(output, { recursive: true, force: true });
const { status, stdout, error } = spawnSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', home], {
  encoding: 'utf8',
});
if (status !== 0) throw new Error(`tsc failed:\n${stdout ?? ''}${error?.message ?? ''}`);
for (const room of ['detectors', 'platform']) {
  cpSync(join(home, room), join(output, room), {
    recursive: true,
    filter: (path) => copied.test(path) || !/\.\w+$/.test(path),
  });
}
cpSync(join(root, 'LICENSE'), join(home, 'LICENSE'));
