import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { dataSourceStatusNames } from '../../console/features/data-sources/words.ts';
import { resultOf, scanStatusNames } from '../../console/features/scans/words.ts';
import { ago, dueWords, shortAge } from '../../console/ui/relative-time.ts';
import { recordEndedScan } from '../harness/furnished.ts';
import { eventually, HostedInstallation } from '../harness/installation.ts';
import { createTestMember, testPassword } from '../harness/people.ts';
import { openBrowser, ownerEnvironment, Visitor } from './browser.fixture.ts';

/**
 * Compares every status, count and relative time on the pages with the API, in six successive states and for two roles.
 */
const installation = new HostedInstallation(ownerEnvironment);
let browser: Browser;
const visitors = new Map<string, Visitor>();
let orgId: string;
let dataSourceId: string;

const api = (path: string) => installation.ask('GET', path);
const database = () => installation.database.database;
const open = 'status=new,triaged,in_progress';
const counted = (count: number) => count.toLocaleString('en');

before(async () => {
  await installation.start();
  browser = await openBrowser();
  orgId = (await api('/organization')).id;
  const viewer = await createTestMember(database(), orgId, 'viewer');
  for (const [role, account] of [['owner'], ['viewer', { email: viewer.email, password: testPassword }]] as const) {
    const visitor = await Visitor.arrive(browser, installation);
    await visitor.signIn(account, '/profile');
    visitors.set(role, visitor);
  }
});

after(async () => {
  await browser?.close();
  await installation.remove();
});

/** The cells of each row of a table, with blanks in place of line breaks. */
const rowsOf = (page: Page, name: string): Promise<string[][]> =>
  page
    .getByRole('table', { name, exact: true })
    .locator('tbody tr')
    .evaluateAll((rows) =>
      (rows as HTMLTableRowElement[]).map((row) =>
        [...row.cells].map((cell) => cell.innerText.replaceAll(/\s+/g, ' ').trim()),
      ),
    );

const textOf = async (page: Page, within = 'main') =>
  (await page.locator(within).innerText()).replaceAll(/\s+/g, ' ').trim();

/** Returns the counts of texts such as `Critical 3`, by the name before them. */
function countsOf(names: readonly string[], texts: string[]): Record<string, number> {
  const lines = texts.map((text) => text.replaceAll(/\s+/g, ' ').trim());
  return Object.fromEntries(
    names.flatMap((name) => {
      const line = lines.find((text) => text.toLowerCase().startsWith(`${name} `));
      return line ? [[name, Number(line.slice(name.length + 1).replaceAll(',', ''))]] : [];
    }),
  );
}

type Feed = { name: string; status: string; loaded_at: string | null };

/** Reads the feeds in the page, since tokens may not. */
const feedsOf = (page: Page): Promise<Feed[]> =>
  page.evaluate(async () => (await (await fetch('/api/v1/feeds')).json()).data);

const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;

