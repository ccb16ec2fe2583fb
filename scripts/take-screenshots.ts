/**
 * Takes the pictures of the console that README.md and docs/console.md show, from the sample repository:
 * `node scripts/take-screenshots.ts`. It needs Chromium.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser, ownerEnvironment, Visitor } from '../tests/console/browser.fixture.ts';
import { Installation } from '../tests/harness/installation.ts';

const folder = join(import.meta.dirname, '..', 'docs', 'images');
const sources = ['secrets', 'code', 'dependencies', 'infrastructure'];
const decisions = ['triaged', 'in_progress', 'false_positive'] as const;

/** Scans the sample repository and decides about some of what was found. */
async function furnish(installation: Installation): Promise<void> {
  const { data } = await installation.ask('GET', '/data-sources/suggestions');
  const { kind, name, config } = data[0];
  await installation.ask('POST', '/data-sources', { kind, name, config });
  for (const source of sources) {
    await installation.call('POST', `/detection-sources/${source}/scan`, { headers: { prefer: 'wait=30' } });
  }
  const { data: findings } = await installation.ask('GET', '/findings?limit=50&sort=-severity');
  for (const [index, status] of decisions.entries()) {
    const finding = findings[index * 3 + 1];
    if (finding) await installation.ask('PATCH', `/findings/${finding.id}`, { status, tags: ['payments'] });
  }
}

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

/** Each picture: what is opened and pressed, and the heading that is there when the page is complete. */
const pictures = [
  { name: 'findings', path: '/findings', keys: ['j', 'j', 'o'], ready: 'Evidence', scheme: 'light', viewport: desktop },
  {
    name: 'findings-dark',
    path: '/findings',
    keys: ['j', 'j', 'o'],
    ready: 'Evidence',
    scheme: 'dark',
    viewport: desktop,
  },
  { name: 'findings-phone', path: '/findings', keys: [], ready: 'Findings', scheme: 'light', viewport: phone },
  { name: 'overview', path: '/overview', keys: [], ready: 'Overview', scheme: 'light', viewport: desktop },
  { name: 'scans', path: '/scans', keys: [], ready: 'Scans', scheme: 'light', viewport: desktop },
] as const;

const installation = new Installation(ownerEnvironment);
await installation.start();
const browser = await openBrowser();
try {
  await furnish(installation);
  mkdirSync(folder, { recursive: true });
  const visitor = await Visitor.arrive(browser, installation);
  await visitor.signIn();
  const { page } = visitor;
  for (const { name, path, keys, ready, scheme, viewport } of pictures) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize(viewport);
    await visitor.open(path);
    await page.getByRole('main').getByText(/\d/).first().waitFor();
    await visitor.press(...keys);
    await page.getByRole('heading', { name: ready, exact: true }).waitFor();
    await page.waitForTimeout(1_000);
    await page.screenshot({ path: join(folder, `console-${name}.png`) });
  }
} finally {
  await browser.close();
  await installation.remove();
}
