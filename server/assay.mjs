#!/usr/bin/env -S node --max-semi-space-size=4 --max-old-space-size=1024
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Plain JavaScript, because the Node.js that starts it may be too old for the rest: it then hands over to the version
// that is installed beside it. Within npm scripts and npx that version comes first in the path anyway.
const neededMajor = 24;
// A smaller nursery for short-lived objects: 65 MB less for the API and the worker together after a start. Without an
// explicit limit, V8 sizes the heap by the machine's memory, and a large import made it grow to three times the used
// size.
const options = ['--max-semi-space-size=4', '--max-old-space-size=1024'];
const here = dirname(fileURLToPath(import.meta.url));

function findNode() {
  try {
    const path = join(dirname(nodeModule.createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node');
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}

/** Caches compiled TypeScript: a start takes 2.5 s instead of 4.9 s and 40 MB less. */
function keepCompiled() {
  nodeModule.enableCompileCache(
    process.env.NODE_COMPILE_CACHE ?? join(here, '..', 'node_modules', '.cache', 'compiled'),
  );
  // For the worker, which is a separate process.
  process.env.NODE_COMPILE_CACHE ??= nodeModule.getCompileCacheDir();
}

function runWith(node) {
  const child = spawn(node, [...options, fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  // Ctrl-C in a terminal reaches the child by itself; signals sent only to this process have to be forwarded.
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  child.on('error', (error) => {
    process.stderr.write(`assay: ${node} could not be run: ${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (signal === 'SIGKILL' ? 9 : 15)));
}

// The embedded PostgreSQL and the limits on programs that Assay starts need Linux or macOS.
if (process.platform === 'win32') {
  process.stderr.write(
    'assay: runs on Linux and macOS. On Windows use WSL: "wsl --install" installs it, then clone and start Assay inside it.\n',
  );
  process.exit(1);
}

if (Number.parseInt(process.versions.node, 10) >= neededMajor) {
  keepCompiled();
  await import('./processes/bundled-packages.mjs');
  await import('./main.ts');
} else {
  const node = findNode();
  if (node) runWith(node);
  else {
    process.stderr.write(
      `assay: needs Node.js ${neededMajor}, and this is ${process.versions.node}. Run "npm ci" in ${dirname(here)}, which installs one, or install Node.js ${neededMajor} yourself.\n`,
    );
    process.exit(1);
  }
}