/** The comparison of each page with the API. Each page is opened in every state. */
const pages: Record<string, (page: Page, role: string) => Promise<void>> = {
  '/overview?view=stand': async (page) => {
    if (new URL(page.url()).pathname === '/start') {
      assert.deepEqual((await api('/data-sources')).data, []);
      return;
    }
    const summary = await api(`/findings/summary?${open}`);
    const text = await textOf(page);
    assert.ok(text.includes(`${counted(summary.open)} open finding`), text.slice(0, 100));
    const rows = await rowsOf(page, 'Open findings by severity');
    const shown = rows.map(([severity, , now]) => `${severity} ${now}`);
    assert.deepEqual(countsOf(severities, shown), summary.by_severity);
  },
  '/findings': async (page) => {
    const { data } = await api('/findings?sort=-priority');
    if (data.length === 0) {
      assert.match(await textOf(page), /No findings yet|Nothing/);
      return;
    }
    const rows = await page.locator('main [role="row"][aria-selected]').allInnerTexts();
    assert.equal(rows.length, data.length);
    for (const [index, finding] of data.entries()) {
      const words = rows[index]!.replaceAll(/\s+/g, ' ').toLowerCase();
      for (const part of [finding.title, finding.severity, finding.status.replaceAll('_', ' ')]) {
        assert.ok(words.includes(part.toLowerCase()), `${part} in ${words}`);
      }
    }
    assert.equal(await page.getByText(new RegExp(`^${counted(data.length)} findings?$`)).count(), 1);
  },
  '/findings?kev=true': async (page) => {
    const kev = (await feedsOf(page)).find(({ name }) => name === 'kev')!;
    const { data } = await api('/findings?kev=true');
    const text = await textOf(page);
    if (kev.status === 'not_loaded') assert.match(text, /is not loaded: whether findings are exploited is unknown/);
    else assert.match(text, kev.status === 'stale' ? /KEV loaded .*, which is old/ : /KEV loaded/);
    assert.equal(
      /No findings? match|Nothing matches/.test(text),
      data.length === 0 && kev.status !== 'not_loaded',
      text,
    );
  },
  '/data-sources': async (page, role) => {
    const { data } = await api('/data-sources');
    const feeds = await textOf(page, '[aria-label="Feeds"]');
    for (const { status, loaded_at } of await feedsOf(page)) {
      if (status === 'not_loaded') assert.match(feeds, /not loaded/);
      if (status === 'stale') assert.ok(feeds.includes(`stale, ${ago(loaded_at!, Date.now())}`), feeds);
    }
    if (data.length === 0) {
      assert.match(await textOf(page), /No data sources yet/);
      return;
    }
    const rows = await rowsOf(page, 'Data sources');
    assert.equal(rows.length, data.length);
    for (const [index, source] of data.entries()) {
      const cells = rows[index]!.slice(role === 'owner' ? 1 : 0);
      const [[name, status, count], last] = [cells, cells.at(-1)];
      assert.ok(name!.startsWith(source.name));
      assert.ok(status!.startsWith(dataSourceStatusNames[source.status as 'ok']), status);
      for (const { status: state, reason } of source.scanners)
        if (state !== 'ok') assert.ok(status!.includes(reason), status);
      const isUnknown = source.status === 'never_scanned' && source.open_findings === 0;
      assert.equal(count, isUnknown ? 'unknown' : counted(source.open_findings));
      assert.equal(last, source.last_scanned_at === null ? 'Never' : ago(source.last_scanned_at, Date.now()));
    }
  },
  '/data-sources/{id}': async (page) => {
    const source = await api(`/data-sources/${dataSourceId}`);
    const text = await textOf(page);
    assert.ok(text.includes(`Status ${dataSourceStatusNames[source.status as 'ok']} `), text);
    if (source.scanners.length === 0) return;
    const rows = await rowsOf(page, 'Scanners');
    const hasReasons = source.scanners.some(({ reason }: Record<string, string>) => reason !== null);
    assert.deepEqual(
      rows.map((cells) => cells.slice(1, hasReasons ? 4 : 3)),
      source.scanners.map(({ status, at, reason }: Record<string, string>) => [
        dataSourceStatusNames[status as 'ok'],
        ago(at!, Date.now()),
        ...(hasReasons ? [reason ?? '–'] : []),
      ]),
    );
    await compareScans(page, 'Last scans', (await api(`/scans?data_source=${dataSourceId}&limit=${rows.length}`)).data);
  },
  '/scans': async (page) => {
    const { data } = await api('/scans');
    if (data.length > 0) await compareScans(page, 'Scans', data);
  },
  '/scans?tab=scanners': async (page) => {
    for (const { name, status, last_scan, open_findings } of (await api('/detection-sources?limit=100')).data) {
      const card = page.getByRole('article', { name, exact: true });
      if ((await card.count()) === 0) continue;
      const text = (await card.innerText()).replaceAll(/\s+/g, ' ');
      assert.ok(text.includes(status === 'connected' ? 'Connected' : 'Unavailable'), text);
      if (last_scan === null && open_findings === 0) assert.ok(text.includes('Never run'), text);
      else assert.ok(text.includes(`${counted(open_findings)} open`), text);
      if (last_scan && last_scan.status !== 'completed') {
        assert.ok(text.includes(scanStatusNames[last_scan.status as 'failed']), text);
      }
    }
  },
  '/reports': async (page) => {
    const { data } = await api('/reports');
    if (data.length === 0) {
      assert.match(await textOf(page), /No reports yet/);
      return;
    }
    const rows = await rowsOf(page, 'Reports');
    assert.deepEqual(
      rows.map(([, status, count]) => [status!.toLowerCase(), count]),
      data.map(({ status, summary }: { status: string; summary: { total: number } | null }) => [
        status,
        summary ? counted(summary.total) : '–',
      ]),
    );
  },
  '/schedules': async (page) => {
    const { data } = await api('/scan-schedules');
    if (data.length === 0) return;
    const rows = await rowsOf(page, 'Schedules');
    for (const [index, { name, next_run_at, last_run_at }] of data.entries()) {
      assert.ok(rows[index]![0]!.startsWith(name));
      assert.ok(rows[index]![4]!.startsWith(ago(next_run_at, Date.now())), rows[index]!.join());
      assert.equal(rows[index]![5], last_run_at === null ? 'Not yet' : ago(last_run_at, Date.now()));
    }
  },
  '/organization?tab=members': async (page) => {
    const { data } = await api('/organization/members');
    const rows = await rowsOf(page, 'Members');
    assert.equal(rows.length, data.length);
    const text = await textOf(page);
    assert.ok(text.includes(`Members ${data.length}`), text.slice(0, 300));
  },
  '/organization?tab=policy': async (page) => {
    const { stale_after_days: days } = await api('/organization/policy');
    const text = await textOf(page);
    assert.ok(text.includes(`stale ${days} days after`), text);
  },
  '/profile': async () => {},
};

