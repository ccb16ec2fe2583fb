import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { eventually, HostedInstallation } from '../harness/installation.ts';
import { openBrowser, ownerEnvironment, Visitor } from './browser.fixture.ts';
import { findPaleControls } from './contrast.fixture.ts';
import { findFaults, setScheme } from './looks.fixture.ts';

const installation = new HostedInstallation(ownerEnvironment);
let browser: Browser;
let visitor: Visitor;

const count = 60;
const findings = Array.from({ length: count }, (_, n) => ({
  title: `Problem ${n}`,
  rule_id: `rule-${n}`,
  severity: n % 2 === 0 ? 'high' : 'low',
  path: `src/${n}.ts`,
}));

const listed = async (query: string) => (await installation.ask('GET', `/findings?limit=200&${query}`)).data;
const rows = () => visitor.page.locator('[role="row"][aria-selected]');

const press = (name: string) => () => visitor.page.getByRole('button', { name, exact: true }).first().click();
const keys =
  (...names: string[]) =>
  () =>
    visitor.press('j', ...names);

/** Each dialog: its name, its page and the action that opens it. Dialogs that an address opens are in pages.test.ts. */
const dialogs: [name: string, path: string, open: () => Promise<unknown>][] = [
  ['a reason for a false positive', '/findings', keys('4')],
  ['a reason for an accepted risk', '/findings', keys('5')],
  ['the assignee', '/findings', keys('a')],
  ['tags', '/findings', keys('t')],
  ['a comment', '/findings', keys('c')],
  ['all that match', '/findings', keys('*', '2')],
  ['the keys', '/findings', keys('?')],
  ['the commands', '/findings', keys('Control+k')],
  ['a view', '/findings?severity=low', press('Save as view')],
  ['bulk changes', '/findings', press('Bulk changes')],
  ['a scan', '/scans?tab=scanners', press('Scan')],
  ['a token', '/profile?tab=tokens', press('New token')],
  ['the second factor', '/profile?tab=sign_in', press('Switch on')],
  ['a passkey', '/profile?tab=sign_in', press('Add a passkey')],
  ['the name of the organization', '/organization', press('Rename')],
  ['the policy', '/organization?tab=policy', press('Change the policy')],
  ['the columns of a list', '/data-sources', press('Columns')],
  ['an invitation', '/organization?tab=members', press('Invite')],
];

/** A phone, a narrow window, and a desktop, which comes last. */
const sizes = [
  [390, 844],
  [1024, 768],
  [1440, 900],
] as const;

async function openList(query = ''): Promise<void> {
  await visitor.open(`/findings${query}`);
  await rows().first().waitFor();
}

before(async () => {
  await installation.start();
  const { id } = await installation.ask('POST', '/data-sources', { kind: 'upload', name: 'app', config: {} });
  await installation.call('POST', `/data-sources/${id}/imports`, {
    raw: JSON.stringify({ source: 'own', findings }),
    headers: { 'content-type': 'application/octet-stream', prefer: 'wait=60' },
  });
  await eventually(async () => (await listed('')).length === count);
  browser = await openBrowser();
  // By host name, since browsers offer no passkeys for an IP address.
  visitor = await Visitor.arrive(browser, { origin: installation.origin.replace('127.0.0.1', 'localhost') });
  await visitor.signIn();
});

after(async () => {
  await browser?.close();
  await installation.remove();
});

for (const [name, path, open] of dialogs) {
  test(`the dialog for ${name} keeps the focus, is accessible, closes by key, and nothing in it is cut, too wide or too small`, async () => {
    const { page } = visitor;
    await visitor.follow(path);
    await visitor.settled();
    if (path.startsWith('/findings')) await page.locator('[role="row"][aria-selected]').first().waitFor();
    await open();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await visitor.settled();
    const hasFocus = () => dialog.evaluate((element) => element.contains(document.activeElement));
    await page.waitForFunction(() => document.activeElement?.closest('[role="dialog"]'), null, { polling: 100 });
    // The focus cycles through the dialog and never leaves it.
    for (let step = 0; step < 12; step++) {
      await visitor.press('Tab');
      assert.ok(await hasFocus(), `step ${step}`);
    }
    assert.deepEqual(await visitor.findBarriers('[role="dialog"]'), []);
    assert.equal(await visitor.overflowOnPhone(), 0);
    for (const scheme of ['dark', 'light'] as const) {
      await setScheme(page, scheme);
      assert.deepEqual(await findPaleControls(page), [], scheme);
    }
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      let faults: string[] = [];
      const isRight = async () => {
        faults = await findFaults(page);
        return faults.length === 0;
      };
      await eventually(isRight, 20_000).catch(() => {});
      assert.deepEqual(faults, [], `at ${width}`);
    }
    // A focused field may show its options, which are a separate layer.
    await visitor.press('Escape');
    await dialog.waitFor({ state: 'detached', timeout: 5_000 }).catch(() => visitor.press('Escape'));
    await dialog.waitFor({ state: 'detached' });
  });
}

