import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { eventually, HostedInstallation } from '../harness/installation.ts';
import { createTestMember } from '../harness/people.ts';
import { startMailReceiver } from '../harness/smtp.ts';
import { openBrowser, ownerEnvironment, Visitor } from './browser.fixture.ts';

/**
 * Eight tasks of people who have read nothing, with the clicks and keys that each takes. A text that is typed counts separately, whatever its length.
 */
/** A directory with a folder that is not a repository, so that its scan fails. */
const folder = mkdtempSync(join(tmpdir(), 'assay-tasks-'));
mkdirSync(join(folder, 'partner-portal'));
const mail = await startMailReceiver();
const installation = new HostedInstallation({
  ...ownerEnvironment,
  SMTP_URL: mail.url,
  ASSAY_LOCAL_REPOSITORIES: folder,
});
let browser: Browser;
let visitor: Visitor;
let page: Page;

type Steps = { clicks: number; keys: number; texts: number };

/** Performs the steps of a task and counts them. */
class Person {
  readonly steps: Steps = { clicks: 0, keys: 0, texts: 0 };

  async click(target: Locator): Promise<void> {
    this.steps.clicks++;
    await target.click();
  }

  async press(key: string): Promise<void> {
    this.steps.keys++;
    await page.keyboard.press(key);
  }

  /** Chooses from a menu of the browser: a click that opens it, and one on the option. */
  async choose(target: Locator, option: string): Promise<void> {
    this.steps.clicks += 2;
    await target.selectOption(option);
  }

  async type(text: string, field?: Locator): Promise<void> {
    this.steps.texts++;
    if (field) await field.fill(text);
    else await page.keyboard.type(text);
  }
}

const task = (name: string, most: Steps, perform: (person: Person) => Promise<void>) =>
  test(name, async (t) => {
    const person = new Person();
    await perform(person);
    const { clicks, keys, texts } = person.steps;
    t.diagnostic(`${name}: ${clicks} clicks, ${keys} keys, ${texts} texts`);
    assert.deepEqual(person.steps, most);
    assert.deepEqual(visitor.problems, []);
  });

const button = (name: string | RegExp, within: Page | Locator = page) => within.getByRole('button', { name }).first();
const link = (name: string | RegExp, within: Page | Locator = page) => within.getByRole('link', { name }).first();
const inMenu = (name: RegExp) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
const rows = () => page.locator('main [role="row"][aria-selected]');

type Result = { title: string; rule_id: string; severity: string; path: string; identifiers?: string[] };

async function importResults(dataSource: string, findings: Result[]): Promise<void> {
  await installation.call('POST', `/data-sources/${dataSource}/imports`, {
    raw: JSON.stringify({ source: 'own', findings }),
    headers: { 'content-type': 'application/octet-stream', prefer: 'wait=60' },
  });
}

const log4Shell = 'CVE-2021-44228';

/** The findings of a team: one vulnerability in two places, 150 alike, and a repository that can't be read. */
async function furnish(): Promise<void> {
  const add = (json: object) => installation.ask('POST', '/data-sources', json);
  const upload = { kind: 'upload', config: {} };
  const production = await add({ ...upload, name: 'payments-api', tags: ['production'], criticality: 'critical' });
  const other = await add({ ...upload, name: 'tools', criticality: 'critical' });
  const vulnerable = (path: string) => ({
    title: 'Log4Shell in log4j-core',
    rule_id: 'log4shell',
    severity: 'critical',
    path,
    identifiers: [log4Shell],
  });
  const asserts = Array.from({ length: 150 }, (_, n) => ({
    title: `Assertion in test_${n}.py`,
    rule_id: 'B101',
    rule_name: 'Use of assert',
    severity: 'low',
    path: `tests/test_${n}.py`,
  }));
  await importResults(production.id, [vulnerable('pom.xml'), ...asserts]);
  await importResults(other.id, [vulnerable('build/pom.xml')]);
  const portal = await add({
    kind: 'git_repository',
    name: 'partner-portal',
    config: { url: `file://${folder}/partner-portal` },
  });
  await installation.call('POST', `/detection-sources/secrets/scan?data_source=${portal.id}`, {
    headers: { prefer: 'wait=60' },
  });
}

before(async () => {
  await installation.start();
  browser = await openBrowser();
  visitor = await Visitor.arrive(browser, installation);
  page = visitor.page;
});

after(async () => {
  await browser?.close();
  await installation.remove();
  await mail.close();
  rmSync(folder, { recursive: true });
});

