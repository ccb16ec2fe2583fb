import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Finding } from '@assay/client';
import type { Browser, Request } from 'playwright-core';
import { fields } from '../../console/filters/table.ts';
import { eventually, HostedInstallation } from '../harness/installation.ts';
import { openBrowser, ownerEnvironment, Visitor } from './browser.fixture.ts';

const installation = new HostedInstallation(ownerEnvironment);
let browser: Browser;
let visitor: Visitor;
let dataSource: string;

const levels = ['error', 'warning', 'note'] as const;
const hostile = '<img src=x onerror=alert(1)>';

/** A result file of `count` findings, of three severities, the first of them hostile in every text. */
const sarif = (count: number) => ({
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'linter', rules: [{ id: 'rule-1', helpUri: 'javascript:alert(1)' }] } },
      results: Array.from({ length: count }, (_, index) => ({
        ruleId: `rule-${(index % 4) + 1}`,
        level: levels[index % 3],
        message: {
          text:
            index === 0 ? `${hostile} [click](javascript:alert(2)) ![i](http://127.0.0.1:9/x.png)` : `Problem ${index}`,
        },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: index === 0 ? `src/${hostile}.ts` : `src/file-${index}.ts` },
              region: { startLine: index + 1, snippet: { text: `${hostile} line ${index}` } },
            },
          },
        ],
      })),
    },
  ],
});

const listed = async (query: string) => (await installation.ask('GET', `/findings?limit=200&${query}`)).data;
/** The rows of findings. The header row can't be selected. */
const rows = () => visitor.page.locator('[role="row"][aria-selected]');

/** Imports the results of `count` problems. Problems that were not reported before become new findings. */
const importResults = (count: number) =>
  installation.call('POST', `/data-sources/${dataSource}/imports`, {
    raw: JSON.stringify(sarif(count)),
    headers: { 'content-type': 'application/octet-stream', prefer: 'wait=30' },
  });

before(async () => {
  await installation.start();
  dataSource = (await installation.ask('POST', '/data-sources', { kind: 'upload', name: 'app', config: {} })).id;
  await importResults(60);
  await eventually(async () => (await listed('')).length === 60);
  browser = await openBrowser();
  visitor = await Visitor.arrive(browser, installation);
  await visitor.signIn();
  await rows().first().waitFor();
});

after(async () => {
  await browser?.close();
  await installation.remove();
});

test('thirty findings are triaged by keyboard alone, each with one key', async () => {
  await visitor.press('j');
  for (let index = 0; index < 30; index++) await visitor.press(String((index % 3) + 1));
  const done = await eventually(async () => {
    const found = await listed('status=triaged,in_progress,resolved');
    return found.length === 30 && found;
  });
  assert.deepEqual(
    ['triaged', 'in_progress', 'resolved'].map(
      (status) => done.filter((one: { status: string }) => one.status === status).length,
    ),
    [10, 10, 10],
  );
});

test('z undoes the last change', async () => {
  const { page } = visitor;
  const before = (await listed('status=new')).length;
  // A fresh page offers nothing to undo yet.
  await visitor.open('/findings?status=new');
  await rows().first().waitFor();
  await visitor.press('j', '1');
  await page.getByRole('button', { name: 'Undo (z)' }).waitFor();
  assert.equal((await listed('status=new')).length, before - 1);
  await visitor.press('z');
  await page.getByText('Undone.').waitFor();
  assert.equal((await listed('status=new')).length, before);
});

test('false positives and accepted risks require a reason, which becomes a comment', async () => {
  await visitor.press('5');
  await visitor.page.getByLabel('Reason').fill('Only reachable from inside.');
  await visitor.page.getByText('30 days', { exact: true }).click();
  await visitor.page.getByLabel('Reason').press('Enter');
  await visitor.page.getByRole('dialog').waitFor({ state: 'detached' });
  const [accepted] = await eventually(async () => {
    const found = await listed('status=accepted_risk');
    return found.length === 1 && found;
  });
  assert.equal(accepted.comment_count, 1);
  const days = (Date.parse(accepted.accepted_until) - Date.now()) / 86_400_000;
  assert.ok(days > 29 && days < 31, accepted.accepted_until);
});

test('beside an open finding, titles have 420 pixels, and 18 rows fit on a screen of 900', async () => {
  const { page } = visitor;
  await visitor.open('/findings?sort=-severity');
  const [first] = await listed('');
  await visitor.follow(`/findings?sort=-severity&open=${first.id}`);
  await page.getByRole('complementary', { name: 'Finding' }).getByRole('heading', { level: 2 }).first().waitFor();
  const grid = page.getByRole('grid', { name: 'Findings' });
  const { width, rows: whole } = await grid.evaluate((element) => {
    const { bottom } = element.getBoundingClientRect();
    const shown = [...element.querySelectorAll('[role="row"][aria-selected]')].map((row) =>
      row.getBoundingClientRect(),
    );
    const title = element.querySelectorAll('[role="row"][aria-selected]')[0]!.children[2]!;
    return { width: title.getBoundingClientRect().width, rows: shown.filter((row) => row.bottom <= bottom).length };
  });
  assert.ok(width >= 420, `${width} pixels`);
  assert.ok(whole >= 18, `${whole} rows`);
  assert.equal(await page.evaluate(() => document.fonts.check('500 13px "Inter Variable"')), true);
});

