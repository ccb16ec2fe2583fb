import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { eventually, HostedInstallation } from '../harness/installation.ts';
import { openBrowser, ownerEnvironment, Visitor } from './browser.fixture.ts';

const installation = new HostedInstallation(ownerEnvironment);
let browser: Browser;
let visitor: Visitor;
let dataSource: string;

/** Imports a file with results of these rules and closes missing findings. Returns the scan. */
async function importRules(...rules: string[]): Promise<string> {
  const results = rules.map((ruleId) => ({
    ruleId,
    level: 'error',
    message: { text: `Problem ${ruleId}` },
    locations: [{ physicalLocation: { artifactLocation: { uri: `src/${ruleId}.ts` }, region: { startLine: 1 } } }],
  }));
  const runs = [{ tool: { driver: { name: 'linter' } }, results }];
  const scan = await installation.ask('POST', `/data-sources/${dataSource}/imports?close_missing=true`, {
    version: '2.1.0',
    runs,
  });
  await eventually(async () => (await installation.ask('GET', `/scans/${scan.id}`)).status === 'completed');
  return scan.id;
}

before(async () => {
  await installation.start();
  dataSource = (await installation.ask('POST', '/data-sources', { kind: 'upload', name: 'payments-api' })).id;
  browser = await openBrowser();
  visitor = await Visitor.arrive(browser, installation);
  await visitor.signIn(undefined, '/scans');
});

after(async () => {
  await browser?.close();
  await installation.remove();
});

test('each number on the page of a scan links to its findings, and the timeline names the data source', async () => {
  const { page } = visitor;
  const first = await importRules('a', 'b', 'c');
  await importRules('b', 'c');
  const last = await importRules('a', 'b', 'd');
  const titles = () => page.getByRole('row').filter({ hasText: 'Problem' }).allInnerTexts();
  for (const [link, count, rule] of [
    ['1 new', 1, 'd'],
    ['1 reopened', 1, 'a'],
    ['1 fixed', 1, 'c'],
    ['1 seen again', 1, 'b'],
  ] as const) {
    await visitor.follow(`/scans/${last}`);
    await page.getByRole('link', { name: link, exact: true }).click();
    await eventually(async () => (await titles()).length === count);
    assert.match((await titles()).join(), new RegExp(`Problem ${rule}`), link);
    await page.getByRole('button', { name: /Remove filter: Scan is of \d/ }).waitFor();
  }
  // The chart of the days leaves the page as a picture, too.
  await visitor.follow('/overview?view=changed');
  await page.getByText('As a table').first().click();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as PNG' }).first().click(),
  ]);
  const png = await readFile(await saved.path());
  assert.deepEqual([saved.suggestedFilename(), png.subarray(1, 4).toString()], ['opened-and-closed.png', 'PNG']);
  assert.ok(png.length > 2_000, 'it is not empty');
  // Against the first scan: what the two scans since brought, brought back and closed, as it is now.
  await visitor.follow(`/scans/${last}?compare=${first}`);
  const compared = page.getByRole('region', { name: 'Compared with' });
  await compared.getByText('New 1', { exact: true }).waitFor();
  await compared.getByText('Came back 1', { exact: true }).click();
  await compared.getByRole('list', { name: 'Came back' }).getByText('Problem a').waitFor();
  await compared.getByText('Gone 1', { exact: true }).click();
  await compared.getByRole('list', { name: 'Gone' }).getByText('Problem c').waitFor();
  assert.equal(await compared.getByRole('listitem').count(), 1);
  assert.deepEqual(await visitor.findBarriers(), []);
  assert.equal(await visitor.overflowOnPhone(), 0);
  await visitor.follow(`/scans/${first}`);
  await page.getByRole('link', { name: '3 new', exact: true }).click();
  await eventually(async () => (await titles()).length === 3);
  const { data } = await installation.ask('GET', `/findings?scan=${last}:reopened`);
  await visitor.follow(`/findings/${data[0].id}`);
  const timeline = page.getByRole('region', { name: 'Activity' });
  await timeline.getByRole('link', { name: 'Scan of payments-api' }).first().waitFor();
  assert.equal(await timeline.getByRole('link', { name: 'Scan of payments-api' }).count(), 3);
  assert.deepEqual(visitor.problems, []);
});

test('the audit log is searched by name, describes events without ids, and says where single decisions are', async () => {
  const { page } = visitor;
  const shop = await installation.ask('POST', '/data-sources', { kind: 'upload', name: 'web shop' });
  const owner = (await installation.ask('GET', '/organization/members')).data[0];
  await installation.ask('PATCH', `/data-sources/${shop.id}`, { owner: owner.id, criticality: 'critical' });
  await installation.ask('POST', '/organization/invitations', { email: 'grace@example.com', role: 'analyst' });
  await visitor.follow('/audit');
  const events = page.getByRole('table', { name: 'Audit events' });
  await events.getByText('invited grace@example.com').waitFor();
  const rows = () => events.getByRole('row').filter({ hasNot: page.getByRole('columnheader') });
  await page.getByLabel('What').fill('SHOP');
  await eventually(async () => (await rows().count()) === 2);
  await events.getByText('changed the data source web shop').click();
  await events.getByText(`nothing → ${owner.name}`).waitFor();
  await events.getByText('medium → critical').waitFor();
  const text = await events.innerText();
  assert.doesNotMatch(text, /\b[a-z]{2,5}_[0-9a-z]{26}\b|[{}]/);
  await page.getByLabel('What').fill('');
  await page.getByLabel('Who').fill(owner.name.slice(0, 3).toLowerCase());
  await events.getByText('invited grace@example.com').waitFor();
  await page.getByLabel('Who').fill('nobody of this name');
  await page.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('combobox', { name: 'Action' }).click();
  await page.getByRole('option', { name: 'Added the data source', exact: true }).click();
  await eventually(async () => (await rows().count()) === 2);
  await page.getByRole('link', { name: 'findings by their last change' }).click();
  await page.waitForURL('**/findings?sort=-updated_at');
  assert.deepEqual(visitor.problems, []);
});
