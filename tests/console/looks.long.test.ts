import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { recordEndedScan } from '../harness/furnished.ts';
import { eventually, HostedInstallation } from '../harness/installation.ts';
import { openBrowser, ownerEnvironment, Visitor } from './browser.fixture.ts';
import { findControlsWithoutRing, findPaleControls } from './contrast.fixture.ts';
import {
  differencesOf,
  findFaults,
  readBoxes,
  readLooks,
  readShifts,
  setScheme,
  watchShifts,
} from './looks.fixture.ts';

/**
 * Holds how each page looks: positions, sizes, type and colours of its landmarks are in looks.txt, which `npm run looks`
 * renews. On the same visit, it measures what every page must keep, and runs axe in both colour schemes.
 */
const installation = new HostedInstallation(ownerEnvironment);
const file = join(import.meta.dirname, 'looks.txt');
const renews = process.env.ASSAY_TEST_RENEW_LOOKS === 'yes';

/** The lines of the file below each of its headings, such as `# findings, desktop`. */
const expected = new Map(
  readFileSync(file, 'utf8')
    .split(/^# /m)
    .slice(1)
    .map((part) => part.trim().split('\n'))
    .map(([heading, ...lines]) => [heading!, lines] as const),
);
const actual = new Map<string, string[]>();

let browser: Browser;
let visitor: Visitor;
const ids: Record<string, string> = {};

const titles = [
  'SQL injection in the approval of payments',
  'JWT is verified without a list of algorithms',
  'Log4Shell in log4j-core 2.14.1',
  'Hard-coded credential',
];
const severities = ['critical', 'high', 'medium', 'low', 'info'];

/** Enough of everything to fill the pages: findings, a failed scan, decisions, a schedule, a report. */
async function furnish(): Promise<void> {
  const source = await installation.ask('POST', '/data-sources', { kind: 'upload', name: 'payments', config: {} });
  const findings = Array.from({ length: 60 }, (_, n) => ({
    title: titles[n % titles.length],
    rule_id: `rule-${n % 6}`,
    severity: severities[n % severities.length],
    path: `services/payments/src/Approval${n}.java`,
    start_line: n + 1,
    evidence: 'db.query(where)',
  }));
  await installation.call('POST', `/data-sources/${source.id}/imports`, {
    raw: JSON.stringify({ source: 'own', findings }),
    headers: { 'content-type': 'application/octet-stream', prefer: 'wait=60' },
  });
  const listed = await eventually(async () => {
    const { data } = await installation.ask('GET', '/findings?limit=200');
    return data.length === findings.length && data;
  });
  const { id: orgId } = await installation.ask('GET', '/organization');
  await recordEndedScan(installation.database.database, orgId, source.id, {
    status: 'failed',
    error: 'The host refused the key.',
    daysAgo: 2,
  });
  await installation.ask('PATCH', `/findings/${listed[0].id}`, { status: 'triaged', tags: ['pci'] });
  // The longest word of a status.
  await installation.ask('PATCH', `/findings/${listed[1].id}`, { status: 'accepted_risk' });
  await installation.ask('POST', '/decisions', {
    outcome: 'false_positive',
    scope: { rule: ['rule-5'] },
    reason: 'Only test data.',
  });
  // "In 5 hours" at any time of the day: on a phone, "in 15 minutes" takes another line.
  const next = new Date(Date.now() + 5.4 * 3_600_000);
  await installation.ask('POST', '/scan-schedules', {
    name: 'Nightly',
    source: 'secrets',
    cron: `${next.getUTCMinutes()} ${next.getUTCHours()} * * *`,
    timezone: 'UTC',
  });
  const report = await installation.ask('POST', '/reports', { title: 'Findings of the quarter' });
  const [scan] = (await installation.ask('GET', '/scans')).data;
  Object.assign(ids, { source: source.id, finding: listed[0].id, report: report.id, scan: scan.id });
}

type State = { name: string; path: string; shown: (page: Page) => Promise<unknown> };

const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name }).first().waitFor();
const rows = (page: Page) => page.locator('main [role="row"][aria-selected], main tbody tr').first().waitFor();
const dialog = (page: Page) => page.getByRole('dialog').locator('button').first().waitFor();
const keys =
  (...names: string[]) =>
  async (page: Page) => {
    await rows(page);
    for (const name of names) await page.keyboard.press(name);
    await dialog(page);
  };