describe('the tasks', { concurrency: false }, () => {
  task('the first finding, from zero', { clicks: 1, keys: 1, texts: 0 }, async (person) => {
    await visitor.signIn(undefined, '/');
    await person.click(button('Scan the sample repository'));
    await page.getByRole('heading', { name: 'Triage the first finding' }).waitFor();
    await page.getByRole('article', { name: 'The most severe new finding' }).waitFor();
    await person.press('1');
    await page.getByRole('heading', { name: 'You’re all set' }).waitFor();
  });

  task('everything about a CVE', { clicks: 0, keys: 1, texts: 1 }, async (person) => {
    await furnish();
    await visitor.open('/overview');
    await visitor.settled();
    await person.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    await person.type(log4Shell);
    const found = page.getByRole('dialog').getByRole('option');
    await found.filter({ hasText: log4Shell }).filter({ hasText: '2 open findings' }).waitFor();
    await eventually(async () => (await found.filter({ hasText: 'Log4Shell in log4j-core' }).count()) === 2, 90_000);
    await page.keyboard.press('Escape');
  });

  task('the criticals of production that are due this week', { clicks: 4, keys: 0, texts: 0 }, async (person) => {
    await person.click(inMenu(/^Findings/));
    await person.click(page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Due' }));
    const facets = page.getByRole('region', { name: 'Filters' });
    await person.click(button(/^Critical/, facets));
    await person.click(button(/^production/, facets));
    await eventually(async () => (await rows().count()) === 1, 90_000);
    await rows().filter({ hasText: 'payments-api' }).waitFor();
  });

  task('150 alike, decided at once and for the future', { clicks: 5, keys: 2, texts: 0 }, async (person) => {
    await person.click(inMenu(/^Findings/));
    await person.choose(page.getByLabel('Group by'), 'By rule');
    await person.click(button(/^Use of assert/, page.getByRole('list', { name: 'Findings by rule' })));
    await person.click(button('False positive', page.getByRole('region', { name: 'Use of assert' })));
    await page.getByRole('dialog').getByText('This rule, also in future').waitFor();
    await person.press('e');
    await person.press('3');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await eventually(
      async () =>
        (await installation.ask('GET', '/findings?rule=B101&status=false_positive&limit=200')).data.length === 150,
      90_000,
    );
  });

  task('why a scan closed nothing', { clicks: 2, keys: 0, texts: 0 }, async (person) => {
    await person.click(inMenu(/^Scans/));
    await person.click(link(/Secrets/, page.getByRole('table', { name: 'Scans' })));
    await page
      .getByText(/Closed nothing: /)
      .first()
      .waitFor();
  });

  task('a read-only token for a colleague', { clicks: 6, keys: 0, texts: 1 }, async (person) => {
    await person.click(button('Menu of owner'));
    await person.click(page.getByRole('menuitem', { name: 'API tokens' }));
    await person.click(button('New token'));
    const dialog = page.getByRole('dialog');
    await person.type('For Ana', dialog.getByLabel('Name'));
    await person.click(dialog.getByText('Read only', { exact: true }));
    await person.click(button('Create token', dialog));
    await person.click(button('Copy the token', dialog));
    const token = (await page.getByTestId('token').innerText()).trim();
    const ask = (method: string, path: string) =>
      fetch(`${installation.origin}/api/v1${path}`, { method, headers: { authorization: `Bearer ${token}` } });
    assert.equal((await ask('GET', '/reports')).status, 200);
    assert.equal((await ask('POST', '/reports')).status, 403);
    await button('Done', dialog).click();
    await page.getByRole('row', { name: /For Ana Reads everything/ }).waitFor();
  });

  task('a PDF to the board each week', { clicks: 4, keys: 0, texts: 1 }, async (person) => {
    await person.click(inMenu(/^Reports/));
    await person.click(link(/^Scheduled/));
    await person.click(button('Schedule a report'));
    const dialog = page.getByRole('dialog');
    await person.type('board@example.com', dialog.getByLabel('Recipients'));
    await person.click(button('Schedule', dialog));
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /board@example\.com/ }).waitFor();
    const [{ format, cron, recipients }] = (await installation.ask('GET', '/scheduled-reports')).data;
    assert.deepEqual([format, recipients], ['pdf', ['board@example.com']]);
    assert.match(cron, /^0 8 \* \* \d$/);
  });

  task('who changed this, and undo it', { clicks: 3, keys: 0, texts: 0 }, async (person) => {
    const { id: orgId } = await installation.ask('GET', '/organization');
    const colleague = await createTestMember(installation.database.database, orgId, 'analyst');
    const [finding] = (await installation.ask('GET', '/findings?rule=log4shell&q=build')).data;
    const changed = await fetch(`${installation.origin}/api/v1/findings/${finding.id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${colleague.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'in_progress' }),
    });
    assert.equal(changed.status, 200);
    await person.click(inMenu(/^Findings/));
    await person.click(rows().filter({ hasText: 'tools' }).filter({ hasText: 'In progress' }).first());
    const panel = page.getByRole('complementary', { name: 'Finding' });
    const entry = panel.getByRole('listitem').filter({ hasText: `by ${colleague.email.split('@')[0]}` });
    await person.click(button('Revert', entry));
    await eventually(async () => (await installation.ask('GET', `/findings/${finding.id}`)).status === 'new', 90_000);
  });
});
