import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openBrowser, Visitor } from '../tests/console/browser.fixture.ts';
import { percentile, type Row } from './measure.ts';
import { owner, setPassword } from './owner.ts';
import type { FindingsDirectory } from './prepare-findings.ts';
import { startServer } from './server-process.ts';

const visits = 5;
const scrolledRows = 10_000;

const contentPaint = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1)!.startTime)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        });
      }),
  );

/** Returns the largest contentful paint of visits with an empty cache by a signed-in person, in milliseconds. */
async function timePaints(browser: Browser, context: BrowserContext, url: string): Promise<number[]> {
  const storageState = await context.storageState();
  const times: number[] = [];
  for (let visit = 0; visit < visits; visit++) {
    const fresh = await browser.newContext({ storageState, viewport: { width: 1440, height: 900 } });
    const page = await fresh.newPage();
    await page.goto(url);
    await page.waitForLoadState('networkidle');
    times.push(await contentPaint(page));
    await fresh.close();
  }
  return times;
}

/**
 * Returns for each key the milliseconds from the press to the next frame that shows its effect: Chromium's Event
 * Timing, which rounds to 8 ms and omits anything below 16.
 */
async function timeKeys(page: Page, keys: string[]): Promise<number[]> {
  await page.evaluate(() => {
    const durations: number[] = [];
    Object.assign(window, { durations });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.name === 'keydown') durations.push(entry.duration);
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  });
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.waitForTimeout(60);
  }
  const slow = await page.evaluate(() => (window as unknown as { durations: number[] }).durations);
  return [...slow, ...keys.slice(slow.length).map(() => 16)];
}

/** Returns the rows that the list shows after it was scrolled to its end until this many were loaded, and the seconds. */
async function scroll(page: Page): Promise<{ rows: number; seconds: number }> {
  const began = performance.now();
  const rowsOf = () =>
    page.evaluate(() =>
      Math.max(...[...document.querySelectorAll('[role=row]')].map((row) => Number(row.getAttribute('aria-rowindex')))),
    );
  let rows = await rowsOf();
  while (rows < scrolledRows && performance.now() - began < 120_000) {
    await page.mouse.wheel(0, 20_000);
    await page.waitForTimeout(20);
    rows = await rowsOf();
  }
  return { rows, seconds: (performance.now() - began) / 1000 };
}

/** Measures the console in Chromium, for the organization with half of the findings. */
export async function measureConsole(findings: FindingsDirectory): Promise<Row[]> {
  const server = await startServer(findings.directory);
  const browser = await openBrowser();
  try {
    await setPassword(findings);
    const origin = new URL(server.address).origin;
    const visitor = await Visitor.arrive(browser, { origin });
    await visitor.signIn(owner, '/findings');
    await visitor.settled();
    const { page } = visitor;
    await page.getByRole('row').nth(20).waitFor();
    const paints = {
      Findings: await timePaints(browser, visitor.context, `${origin}/findings`),
      Overview: await timePaints(browser, visitor.context, `${origin}/overview`),
    };
    const moves = await timeKeys(page, ['j', 'o', ...Array.from({ length: 100 }, () => 'j')]);
    const selections = await timeKeys(
      page,
      Array.from({ length: 60 }, (_, index) => (index % 2 ? 'j' : 'x')),
    );
    await page.keyboard.press('Escape');
    await page.mouse.move(900, 600);
    const { rows, seconds } = await scroll(page);
    return [
      ...Object.entries(paints).map(
        ([name, times]): Row => ({
          question: `${name}: largest contentful paint, empty cache, slowest of ${visits}`,
          value: Math.max(...times) / 1000,
          unit: 's',
          bound: '<= 1.5',
        }),
      ),
      { question: 'A key that moves, to its frame, p95', value: percentile(moves, 0.95), unit: 'ms', bound: '<= 100' },
      { question: 'A key that selects, p95', value: percentile(selections, 0.95), unit: 'ms', bound: '<= 100' },
      { question: 'Rows scrolled', value: rows / seconds, unit: '/s', bound: null },
    ];
  } finally {
    await browser.close();
    await server.stop();
  }
}
