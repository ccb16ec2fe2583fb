import { openBrowser, ownerEnvironment, Visitor } from '../tests/console/browser.fixture.ts';
import { Installation } from '../tests/harness/installation.ts';
const installation = new Installation();
await installation.start(ownerEnvironment as never);
const browser = await openBrowser();
try {
  const visitor = await Visitor.arrive(browser, installation);
  await visitor.signIn();
  const { page } = visitor;
  for (const [width, height] of [[1440, 900], [390, 844]] as const) for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height });
    await visitor.open('/organization');
    await page.getByText('Room on disks').waitFor();
    await page.waitForTimeout(500);
    await page.getByRole('region', { name: 'Installation' }).screenshot({ path: `/tmp/disk-shot-${width}-${scheme}.png` });
  }
} finally {
  await browser.close();
  await installation.remove();
}