/** Each page, tab and kind of dialog. */
const states: State[] = [
  { name: 'needs you', path: '/overview?view=needs', shown: heading('Overview') },
  { name: 'what changed', path: '/overview?view=changed', shown: heading('Overview') },
  { name: 'how we stand', path: '/overview?view=stand', shown: rows },
  { name: 'findings', path: '/findings', shown: rows },
  {
    name: 'findings with the panel',
    path: '/findings?open={finding}',
    shown: (page) => page.getByRole('complementary', { name: 'Finding' }).getByRole('heading', { level: 2 }).waitFor(),
  },
  { name: 'groups', path: '/findings?group=rule', shown: (page) => page.getByText('rule-1').first().waitFor() },
  { name: 'no match', path: '/findings?q=nothing+has+these+words', shown: heading(/match/i) },
  { name: 'a reason', path: '/findings', shown: keys('j', '5') },
  { name: 'the palette', path: '/findings', shown: keys('Control+k') },
  { name: 'a finding', path: '/findings/{finding}', shown: heading('Activity') },
  { name: 'decisions', path: '/decisions', shown: (page) => page.getByText('Only test data.').first().waitFor() },
  { name: 'scans', path: '/scans', shown: rows },
  { name: 'scanners', path: '/scans?tab=scanners', shown: (page) => page.getByRole('article').first().waitFor() },
  { name: 'a scan', path: '/scans/{scan}', shown: heading(/./) },
  { name: 'data sources', path: '/data-sources', shown: rows },
  { name: 'a data source', path: '/data-sources/{source}', shown: rows },
  { name: 'a new data source', path: '/data-sources?add=git_repository', shown: dialog },
  { name: 'schedules', path: '/schedules', shown: rows },
  { name: 'a new schedule', path: '/schedules?add=yes', shown: dialog },
  { name: 'reports', path: '/reports', shown: rows },
  { name: 'a new report', path: '/reports?add=report', shown: dialog },
  { name: 'a report', path: '/reports/{report}', shown: heading('Findings of the quarter') },
  { name: 'the organization', path: '/organization', shown: heading('Installation') },
  { name: 'members', path: '/organization?tab=members', shown: heading('Permissions of each role') },
  { name: 'the policy', path: '/organization?tab=policy', shown: rows },
  { name: 'the sign-in policy', path: '/organization?tab=sign_in', shown: heading(/./) },
  { name: 'audit', path: '/audit', shown: rows },
  { name: 'the profile', path: '/profile', shown: heading('Email address') },
  { name: 'the sign-in of a person', path: '/profile?tab=sign_in', shown: heading('Password') },
  { name: 'tokens', path: '/profile?tab=tokens', shown: heading(/./) },
  { name: 'preferences', path: '/profile?tab=preferences', shown: heading('Preferences') },
];

/** Views that differ too little from a page above to have looks of their own. */
const furtherViews = [
  '/overview?days=90',
  '/start',
  '/decisions?tab=ended',
  '/scans?scan=secrets',
  '/data-sources?add=any',
  '/schedules?tab=calendar',
  '/reports?tab=scheduled',
  '/reports?tab=scheduled&add=scheduled',
];

const desktop = { width: 1440, height: 900 };
const narrow = { width: 1024, height: 900 };
const phone = { width: 390, height: 844 };

/** Cumulative layout shift of a page until it has loaded. */
const maxShifts = 0.02;

before(async () => {
  await installation.start();
  await furnish();
  browser = await openBrowser(['--font-render-hinting=none']);
  visitor = await Visitor.arrive(browser, installation);
  // The document of a report is a picture of its own.
  await visitor.page.route(/\/export\?format=pdf/, () => {});
  await watchShifts(visitor.page);
  await visitor.signIn();
});

after(async () => {
  await browser?.close();
  await installation.remove();
});

/** Reads until nothing is wrong. After the time limit, returns what still is. */
async function lastOf(read: () => Promise<string[]>, withinMs = 60_000): Promise<string[]> {
  let found: string[] = [];
  const isRight = async () => {
    found = await read();
    return found.length === 0;
  };
  await eventually(isRight, withinMs).catch(() => {});
  return found;
}

/** Reads the looks until they are those of the file, or, to renew it, until two in succession are equal. */
async function lookAt(name: string, size: 'desktop' | 'phone'): Promise<string[]> {
  const { page } = visitor;
  const heading = `${name}, ${size}`;
  let looks: string[] = [];
  const wanted = expected.get(heading) ?? [];
  const isThere = async () => {
    const before = looks.join('\n');
    looks = await (size === 'desktop' ? readLooks(page) : readBoxes(page));
    return renews ? looks.join('\n') === before : differencesOf(wanted, looks).length === 0;
  };
  if (renews) await page.waitForTimeout(1_000);
  await eventually(isThere, renews ? 20_000 : 60_000).catch(() => {});
  actual.set(heading, looks);
  return differencesOf(wanted, looks).map((line) => `${heading}: ${line}`);
}

