import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { recordEndedScan } from '../harness/furnished.ts';
import { HostedInstallation } from '../harness/installation.ts';
import { openBrowser, ownerEnvironment, Visitor } from './browser.fixture.ts';

/** What pages state is what the API knows: states are prepared, and the screen is compared. */
const installation = new HostedInstallation(ownerEnvironment);
let browser: Browser;
let visitor: Visitor;

before(async () => {
  await installation.start();
  browser = await openBrowser();
  visitor = await Visitor.arrive(browser, installation);
  await visitor.signIn(undefined, '/data-sources');
});

after(async () => {
  await browser?.close();
  await installation.remove();
});

test('a data source shows the worst of its scanners with reason and date, and no number before its first scan', async () => {
  const { page } = visitor;
  const add = async (name: string) =>
    (await installation.ask('POST', '/data-sources', { kind: 'upload', name, config: {} })).id as string;
  const [failing, partial, stale] = [await add('failing'), await add('partial'), await add('stale')];
  await add('untouched');
  const { database } = installation.database;
  const { id: orgId } = await installation.ask('GET', '/organization');
  await recordEndedScan(database, orgId, failing, { source: 'code' });
  await recordEndedScan(database, orgId, failing, { status: 'failed', error: 'The host refused the key.', daysAgo: 2 });
  await recordEndedScan(database, orgId, partial, { source: 'code', warning: 'Two files are too large.' });
  await recordEndedScan(database, orgId, stale, { source: 'code', daysAgo: 8 });
  await page.reload();
  await visitor.settled();
  const shown = async (name: string) => (await page.getByRole('row', { name }).innerText()).replaceAll(/\s+/g, ' ');
  assert.match(await shown('failing'), /Failed Secrets, 2 days ago: The host refused the key\. .* 0 /);
  assert.match(await shown('partial'), /Partly failed Code, just now: Two files are too large\./);
  assert.match(await shown('stale'), /Stale Code, [^:]+: The last complete scan was more than 7 days ago\./);
  assert.match(await shown('untouched'), /Never scanned .* unknown Never$/);
  await visitor.follow(`/data-sources/${failing}`);
  const scanners = page.getByRole('table', { name: 'Scanners' });
  await scanners.getByRole('row', { name: /Secrets Failed 2 days ago The host refused the key/ }).waitFor();
  await scanners.getByRole('row', { name: /Code OK/ }).waitFor();
  assert.deepEqual(visitor.problems, []);
});