test('filters, order and the open finding are in the URL and survive a reload', async () => {
  const { page } = visitor;
  await visitor.open('/findings');
  await rows().first().waitFor();
  await visitor.press('/');
  await page.keyboard.type('status:new severity:medium');
  await page.waitForURL(/severity=medium/);
  await page.getByRole('button', { name: 'Remove filter: Severity is Medium' }).waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.getByLabel('Filter findings').inputValue(), 'status:new severity:medium');
  await eventually(async () => {
    const texts = await rows().allInnerTexts();
    return texts.length > 0 && texts.every((text) => text.includes('Medium'));
  });
  await visitor.press('j', 'o');
  await page.waitForURL(/open=fnd_/);
  const url = page.url();
  await page.reload();
  await page.getByRole('complementary', { name: 'Finding' }).waitFor();
  await rows().first().waitFor();
  assert.equal(page.url(), url);
  assert.equal(await page.getByLabel('Filter findings').inputValue(), 'status:new severity:medium');
  const texts = await rows().allInnerTexts();
  assert.ok(texts.length > 0);
  for (const text of texts) assert.match(text, /Medium/);
  await visitor.press('Escape');
  await page.waitForURL((address) => !address.search.includes('open='));
});

test('all matching findings stay selected while one of them is opened', async () => {
  const { page } = visitor;
  await visitor.open('/findings?severity=medium');
  await rows().first().waitFor();
  await visitor.press('*');
  await page.getByText(/matching findings selected/).waitFor();
  await visitor.press('j', 'o');
  await page.getByRole('complementary', { name: 'Finding' }).waitFor();
  await page.getByText(/matching findings selected/).waitFor();
  await visitor.press('Escape');
});

test('a click chooses a value of the rail, and an Alt-click excludes it', async () => {
  const { page } = visitor;
  await visitor.open('/findings');
  const medium = page.getByRole('region', { name: 'Filters' }).getByRole('button', { name: /^Medium \d/ });
  await medium.click();
  await page.waitForURL(/severity=medium/);
  await page.getByRole('button', { name: 'Remove filter: Severity is Medium' }).waitFor();
  await medium.click({ modifiers: ['Alt'] });
  await page.waitForURL(/severity=-medium/);
  await page.getByRole('button', { name: /^Remove filter: Severity is not/ }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.waitForURL((address) => !address.search.includes('severity'));
});

test('keys and values are completed by name, and an id in the address is shown by its name', async () => {
  const { page } = visitor;
  const box = page.getByLabel('Filter findings');
  const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
  await visitor.open(`/findings?data_source=${dataSource}`);
  await page.getByRole('button', { name: 'Remove filter: Data source is app' }).waitFor();
  assert.equal(await box.inputValue(), 'data_source:app');
  await visitor.press('/', 'End');
  await page.keyboard.type(' severi');
  await options.filter({ hasText: 'severity' }).waitFor();
  assert.deepEqual(await visitor.findBarriers('search'), []);
  await visitor.press('ArrowDown', 'Enter');
  await page.keyboard.type('medi');
  await options.filter({ hasText: 'Medium' }).waitFor();
  await visitor.press('Enter');
  await page.waitForURL((address) => address.searchParams.get('severity') === 'medium');
  assert.equal(await box.inputValue(), 'data_source:app severity:medium ');
  await box.fill('data_source:');
  await options.filter({ hasText: 'app' }).click();
  await page.waitForURL((address) => address.search === `?data_source=${dataSource}`);
  // With an empty box, every filter is suggested.
  await box.fill('');
  await visitor.press('ArrowDown');
  await eventually(async () => (await options.count()) === fields.length);
  assert.equal(await visitor.overflowOnPhone(), 0);
  await visitor.press('Escape');
});

test('an unknown filter is marked with the nearest one, and neither searched for nor silently ignored', async () => {
  const { page } = visitor;
  await visitor.open('/findings');
  await rows().first().waitFor();
  await page.getByLabel('Filter findings').fill('due:7 severty:medium');
  await visitor.press('Enter', 'Escape');
  const marks = page.getByRole('status').filter({ hasText: 'There is no such filter' });
  await marks.waitFor();
  assert.deepEqual(await visitor.findBarriers('search'), []);
  assert.equal(await visitor.overflowOnPhone(), 0);
  assert.equal(new URL(page.url()).search, '');
  await page.getByRole('button', { name: 'Use due:<7d' }).click();
  await page.waitForURL((address) => address.search === '?due_to=7d');
  await page.getByRole('button', { name: 'Use severity:medium' }).click();
  await page.waitForURL((address) => address.searchParams.get('severity') === 'medium');
  await marks.waitFor({ state: 'detached' });
});

test('a relative time stays as typed, in the address and in a saved view', async () => {
  const { page } = visitor;
  await visitor.open('/findings?due_to=90d&sort=due_at');
  await page.getByRole('button', { name: 'Remove filter: Due until: in 90 days' }).waitFor();
  await rows().first().waitFor();
  assert.equal(await page.getByLabel('Filter findings').inputValue(), 'due:<90d');
  await page.getByRole('button', { name: 'Save as view' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Due this quarter');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const tab = page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Due this quarter' });
  await tab.waitFor();
  const { data } = await installation.ask('GET', '/views');
  assert.deepEqual(data[0].filter, { due_to: '90d' });
  await page.reload();
  await tab.waitFor();
  await rows().first().waitFor();
  assert.equal(await tab.getAttribute('aria-current'), 'true');
  assert.equal(await tab.getByText('changed').count(), 0);
  // Views that don't fit in one line are in a menu, whose button has the name of the current one.
  const made: string[] = [];
  for (let n = 1; n <= 20; n++) {
    const view = { name: `View number ${n}`, shared: false, filter: { due_to: `${n}d` }, sort: 'due_at' };
    made.push((await installation.ask('POST', '/views', view)).id);
  }
  await page.reload();
  const views = page.getByRole('navigation', { name: 'Views' });
  await views.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'View number 20' }).click();
  await views.getByRole('button', { name: /View number 20/, expanded: false }).waitFor();
  await page.waitForURL((address) => address.searchParams.get('due_to') === '20d');
  assert.ok((await views.boundingBox())!.height <= 40);
  for (const id of made) await installation.ask('DELETE', `/views/${id}`);
});

