import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { HostedInstallation } from '../harness/installation.ts';
import { openBrowser, ownerEnvironment, Visitor } from './browser.fixture.ts';

const installation = new HostedInstallation(ownerEnvironment);
let browser: Browser;
let visitor: Visitor;

const press = (name: string) => () => visitor.page.getByRole('button', { name, exact: true }).first().click();
const keys =
  (...names: string[]) =>
  () =>
    visitor.press('j', ...names);

/** Each dialog by what it asks for, its page and what opens it. Those that an address opens are in pages.test.ts. */
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
  ['a scan', '/scans', press('Scan')],
  ['a token', '/profile', press('New token')],
  ['the second factor', '/profile', press('Switch on')],
  ['a passkey', '/profile', press('Add a passkey')],
  ['the name of the organization', '/organization', press('Rename')],
  ['the policy', '/organization', press('Change the policy')],
  ['an invitation', '/organization', press('Invite')],
];

before(async () => {
  await installation.start();
  const { id } = await installation.ask('POST', '/data-sources', { kind: 'upload', name: 'app', config: {} });
  const findings = ['low', 'high'].map((severity) => ({ title: `A ${severity} problem`, severity, path: severity }));
  await installation.call('POST', `/data-sources/${id}/imports`, {
    raw: JSON.stringify({ source: 'own', findings }),
    headers: { 'content-type': 'application/octet-stream', prefer: 'wait=60' },
  });
  browser = await openBrowser();
  // By its name, since browsers offer no passkeys for an IP address.
  visitor = await Visitor.arrive(browser, { origin: installation.origin.replace('127.0.0.1', 'localhost') });
  await visitor.signIn();
});

after(async () => {
  await browser?.close();
  await installation.remove();
});

for (const [name, path, open] of dialogs) {
  test(`the dialog for ${name} keeps the focus, has no barrier, fits a phone and closes by key`, async () => {
    const { page } = visitor;
    await visitor.follow(path);
    await visitor.settled();
    if (path.startsWith('/findings')) await page.locator('[role="row"][aria-selected]').first().waitFor();
    await open();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    const hasFocus = () => dialog.evaluate((element) => element.contains(document.activeElement));
    await page.waitForFunction(() => document.activeElement?.closest('[role="dialog"]'), null, { polling: 100 });
    // The focus goes through the dialog and never behind it.
    for (let step = 0; step < 12; step++) {
      await visitor.press('Tab');
      assert.ok(await hasFocus(), `step ${step}`);
    }
    assert.deepEqual(await visitor.findBarriers('[role="dialog"]'), []);
    assert.equal(await visitor.overflowOnPhone(), 0);
    await visitor.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
}

test('nothing went wrong in the browser: no error, no violation of the policy, no request elsewhere', () => {
  assert.deepEqual([...new Set(visitor.problems)], []);
});
