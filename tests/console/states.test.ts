import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Route } from 'playwright-core';
import { recordEndedScan } from '../harness/furnished.ts';
import { eventually, HostedInstallation } from '../harness/installation.ts';
import { createTestMember, testPassword } from '../harness/people.ts';
import { openBrowser, ownerEnvironment, Visitor } from './browser.fixture.ts';

/** Pages show only facts from the API: each test prepares a state and compares the screen. */
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

test('a data source shows its worst scanner with reason and date, and no number before its first scan', async () => {
  const { page } = visitor;
  const add = async (name: string) =>
    (await installation.ask('POST', '/data-sources', { kind: 'upload', name, config: {} })).id as string;
  const [failing, partial, stale] = [await add('failing'), await add('partial'), await add('stale')];
  await add('untouched');
  const { database } = installation.database;
  const { id: orgId } = await installation.ask('GET', '/organization');
  await recordEndedScan(database, orgId, failing, { source: 'code', daysAgo: 1, revision: 'a1b2c3d4'.repeat(5) });
  await recordEndedScan(database, orgId, failing, { source: 'web', revision: 'f00ba12f'.repeat(5) });
  await recordEndedScan(database, orgId, failing, { status: 'failed', error: 'The host refused the key.', daysAgo: 2 });
  await recordEndedScan(database, orgId, partial, { source: 'code', warning: 'Two files are too large.' });
  await recordEndedScan(database, orgId, stale, { source: 'code', daysAgo: 8 });
  await page.reload();
  await visitor.settled();
  const shown = async (name: string) => (await page.getByRole('row', { name }).innerText()).replaceAll(/\s+/g, ' ');
  assert.match(await shown('failing'), /Failed Secrets, 2 days ago: The host refused the key\. 0 /);
  assert.match(await shown('partial'), /Partly failed Code, [^:]+: Two files are too large\./);
  assert.match(await shown('stale'), /Stale Code, [^:]+: The last complete scan was more than 7 days ago\./);
  assert.match(await shown('untouched'), /Never scanned unknown .* Never$/);
  await visitor.follow(`/data-sources/${failing}`);
  const scanners = page.getByRole('table', { name: 'Scanners' });
  await scanners.getByRole('row', { name: /Secrets Failed 2 days ago The host refused the key/ }).waitFor();
  await scanners.getByRole('row', { name: /Code OK .* a1b2c3d, behind/ }).waitFor();
  assert.deepEqual(visitor.problems, []);
});

test('facts from a feed are unknown until an owner of the first organization loads it', async () => {
  const { page } = visitor;
  const source = await installation.ask('POST', '/data-sources', { kind: 'upload', name: 'shop', config: {} });
  const results = [{ ruleId: 'CVE-2021-44228', level: 'error', message: { text: 'Log4Shell' }, locations: [] }];
  await installation.call('POST', `/data-sources/${source.id}/imports`, {
    raw: JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'linter' } }, results }] }),
    headers: { 'content-type': 'application/octet-stream', prefer: 'wait=30' },
  });
  const notLoaded =
    'The list of exploited vulnerabilities (KEV) is not loaded: whether findings are exploited is unknown.';
  await visitor.follow('/findings?kev=true');
  await page.getByRole('heading', { name: 'Not known yet' }).waitFor();
  await page.getByRole('note').getByText(notLoaded).waitFor();
  const [finding] = (await installation.ask('GET', '/findings?q=Log4Shell')).data;
  await visitor.follow(`/findings/${finding.id}`);
  await page.getByText(notLoaded).waitFor();
  await visitor.follow('/scans?tab=scanners');
  await page.getByRole('article', { name: 'Dependencies' }).getByText('Advisories are not loaded').waitFor();
  await visitor.follow('/findings?kev=true');
  await page.getByRole('note').getByRole('link', { name: 'Load it' }).click();
  const dialog = page.getByRole('dialog', { name: 'Load Exploited (KEV)' });
  const vulnerabilities = [{ cveID: 'CVE-2021-44228', dateAdded: '2021-12-10' }];
  await dialog.getByLabel('Choose the file of the feed').setInputFiles({
    name: 'known_exploited_vulnerabilities.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ vulnerabilities })),
  });
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await page
    .getByRole('region', { name: 'Feeds' })
    .getByText(/^Exploited .KEV. (?!not loaded)/)
    .waitFor();
  await page.getByRole('region', { name: 'Feeds' }).getByText('Likelihood (EPSS) not loaded').waitFor();
  await eventually(async () => (await installation.ask('GET', '/findings?kev=true')).data.length === 1);
  await visitor.follow('/findings?kev=true');
  await page
    .getByRole('note')
    .getByText(/^KEV loaded (?!not)/)
    .waitFor();
  await page.getByText('Log4Shell').first().waitFor();
  assert.deepEqual(visitor.problems, []);
});