test('findings are grouped by rule, and a group is opened by key, decided about in place, and listed', async () => {
  const { page } = visitor;
  await visitor.open('/findings?severity=high');
  await rows().first().waitFor();
  await page.getByLabel('Group by').selectOption('By rule');
  const groups = page.getByRole('list', { name: 'Findings by rule' }).getByRole('button');
  await groups.first().waitFor();
  assert.match(page.url(), /group=rule/);
  const rule = (await groups.nth(1).innerText()).split('\n')[0]!;
  await groups.first().focus();
  await visitor.press('j', 'Enter');
  const opened = page.getByRole('region', { name: rule });
  await opened.getByRole('listitem').first().waitFor();
  assert.deepEqual(await visitor.findBarriers(), []);
  await visitor.press('4');
  await page.getByRole('button', { name: /This rule, also in future/ }).waitFor();
  await visitor.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const count = (await listed(`severity=high&rule=${rule}`)).length;
  await visitor.press('1');
  const dialog = page.getByRole('dialog', { name: 'Set everything that matches to Triaged' });
  await dialog.getByText(new RegExp(`^${count} findings? match(es)?\\.`)).waitFor();
  await visitor.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await opened.getByRole('button', { name: /^List/ }).click();
  await page.getByRole('button', { name: `Remove filter: Rule is ${rule}` }).waitFor();
  await rows().first().waitFor();
  const ofRule = (await listed(`severity=high&rule=${rule}`)).length;
  await eventually(async () => (await rows().count()) === ofRule);
  await page.goBack();
  await groups.first().waitFor();
  await opened.getByRole('listitem').first().waitFor();
  // Last, since keys do nothing for a moment after the layout changes.
  assert.equal(await visitor.overflowOnPhone(), 0);
});

test('tags are added to and removed from several findings, and their other tags stay', async () => {
  const { page } = visitor;
  const chosen = (await listed('severity=medium&sort=-severity')).slice(0, 2) as Array<{ id: string }>;
  await installation.ask('PATCH', `/findings/${chosen[0]!.id}`, { tags: ['own', 'old'] });
  await visitor.open('/findings?severity=medium');
  await rows().first().waitFor();
  await visitor.press('j', 'x', 'Shift+j', 't');
  const dialog = page.getByRole('dialog', { name: 'Tags of 2 findings' });
  await dialog.getByLabel('Add').fill('q3, web');
  await dialog.getByLabel('Remove').fill('old');
  await dialog.getByRole('button', { name: 'Change tags' }).click();
  await eventually(async () => (await listed('tag=q3')).length === 2);
  const tags = (await listed('tag=q3')).map((finding: { tags: string[] }) => finding.tags.toSorted());
  assert.deepEqual(tags.toSorted(), [
    ['own', 'q3', 'web'],
    ['q3', 'web'],
  ]);
});

