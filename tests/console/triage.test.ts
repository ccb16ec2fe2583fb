import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { eventually, HostedInstallation } from '../harness/installation.ts';
import { createTestMember } from '../harness/people.ts';
import { openBrowser, ownerEnvironment, Visitor } from './browser.fixture.ts';

/** Two people decide on the same findings. One of them uses a browser and loses the connection. */
const installation = new HostedInstallation(ownerEnvironment);
let browser: Browser;
let visitor: Visitor;
let colleague: { token: string; name: string };

/** All rows fit on the screen. */
const count = 16;
const titleOf = (n: number) => `Problem ${String(n).padStart(2, '0')}`;
const findings = Array.from({ length: count }, (_, n) => ({
  title: titleOf(n),
  rule_id: `rule-${n}`,
  severity: 'high',
  path: `src/${n}.ts`,
}));

type Listed = { id: string; title: string; status: string; version: number; tags: string[] };
const ids = new Map<string, string>();
const idOf = (n: number) => ids.get(titleOf(n))!;
const read = (n: number): Promise<Listed> => installation.ask('GET', `/findings/${idOf(n)}`);
const statusOf = async (n: number) => (await read(n)).status;
const has = (n: number, status: string) => eventually(async () => (await statusOf(n)) === status);
/** Decides as the colleague. */
const decide = async (n: number, json: object) => {
  const response = await installation.call('PATCH', `/findings/${idOf(n)}`, {
    json,
    headers: { authorization: `Bearer ${colleague.token}` },
  });
  assert.equal(response.status, 200, response.text);
};

const rowOf = (n: number) => visitor.page.getByRole('row').filter({ hasText: titleOf(n) });
const grid = () => visitor.page.getByRole('grid', { name: 'Findings' });
const toast = (text: string | RegExp) => visitor.page.getByText(text).last().waitFor();
const people = () => visitor.page.locator('[role="listbox"] [role="option"]');
const waits = (n: number) => rowOf(n).getByText('Waiting for the connection');

async function openList(query = ''): Promise<void> {
  await visitor.open(`/findings${query}`);
  await grid().waitFor();
}

/** Makes a row current without opening it. */
async function goTo(n: number): Promise<void> {
  await rowOf(n).click();
  await visitor.press('Escape');
  await visitor.page.waitForURL((address) => !address.search.includes('open='));
}

/** Cuts the page off from events. */
const withoutEvents = () => visitor.page.route('**/api/v1/events', () => {});
const withEvents = () => visitor.page.unroute('**/api/v1/events');

before(async () => {
  await installation.start();
  const { id } = await installation.ask('POST', '/data-sources', { kind: 'upload', name: 'app', config: {} });
  await installation.call('POST', `/data-sources/${id}/imports`, {
    raw: JSON.stringify({ source: 'own', findings }),
    headers: { 'content-type': 'application/octet-stream', prefer: 'wait=60' },
  });
  const listed = await eventually(async () => {
    const { data } = await installation.ask('GET', '/findings?limit=200');
    return data.length === count && (data as Listed[]);
  });
  for (const { title, id: finding } of listed) ids.set(title, finding);
  const { id: orgId } = await installation.ask('GET', '/organization');
  const member = await createTestMember(installation.database.database, orgId, 'analyst');
  const { data } = await installation.ask('GET', '/organization/members?limit=200');
  colleague = { token: member.token, name: data.find((one: { id: string }) => one.id === member.userId).name };
  browser = await openBrowser();
  visitor = await Visitor.arrive(browser, installation);
  await visitor.signIn();
});

after(async () => {
  await browser?.close();
  await installation.remove();
});

test('a row shows the decision of a colleague and stays in place', async () => {
  await openList('?status=new');
  const order = await visitor.page.locator('[role="row"][aria-selected]').allInnerTexts();
  await decide(1, { status: 'in_progress' });
  await rowOf(1).getByText('In progress').waitFor();
  const titles = (texts: string[]) => texts.map((text) => /Problem \d+/.exec(text)?.[0]);
  assert.deepEqual(titles(await visitor.page.locator('[role="row"][aria-selected]').allInnerTexts()), titles(order));
  // A change based on the displayed state is no conflict.
  await goTo(1);
  await visitor.press('1');
  await has(1, 'triaged');
});

