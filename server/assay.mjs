#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Plain JavaScript, because the Node.js that starts it may be too old for the rest: then it hands over to the one that
// is installed beside it. Within npm scripts and npx that one comes first in the path anyway.
const neededMajor = 24;
const here = dirname(fileURLToPath(import.meta.url));

function findNode() {
  try {
    const path = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node');
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}

function runWith(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  // Ctrl-C in a terminal reaches the child by itself; what is sent to this process alone has to be passed on.
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  child.on('error', (error) => {
    process.stderr.write(`assay: ${node} could not be run: ${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (signal === 'SIGKILL' ? 9 : 15)));
}

if (Number.parseInt(process.versions.node, 10) >= neededMajor) {
  await import('./main.ts');
} else {
  const node = findNode();
  if (node) runWith(node);
  else {
    process.stderr.write(
      `assay: needs Node.js ${neededMajor}, and this is ${process.versions.node}. Run "npm ci" in ${dirname(here)}: it brings one along.\n`,
    );
    process.exit(1);
  }
}