test('buttons of the panel move to the next finding and back, and only the panel is printed, in dark ink', async () => {
  const { page } = visitor;
  await visitor.open('/findings?severity=medium');
  await rows().first().waitFor();
  await visitor.press('j', 'o');
  await page.waitForURL(/open=fnd_/);
  const first = page.url();
  const panel = page.getByRole('complementary', { name: 'Finding' });
  await panel.getByRole('button', { name: 'Next finding' }).click();
  await page.waitForURL((address) => address.href !== first);
  await panel.getByRole('button', { name: 'Previous finding' }).click();
  await page.waitForURL(first);
  await panel.getByRole('article').waitFor();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  assert.equal(await page.getByRole('grid').isVisible(), false);
  assert.equal(await panel.getByRole('button').first().isVisible(), false);
  const color = () => panel.getByRole('article').evaluate((article) => getComputedStyle(article).color);
  await eventually(async () => (await color()) === 'rgb(20, 23, 28)');
  await page.emulateMedia({ media: null, colorScheme: null });
});

test('texts from scanners are shown as text: nothing in them runs, loads or links', async () => {
  const { page } = visitor;
  // The words also match other findings' descriptions.
  const finding = (await listed('q=onerror')).find(({ title }: { title: string }) => title.includes('onerror'));
  await visitor.open(`/findings/${finding.id}`);
  await page.getByRole('heading', { name: /onerror/ }).waitFor();
  await page.getByRole('region', { name: 'Activity' }).waitFor();
  assert.equal(await page.locator('article img').count(), 0);
  assert.equal(await page.locator('a[href^="javascript:"]').count(), 0);
});

test('a finding shows earlier decisions on its rule and other locations, and a step is reverted from its timeline', async () => {
  const { page } = visitor;
  const all: Finding[] = await listed('status=new');
  const byRule = Map.groupBy(all, ({ rule }) => rule.id);
  const [finding, other] = [...byRule.values()].find((found) => found.length > 3)!;
  await installation.ask('PATCH', `/findings/${other!.id}`, { status: 'false_positive', comment: 'A constant.' });
  await installation.ask('PATCH', `/findings/${finding!.id}`, { status: 'in_progress' });
  await visitor.open(`/findings/${finding!.id}`);
  const decided = page.getByRole('region', { name: 'Decided before' });
  await decided.getByText('A constant.').waitFor();
  assert.ok(
    (await page.getByRole('region', { name: 'The same rule in other places' }).getByRole('listitem').count()) > 1,
  );
  await page.getByRole('region', { name: 'Activity' }).getByRole('button', { name: 'Revert' }).click();
  await eventually(
    async () => (await installation.ask('GET', `/findings/${finding!.id}`)).status === 'new' || undefined,
  );
  // Both steps have changed since: there is nothing more to revert.
  await page.getByRole('toolbar', { name: 'Decide' }).getByRole('button', { name: 'Triage' }).waitFor();
  await installation.ask('PATCH', `/findings/${other!.id}`, { status: 'new' });
});

