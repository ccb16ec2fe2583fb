#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

const exitUsage = 2;

enableCompileCache();
const [{ CommanderError }, { createScanCommand }, { default: manifest }] = await Promise.all([
  import('commander'),
  import('./path-scan/scan-command.ts'),
  import('./package.json', { with: { type: 'json' } }),
]);
try {
  await createScanCommand().name('assay-scan').version(manifest.version).exitOverride().parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : exitUsage;
}
