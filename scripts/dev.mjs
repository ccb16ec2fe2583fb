// Runs Assay for development: the server, which restarts when its sources change, and Vite's server for the console, which
// applies a change at once and keeps the state of the page. Plain JavaScript for the machine's own Node.js.
//   npm run dev     the console at http://localhost:5173, the API behind it
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { findNode, root } from './node.mjs';

const run = (...args) => spawn(findNode(), args, { cwd: root, stdio: 'inherit' });

const programs = [
  run('--watch', '--max-semi-space-size=4', '--max-old-space-size=1024', 'server/assay.mjs', 'start'),
  run(join('node_modules', 'vite', 'bin', 'vite.js'), '--config', join('console', 'vite.config.mjs')),
];

// Ctrl-C reaches both programs by itself. When one ends, the other is useless.
const stop = () => {
  for (const program of programs) program.kill('SIGTERM');
};
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
for (const program of programs) {
  program.once('exit', (code) => {
    process.exitCode ??= code ?? 0;
    stop();
  });
}