test('a link under the pointer prefetches its page, so that the page needs no further response', async () => {
  const { page } = visitor;
  for (const [path, response, shown] of [
    ['/schedules', 'scan-schedules', page.getByText('No schedules yet')],
    ['/findings', 'findings', page.getByRole('row', { name: /Log4Shell/ })],
    ['/audit', 'audit-events', page.getByRole('table', { name: 'Audit events' })],
  ] as const) {
    await visitor.follow('/profile');
    await visitor.settled();
    const read = page.waitForResponse((one) => new URL(one.url()).pathname === `/api/v1/${response}`);
    const link = page.locator(`nav a[href="${path}"]`).first();
    await link.hover();
    await (await read).finished();
    assert.equal(new URL(page.url()).pathname, '/profile');
    // From here on, the server sends no more responses.
    const held: Route[] = [];
    let holds = true;
    const hold = (route: Route) => void (holds ? held.push(route) : route.continue());
    await page.route(/\/api\/v1\//, hold);
    await link.click();
    await shown.first().waitFor();
    holds = false;
    await Promise.all(held.map((route) => route.continue()));
    await page.unroute(/\/api\/v1\//, hold);
    await page.mouse.move(700, 880);
  }
  assert.deepEqual(visitor.problems, []);
});

test('a role changes only after its consequences were shown, and can be undone', async () => {
  const { page } = visitor;
  const { database } = installation.database;
  const { id: orgId } = await installation.ask('GET', '/organization');
  const member = await createTestMember(database, orgId, 'viewer');
  const roleOf = async () =>
    (await installation.ask('GET', '/organization/members?limit=200')).data.find(
      ({ id }: { id: string }) => id === member.userId,
    ).role;
  await visitor.open('/organization?tab=members');
  const row = page.getByRole('row').filter({ hasText: member.email });
  const select = row.getByRole('combobox', { name: /^Role of/ });
  const choose = async (role: string) => {
    await select.click();
    await page.getByRole('option', { name: role, exact: true }).click();
  };
  await choose('Admin');
  const dialog = page.getByRole('dialog', { name: /^Make .* admin\?$/ });
  await dialog.getByText('Manages data sources, schedules, members and invitations').waitFor();
  assert.equal(await roleOf(), 'viewer');
  assert.deepEqual(await visitor.findBarriers('[role="dialog"]'), []);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual([await roleOf(), await select.inputValue()], ['viewer', 'Viewer']);
  await choose('Admin');
  await dialog.getByRole('button', { name: 'Make admin' }).click();
  await eventually(async () => (await roleOf()) === 'admin');
  await page.getByRole('button', { name: 'Undo' }).click();
  await eventually(async () => (await roleOf()) === 'viewer');
  // The page has reloaded it too.
  await eventually(async () => (await select.inputValue()) === 'Viewer');
  await choose('Owner');
  const asking = page.getByRole('dialog', { name: /^Make .* owner\?$/ });
  await asking.getByText('Owners can remove you from the organization.').waitFor();
  const button = asking.getByRole('button', { name: 'Make owner' });
  assert.ok(await button.isDisabled());
  await asking.getByLabel('Your password').fill('not this one');
  await button.click();
  await asking.getByText('is not your password').first().waitFor();
  assert.equal(await roleOf(), 'viewer');
  await asking.getByLabel('Your password').fill(ownerEnvironment.ASSAY_ADMIN_PASSWORD);
  await button.click();
  await eventually(async () => (await roleOf()) === 'owner');
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await eventually(async () => (await roleOf()) === 'viewer');
  assert.deepEqual(visitor.problems, []);
});

test('a person whose role is lowered loses the scan buttons, even if the address opens the dialog', async () => {
  const { page } = visitor;
  const { database } = installation.database;
  const { id: orgId } = await installation.ask('GET', '/organization');
  const member = await createTestMember(database, orgId, 'analyst');
  const other = await Visitor.arrive(browser, installation);
  await other.signIn({ email: member.email, password: testPassword }, '/scans?tab=scanners');
  const scan = other.page.getByRole('button', { name: 'Scan', exact: true });
  await scan.first().waitFor();
  await installation.ask('PATCH', `/organization/members/${member.userId}`, { role: 'viewer' });
  await scan.first().waitFor({ state: 'detached' });
  await other.follow('/scans?tab=scanners&scan=secrets');
  await other.settled();
  assert.equal(await other.page.getByRole('dialog').count(), 0);
  assert.deepEqual(other.problems, []);
  await other.context.close();
  assert.deepEqual(visitor.problems, []);
  await page.bringToFront();
});

test('while the server loads findings into memory, a page says so and continues by itself', async () => {
  const { page } = visitor;
  const message = 'The findings of this organization are being loaded into memory. Try again in a few seconds.';
  let isLoading = true;
  let refused = 0;
  const isList = (url: URL) => url.pathname === '/api/v1/findings';
  const answer = async (route: Route) => {
    if (!isLoading) return route.continue();
    refused++;
    await route.fulfill({
      status: 503,
      headers: { 'content-type': 'application/json', 'retry-after': '1' },
      body: JSON.stringify({ error: { code: 'unavailable', message, request_id: 'req_1' } }),
    });
  };
  await page.route(isList, answer);
  await visitor.open('/findings');
  await page.getByText('are being loaded into memory. This page continues by itself.').waitFor();
  // Other requests fail for good after four attempts.
  await eventually(async () => refused > 4);
  assert.equal(await page.getByRole('alert').count(), 0);
  isLoading = false;
  await page.getByRole('row', { name: /Log4Shell/ }).waitFor();
  await page.getByText('This page continues by itself.').waitFor({ state: 'detached' });
  await page.unroute(isList, answer);
  assert.deepEqual(
    visitor.problems.filter((problem) => !problem.startsWith('503 ')),
    [],
  );
  visitor.problems.length = 0;
});

test('an address without a page keeps the navigation', async () => {
  const { page } = visitor;
  for (const address of ['/nothing/here', '/findings/export', '/data-sources/suggestions', '/scans/1']) {
    await visitor.follow(address);
    await page.getByRole('heading', { name: 'There is no page here' }).waitFor();
    assert.equal(await page.getByRole('alert').count(), 0, address);
    await visitor.follow('/overview');
    await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
  }
  await visitor.follow('/nothing/here');
  await page.getByRole('navigation').first().getByRole('link', { name: 'Findings' }).click();
  await page.getByRole('heading', { name: 'Findings', exact: true }).waitFor();
});
