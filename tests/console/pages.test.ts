import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { eventually, HostedInstallation } from '../harness/installation.ts';
import { openBrowser, ownerEnvironment, Visitor } from './browser.fixture.ts';

const installation = new HostedInstallation(ownerEnvironment);
const folder = mkdtempSync(join(tmpdir(), 'assay-pages-'));
let browser: Browser;
let visitor: Visitor;

/** A tool's result file: two findings, or only the first. */
function resultFile(name: string, count: number): string {
  const path = join(folder, name);
  const results = Array.from({ length: count }, (_, index) => ({
    ruleId: `rule-${index}`,
    level: 'error',
    message: { text: `Problem ${index}` },
    locations: [
      { physicalLocation: { artifactLocation: { uri: `src/file-${index}.ts` }, region: { startLine: index + 1 } } },
    ],
  }));
  const runs = [{ tool: { driver: { name: 'linter' } }, results }];
  writeFileSync(path, JSON.stringify({ version: '2.1.0', runs }));
  return path;
}

const button = (name: string) => visitor.page.getByRole('button', { name, exact: true });
const dialog = () => visitor.page.getByRole('dialog');
/** Chooses an option in a dialog. */
async function choose(label: string, option: string): Promise<void> {
  await dialog().getByRole('combobox', { name: label }).click();
  await visitor.page.getByRole('option', { name: option }).click();
}

before(async () => {
  await installation.start();
  browser = await openBrowser();
  visitor = await Visitor.arrive(browser, installation);
});

after(async () => {
  await browser?.close();
  await installation.remove();
  rmSync(folder, { recursive: true, force: true });
});

test('a newcomer gets from an empty organization to the first triaged finding with one click and one key', async () => {
  const { page } = visitor;
  const stopEvents = await visitor.catchEvents();
  await visitor.signIn(undefined, '/');
  await page.waitForURL('**/start');
  await page.getByRole('region', { name: 'More scanners' }).getByText('npx assay tools install').waitFor();
  await button('Scan the sample repository').click();
  const finding = page.getByRole('article', { name: 'The most severe new finding' });
  await finding.waitFor({ timeout: 120_000 });
  // The shown finding stays while the scan finds more: a key must not act on another one.
  const title = await finding.getByRole('heading').innerText();
  await page.getByRole('button', { name: 'Cancel' }).first().waitFor({ state: 'detached', timeout: 120_000 });
  assert.equal(await finding.getByRole('heading').innerText(), title);
  // Events of the scan would cause reads of their own.
  await stopEvents();
  const asked: string[] = [];
  await page.route(/findings/, async (route) => {
    const method = route.request().method();
    if (method === 'PATCH' || route.request().url().includes('status=new')) asked.push(method);
    // A page that reads too early would read the state before the change.
    if (method === 'PATCH') await delay(500);
    if (method === 'PATCH') asked.push('saved');
    await route.continue();
  });
  await visitor.press('1');
  await page.getByText('1 finding triaged.').waitFor();
  await page.unroute(/findings/);
  assert.deepEqual(asked.slice(0, 3), ['PATCH', 'saved', 'GET']);
  await eventually(async () => (await installation.ask('GET', '/findings?status=triaged')).data.length === 1);
});

test('a result file is uploaded, and a later one closes what it no longer reports', async () => {
  const { page } = visitor;
  await visitor.open('/data-sources?add=upload');
  await dialog().getByLabel('Name').fill('linter results');
  await dialog().getByRole('button', { name: 'Add' }).click();
  await page.getByRole('heading', { name: 'linter results' }).waitFor();
  await page.getByLabel('Choose a result file').setInputFiles(resultFile('first.sarif', 2));
  await button('Import').click();
  await page.getByText('2 new').first().waitFor();
  await button('Import another file').click();
  await page.getByLabel('Choose a result file').setInputFiles(resultFile('second.sarif', 1));
  await page.getByText('1 open finding of this data source is not in it and stays open').waitFor();
  await page.getByLabel('Close findings that are not in the file').check();
  await page.getByText('is not in it and becomes resolved').waitFor();
  await page.getByRole('list', { name: 'Not in the file' }).getByText('Problem 1').waitFor();
  await button('Import').click();
  await page.getByText('1 fixed').first().waitFor();
});

