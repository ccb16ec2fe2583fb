// Starts the system's Chromium without any background connections.
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function chromiumPath() {
  for (const folder of ['/usr/bin', '/usr/local/bin', ...(process.env.PATH ?? '').split(delimiter)]) {
    const path = join(folder, 'chromium');
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // The next folder may have it.
    }
  }
  throw new Error('Chromium is not installed. "node scripts/prepare.mjs --test" installs it on Debian.');
}

/** Returns a page in a browser with an empty profile, and a function that closes both. */
export async function openPage() {
  const profile = await mkdtemp(join(tmpdir(), 'assay-chromium-'));
  const context = await chromium.launchPersistentContext(profile, { executablePath: chromiumPath(), args: flags });
  return {
    page: context.pages()[0] ?? (await context.newPage()),
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}