async function compareScans(page: Page, table: string, scans: Parameters<typeof resultOf>[0][]): Promise<void> {
  const rows = await rowsOf(page, table);
  assert.equal(rows.length, scans.length);
  for (const [index, scan] of scans.entries()) {
    const [, status, result] = rows[index]!;
    assert.equal(status, scanStatusNames[scan.status]);
    assert.ok(result!.startsWith(resultOf(scan)), `${result} for ${resultOf(scan)}`);
    if (scan.status === 'failed') assert.doesNotMatch(result!, /Nothing found/);
  }
}

/** Every relative time corresponds to its exact time. A minute may pass in between. */
async function compareTimes(page: Page): Promise<void> {
  const shown = await page
    .locator('time')
    .evaluateAll((times) =>
      (times as HTMLTimeElement[]).map((time) => [time.dateTime, time.innerText.trim()] as const),
    );
  for (const [at, text] of shown) {
    const possible = [0, 20_000, 40_000, 60_000].flatMap((earlier) => {
      const now = Date.now() - earlier;
      return [ago(at, now), shortAge(at, now), dueWords(at, now)];
    });
    assert.ok(possible.includes(text), `${text} for ${at}, which is ${possible.join(' or ')}`);
  }
}

async function visitEveryPage(): Promise<void> {
  for (const [role, visitor] of visitors) {
    for (const [path, compare] of Object.entries(pages)) {
      if (path.includes('{id}') && !dataSourceId) continue;
      await visitor.open(path.replace('{id}', dataSourceId));
      await visitor.settled();
      // A page loads its data in parts.
      const compared = async () => {
        await compare(visitor.page, role);
        return true;
      };
      await eventually(compared, 60_000).catch((cause) => assert.fail(new Error(`${path} for the ${role}`, { cause })));
      await compareTimes(visitor.page);
      await assertNoClosedControls(visitor.page, role);
    }
    assert.deepEqual(visitor.problems, []);
  }
}

/** A viewer sees no control that the server would refuse. */
async function assertNoClosedControls(page: Page, role: string): Promise<void> {
  if (role !== 'viewer') return;
  const buttons = await page.locator('main button').allInnerTexts();
  const writing = /^(Add|Create|Scan|Edit|Delete|Load|Make|Invite|Rename|Change the (sign-in )?policy|Bulk changes)\b/;
  assert.deepEqual(
    buttons.filter((text) => writing.test(text.trim()) && new URL(page.url()).pathname !== '/profile'),
    [],
  );
}

async function importResults(results: object[]): Promise<void> {
  await installation.call('POST', `/data-sources/${dataSourceId}/imports`, {
    raw: JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'linter' } }, results }] }),
    headers: { 'content-type': 'application/octet-stream', prefer: 'wait=30' },
  });
}

const result = (ruleId: string, level: string) => ({
  ruleId,
  level,
  message: { text: `Problem of ${ruleId}` },
  locations: [{ physicalLocation: { artifactLocation: { uri: 'src/app.ts' }, region: { startLine: 3 } } }],
});

describe('each page matches the API', { concurrency: false }, () => {
  test('without findings', visitEveryPage);

  test('without a feed', async () => {
    dataSourceId = (await installation.ask('POST', '/data-sources', { kind: 'upload', name: 'shop', config: {} })).id;
    await installation.ask('POST', '/data-sources', { kind: 'upload', name: 'untouched', config: {} });
    await importResults([result('CVE-2021-44228', 'error'), result('r2', 'warning'), result('r3', 'note')]);
    await installation.ask('POST', '/reports', { title: 'Monday' });
    const schedule = { name: 'Nightly', source: 'secrets', cron: '0 3 * * *', timezone: 'UTC' };
    await installation.ask('POST', '/scan-schedules', schedule);
    await visitEveryPage();
  });

  test('with one scanner that fails', async () => {
    const failed = { status: 'failed', error: 'The host refused the key.', daysAgo: 2 } as const;
    await recordEndedScan(database(), orgId, dataSourceId, failed);
    await visitEveryPage();
  });

  test('with a partial import, and a status changed meanwhile', async () => {
    await recordEndedScan(database(), orgId, dataSourceId, { source: 'code', warning: 'Two files are too large.' });
    const [finding] = (await api('/findings')).data;
    await installation.ask('PATCH', `/findings/${finding.id}`, { status: 'false_positive' });
    await visitEveryPage();
  });

  test('with an old feed', async () => {
    await database().single(null, {
      text: `INSERT INTO exploitation_feeds (name, source, validator, version, loaded_at)
             VALUES ('kev', 'upload', '', 1, now() - interval '40 days')`,
      values: [],
    });
    await visitEveryPage();
  });

  test('offline: the page keeps its content and says that it is not current', async () => {
    const visitor = visitors.get('owner')!;
    for (const path of ['/overview?view=stand', '/scans', '/reports', '/schedules', '/organization?tab=members']) {
      await visitor.open(path);
      await visitor.settled();
      await visitor.context.setOffline(true);
      await visitor.page.getByText('Connection lost.').waitFor();
      await pages[path]!(visitor.page, 'owner');
      await compareTimes(visitor.page);
      await visitor.context.setOffline(false);
      await visitor.page.getByText('Connection lost.').waitFor({ state: 'detached' });
    }
  });
});