test('rows are ordered by priority, in one line or two, with the chosen columns in the chosen order', async () => {
  const { page } = visitor;
  await visitor.open('/findings');
  assert.equal(await page.getByLabel('Order').inputValue(), '-priority');
  const height = async () => (await rows().first().boundingBox())!.height;
  assert.equal(await height(), 36);
  await page.getByRole('button', { name: 'Rows and columns' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rows and columns' });
  await dialog.getByText('Two lines').click();
  await dialog.getByLabel('CVSS', { exact: true }).check();
  await dialog.getByLabel('Number', { exact: true }).check();
  for (let step = 0; step < 3; step++) await dialog.getByRole('button', { name: 'Move Number up' }).click();
  await page.keyboard.press('Escape');
  await eventually(async () => (await height()) === 44 || undefined);
  // The page shows the saved value at once.
  await eventually(async () => {
    const { columns, custom } = await installation.ask('GET', '/profile/preferences');
    return (columns?.slice(-2).join() === 'number,cvss' && custom['findings.two_lines'] === true) || undefined;
  });
  await installation.ask('PUT', '/profile/preferences', {
    theme: 'system',
    density: 'comfortable',
    columns: null,
    single_keys: true,
    custom: {},
  });
});

test('the list is exported as a file or a report, and its rows as Markdown', async () => {
  const { page } = visitor;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const [finding] = await listed('severity=medium&sort=-priority');
  await visitor.open('/findings?severity=medium');
  await rows().first().waitFor();
  await visitor.press('j');
  await visitor.press('x');
  await page.getByRole('button', { name: 'Copy the selection' }).click();
  await page.getByRole('menuitem', { name: 'Copy as Markdown' }).click();
  await page.getByText('Copied: 1 finding as Markdown.').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(copied.startsWith(`- [${finding.number} `) && copied.includes(`/findings/${finding.id})`), copied);
  await page.getByRole('button', { name: 'Export and share' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export as JSON' }).click();
  const chunks: Buffer[] = [];
  for await (const chunk of await (await download).createReadStream()) chunks.push(chunk as Buffer);
  const file = JSON.parse(Buffer.concat(chunks).toString());
  assert.deepEqual(new Set(file.data.map(({ severity }: Finding) => severity)), new Set(['medium']));
  await page.getByRole('button', { name: 'Export and share' }).click();
  const workbook = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export as Excel workbook (XLSX)' }).click();
  assert.match((await workbook).suggestedFilename(), /^findings-[-\d]+\.xlsx$/);
  await page.getByRole('button', { name: 'Export and share' }).click();
  await page.getByRole('menuitem', { name: 'Make a report of this' }).click();
  const dialog = page.getByRole('dialog', { name: 'Make a report' });
  await dialog.getByRole('button', { name: /Severity.*Medium/ }).waitFor();
});

test('the overview answers three questions with the figures of the API, and opens with the last one', async () => {
  const { page } = visitor;
  const open = 'status=new,triaged,in_progress';
  const { by_severity, open: count } = await installation.ask('GET', `/findings/summary?${open}`);
  await visitor.open('/overview?view=stand');
  const row = page.getByRole('table', { name: 'Open findings by severity' }).getByRole('row', { name: /^Medium/ });
  await row.getByRole('link', { name: String(by_severity.medium), exact: true }).waitFor();
  await page.getByRole('link', { name: new RegExp(`^Overdue \\d+ of ${count} open `) }).waitFor();
  const [picture] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'open by severity and age as PNG' }).click(),
  ]);
  assert.equal(picture.suggestedFilename(), 'open-by-severity-and-age.png');
  await page.getByRole('link', { name: 'What changed' }).click();
  await page.getByText(`${count} more open than a week ago.`).waitFor();
  const changes = page.getByRole('table', { name: 'Changes by data source' });
  await changes
    .getByRole('link', { name: String(count), exact: true })
    .first()
    .waitFor();
  await visitor.open('/overview');
  await page.getByRole('link', { name: 'What changed' }).and(page.locator('[aria-current="page"]')).waitFor();
  await page.getByRole('link', { name: 'Needs you' }).click();
  const triage = page.getByRole('region', { name: 'New, to be triaged' });
  const [first] = (await installation.ask('GET', '/findings?status=new&sort=-priority&limit=1')).data;
  await triage.getByRole('link', { name: first.title }).waitFor();
  for (const view of ['needs', 'changed', 'stand']) {
    await visitor.follow(`/overview?view=${view}`);
    await visitor.settled();
    assert.deepEqual(await visitor.findBarriers(), [], view);
    assert.equal(await visitor.overflowOnPhone(), 0, view);
  }
});

test('figures that could not be loaded are not shown as zero', async () => {
  const { page } = visitor;
  const refusal = { error: { code: 'invalid_parameter', message: 'Not today.', request_id: 'req_1' } };
  await page.route(/findings\/progress/, (route) => route.fulfill({ status: 400, json: refusal }));
  await visitor.open('/overview?view=stand');
  const repairs = page.getByRole('region', { name: 'Time to fix and due dates kept' });
  await repairs.getByText('Not today.').waitFor();
  assert.equal(await repairs.getByRole('table').count(), 0);
  await page.unroute(/findings\/progress/);
  await page.reload();
  await repairs
    .getByRole('table')
    .getByRole('row', { name: /^Critical/ })
    .waitFor();
});

test('an open finding shows changes by somebody else', async () => {
  const { page } = visitor;
  const [finding] = await listed('status=new&severity=medium');
  await visitor.open(`/findings/${finding.id}`);
  await page.getByRole('heading', { name: finding.title }).waitFor();
  await installation.ask('POST', `/findings/${finding.id}/comment`, { comment: 'Seen elsewhere' });
  await installation.ask('PATCH', `/findings/${finding.id}`, { status: 'in_progress' });
  await page.getByRole('region', { name: 'Activity' }).getByText('Seen elsewhere').waitFor();
});

test('a person whose finding was changed meanwhile sees by whom, and decides', async () => {
  const { page } = visitor;
  const [finding] = await listed('status=new&severity=medium');
  // No event arrives, so the page shows its loaded data.
  await page.route('**/events', () => {});
  await visitor.open(`/findings/${finding.id}`);
  await page.getByRole('heading', { name: finding.title }).waitFor();
  await installation.ask('PATCH', `/findings/${finding.id}`, { status: 'in_progress' });
  await visitor.press('1');
  const dialog = page.getByRole('dialog', { name: 'Another person changed this finding' });
  await dialog.getByText('In progress').first().waitFor();
  assert.deepEqual(await visitor.findBarriers(), []);
  await dialog.getByRole('button', { name: 'Apply my change anyway' }).click();
  await eventually(async () => (await installation.ask('GET', `/findings/${finding.id}`)).status === 'triaged');
  await page.unroute('**/events');
});