test('a file in an unknown format is refused with a sentence', async () => {
  const path = join(folder, 'holiday.json');
  writeFileSync(path, '{"photo": 1}');
  await visitor.page.reload();
  // The server reads the file only after the page has confirmed it.
  const waits = visitor.page.getByText('Reading the file …');
  await visitor.page.route(/dry_run=true/, async (route) => {
    await waits.waitFor();
    await route.continue();
  });
  await visitor.page.getByLabel('Choose a result file').setInputFiles(path);
  const refusal = visitor.page.getByText('The format of this file is not recognised');
  await refusal.waitFor();
  await visitor.page.unroute(/dry_run=true/);
  await button('Import').click();
  await visitor.page.getByText('Choose the tool that wrote the file').waitFor();
  assert.equal(await refusal.count(), 1);
});

test('the configuration of a data source is tried before it is saved', async () => {
  await visitor.open('/data-sources?add=host');
  await dialog().getByLabel('Address').fill('127.0.0.1');
  await button('Test').click();
  await dialog().getByRole('status').waitFor();
  assert.equal((await installation.ask('GET', '/data-sources?kind=host')).data.length, 0);
});

test('the form of a repository extends the search for secrets to all branches and tags', async () => {
  const { page } = visitor;
  await visitor.open('/data-sources?kind=git_repository');
  await page.getByRole('link', { name: 'Sample repository' }).click();
  await button('Edit').click();
  await dialog().getByLabel('Also search other branches and tags for secrets').check();
  await dialog().getByRole('button', { name: 'Save' }).click();
  await page.getByText('secrets in all branches and tags').waitFor();
  const [{ config }] = (await installation.ask('GET', '/data-sources?kind=git_repository')).data;
  assert.equal(config.branches, 'all');
});

test('a data source is filtered, edited and deleted, and its findings are resolved', async () => {
  const { page } = visitor;
  await visitor.open('/data-sources');
  const cells = page.getByRole('table', { name: 'Data sources' }).locator('tbody td:nth-child(2)');
  const namesAre = (...names: string[]) =>
    eventually(async () => (await cells.allInnerTexts()).every((text, index) => text.startsWith(names[index]!)));
  await button('Data source').click();
  await page.waitForURL('**/data-sources?sort=name');
  await namesAre('linter results', 'Sample repository');
  await button('Data source').click();
  await page.waitForURL('**/data-sources?sort=-name');
  await namesAre('Sample repository', 'linter results');
  await visitor.open('/data-sources?q=linter');
  await page.getByRole('link', { name: 'linter results' }).waitFor();
  const savedAs = async (format: string) => {
    await button('Export').click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: `Export 1 row as ${format}` }).click();
    return text(await (await download).createReadStream());
  };
  assert.match(await savedAs('CSV'), /^"Data source","Status".*\r\n"linter results","/);
  const [row, ...rest] = JSON.parse(await savedAs('JSON'));
  assert.deepEqual([row['Data source'], row.Criticality, rest], ['linter results', 'Medium', []]);
  await page.getByRole('link', { name: 'linter results' }).click();
  await button('Edit').click();
  await dialog().getByLabel('Name').fill('linter');
  await dialog().getByRole('combobox', { name: 'Criticality' }).click();
  await page.getByRole('option', { name: 'Critical' }).click();
  await dialog().getByLabel('Tags').fill('payments, pci');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'linter', exact: true }).waitFor();
  await page.getByText('payments, pci', { exact: true }).waitFor();
  await button('Delete').click();
  await dialog().getByText('open finding becomes resolved').waitFor();
  await dialog().getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL('**/data-sources');
  const { data } = await installation.ask('GET', '/data-sources');
  assert.deepEqual(
    data.map(({ name }: { name: string }) => name),
    ['Sample repository'],
  );
});

