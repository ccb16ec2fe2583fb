/**
 * Takes the screenshots of the console and of reports for README.md and docs/, from the sample repository: `node
 * scripts/take-screenshots.ts`. It needs Chromium and poppler-utils.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openBrowser, ownerEnvironment, Visitor } from '../tests/console/browser.fixture.ts';
import { Installation } from '../tests/harness/installation.ts';

const folder = join(import.meta.dirname, '..', 'docs', 'images');
const sources = ['secrets', 'code', 'dependencies', 'infrastructure'];
const decisions = ['triaged', 'in_progress', 'false_positive'] as const;

/** Scans the sample repository and decides on some of the findings. */
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

/** Each screenshot: the page and the clicks, and the heading that is visible when the page is complete. */
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

/** Each screenshot of a report: the first line of each page in it. */
const reportPictures = [
  { name: 'report-pdf', pages: ['', 'Executive summary', 'What to do', 'Charts'] },
  { name: 'report-findings', pages: ['Index of findings', 'High:'] },
];
const pageWidth = 480;

/** Creates a report as PDF and takes screenshots of some of its pages, side by side. */
async function takeReportPictures(installation: Installation, page: Page): Promise<void> {
  const { id } = await installation.ask('POST', '/reports', {
    title: 'Security findings of the quarter',
    document: { classification: 'TLP:AMBER', distribution: ['Board', 'Internal audit'] },
  });
  const work = mkdtempSync(join(tmpdir(), 'assay-pictures-'));
  try {
    const file = join(work, 'report.pdf');
    let exported: Response;
    do {
      exported = await fetch(`${installation.origin}/api/v1/reports/${id}/export?format=pdf`, {
        headers: { authorization: `Bearer ${installation.token}` },
      });
    } while (exported.status === 409);
    writeFileSync(file, Buffer.from(await exported.arrayBuffer()));
    const texts = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' }).split('\f');
    for (const { name, pages } of reportPictures) {
      const images = pages.map((heading) => {
        const number =
          texts.findIndex((text, index) => index >= (heading === '' ? 0 : 2) && text.includes(heading)) + 1;
        const image = join(work, `page-${number}`);
        execFileSync('pdftoppm', [
          '-r',
          '110',
          '-png',
          '-singlefile',
          '-f',
          `${number}`,
          '-l',
          `${number}`,
          file,
          image,
        ]);
        return readFileSync(`${image}.png`).toString('base64');
      });
      const shown = images.map((image) => `<img width="${pageWidth}" src="data:image/png;base64,${image}">`).join('');
      await page.setViewportSize({ width: pages.length * (pageWidth + 16) + 16, height: 720 });
      await page.setContent(
        `<body style="margin:0;background:#dfe3e8;display:flex;gap:16px;padding:16px;width:max-content">${shown}</body>`,
      );
      await page.locator('body').screenshot({ path: join(folder, `${name}.png`) });
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

execFileSync(process.execPath, [join(import.meta.dirname, 'build-console.mjs')]);
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
  const context = await browser.newContext();
  await takeReportPictures(installation, await context.newPage());
} finally {
  await browser.close();
  await installation.remove();
}
