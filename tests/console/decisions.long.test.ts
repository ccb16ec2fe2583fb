import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { eventually, HostedInstallation } from '../harness/installation.ts';
import { createTestMember, testPassword } from '../harness/people.ts';
import { openBrowser, ownerEnvironment, Visitor } from './browser.fixture.ts';

const installation = new HostedInstallation(ownerEnvironment);
let browser: Browser;
let visitor: Visitor;
let dataSource: string;

const open = async (rule: string) =>
  (await installation.ask('GET', `/findings?status=new&rule=${rule}`)).data.length as number;

/** Imports findings of a rule, one per file. */
async function importFindings(rule: string, paths: string[]): Promise<void> {
  const findings = paths.map((path) => ({
    title: `${rule} in ${path}`,
    rule_id: rule,
    rule_name: `Rule about ${rule}`,
    severity: 'high',
    path,
  }));
  await installation.call('POST', `/data-sources/${dataSource}/imports`, {
    raw: JSON.stringify({ source: 'own', findings }),
    headers: { 'content-type': 'application/octet-stream', prefer: 'wait=60' },
  });
}

before(async () => {
  await installation.start();
  dataSource = (await installation.ask('POST', '/data-sources', { kind: 'upload', name: 'payments-api' })).id;
  await importFindings('weak-hash', ['tests/one.ts', 'tests/two.ts', 'src/three.ts']);
  await importFindings('sql-injection', ['src/a.ts', 'src/b.ts']);
  browser = await openBrowser();
  visitor = await Visitor.arrive(browser, installation);
  await visitor.signIn();
});

after(async () => {
  await browser?.close();
  await installation.remove();
});

test('two keys decide about a finding: a decision with the class of the reason', async () => {
  const { page } = visitor;
  await visitor.open('/findings?rule=sql-injection&status=new');
  await page
    .getByRole('row', { name: /sql-injection/ })
    .first()
    .waitFor();
  await visitor.press('j', '5');
  await page
    .getByRole('dialog')
    .getByRole('radio', { name: /Another control protects it/ })
    .waitFor();
  await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('type') === 'radio'));
  await visitor.press('1');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const [accepted] = await eventually(async () => {
    const { data } = await installation.ask('GET', '/findings?status=accepted_risk');
    return data.length === 1 && data;
  });
  assert.equal(accepted.decision.justification, 'compensating_control');
  assert.equal(await open('sql-injection'), 1);
  // The search lists decisions with a wider scope only: the finding itself is there.
  await visitor.open('/findings');
  await page.getByRole('row').nth(1).waitFor();
  const searched = page.waitForRequest((request) => /\/decisions\?.*status=active/.test(request.url()), {
    timeout: 30_000,
  });
  await visitor.press('Control+k');
  assert.match((await searched).url(), /single=false/);
  await visitor.press('Escape');
});

test('an acceptance can end on any day', async () => {
  const { page } = visitor;
  const day = new Date(Date.now() + 400 * 86_400_000).toISOString().slice(0, 10);
  await visitor.open('/findings?rule=sql-injection&status=new');
  await page
    .getByRole('row', { name: /sql-injection/ })
    .first()
    .waitFor();
  await visitor.press('j', '5');
  await page.getByText('A day', { exact: true }).click();
  await page.getByLabel('Until').fill(day);
  await page.getByRole('button', { name: 'Accept risk' }).click();
  await eventually(async () => (await open('sql-injection')) === 0);
  const { data } = await installation.ask('GET', '/findings?status=accepted_risk');
  assert.ok(data.some(({ accepted_until: until }: { accepted_until: string }) => until === `${day}T23:59:59Z`));
});