test('the policy is changed in the console, and due dates follow it', async () => {
  const { page } = visitor;
  const age = (interval: string) =>
    installation.database.asAdmin(
      `UPDATE findings SET first_seen_at = first_seen_at - interval '${interval}', due_at = due_at - interval '${interval}'`,
    );
  // Seen six days ago, a finding with five days to fix is overdue at once.
  await age('6 days');
  await visitor.open('/organization?tab=policy');
  await button('Change the policy').click();
  const days = dialog().getByLabel('Days: high severity, medium criticality');
  await days.fill('never');
  await dialog().getByRole('button', { name: 'Save', disabled: true }).waitFor();
  await days.fill('5');
  const effect = dialog().getByRole('region', { name: 'What this would change' });
  await effect
    .getByRole('definition')
    .first()
    .getByText(/^[1-9]\d* findings?$/)
    .waitFor();
  const [list] = await Promise.all([
    page.context().waitForEvent('page', { timeout: 90_000 }),
    effect.getByRole('link', { name: 'Show these' }).click(),
  ]);
  list.setDefaultTimeout(90_000);
  const shown = list.locator('[role="row"][aria-selected]');
  await shown.first().waitFor();
  assert.deepEqual(
    (await shown.allInnerTexts()).filter((text) => !text.includes('High')),
    [],
  );
  await list.close();
  await age('-6 days');
  await dialog().getByLabel('Maximum days for an accepted risk').fill('60');
  await dialog().getByLabel('Accepting a risk needs a reason').check();
  const longest = dialog().getByLabel('Maximum days for any decision');
  await longest.fill('0');
  await dialog().getByRole('button', { name: 'Save', disabled: true }).waitFor();
  await longest.fill('90');
  await dialog().getByLabel('False positives and accepted risks need a class of reasons').check();
  await dialog().getByRole('button', { name: 'Save' }).click();
  await page.getByText('A risk can be accepted for at most 60 days.').waitFor();
  await page.getByText('No decision holds for more than 90 days.').waitFor();
  await page.getByText('False positives and accepted risks need a class of reasons.').waitFor();
  const { sign_in: _, ...policy } = await installation.ask('GET', '/organization/policy');
  assert.deepEqual([policy.decisions.longest_days, policy.decisions.justification_required], [90, true]);
  await eventually(async () => {
    const { data } = await installation.ask('GET', '/findings?severity=high&status=new&limit=1');
    const [{ first_seen_at: from, due_at: to }] = data;
    return Date.parse(to) - Date.parse(from) === 5 * 86_400_000;
  });
  await visitor.open('/findings?severity=high&status=new&sort=due_at');
  await page.getByText('in 5 d', { exact: true }).first().waitFor();
  await visitor.press('j');
  await visitor.press('5');
  await dialog().getByText('60 days', { exact: true }).waitFor();
  assert.equal(await dialog().getByText('90 days', { exact: true }).count(), 0);
  await visitor.press('Escape');
  const decisions = { ...policy.decisions, longest_days: null, justification_required: false };
  await installation.ask('PUT', '/organization/policy', { ...policy, decisions });
});

