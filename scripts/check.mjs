// Runs all checks that need no running service: types, style, generated files, the API's description.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { findNode, root } from './node.mjs';

const modules = join(root, 'node_modules');
const node = findNode();
const program = (name) => join(modules, '.bin', name);

const checks = [
  ['types', program('tsc'), ['-p', '.']],
  ['types of the TypeScript client', program('tsc'), ['-p', 'clients/typescript', '--noEmit']],
  ['types of the console', program('tsc'), ['-p', 'console']],
  ['no dead code', node, ['scripts/dead-code.mjs']],
  ['the console keeps its budget', node, ['scripts/console-budget.mjs']],
  ['wording', node, ['scripts/wording.mjs']],
  ['style', program('biome'), ['ci', '--colors=off', '--error-on-warnings', '.']],
  ['openapi.json is current', node, ['scripts/generate-openapi.ts', '--check']],
  ['the page of settings is current', node, ['scripts/document-settings.ts', '--check']],
  ['client libraries are current', node, ['scripts/generate-clients.mjs', '--check']],
  ['openapi.json is valid', program('redocly'), ['lint', 'openapi.json']],
];

function run([name, command, args]) {
  const started = performance.now();
  // The tools' start scripts run "node", which is then the version of this installation.
  const env = {
    ...process.env,
    PATH: `${join(modules, '.bin')}:${process.env.PATH}`,
    NO_COLOR: '1',
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  };
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  return new Promise((resolve) => {
    const end = (passed) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      const note = passed ? (output.match(/^Skipped: .*\n/m)?.[0] ?? '') : `${output}\n`;
      process.stdout.write(`${passed ? '✔' : '✖'} ${name} (${seconds} s)\n${note}`);
      resolve(passed);
    };
    child.once('error', (error) => {
      output += error.message;
      end(false);
    });
    child.once('close', (code) => end(code === 0));
  });
}

const passed = await Promise.all(checks.map(run));
process.exit(passed.every(Boolean) ? 0 : 1);