test('one more key decides about a folder, including future findings; the finding links to the decision and back', async () => {
  const { page } = visitor;
  await visitor.open('/findings?rule=weak-hash&status=new&q=tests');
  await page
    .getByRole('row', { name: /weak-hash in tests/ })
    .first()
    .waitFor();
  await visitor.press('j', '4');
  const scope = page.getByRole('button', { name: /This rule in tests\// });
  await scope.getByText('2', { exact: true }).waitFor();
  await page.getByRole('button', { name: 't This rule in all tests/ folders 2' }).waitFor();
  assert.deepEqual(await visitor.findBarriers('[role="dialog"]'), []);
  assert.equal(await visitor.overflowOnPhone(), 0);
  await visitor.press('f');
  await page.getByRole('button', { name: 'Close 2 as false positive' }).waitFor();
  await visitor.press('3');
  await eventually(async () => (await open('weak-hash')) === 1);
  await importFindings('weak-hash', ['tests/four.ts']);
  const later = async () => (await installation.ask('GET', '/findings?rule=weak-hash&q=four')).data[0];
  const { id } = await eventually(async () => (await later())?.status === 'false_positive' && (await later()));
  await visitor.open(`/findings/${id}`);
  await page.getByRole('link', { name: 'By a decision' }).click();
  const panel = page.getByRole('complementary', { name: 'Decision' });
  await panel
    .getByRole('heading', { name: 'Rule about weak-hash, where the path matches tests/**, in payments-api' })
    .waitFor();
  await panel.getByText('Test or example code.').waitFor();
  assert.deepEqual(await visitor.findBarriers(), []);
  assert.equal(await visitor.overflowOnPhone(), 0);
  await panel.getByRole('link', { name: 'weak-hash in tests/four.ts' }).click();
  await page.getByRole('heading', { level: 1, name: 'weak-hash in tests/four.ts' }).waitFor();
});

test('a withdrawn decision reopens its findings and stays in the list of ended ones', async () => {
  const { page } = visitor;
  await visitor.open('/decisions');
  const row = page.getByRole('table', { name: 'Decisions' }).getByRole('row', { name: /weak-hash/ });
  await row.getByRole('link').click();
  const panel = page.getByRole('complementary', { name: 'Decision' });
  await panel.getByRole('button', { name: /^Withdraw, reopens up to 3/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await page.getByRole('heading', { name: 'No decision covers more than one finding' }).waitFor();
  await page.getByRole('link', { name: 'Findings with decisions of their own' }).waitFor();
  await eventually(async () => (await open('weak-hash')) === 4);
  await page.getByRole('link', { name: 'Ended' }).click();
  await row.getByText(/^Withdrawn by /).waitFor();
  assert.deepEqual(visitor.problems, []);
});

test('on a phone a swipe past half the width decides and can be undone, a shorter one or one with less motion does not', async () => {
  const { page, context } = visitor;
  await importFindings('phone', ['src/p.ts']);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await visitor.open('/findings?rule=phone&status=new,triaged');
  const row = page.getByRole('row', { name: /phone in/ });
  const touch = await context.newCDPSession(page);
  /** Moves a finger over the row. */
  const swipe = async (pixels: number) => {
    const { y, height } = (await row.boundingBox())!;
    const x = pixels > 0 ? 60 : 330;
    const at = (moved: number) => [{ x: x + moved, y: y + height / 2 }];
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
    for (const part of [0.2, 0.5, 1])
      await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(pixels * part) });
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
  const status = async () => (await installation.ask('GET', '/findings?rule=phone')).data[0].status;
  await swipe(150);
  assert.equal(await page.getByRole('complementary', { name: 'Finding' }).count(), 0, 'a swipe opens nothing');
  await row.getByText('New').waitFor();
  await swipe(250);
  await row.getByText('Triaged').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await row.getByText('New').waitFor();
  assert.equal(await status(), 'new');
  await swipe(-250);
  await page.getByRole('dialog').getByRole('radio').first().waitFor();
  await page.keyboard.press('Escape');
  // The menu does the same, also with less motion.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await swipe(250);
  await page.getByRole('button', { name: /^Decide: phone in/ }).click();
  assert.equal(await status(), 'new');
  await page.getByRole('dialog').getByRole('button', { name: 'Triage' }).click();
  await row.getByText('Triaged').waitFor();
  await eventually(async () => (await status()) === 'triaged');
  assert.deepEqual(await visitor.findBarriers(), []);
  await row.click();
  await page.getByRole('complementary', { name: 'Finding' }).getByRole('toolbar', { name: 'Decide' }).waitFor();
  assert.deepEqual(await visitor.findBarriers(), []);
  // The five places stay under the thumb.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Decisions' }).click();
  await page.getByRole('heading', { name: 'Decisions', exact: true }).waitFor();
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('a developer requests by key; the queue has it with its count, and is answered by key and in bulk', async () => {
  await importFindings('open-redirect', ['src/r1.ts', 'src/r2.ts', 'src/r3.ts', 'src/r4.ts']);
  const { id: orgId } = await installation.ask('GET', '/organization');
  const developer = await createTestMember(installation.database.database, orgId, 'developer');
  const other = await Visitor.arrive(browser, installation);
  await other.signIn({ email: developer.email, password: testPassword }, '/findings?rule=open-redirect');
  const rows = other.page.getByRole('row', { name: /open-redirect/ });
  await rows.first().waitFor();
  await other.press('j', '4');
  const dialog = other.page.getByRole('dialog');
  await dialog.getByText('Another person must approve it first.').waitFor();
  await eventually(() => other.page.evaluate(() => document.activeElement?.getAttribute('type') === 'radio'));
  await other.press('1');
  await dialog.waitFor({ state: 'detached' });
  const requested = async () => (await installation.ask('GET', '/decisions?status=requested')).data;
  await eventually(async () => (await requested()).length === 1);
  const post = async (path: string, json: object): Promise<void> => {
    const headers = { authorization: `Bearer ${developer.token}`, 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify(json) };
    assert.equal((await fetch(`${installation.origin}/api/v1${path}`, request)).status, 201);
  };
  for (const path of ['src/r2.ts', 'src/r3.ts', 'src/r4.ts'])
    await post('/decisions', {
      outcome: 'accepted_risk',
      reason: `Behind a gateway: ${path}.`,
      scope: { rule: ['open-redirect'], path: [path] },
    });
  // Their own requests are theirs to change, not to answer.
  await other.follow('/decisions?tab=requested');
  await other.page.getByRole('link', { name: /^open-redirect in src/ }).click();
  const own = other.page.getByRole('complementary', { name: 'Decision' });
  await own.getByRole('button', { name: 'Withdraw' }).waitFor();
  assert.equal(await own.getByRole('button', { name: 'Approve' }).count(), 0);
  assert.deepEqual(other.problems, []);
  await other.context.close();

  const { page } = visitor;
  const { id: me } = await installation.ask('GET', '/profile');
  const [assigned] = (await installation.ask('GET', '/findings?q=r1&rule=open-redirect')).data;
  await installation.ask('PATCH', `/findings/${assigned.id}`, { assignee: me });
  await post(`/findings/${assigned.id}/comment`, { comment: 'Is it behind the gateway?' });
  await visitor.open('/overview?view=needs');
  await page
    .getByRole('region', { name: 'Comments on your findings' })
    .getByText('Is it behind the gateway?')
    .waitFor();
  const waiting = page.getByRole('region', { name: 'Waiting for your approval' });
  await waiting.getByText('Behind a gateway: src/r4.ts.').waitFor();
  assert.deepEqual(await visitor.findBarriers(), []);
  assert.equal(await visitor.overflowOnPhone(), 0);
  await waiting
    .getByRole('button', { name: 'Approve: Rule about open-redirect, where the path matches src/r4.ts' })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await waiting.getByText('Behind a gateway: src/r4.ts.').waitFor({ state: 'detached' });
  await visitor.open('/decisions?tab=requested');
  await page.getByRole('link', { name: /^Decisions.*3 to approve/ }).waitFor();
  assert.deepEqual(await visitor.findBarriers(), []);
  assert.equal(await visitor.overflowOnPhone(), 0);
  await page.getByRole('link', { name: /^open-redirect in src/ }).click();
  const panel = page.getByRole('complementary', { name: 'Decision' });
  await panel.getByRole('button', { name: /^Reject/ }).waitFor();
  assert.deepEqual(await visitor.findBarriers('aside'), []);
  await visitor.press('n');
  await page
    .getByRole('dialog')
    .getByLabel(/^Message to/)
    .fill('It is reachable.');
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  await eventually(async () => (await requested()).length === 2);
  const [rejected] = (await installation.ask('GET', '/decisions?status=rejected')).data;
  assert.equal(rejected.answer, 'It is reachable.');
  await page.getByRole('checkbox', { name: 'Select all' }).click();
  await page.getByRole('button', { name: 'Approve…' }).click();
  await page
    .getByRole('dialog')
    .getByText(/^2 findings in their scopes, 2 of them open/)
    .waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve 2' }).click();
  await page.getByRole('heading', { name: 'Nothing to approve' }).waitFor();
  await eventually(async () => (await open('open-redirect')) === 1);
  assert.deepEqual(visitor.problems, []);
});

test('a group is dismissed with the class of the reason, and a developer requests one with other filters too', async () => {
  await importFindings('group-of-three', ['src/g1.ts', 'src/g2.ts', 'lib/g3.ts']);
  const { page } = visitor;
  await visitor.open('/findings?rule=group-of-three&group=data_source');
  const group = page.getByRole('list', { name: 'Findings by data source' }).getByRole('button').first();
  await group.click();
  await page.getByRole('toolbar', { name: 'Decide on the selection' }).waitFor();
  await visitor.press('4');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Test or example code').click();
  await dialog.getByLabel('Reason').fill('Only the tests import it.');
  await dialog.getByRole('button', { name: 'Mark 3 as false positive' }).click();
  await dialog.getByText('Test or example code. Only the tests import it.').waitFor();
  assert.deepEqual(await visitor.findBarriers('[role="dialog"]'), []);
  await dialog.getByRole('button', { name: 'Set 3 findings to False positive' }).click();
  const closed = await eventually(async () => {
    const { data } = await installation.ask('GET', '/findings?rule=group-of-three&status=false_positive');
    return data.length === 3 && data;
  });
  for (const { decision } of closed) assert.equal(decision.justification, 'test_or_example');
  await page.getByRole('button', { name: 'Undo' }).click();
  await eventually(async () => (await open('group-of-three')) === 3);

  const { id: orgId } = await installation.ask('GET', '/organization');
  const developer = await createTestMember(installation.database.database, orgId, 'developer');
  const other = await Visitor.arrive(browser, installation);
  await other.signIn(
    { email: developer.email, password: testPassword },
    '/findings?rule=group-of-three&q=src&group=data_source',
  );
  await other.page.getByRole('list', { name: 'Findings by data source' }).getByRole('button').first().click();
  const requests = other.page.getByRole('toolbar', { name: 'Request for the selection' });
  await requests.getByRole('button', { name: /^Request: false positive/ }).click();
  const asked = other.page.getByRole('dialog');
  await asked.getByText('Another person must approve it first.').waitFor();
  assert.deepEqual(await other.findBarriers('[role="dialog"]'), []);
  await asked.getByText('It cannot be reached').click();
  await asked.getByRole('button', { name: 'Request', exact: true }).click();
  await asked.waitFor({ state: 'detached' });
  const [request] = await eventually(async () => {
    const { data } = await installation.ask('GET', '/decisions?status=requested');
    return data.length === 1 && data;
  });
  assert.deepEqual(
    [request.justification, request.scope.finding.length],
    ['vulnerable_code_not_in_execute_path', 2],
    'only the findings that match the filters',
  );
  assert.equal(await open('group-of-three'), 3);
  await installation.ask('POST', `/decisions/${request.id}/reject`, { version: request.version });
  assert.deepEqual([...visitor.problems, ...other.problems], []);
  await other.context.close();
});

test('a rule that is mostly dismissed is offered, shown as info by a decision, and as its scanner rates it once that is withdrawn', async () => {
  const noisy = (path: string) => `src/noisy/${path}.ts`;
  await importFindings(
    'noisy',
    Array.from({ length: 21 }, (_, index) => noisy(`n${index}`)),
  );
  const { data: findings } = await installation.ask('GET', '/findings?rule=noisy&limit=50');
  const [left, ...dismissed] = findings.map(({ id }: { id: string }) => id);
  await installation.ask('PATCH', '/findings', { ids: dismissed, status: 'false_positive' });
  const { page } = visitor;
  await visitor.open(`/findings/${left}`);
  await page.getByText('This rule was dismissed 20 of 20 times').waitFor();
  await visitor.open('/decisions');
  const offer = page.getByRole('region', { name: 'Rules that are mostly dismissed' });
  await offer.getByText('Rule about noisy: dismissed 20 of 20 times').waitFor();
  assert.deepEqual(await visitor.findBarriers(), []);
  assert.equal(await visitor.overflowOnPhone(), 0);
  await offer.getByRole('button', { name: 'Show as info…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Show Rule about noisy as info' });
  await dialog.getByText(/^1 open finding and future ones are shown as info/).waitFor();
  await dialog.getByRole('button', { name: 'Show as info' }).click();
  await dialog.waitFor({ state: 'detached' });
  const severity = async () => (await installation.ask('GET', `/findings/${left}`)).severity;
  await eventually(async () => (await severity()) === 'info');
  const row = page.getByRole('table', { name: 'Decisions' }).getByRole('row', { name: /Rule about noisy/ });
  await row.getByText('Shown as info').waitFor();
  await offer.waitFor({ state: 'detached' });

  await visitor.open(`/findings/${left}`);
  await page.getByText('This rule was dismissed 20 of 20 times and is shown as info').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Show as info…' }).count(), 0);
  await page.getByRole('link', { name: 'shown as info', exact: true }).click();
  const panel = page.getByRole('complementary', { name: 'Decision' });
  await panel.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByText(/^Its 21 findings have the severity of their scanner again/)
    .waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await panel.waitFor({ state: 'detached' });
  await eventually(async () => (await severity()) === 'high');
  await visitor.open('/decisions');
  await offer.getByText('Rule about noisy: dismissed 20 of 20 times').waitFor();
  assert.deepEqual(visitor.problems, []);
});

test('decisions that end soon have a tab with their number, and are on the overview', async () => {
  const { page } = visitor;
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().replace(/\.\d+Z$/, 'Z');
  const decide = (rule: string, days: number) =>
    installation.ask('POST', '/decisions', {
      outcome: 'accepted_risk',
      reason: `Until the release in ${days} days.`,
      scope: { rule: [rule] },
      until: inDays(days),
    });
  const soon = await decide('weak-hash', 6);
  const [single] = (await installation.ask('GET', '/findings?rule=noisy&status=new')).data;
  const ownEnd = { status: 'accepted_risk', accepted_until: inDays(8) };
  const { decision: own } = await installation.ask('PATCH', `/findings/${single.id}`, ownEnd);
  await decide('sql-injection', 40);
  await visitor.open('/decisions');
  const rows = page.getByRole('table', { name: 'Decisions' }).getByRole('row', { name: /Until the release/ });
  await rows.nth(1).waitFor();
  await page.getByRole('link', { name: /^Ending soon 2$/ }).click();
  await page.waitForURL(/tab=ending/);
  await eventually(async () => (await rows.count()) === 1);
  await page.getByRole('link', { name: single.title }).waitFor();
  await rows.getByText(/^in [56] days$/).waitFor();
  assert.deepEqual(await visitor.findBarriers(), []);
  assert.equal(await visitor.overflowOnPhone(), 0);
  await visitor.open('/overview?view=needs');
  const ending = page.getByRole('region', { name: 'Decisions that end within 14 days' });
  await ending.getByText(/Until the release in 6 days/).waitFor();
  assert.deepEqual(await visitor.findBarriers(), []);
  assert.equal(await visitor.overflowOnPhone(), 0);
  await ending.getByRole('link', { name: 'Rule about weak-hash' }).click();
  const panel = page.getByRole('complementary', { name: 'Decision' });
  await panel.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the decision' });
  await dialog.getByLabel('Until').fill(inDays(90).slice(0, 10));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await eventually(async () => (await rows.count()) === 0);
  await installation.ask('DELETE', `/decisions/${own.id}`);
  await page.getByRole('heading', { name: 'Nothing ends soon' }).waitFor();
  assert.equal((await installation.ask('GET', `/decisions/${soon.id}`)).until.slice(0, 10), inDays(90).slice(0, 10));
  assert.deepEqual(visitor.problems, []);
});

test('the dialog asks for the class that the policy requires, and offers no end after the longest time', async () => {
  await importFindings('limited', ['src/l1.ts', 'src/l2.ts', 'src/l3.ts']);
  const { sign_in: _, ...policy } = await installation.ask('GET', '/organization/policy');
  const decisions = { ...policy.decisions, longest_days: 45, justification_required: true };
  await installation.ask('PUT', '/organization/policy', { ...policy, decisions });
  const { page } = visitor;
  await visitor.open('/findings?rule=limited&status=new');
  await page
    .getByRole('row', { name: /limited in/ })
    .first()
    .waitFor();
  await visitor.press('j', '5');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('45 days', { exact: true }).waitFor();
  const ends = dialog.getByRole('radiogroup').getByRole('radio');
  assert.deepEqual(await ends.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value)), [
    '30',
    '45',
    'day',
  ]);
  await dialog.getByText('A day', { exact: true }).click();
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  await dialog.getByText('Another control protects it').click();
  await dialog.getByLabel('Until').fill(inDays(60));
  await dialog.getByRole('button', { name: 'Accept risk', disabled: true }).waitFor();
  await dialog.getByLabel('Until').fill(inDays(20));
  await dialog.getByRole('button', { name: 'Accept risk' }).click();
  await dialog.waitFor({ state: 'detached' });
  await eventually(async () => (await open('limited')) === 2);
  await visitor.open('/findings?rule=limited&status=new');
  await page
    .getByRole('row', { name: /limited in/ })
    .first()
    .waitFor();
  await visitor.press('j', '4');
  await dialog.getByText('It ends after 45 days, as your policy requires.').waitFor();
  await dialog.getByLabel('Reason').fill('Generated.');
  await dialog.getByRole('button', { name: 'Mark as false positive', disabled: true }).waitFor();
  await dialog
    .getByRole('button', { name: /This rule everywhere/ })
    .getByText('2', { exact: true })
    .waitFor();
  assert.deepEqual(await visitor.findBarriers('[role="dialog"]'), []);
  assert.equal(await visitor.overflowOnPhone(), 0);
  await dialog.getByRole('button', { name: /This rule everywhere/ }).click();
  await dialog.getByText('Test or example code').click();
  await dialog.getByRole('button', { name: 'Close 2 as false positive' }).click();
  await eventually(async () => (await open('limited')) === 0);
  const { data } = await installation.ask('GET', '/decisions');
  const made = data.find(({ scope }: { scope: { rule?: string[] } }) => scope.rule?.[0] === 'limited');
  assert.ok(Date.parse(made.until) <= Date.now() + 45 * 86_400_000 && made.until.slice(0, 10) >= inDays(44));
  await installation.ask('PUT', '/organization/policy', policy);
  assert.deepEqual(visitor.problems, []);
});

test('a viewer requests by key, button and for a selection where the policy allows it, and never decides', async () => {
  await importFindings('open-port', ['src/p1.ts', 'src/p2.ts']);
  const { id: orgId } = await installation.ask('GET', '/organization');
  const viewer = await createTestMember(installation.database.database, orgId, 'viewer');
  const { sign_in: _, ...policy } = await installation.ask('GET', '/organization/policy');
  const other = await Visitor.arrive(browser, installation);
  await other.signIn({ email: viewer.email, password: testPassword }, '/findings?rule=open-port');
  const { page } = other;
  const row = page.getByRole('row', { name: /open-port/ }).first();
  await row.waitFor();
  await row.click();
  const panel = page.getByRole('complementary', { name: 'Finding' });
  await panel
    .getByRole('heading', { name: /open-port/ })
    .first()
    .waitFor();
  assert.equal(await page.getByRole('button', { name: /^Request/ }).count(), 0);
  const decisions = { ...policy.decisions, who_may_request: 'viewer' };
  await installation.ask('PUT', '/organization/policy', { ...policy, decisions });
  await other.open('/findings?rule=open-port');
  await page
    .getByRole('row', { name: /open-port/ })
    .first()
    .click();
  await panel.getByRole('button', { name: /^Request: false positive/ }).waitFor();
  assert.equal(await page.getByRole('toolbar', { name: 'Decide' }).count(), 0);
  assert.equal(await panel.getByRole('button', { name: /In progress/ }).count(), 0);
  await page.getByRole('checkbox', { name: 'Select all' }).click();
  await page.getByRole('toolbar', { name: 'Request for the selection' }).getByRole('button').last().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Another person must approve it first.').waitFor();
  await dialog.getByLabel('Reason').fill('Only reachable from the office.');
  await dialog.getByRole('button', { name: 'Request' }).click();
  await dialog.waitFor({ state: 'detached' });
  const [request] = await eventually(async () => {
    const { data } = await installation.ask('GET', '/decisions?status=requested');
    return data.length === 1 && data;
  });
  assert.deepEqual([request.outcome, request.scope.finding.length], ['accepted_risk', 2]);
  assert.equal(await open('open-port'), 2);
  // On a phone, the menu of a row has the same requests and nothing that this person may not do.
  await page.setViewportSize({ width: 390, height: 844 });
  await other.open('/findings?rule=open-port');
  await page
    .getByRole('button', { name: /^Decide: open-port/ })
    .first()
    .click();
  const sheet = page.getByRole('dialog').getByRole('list');
  await sheet.getByRole('button', { name: 'Request: accept' }).waitFor();
  assert.deepEqual(await sheet.getByRole('button').allInnerTexts(), [
    'Request: false positive',
    'Request: accept',
    'Select several',
  ]);
  assert.deepEqual(other.problems, []);
  await other.context.close();
});
