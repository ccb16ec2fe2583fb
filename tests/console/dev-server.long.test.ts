import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createServer } from 'vite';
import { openBrowser, Visitor } from './browser.fixture.ts';
import { findFaults } from './looks.fixture.ts';

const root = join(import.meta.dirname, '..', '..');

/** A copy of the console that the test may change, beside its imports. */
const copy = mkdtempSync(join(tmpdir(), 'assay-console-'));
cpSync(join(root, 'console'), join(copy, 'console'), { recursive: true, filter: (path) => !path.endsWith('/dist') });
for (const name of ['clients', 'node_modules', 'tsconfig.json']) symlinkSync(join(root, name), join(copy, name));

const server = await createServer({
  configFile: join(copy, 'console', 'vite.config.mjs'),
  cacheDir: join(copy, 'cache'),
  server: { port: 0, strictPort: false, fs: { strict: false } },
  logLevel: 'error',
});
await server.listen();
const browser = await openBrowser();
after(async () => {
  await browser.close();
  await server.close();
  rmSync(copy, { recursive: true, force: true });
});

test('a changed label is on the screen within a second, and entered text stays', async () => {
  const page = await browser.newPage();
  await page.goto(`${server.resolvedUrls!.local[0]}sign-in`);
  await page.getByLabel('Email').fill('ada@example.com');
  const file = join(copy, 'console', 'features', 'sign-in', 'page.tsx');
  const change = (from: string, to: string) =>
    writeFileSync(file, readFileSync(file, 'utf8').replace(`label="${from}"`, `label="${to}"`));
  const labels = ['Email', 'Address', 'Work email', 'Your email', 'Mail'];
  const times: number[] = [];
  for (const [index, label] of labels.slice(1).entries()) {
    const began = performance.now();
    change(labels[index]!, label);
    await page.getByLabel(label, { exact: true }).waitFor();
    times.push(performance.now() - began);
    assert.equal(await page.getByLabel(label, { exact: true }).inputValue(), 'ada@example.com');
  }
  // The first change also discovers the affected modules, and a busy machine slows later ones.
  assert.ok(Math.min(...times) < 1_000, `${times.map(Math.round)} ms`);
});

test('the page of all controls needs no server, is accessible, and shows nothing cut', async () => {
  const origin = server.resolvedUrls!.local[0]!.replace(/\/$/, '');
  const visitor = await Visitor.arrive(browser, { origin });
  await visitor.open('/design');
  await visitor.page.getByRole('heading', { name: 'Colours' }).waitFor();
  const hovered = visitor.page.getByRole('button', { name: 'Columns, under the pointer' });
  const atRest = visitor.page.getByRole('button', { name: 'Columns', exact: true }).first();
  const groundOf = (button: typeof hovered) => button.evaluate((one) => getComputedStyle(one).backgroundColor);
  // States that need a pointer or the focus are shown without either.
  assert.notEqual(await groundOf(hovered), await groundOf(atRest));
  assert.deepEqual(await visitor.findBarriers(), []);
  assert.equal(await visitor.overflowOnPhone(), 0);
  assert.deepEqual(
    (await findFaults(visitor.page)).filter((fault) => !/primary buttons|^Room for/.test(fault)),
    [],
  );
  await visitor.context.close();
});