test('neither a change in the list nor an undo overwrites a decision that somebody else made meanwhile', async () => {
  const { page } = visitor;
  const decide = (id: string, status: string) => installation.ask('PATCH', `/findings/${id}`, { status });
  const statusOf = async (id: string) => (await installation.ask('GET', `/findings/${id}`)).status;
  // No event arrives, so the page shows its loaded data.
  await page.route('**/events', () => {});
  await visitor.open('/findings?status=new');
  await rows().first().waitFor();
  const [first, second, third] = await listed('status=new&sort=-severity');
  const dialog = page.getByRole('dialog', { name: 'Another person changed this finding' });
  await decide(first.id, 'in_progress');
  await visitor.press('j', '1');
  await dialog.getByText('In progress').first().waitFor();
  assert.equal(await statusOf(first.id), 'in_progress');
  await dialog.getByRole('button', { name: 'Keep the new state' }).click();
  await dialog.waitFor({ state: 'detached' });
  await rows().filter({ hasText: second.title }).click();
  await visitor.press('1');
  await eventually(async () => (await statusOf(second.id)) === 'triaged');
  await page
    .getByText(/^Triaged: /)
    .last()
    .waitFor();
  await decide(second.id, 'in_progress');
  await visitor.press('z');
  await page.getByText('Not undone: another person has changed the finding since.').waitFor();
  assert.equal(await statusOf(second.id), 'in_progress');
  await visitor.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  // Two changes by the same person are undone in succession.
  await visitor.open(`/findings/${third.id}`);
  await page.getByRole('heading', { name: third.title }).waitFor();
  for (const [key, status] of [
    ['1', 'triaged'],
    ['2', 'in_progress'],
    ['z', 'triaged'],
    ['z', 'new'],
  ] as const) {
    await visitor.press(key);
    await eventually(async () => (await statusOf(third.id)) === status);
  }
  await page.unroute('**/events');
});

test('a comment is written, edited and deleted, which leaves a placeholder', async () => {
  const { page } = visitor;
  const timeline = page.getByRole('region', { name: 'Activity' });
  await timeline.getByLabel('Comment').fill('First thought');
  await timeline.getByRole('button', { name: 'Comment' }).click();
  await timeline.getByRole('button', { name: 'Edit' }).click();
  await timeline.getByRole('button', { name: 'Save' }).waitFor();
  await timeline.getByLabel('Comment').first().fill('Second thought');
  await timeline.getByRole('button', { name: 'Save' }).click();
  await timeline.getByText('Second thought').waitFor();
  await timeline.getByText('edited', { exact: true }).waitFor();
  await timeline.getByRole('button', { name: 'Delete' }).click();
  await timeline.getByText('This comment was deleted.').waitFor();
});

test('the keys of the page and all commands are a key away', async () => {
  const { page } = visitor;
  await visitor.open('/findings');
  await rows().first().waitFor();
  await visitor.press('?');
  const keys = page.getByRole('dialog', { name: 'Keys on this page' });
  await keys.getByText('Assign to me').waitFor();
  await visitor.press('Escape');
  await keys.waitFor({ state: 'detached' });
  // Text that is typed while the search is loading is kept.
  const script = /\/assets\/palette-.*\.js$/;
  const typed = Promise.withResolvers<void>();
  await page.route(script, async (route) => {
    await typed.promise;
    await route.continue();
  });
  await visitor.press('Control+k');
  await page.getByLabel('Search everything').waitFor({ state: 'attached' });
  await page.keyboard.type('go to s');
  typed.resolve();
  await page.getByRole('option', { name: /Go to scans/i }).waitFor();
  await page.unroute(script);
  assert.equal(await page.getByRole('combobox', { name: 'Search everything' }).inputValue(), 'go to s');
  await page.getByLabel('Search everything').fill('go to scans');
  await page.getByRole('option', { name: /Go to scans/i, selected: true }).waitFor();
  await page.getByLabel('Search everything').press('Enter');
  await page.waitForURL(/\/scans/);
  // Everything with a name is found from any page: a finding, a data source, a rule, a person, by what their names begin with.
  const [finding] = await listed('status=new');
  const field = page.getByLabel('Search everything');
  const option = (name: string | RegExp) => page.getByRole('option', { name }).first();
  await visitor.press('Control+k');
  await field.fill(finding.title);
  await option(finding.title).waitFor();
  await field.fill(finding.data_source.name.slice(0, 4));
  await option(/data source, \d/).waitFor();
  await field.fill(finding.rule.id.slice(0, -1));
  await option(/rule, \d+ open/).waitFor();
  await field.fill('problem');
  await option('All findings with “problem”').waitFor();
  await field.fill('@own');
  await option(/findings of owner@example.com/).waitFor();
  await field.fill(`#${finding.number.slice(2)}`);
  await page.getByRole('option', { name: finding.title, selected: true }).waitFor();
  assert.deepEqual(await visitor.findBarriers('[role="dialog"]'), []);
  await field.press('Enter');
  await page.waitForURL(`**/findings/${finding.id}`);
  await visitor.press('Control+k');
  await page.getByRole('group', { name: 'Recent' }).getByRole('option', { name: finding.title }).waitFor();
  await visitor.press('Escape');
});

