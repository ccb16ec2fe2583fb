// Finds files, exports and dependencies that nothing uses, with knip (knip.json). Its packages are not part of the
// workspace, so that an installation of the server contains none of them.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installPackages } from './clients/tools.mjs';
import { findNode, root } from './node.mjs';

const modules = installPackages(join(root, 'scripts', 'knip'));
const runNode = (args, stdio) => spawnSync(findNode(), args, { cwd: root, stdio });

// The registry may lack the macOS binary of knip's parser.
const parser = join(modules, 'oxc-parser', 'src-js', 'index.js');
if (runNode(['-e', `import(${JSON.stringify(parser)})`], 'ignore').status !== 0) {
  console.log('Skipped: oxc-parser, with which knip reads sources, has no binary for this platform.');
} else {
  const knip = runNode([join(modules, 'knip', 'bin', 'knip.js'), '--no-progress', '--no-config-hints'], 'inherit');
  process.exitCode = knip.status ?? 1;
}
