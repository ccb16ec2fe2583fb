import type { Page } from 'playwright-core';
import { openBrowser, Visitor } from '../tests/console/browser.fixture.ts';
import { percentile, type Row } from './measure.ts';
import { owner, setPassword } from './owner.ts';
import type { FindingsDirectory } from './prepare-findings.ts';
import { type ServerProcess, startServer } from './server-process.ts';

/** Texts as people type them: identifiers, rules, words of titles, names, pages. The first only warms up. */
const typed = [
  'cipher',
  'CVE-2024-1000',
  'parser traversal',
  'secrets',
  'token exposed',
  'Query injection in login',
  'downgrade billing',
  'orders file4711',
  'F-424242',
  'service-12',
  'Person 12',
  'go to scans',
];

/** Waits until the columns of all findings are loaded, during which requests are 503. */
async function waitForColumns({ address }: ServerProcess, { token }: FindingsDirectory): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  while (!(await fetch(`${address}/findings?sort=-priority&severity=high&limit=1`, { headers })).ok);
}

type Keys = { first: number[]; last: number[]; maxRequests: number };

/**
 * Types the texts into the search, and returns for each key the milliseconds until the first and until the last change
 * of its results, and the highest number of requests for one key.
 */
async function timeKeys(page: Page): Promise<Keys> {
  const keys: Keys = { first: [], last: [], maxRequests: 0 };
  let requests = 0;
  page.on('request', (request) => {
    // Events of other people's work cause requests, too.
    if (request.url().includes('/findings/suggestions')) requests += 1;
  });
  await page.keyboard.press('Control+k');
  await page.getByRole('listbox', { name: 'Results' }).waitFor();
  await page.evaluate(() => {
    const seen = { key: 0, first: 0, last: 0 };
    Object.assign(window, { seen });
    document.addEventListener('keydown', () => Object.assign(seen, { key: performance.now(), first: 0, last: 0 }), {
      capture: true,
    });
    const observer = new MutationObserver(() => {
      seen.last = performance.now() - seen.key;
      seen.first ||= seen.last;
    });
    observer.observe(document.querySelector('[role="listbox"]')!, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  for (const [index, text] of typed.entries()) {
    await page.getByLabel('Search everything').fill('');
    await page.waitForTimeout(500);
    for (const key of text) {
      requests = 0;
      await page.keyboard.press(key === ' ' ? 'Space' : key);
      await page.waitForTimeout(500);
      const seen = await page.evaluate(() => (window as unknown as { seen: { first: number; last: number } }).seen);
      if (index === 0) continue;
      if (process.env.DEBUG_PALETTE) console.log(text, key, Math.round(seen.last));
      keys.first.push(seen.first);
      keys.last.push(seen.last);
      keys.maxRequests = Math.max(keys.maxRequests, requests);
    }
  }
  await page.keyboard.press('Escape');
  return keys;
}

/** Measures the search for everything in an organization with all findings. */
export async function measurePalette(findings: FindingsDirectory): Promise<Row[]> {
  const server = await startServer(findings.directory);
  const browser = await openBrowser();
  try {
    await setPassword(findings);
    await waitForColumns(server, findings);
    const { origin } = new URL(server.address);
    const visitor = await Visitor.arrive(browser, { origin });
    await visitor.signIn(owner, '/findings');
    await visitor.settled();
    await visitor.page.getByRole('row').nth(20).waitFor();
    const { first, last, maxRequests } = await timeKeys(visitor.page);
    const question = 'Search everything among 1,000,000 findings, 4,740 rules and 400 data sources';
    return [
      { question: `${question}: key to first results, p95`, value: percentile(first, 0.95), unit: 'ms', bound: null },
      {
        question: `${question}: key to last result, p50`,
        value: percentile(last, 0.5),
        unit: 'ms',
        bound: null,
      },
      {
        question: `${question}: key to last result, p95`,
        value: percentile(last, 0.95),
        unit: 'ms',
        bound: '<= 50',
      },
      { question: `${question}: most requests for a key`, value: maxRequests, unit: '', bound: '<= 1' },
    ];
  } finally {
    await browser.close();
    await server.stop();
  }
}