test('all matching findings are changed after a preview; an undo leaves out those that somebody changed meanwhile', async () => {
  const { page } = visitor;
  await visitor.open('/findings?status=new');
  await rows().first().waitFor();
  const found = await listed('status=new');
  const count = found.length;
  await visitor.press('*', '2');
  const dialog = page.getByRole('dialog', { name: 'Set everything that matches to In progress' });
  await dialog.getByText(`${count} findings match.`).waitFor();
  await dialog.getByText('Status is New', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: `Set ${count} findings to In progress` }).click();
  await eventually(async () => (await listed('status=new')).length === 0);
  await installation.ask('PATCH', `/findings/${found[0].id}`, { status: 'triaged' });
  await page.getByRole('button', { name: 'Bulk changes' }).click();
  const changes = page.getByRole('dialog', { name: 'Bulk changes' });
  const change = changes.getByRole('listitem').filter({ hasText: `${count} findings: in progress.` });
  await change.getByRole('button', { name: 'Undo' }).click();
  await change.getByText(`${count - 1} findings restored. 1 was changed meanwhile and stays so.`).waitFor();
  assert.equal((await listed('status=new')).length, count - 1);
});

test('one connection keeps every page current; the page shows when it is lost and when it is back', async () => {
  const { page, context } = visitor;
  let connections = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/events')) connections++;
  });
  await visitor.open('/overview');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Scans' }).click();
  await page.getByRole('table', { name: 'Scans' }).waitFor();
  await navigation.getByRole('link', { name: 'Findings' }).click();
  await rows().first().waitFor();
  await importResults(61);
  // Without events, the page would show it only after half a minute.
  await page.getByText('1 new', { exact: false }).waitFor();
  assert.equal(connections, 1);
  const lost = page.getByText('Connection lost');
  await context.setOffline(true);
  await lost.waitFor();
  await importResults(62);
  await context.setOffline(false);
  await lost.waitFor({ state: 'detached' });
  await page.getByText('2 new', { exact: false }).waitFor();
});

test('a page requests its data before its scripts are loaded, and nothing twice', async () => {
  const { page } = visitor;
  // Events of earlier changes would cause reads of their own.
  await page.route('**/api/v1/events', () => {});
  for (const path of ['/overview?view=stand', '/findings?severity=high']) {
    const asked: string[] = [];
    const note = (request: Request) => {
      // The previous page may still have sent a request.
      if (request.isNavigationRequest()) asked.length = 0;
      const { pathname, searchParams } = new URL(request.url());
      searchParams.sort();
      if (pathname.startsWith('/api/') || pathname.includes('/main-')) asked.push(`${pathname}?${searchParams}`);
    };
    page.on('request', note);
    await visitor.open(path);
    await visitor.settled();
    if (path.startsWith('/findings')) await rows().first().waitFor();
    page.off('request', note);
    assert.deepEqual([...new Set(asked)], asked);
    assert.ok(asked.some((request) => request.startsWith('/api/v1/findings?')));
  }
  await page.unroute('**/api/v1/events');
});

/** Texts that overflow the stack of a careless Markdown parser or keep it busy. */
const intricate = {
  'nested quotes': '>'.repeat(3_000),
  'nested lists': '1. '.repeat(3_000),
  stars: '*'.repeat(10_000),
  'nested emphasis': `${'*'.repeat(4_999)}a${'*'.repeat(4_999)}`,
  'mixed emphasis': '*_'.repeat(5_000),
  brackets: '[a]('.repeat(2_500),
};