describe('each page, tab and dialog', { concurrency: false }, () => {
  for (const { name, path, shown } of states) {
    test(`${name}: looks as recorded, passes axe, and nothing is cut, too wide, too small, or meant for programs`, async () => {
      const { page } = visitor;
      await page.setViewportSize(desktop);
      await page.emulateMedia({ colorScheme: 'light' });
      await visitor.open(path.replace(/\{(\w+)\}/, (_, id) => ids[id]!));
      await shown(page);
      const differences = await lookAt(name, 'desktop');
      const faults: string[] = [];
      for (const size of [desktop, narrow, phone]) {
        await page.setViewportSize(size);
        if (size === phone) differences.push(...(await lookAt(name, 'phone')));
        faults.push(...(await lastOf(() => findFaults(page))).map((fault) => `${size.width}: ${fault}`));
      }
      if (renews) for (const line of differences) console.log(line);
      assert.deepEqual(faults, []);
      await page.setViewportSize(desktop);
      for (const scheme of ['dark', 'light'] as const) {
        await setScheme(page, scheme);
        assert.deepEqual(await lastOf(() => findPaleControls(page)), [], scheme);
        assert.deepEqual(await findControlsWithoutRing(page), [], scheme);
      }
      // The page behind a dialog is a state of its own.
      const within = (await page.getByRole('dialog').count()) > 0 ? '[role="dialog"]' : undefined;
      assert.deepEqual(await visitor.findBarriers(within), []);
      if (!renews) assert.deepEqual(differences, [], 'npm run looks renews looks.txt.');
    });
  }

  test('further views pass axe in both colour schemes and fit on a phone', async () => {
    for (const path of furtherViews) {
      await visitor.follow(path);
      await visitor.settled();
      const isDialog = path.includes('add=');
      if (isDialog) await dialog(visitor.page);
      assert.deepEqual(await visitor.findBarriers(isDialog ? '[role="dialog"]' : undefined), [], path);
      assert.equal(await visitor.overflowOnPhone(), 0, path);
    }
  });

  test('pages for people who are not signed in pass axe, and nothing is cut, too wide or too small', async () => {
    const stranger = await Visitor.arrive(browser, installation);
    const { page } = stranger;
    const enter = async () => {
      await page.route(/sign-in\/email$/, (route) => route.fulfill({ json: { status: 'code_required' } }));
      await page.getByLabel('Email').fill('ana@example.com');
      await page.getByLabel('Password', { exact: true }).fill('a long enough secret');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByLabel('Code').waitFor();
    };
    const pages: [path: string, title: string, arrive?: () => Promise<void>][] = [
      ['/sign-in', 'Sign in to Assay'],
      ['/sign-in', 'Second factor', enter],
      ['/reset-password', 'Set a new password'],
      ['/reset-password?token=a', 'Choose a new password'],
      ['/confirm-email?token=a', 'Confirm your email address'],
    ];
    for (const [path, title, arrive] of pages) {
      await page.setViewportSize(desktop);
      await stranger.open(path);
      await arrive?.();
      await heading(title)(page);
      for (const size of [desktop, narrow, phone]) {
        await page.setViewportSize(size);
        assert.deepEqual(await lastOf(() => findFaults(page)), [], `${title} at ${size.width}`);
      }
      for (const scheme of ['dark', 'light'] as const) {
        await setScheme(page, scheme);
        assert.deepEqual(await lastOf(() => findPaleControls(page)), [], `${title}, ${scheme}`);
        assert.deepEqual(await findControlsWithoutRing(page), [], `${title}, ${scheme}`);
      }
      assert.deepEqual(await stranger.findBarriers(), [], title);
    }
    assert.deepEqual(stranger.problems, []);
    await stranger.context.close();
  });

  test('nothing moves while a page loads', async () => {
    const { page } = visitor;
    const addresses = new Set([...states.map(({ path }) => path), ...furtherViews]);
    const found: string[] = [];
    for (const size of [desktop, phone]) {
      await page.setViewportSize(size);
      for (const address of addresses) {
        let shifts = Number.POSITIVE_INFINITY;
        // Other tests at the same time delay fonts and responses by seconds, in any order.
        for (let load = 0; load < 3 && shifts > maxShifts; load++) {
          await visitor.open(address.replace(/\{(\w+)\}/, (_, id) => ids[id]!));
          // The document of a report never arrives here.
          if (address.includes('{report}')) await heading('Download')(page);
          else await visitor.settled();
          if (/[?&](add|scan)=/.test(address)) await dialog(page);
          await page.waitForTimeout(500);
          shifts = await readShifts(page);
        }
        if (shifts > maxShifts) found.push(`${shifts.toFixed(4)} of ${address} at ${size.width}`);
      }
    }
    await page.setViewportSize(desktop);
    assert.deepEqual(found, []);
  });

  test('every page of the file is still there', () => {
    if (renews)
      writeFileSync(file, [...actual].map(([heading, lines]) => `# ${heading}\n${lines.join('\n')}\n`).join('\n'));
    else assert.deepEqual([...expected.keys()], [...actual.keys()]);
  });

  test('the browser had no error', () => {
    assert.deepEqual(visitor.problems, []);
  });
});

test('the page of all controls is not in the built console', () => {
  const folder = join(import.meta.dirname, '../../console/dist/assets');
  const scripts = readdirSync(folder).filter((name) => /\.(js|css)$/.test(name));
  assert.ok(scripts.length > 10, `${scripts.length} files`);
  assert.deepEqual(
    scripts.filter((name) => /Every control in every state|data-shown/.test(readFileSync(join(folder, name), 'utf8'))),
    [],
  );
});