test('a conflicting change is marked in its row with who decided what and when, until the person decides', async () => {
  const { page } = visitor;
  await withoutEvents();
  await openList();
  await goTo(0);
  await decide(0, { status: 'in_progress' });
  await visitor.press('1');
  const dialog = page.getByRole('dialog', { name: 'Another person changed this finding' });
  await dialog.getByText('set it to Triaged').waitFor();
  await visitor.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  const mark = rowOf(0).getByRole('button', { name: new RegExp(`${colleague.name}: status → In progress, `) });
  await mark.waitFor();
  await rowOf(0).getByRole('gridcell').getByText('In progress', { exact: true }).waitFor();
  assert.equal(await statusOf(0), 'in_progress');
  assert.deepEqual(await visitor.findBarriers(), []);
  assert.equal(await visitor.overflowOnPhone(), 0);
  // The conflict is still there after a reload.
  await openList();
  await mark.click();
  await dialog.getByRole('button', { name: 'Apply my change anyway' }).click();
  await has(0, 'triaged');
  await mark.waitFor({ state: 'detached' });
  await withEvents();
});

test('a comment or a scan since then is no conflict, and changes by the same person do not conflict', async () => {
  await withoutEvents();
  await openList();
  await goTo(2);
  await decide(2, { comment: 'Looking at it.' });
  await visitor.press('1');
  await has(2, 'triaged');
  await goTo(3);
  await visitor.press('1');
  await goTo(3);
  await visitor.press('2');
  await has(3, 'in_progress');
  await visitor.press('z');
  await has(3, 'triaged');
  await visitor.press('z');
  await has(3, 'new');
  await withEvents();
});

test('a change of selected rows leaves out rows that a colleague decided, says so, and so does its undo', async () => {
  const { page } = visitor;
  await withoutEvents();
  await openList();
  for (const n of [4, 5, 6]) await rowOf(n).getByRole('checkbox').click();
  await page.getByText('3 findings selected').waitFor();
  await decide(5, { status: 'false_positive' });
  await decide(6, { comment: 'Only a comment.' });
  await visitor.press('2');
  await toast('2 findings: in progress. 1 was changed by another person meanwhile and stays so.');
  assert.deepEqual(
    [await statusOf(4), await statusOf(5), await statusOf(6)],
    ['in_progress', 'false_positive', 'in_progress'],
  );
  await rowOf(5)
    .getByRole('button', { name: /status → False positive/ })
    .waitFor();
  await decide(4, { status: 'triaged' });
  await visitor.press('z');
  await toast(/1 was changed meanwhile and stays so/);
  assert.deepEqual([await statusOf(4), await statusOf(6)], ['triaged', 'new']);
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Keep the new state' }).click();
  assert.equal(await statusOf(5), 'false_positive');
  await withEvents();
});

/** Whether a row is fully visible between the headings and the lower edge of the list. */
const isWhole = (title: string) =>
  grid().evaluate((list, text) => {
    const row = [...list.querySelectorAll('[role="row"][aria-selected]')].find(({ textContent }) =>
      textContent.includes(text),
    );
    const [top, bottom] = [
      list.querySelector('[role="row"]')!.getBoundingClientRect().bottom,
      list.getBoundingClientRect().bottom,
    ];
    const box = row?.getBoundingClientRect();
    return box !== undefined && box.top >= top - 1 && box.bottom <= bottom + 1;
  }, title);
const currentTitle = async () => /Problem \d+/.exec(await grid().locator('[data-current="true"]').innerText())![0];
/** The grid has the focus, for its current row. */
const hasFocus = () =>
  eventually(() =>
    grid().evaluate(
      (list) =>
        document.activeElement === list &&
        list.querySelector('[data-current="true"]')?.id === list.getAttribute('aria-activedescendant'),
    ),
  );