test('a finding with texts too complex for Markdown opens and shows them as plain text', async () => {
  const { page } = visitor;
  const results = Object.entries(intricate).map(([name, text], index) => ({
    ruleId: `intricate-${index}`,
    message: { text: `Intricate ${name}` },
    locations: [{ physicalLocation: { artifactLocation: { uri: `${index}.ts` }, region: { startLine: 1 } } }],
    suppressions: [{ kind: 'external', status: 'accepted', justification: `${text.slice(0, 4_000)}\n\nwritten` }],
  }));
  const rules = Object.values(intricate).map((text, index) => ({
    id: `intricate-${index}`,
    fullDescription: { text },
    help: { text, markdown: text },
  }));
  const source = await installation.ask('POST', '/data-sources', { kind: 'upload', name: 'intricate', config: {} });
  await installation.call('POST', `/data-sources/${source.id}/imports`, {
    raw: JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'hostile', rules } }, results }] }),
    headers: { 'content-type': 'application/octet-stream', prefer: 'wait=30' },
  });
  const findings = await eventually(async () => {
    const { data } = await installation.ask('GET', `/findings?data_source=${source.id}`);
    return data.length === results.length ? data : undefined;
  });
  for (const { id, title } of findings) {
    const name = title.replace('Intricate ', '') as keyof typeof intricate;
    const comment = `${intricate[name].slice(0, 9_900)}\n\nwritten`;
    const { status } = await installation.call('POST', `/findings/${id}/comment`, { json: { comment } });
    // The API refuses text that nests too deep. The console still shows texts from results, or older ones.
    assert.equal(status, /quotes|lists/.test(name) ? 400 : 201);
    await visitor.open(`/findings/${id}`);
    const timeline = page.getByRole('region', { name: 'Activity' });
    await timeline.waitFor();
    if (status === 201) await timeline.getByText('written', { exact: false }).first().waitFor();
    await page.getByRole('heading', { name: title }).first().waitFor();
  }
});

/** A result with code, flow and fix, each with texts that deceive a reader or break a careless page. */
const quoted = {
  ruleId: 'js/sql-injection',
  level: 'error',
  message: { text: 'A request reaches a query.' },
  locations: [
    {
      physicalLocation: {
        artifactLocation: { uri: 'src/login.js' },
        region: { startLine: 41, startColumn: 16, endLine: 41, endColumn: 25 },
        contextRegion: {
          startLine: 38,
          snippet: {
            text: [
              'const { email } = req.body;',
              `// ${hostile} \u202e drawkcab`,
              '',
              'await db.query(sql+email);',
              `const long = "${'wide '.repeat(60)}";`,
            ].join('\n'),
          },
        },
      },
    },
  ],
  codeFlows: [
    {
      threadFlows: [
        {
          locations: Array.from({ length: 60 }, (_, index) => ({
            location: {
              physicalLocation: { artifactLocation: { uri: 'src/login.js' }, region: { startLine: 38 } },
              message: { text: `${hostile} step ${index + 1}` },
            },
          })),
        },
      ],
    },
  ],
  fixes: [
    {
      description: { text: `Bind ${hostile}` },
      artifactChanges: [
        {
          artifactLocation: { uri: 'src/login.js' },
          replacements: [
            {
              deletedRegion: { startLine: 41, startColumn: 16, endColumn: 25 },
              insertedContent: { text: 'sql, [\u202eemail]' },
            },
          ],
        },
      ],
    },
  ],
};

test('a finding shows its code with the marked location, numbered steps and the fix as a diff, whatever they contain', async () => {
  const { page } = visitor;
  const source = await installation.ask('POST', '/data-sources', { kind: 'upload', name: 'quoted', config: {} });
  await installation.call('POST', `/data-sources/${source.id}/imports`, {
    raw: JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'CodeQL' } }, results: [quoted] }] }),
    headers: { 'content-type': 'application/octet-stream', prefer: 'wait=30' },
  });
  const [finding] = await eventually(async () => {
    const { data } = await installation.ask('GET', `/findings?data_source=${source.id}`);
    return data.length === 1 ? data : undefined;
  });
  for (const path of [`/findings?data_source=${source.id}&open=${finding.id}`, `/findings/${finding.id}`]) {
    await visitor.follow(path);
    const code = page.getByRole('figure', { name: 'src/login.js, lines 38 to 42' });
    await code.waitFor();
    assert.equal(await code.locator('mark').textContent(), 'sql+email');
    assert.match((await code.textContent())!, /39\/\/ <img src=x onerror=alert\(1\)> U\+202E drawkcab40/);
    const flow = page.getByRole('region', { name: 'Flow' });
    assert.match(
      (await flow.textContent())!,
      /^From source to sink 60 steps, 1 file.*step 25.*10 steps were left out.*step 36.*step 60$/s,
    );
    assert.equal(await flow.locator('li[value="60"]').count(), 1);
    const fix = page.getByRole('figure', { name: 'Proposed change of src/login.js' });
    assert.match(
      (await fix.textContent())!,
      /41−await db\.query\(sql\+email\);41\+await db\.query\(sql, \[U\+202Eemail\]\);/,
    );
    // The evidence is the same as the code.
    assert.equal(await page.getByRole('heading', { name: 'Evidence' }).count(), 0);
    assert.equal(await page.locator('article img').count(), 0);
    assert.deepEqual(await visitor.findBarriers('article'), [], path);
    assert.equal(await visitor.overflowOnPhone(), 0, path);
  }
});

test('the browser had no error, no violation of the policy and no request elsewhere', () => {
  assert.deepEqual([...new Set(visitor.problems)], []);
});