test('a page whose lists scroll does not scroll itself', async () => {
  const { page } = visitor;
  const excluded = findings.map(({ rule_id }) => `-${rule_id}`).join(',');
  const lists = [
    ['/findings?group=rule', page.getByRole('list', { name: 'Findings by rule' }).getByRole('listitem')],
    [`/findings?rule=${excluded}`, page.getByRole('region', { name: 'Filters' }).getByText('not ', { exact: true })],
  ] as const;
  for (const [path, items] of lists) {
    await visitor.open(path);
    await items.nth(40).waitFor();
    const below = () => document.documentElement.scrollHeight - document.documentElement.clientHeight;
    assert.equal(await page.evaluate(below), 0, path);
  }
});

test('a bulk change previews its effect and then reports it', async () => {
  const { page } = visitor;
  await openList('?status=new');
  await visitor.press('*', '3');
  const dialog = page.getByRole('dialog', { name: 'Set everything that matches to Resolved' });
  const button = dialog.getByRole('button', { name: `Set ${count} findings to Resolved` });
  await button.waitFor();
  await dialog.getByText('Severity: 30 high · 30 low').waitFor();
  await dialog.getByText(`Status: ${count} new`).waitFor();
  await eventually(() => button.evaluate((element) => element === document.activeElement));
  await visitor.press('Enter');
  await page.getByText(`${count} findings: resolved.`).waitFor();
  assert.equal((await listed('status=resolved')).length, count);
});

test('the timeline describes changes in words, and names the assignee', async () => {
  const { page } = visitor;
  const [finding] = await listed('status=resolved');
  const { id, name } = (await installation.ask('GET', '/organization/members')).data[0];
  await installation.ask('PATCH', `/findings/${finding.id}`, { assignee: id, tags: ['legacy'] });
  await visitor.open(`/findings/${finding.id}`);
  const timeline = page.getByRole('region', { name: 'Activity' });
  await timeline.getByText(`Assignee: nobody → ${name}`).waitFor();
  await timeline.getByText('Tags: nothing → legacy').waitFor();
  await timeline.getByText('Found by').waitFor();
  assert.equal(await timeline.getByText('usr_').count(), 0);
});

test('Ctrl+Enter sends a comment, in the timeline and in the dialog', async () => {
  const { page } = visitor;
  const timeline = page.getByRole('region', { name: 'Activity' });
  await timeline.getByLabel('Comment').fill('See https://example.com/issue, fixed.');
  await visitor.press('Control+Enter');
  await timeline.getByRole('link', { name: 'https://example.com/issue', exact: true }).waitFor();
  await page.getByRole('heading', { level: 1 }).click();
  await visitor.press('c');
  await page.getByRole('dialog').getByLabel('Comment').fill('From the dialog');
  await visitor.press('Control+Enter');
  await timeline.getByRole('listitem').getByText('From the dialog').waitFor();
});

test('a change undone with z is no longer offered for undo', async () => {
  const { page } = visitor;
  await openList('?status=resolved');
  await visitor.press('j', '1');
  const undo = page.getByRole('button', { name: 'Undo (z)' });
  await undo.waitFor();
  await visitor.press('z');
  await page.getByText('Undone.').waitFor();
  assert.equal(await undo.count(), 0);
});

test('the last scans of a data source include only scans of it', async () => {
  const { page } = visitor;
  const [sample] = (await installation.ask('GET', '/data-sources/suggestions')).data;
  const { kind, name, config } = sample;
  await installation.ask('POST', '/data-sources', { kind, name, config });
  const { data_sources: extent } = await installation.scan();
  assert.equal(extent, null);
  const [{ id }] = (await installation.ask('GET', '/data-sources?kind=upload')).data;
  await visitor.open(`/data-sources/${id}`);
  const scans = page.getByRole('table', { name: 'Last scans' }).getByRole('row');
  await scans.nth(1).waitFor();
  assert.equal(await scans.count(), 2);
});

test('the browser had no error, no violation of the policy and no request elsewhere', () => {
  assert.deepEqual([...new Set(visitor.problems)], []);
});
