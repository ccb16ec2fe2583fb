import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { directoryFeed } from './feed.ts';

test('a missing directory, or a file in its place, is reported in a sentence', async () => {
  const missing = join(import.meta.dirname, 'nonexistent');
  await assert.rejects(directoryFeed(missing).listEcosystems(), { message: `There is nothing at ${missing}.` });
  const { filename } = import.meta;
  await assert.rejects(directoryFeed(filename).listEcosystems(), {
    message: `${filename} is no directory with archives such as npm/all.zip.`,
  });
});