test('the list follows the cursor to its last row and back, with or without the panel, and cuts no row', async () => {
  const { page } = visitor;
  await page.setViewportSize({ width: 1440, height: 520 });
  for (const isOpen of [false, true]) {
    await openList();
    await visitor.press('j');
    if (isOpen) {
      await visitor.press('o');
      await page.getByRole('complementary', { name: 'Finding' }).waitFor();
    }
    for (const key of [...Array(count - 1).fill('j'), ...Array(count - 1).fill('k')]) {
      const before = await currentTitle();
      await visitor.press(key);
      await eventually(async () => (await currentTitle()) !== before && (await isWhole(await currentTitle())));
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('a dialog starts in its first field, Escape closes only the dialog, and the focus returns to the row', async () => {
  const { page } = visitor;
  const dialog = page.getByRole('dialog');
  const panel = page.getByRole('complementary', { name: 'Finding' });
  await openList();
  await visitor.press('j', 'o');
  await panel.waitFor();
  for (const [key, label] of [
    ['a', 'Person'],
    ['t', 'Tags'],
    ['c', 'Comment'],
    ['4', 'It cannot be reached'],
  ] as const) {
    await visitor.press(key);
    const input = key === '4' ? dialog.getByRole('radio', { name: label }) : dialog.getByLabel(label, { exact: true });
    await input.waitFor();
    await eventually(() => input.evaluate((element) => element === document.activeElement));
    // The list of people is a separate layer.
    if (key === 'a') {
      await input.press('ArrowDown');
      await people().first().waitFor();
      await visitor.press('Escape');
      await people().first().waitFor({ state: 'hidden' });
    }
    await dialog.waitFor();
    await visitor.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.ok(await panel.isVisible(), `the panel after ${key}`);
    await hasFocus();
  }
  await visitor.press('Escape');
  await panel.waitFor({ state: 'detached' });
  // A form whose first field appears only after data has loaded, and a form without a field.
  await visitor.follow('/organization?tab=members');
  await page.getByRole('button', { name: 'Invite' }).first().click();
  await eventually(() => dialog.getByLabel('Email').evaluate((element) => element === document.activeElement));
  await visitor.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await eventually(() =>
    page
      .getByRole('button', { name: 'Invite' })
      .first()
      .evaluate((element) => element === document.activeElement),
  );
});

test('the key a, letters and Enter assign to the only person who matches', async () => {
  await openList();
  await goTo(15);
  await visitor.press('a');
  await visitor.page.getByRole('dialog').getByLabel('Person', { exact: true }).waitFor();
  await eventually(() => visitor.page.evaluate(() => document.activeElement?.tagName === 'INPUT'));
  await visitor.page.keyboard.type(colleague.name);
  await eventually(async () => (await people().count()) === 1);
  await visitor.press('Enter');
  await visitor.page.getByRole('dialog').waitFor({ state: 'detached' });
  await eventually(async () => {
    const { assignee } = await installation.ask('GET', `/findings/${idOf(15)}`);
    return assignee?.name === colleague.name;
  });
  await hasFocus();
});

test('after * every row is selected, and deselecting one keeps the others', async () => {
  const { page } = visitor;
  await openList();
  const selected = page.locator('[role="row"][aria-selected="true"]');
  await visitor.press('*');
  await page.getByText(/matching findings selected/).waitFor();
  assert.equal(await selected.count(), count);
  assert.ok(await page.getByLabel('Select all loaded rows').isChecked());
  await rowOf(2).getByRole('checkbox').click();
  await page.getByText(`${count - 1} findings selected`).waitFor();
  assert.equal(await selected.count(), count - 1);
  await visitor.press('*', 'Escape');
  await page.getByText(/matching findings selected/).waitFor({ state: 'detached' });
  assert.equal(await selected.count(), 0);
});

test('without a connection, changes of single findings wait, survive a reload, and are sent in order later', async () => {
  const { page, context } = visitor;
  await openList();
  await goTo(7);
  await context.setOffline(true);
  const lost = page.getByText('Connection lost');
  await visitor.press('1');
  await waits(7).waitFor();
  await lost.waitFor();
  // The second change of a finding builds on the first.
  await goTo(7);
  await visitor.press('3');
  await goTo(8);
  await visitor.press('2');
  await goTo(9);
  await visitor.press('1');
  await goTo(10);
  await visitor.press('1');
  await waits(10).waitFor();
  await lost.getByText('5 waiting').waitFor();
  // A waiting change can be cancelled.
  await visitor.press('z');
  await waits(10).waitFor({ state: 'detached' });
  await lost.getByText('4 waiting').waitFor();
  for (const n of [10, 11]) await rowOf(n).getByRole('checkbox').click();
  await visitor.press('1');
  await toast('No connection: several findings can’t be changed at once. Nothing was changed.');
  await visitor.press('Escape', '*', '1');
  await toast('No connection: matching findings can’t be changed. Nothing was changed.');
  assert.deepEqual(await visitor.findBarriers(), []);
  const below = () => document.documentElement.scrollHeight - document.documentElement.clientHeight;
  assert.equal(await page.evaluate(below), 0, 'the note takes its room from the list');
  assert.deepEqual(await Promise.all([7, 8, 9, 10, 11].map(statusOf)), Array(5).fill('new'));
  await decide(8, { status: 'false_positive' });
  await page.reload().catch(() => {});
  await context.setOffline(false);
  await openList();
  await has(7, 'resolved');
  await has(9, 'triaged');
  await rowOf(8)
    .getByRole('button', { name: new RegExp(`${colleague.name}: status → False positive`) })
    .waitFor();
  assert.deepEqual([await statusOf(8), await statusOf(10), await statusOf(11)], ['false_positive', 'new', 'new']);
  const history = (await installation.ask('GET', `/findings/${idOf(7)}/history`)).data as {
    changes: { to: string }[];
  }[];
  assert.deepEqual(
    history.slice(1).map(({ changes: [change] }) => change?.to),
    ['triaged', 'resolved'],
  );
  await eventually(async () => (await visitor.page.getByText('Waiting for the connection').count()) === 0);
});

test('a change whose response was lost is not applied twice', async () => {
  const { page, context } = visitor;
  await openList();
  await goTo(12);
  // The server applies the change, and the connection ends before the response.
  await page.route('**/findings/fnd_*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.fallback();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await visitor.press('4');
  await page.getByLabel('Reason').fill('A test fixture.');
  await page.getByLabel('Reason').press('Enter');
  await waits(12).waitFor();
  await page.unroute('**/findings/fnd_*');
  await context.setOffline(true);
  await context.setOffline(false);
  await waits(12).waitFor({ state: 'detached' });
  const { status, comment_count } = await installation.ask('GET', `/findings/${idOf(12)}`);
  assert.deepEqual([status, comment_count], ['false_positive', 1]);
  assert.equal(
    await rowOf(12)
      .getByRole('button', { name: /status →/ })
      .count(),
    0,
  );
});

test('at most 100 changes wait, and signing out discards them', async () => {
  const { page } = visitor;
  await openList();
  await goTo(13);
  await page.context().setOffline(true);
  await visitor.press('1');
  await waits(13).waitFor();
  const stored = () =>
    page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('assay.pending')));
  assert.equal((await stored()).length, 1);
  // The cursor moves down and stops at the last row.
  for (let presses = 0; presses < 100; presses++) await visitor.press('1');
  await toast('Not changed: 100 changes are already waiting for the connection.');
  await page.getByText('100 waiting').waitFor();
  // The server is back but applies none of the changes, since the person signs out first.
  await page.route('**/findings/fnd_*', (route) =>
    route.request().method() === 'PATCH' ? undefined : route.fallback(),
  );
  await page.context().setOffline(false);
  await page.getByText('Connection lost').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Menu of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('Email').waitFor();
  assert.deepEqual(await stored(), []);
  await page.unroute('**/findings/fnd_*');
  assert.equal(await statusOf(13), 'new');
});

test('the browser had no error, no violation of the policy and no request elsewhere', () => {
  assert.deepEqual([...new Set(visitor.problems)], []);
});