test('a schedule is created from a preset, and its scan appears when it fires', async () => {
  const { page } = visitor;
  await visitor.open('/schedules?add=yes');
  await dialog().getByLabel('Scanners').click();
  await page.getByRole('option', { name: 'Secrets' }).click();
  await page.keyboard.press('Tab');
  await dialog()
    .getByText(/^Covers \d+ data sources? now: Secrets \d+\.$/)
    .waitFor();
  await dialog().getByLabel('When').click();
  await page.getByRole('option', { name: 'Cron expression' }).click();
  await dialog().getByLabel('Cron').fill('*/5 * * * *');
  await dialog().getByLabel('Name').fill('Every five minutes');
  await dialog().getByRole('button', { name: 'Add' }).click();
  const schedules = page.getByRole('table', { name: 'Schedules' });
  await schedules.getByText('Every five minutes', { exact: true }).waitFor();
  const search = page.getByRole('search', { name: 'Filters of Schedules' }).getByLabel('Search');
  await search.fill('weekly');
  await page.getByRole('heading', { name: 'No matching schedules' }).waitFor();
  await search.fill('SECRETS');
  await schedules.getByText('Every five minutes', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Calendar' }).click();
  const week = page.getByRole('list', { name: 'The next seven days' });
  // Today has few times or none shortly before midnight.
  await week.getByRole('button', { name: 'Every five minutes' }).nth(5).waitFor();
  assert.match(
    await week.locator(':scope > li').last().innerText(),
    /^\w+,? \d+ \w+\s+Every 5 minutes\s+Every five minutes\s+Secrets · All data sources$/,
  );
  assert.deepEqual(await visitor.findBarriers(), []);
  await installation.database.asAdmin('UPDATE scan_schedules SET next_run_at = now()');
  await eventually(async () => {
    const { data } = await installation.ask('GET', '/scans');
    return data.some(({ trigger }: { trigger: string }) => trigger === 'schedule');
  });
  await visitor.open('/scans');
  await page.getByRole('table', { name: 'Scans' }).getByText('by schedule').first().waitFor();
});

test('a report is created, shown as PDF in the page, and downloaded', async () => {
  const { page } = visitor;
  await visitor.open('/reports?add=report');
  await dialog()
    .getByText(/^\d+ findings$/)
    .waitFor();
  await dialog().getByLabel('Title').fill('For the auditor');
  await choose('Contents of PDF and Word', 'Executive: six pages for decisions');
  await dialog().getByLabel('Classification').fill('TLP:AMBER');
  await dialog().getByText('Author, language, look and own sections').click();
  await dialog().getByLabel('Distribution').fill('Board\nInternal audit');
  await choose('Language', 'German');
  await dialog().getByLabel('Accent colour').fill('yellow');
  // An error unfolds the section of its field.
  await dialog().getByText('Author, language, look and own sections').click();
  await dialog().getByRole('button', { name: 'Make the report' }).click();
  // The error appears once, at its field, which has the focus.
  await dialog().getByText('Must be a colour of the form #rrggbb.').waitFor();
  assert.equal(await dialog().getByText(/must /i).count(), 1);
  assert.equal(await dialog().getByRole('alert').count(), 0);
  assert.equal(
    await dialog()
      .getByLabel('Accent colour')
      .evaluate((field) => field === field.ownerDocument.activeElement),
    true,
  );
  await dialog().getByLabel('Accent colour').fill('#6b1e5a');
  // The first request does not wait for the rendering; the second stays open until it is cancelled.
  let asked = 0;
  await page.route(/\/export\?format=pdf/, async (route) => {
    asked += 1;
    if (asked === 1) await route.continue({ headers: { ...route.request().headers(), prefer: 'wait=0' } });
    if (asked > 2) await route.continue();
  });
  const refused = page.waitForResponse(/\/export\?format=pdf/);
  await dialog().getByRole('button', { name: 'Make the report' }).click();
  await page.getByRole('heading', { name: 'For the auditor' }).waitFor();
  assert.equal((await refused).status(), 409);
  await page.getByRole('progressbar', { name: 'Rendering' }).waitFor();
  await eventually(async () => asked === 2);
  await button('Cancel').click();
  await button('Show the PDF').click();
  const { data } = await installation.ask('GET', '/reports');
  const { template, document } = data.find(({ title }: { title: string }) => title === 'For the auditor');
  assert.deepEqual(
    [template, document.classification, document.distribution, document.language],
    ['executive', 'TLP:AMBER', ['Board', 'Internal audit'], 'de'],
  );
  await page.getByTitle('For the auditor as PDF').waitFor({ timeout: 180_000 });
  await button('Mark as reviewed').click();
  await page.getByText(/^Reviewed \(reviewed by /).waitFor();
  await page.getByRole('combobox', { name: 'Language of PDF and Word' }).click();
  await page.getByRole('option', { name: 'English' }).click();
  const [word] = await Promise.all([
    page.waitForEvent('download', { timeout: 180_000 }),
    button('Word (DOCX)').click(),
  ]);
  assert.match(word.suggestedFilename(), /-executive-en-.*\.docx$/);
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: 180_000 }), button('CSV').click()]);
  assert.match(download.suggestedFilename(), /\.csv$/);
});

test('the link in a mail about a report downloads its file, once', async () => {
  const { page } = visitor;
  const path = new URL(page.url()).pathname;
  const [download] = await Promise.all([page.waitForEvent('download'), visitor.open(`${path}?download=json`)]);
  assert.match(download.suggestedFilename(), /\.json$/);
  await page.waitForURL((address) => address.search === '');
});

test('a person who signed in long ago must enter the password for a token, and only then', async () => {
  const { page } = visitor;
  await installation.database.asAdmin("UPDATE sessions SET created_at = now() - interval '1 hour'");
  await visitor.open('/profile?tab=tokens');
  await button('New token').click();
  await dialog().getByLabel('Name').fill('pipeline');
  await button('Create token').click();
  const password = dialog().getByLabel('Your password');
  await dialog().getByText('Enter your password').waitFor();
  await eventually(() => password.evaluate((element) => element === document.activeElement));
  assert.equal(await dialog().getByRole('alert').count(), 0);
  await button('Create token').and(page.locator('[aria-disabled="true"]')).waitFor();
  await page.keyboard.type(ownerEnvironment.ASSAY_ADMIN_PASSWORD);
  await visitor.press('Enter');
  await page.getByTestId('token').waitFor();
  await button('Done').click();
});

test('the browser had no error on the way', () => {
  assert.deepEqual(
    visitor.problems.filter((problem) => !/^request to (chrome|chrome-extension):/.test(problem)),
    [],
  );
});
