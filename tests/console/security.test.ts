import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createListener } from 'node:net';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startProvider } from '../../server/identity/provider.fixture.ts';
import { eventually, HostedInstallation } from '../harness/installation.ts';
import { openBrowser, ownerEnvironment, Visitor } from './browser.fixture.ts';

/** Returns a port that nothing listens on. */
async function findFreePort(): Promise<number> {
  const server = createListener().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const provider = await startProvider({
  ada: { email: 'ada@corp.example', email_verified: true, name: 'Ada Lovelace' },
  eve: { email: 'eve@elsewhere.example', email_verified: true, name: 'Eve' },
});
const installation = new HostedInstallation({
  ...ownerEnvironment,
  // The provider redirects to an address that must be known before the server starts.
  PORT: String(await findFreePort()),
  ASSAY_OIDC_ISSUER: provider.issuer,
  ASSAY_OIDC_CLIENT_ID: provider.clientId,
  ASSAY_OIDC_CLIENT_SECRET: provider.clientSecret,
  ASSAY_OIDC_ALLOWED_DOMAINS: 'corp.example',
  ASSAY_OIDC_ROLE: 'analyst',
});
let browser: Browser;
let visitor: Visitor;

const marker = 'secret0marker';
const hostile = `${marker}"><img src=x onerror=alert(1)><script>alert(2)</script><svg onload=alert(3)>[a](javascript:alert(4))![b](http://127.0.0.1:9/b.png)<a href="javascript:alert(5)">c</a>`;
const texts = Object.fromEntries(
  ['title', 'description', 'rule_id', 'rule_name', 'evidence', 'remediation', 'commit', 'status_reason'].map((name) => [
    name,
    `${hostile} ${name}`,
  ]),
);
const common = {
  ...texts,
  severity: 'critical',
  rule_url: 'javascript:alert(6)',
  identifiers: [hostile, 'CVE-2026-1'],
  references: ['javascript:alert(7)', `https://example.com/${hostile}`, 'data:text/html,<script>alert(8)</script>'],
};
/** Findings in a file, at an address and in a package, with a hostile text in every field. */
const hostileFile = {
  source: hostile,
  findings: [
    { ...common, path: `src/${hostile}.ts`, start_line: 3, fingerprint: `${hostile}1` },
    { ...common, url: `http://example.com/${hostile}?q=${hostile}`, status: 'false_positive' },
    {
      ...common,
      package: hostile,
      package_version: hostile,
      package_ecosystem: hostile,
      fixed_version: hostile,
      purl: 'pkg:npm/%3Cimg%20src=x%20onerror=alert(9)%3E@1',
      path: `${hostile}/package-lock.json`,
    },
  ],
};

async function importInto(dataSource: string, content: unknown): Promise<void> {
  const response = await installation.call('POST', `/data-sources/${dataSource}/imports`, {
    raw: JSON.stringify(content),
    headers: { 'content-type': 'application/octet-stream', prefer: 'wait=60' },
  });
  assert.equal(response.body.status, 'completed', response.text);
}

const addDataSource = async (name: string): Promise<string> =>
  (await installation.ask('POST', '/data-sources', { kind: 'upload', name, config: {} })).id;

const listed = async (query: string) => (await installation.ask('GET', `/findings?limit=200&${query}`)).data;

before(async () => {
  await installation.start();
  provider.accept(installation.origin);
  browser = await openBrowser();
  visitor = await Visitor.arrive(browser, installation);
  await visitor.signIn();
});

after(async () => {
  await browser?.close();
  await installation.remove();
  provider.close();
});

/** Paths of pages with the first organization's data, including its hostile texts. */
const pages: string[] = [];

test('hostile texts in any field of a finding run nowhere: list, panel, page, scan, data source, report', async () => {
  const { page } = visitor;
  const dataSource = await addDataSource(hostile.slice(0, 200));
  await importInto(dataSource, hostileFile);
  const findings = await listed(`data_source=${dataSource}`);
  assert.equal(findings.length, 3);
  for (const { id } of findings) {
    await installation.ask('PATCH', `/findings/${id}`, { comment: hostile, tags: ['<img src=x onerror=alert(10)>'] });
  }
  const report = await installation.ask('POST', '/reports', { title: hostile.slice(0, 200) });
  const scan = (await installation.ask('GET', '/scans')).data[0];
  pages.push(
    ...findings.map(({ id }: { id: string }) => `/findings?open=${id}`),
    `/findings/${findings[0].id}`,
    `/scans/${scan.id}`,
    `/data-sources/${dataSource}`,
    `/reports/${report.id}`,
  );
  for (const path of ['/findings?group=package', '/overview', ...pages]) {
    await visitor.open(path);
    await visitor.settled();
    await page.getByText(marker).first().waitFor();
    if (path.includes('fnd_')) await page.getByRole('region', { name: 'Activity' }).getByText(marker).first().waitFor();
    const found = await page.evaluate(() =>
      [
        ...document.querySelectorAll(
          'main img, main script, main iframe:not([src^="blob:"]), [onerror], [onload], [href^="javascript:" i], [href^="data:" i], [src^="javascript:" i]',
        ),
      ].map(({ outerHTML }) => outerHTML),
    );
    assert.deepEqual(found, [], path);
  }
  await page.getByTitle(/as PDF$/).waitFor({ timeout: 120_000 });
});

test('two organizations in two browsers never see each other', async () => {
  const created = JSON.parse(
    installation.command('organization', 'create', '--name', 'Other', '--owner-email', 'lee@example.com', '--json'),
  );
  const other = await Visitor.arrive(browser, installation);
  const received: Promise<string>[] = [];
  other.page.on('response', (response) => {
    if (/\/api\/v1\/(?!events)/.test(response.url())) received.push(response.text().catch(() => ''));
  });
  await other.signInFirst({ email: 'lee@example.com', password: created.owner.password }, 'a password of their own');
  await other.page.getByText('No findings yet').waitFor();
  // Events of the first organization while this page is open are sent only there.
  await visitor.open('/findings');
  await visitor.page.getByRole('grid', { name: 'Findings' }).getByText(marker).first().waitFor();
  await importInto(await addDataSource('later'), {
    findings: [{ title: `${marker} later`, severity: 'low', path: 'a' }],
  });
  await visitor.page.getByText('1 new').waitFor();
  for (const path of [
    '/scans',
    '/data-sources',
    '/reports',
    '/organization?tab=members',
    '/audit',
    ...pages.slice(2),
  ]) {
    await other.open(path);
    await other.page.locator('main').locator('h1, [role=alert]').first().waitFor();
    const text = await other.page.locator('body').innerText();
    assert.ok(!text.includes(marker) && !text.includes('owner@example.com'), path);
  }
  const all = (await Promise.all(received)).join('\n');
  assert.ok(all.includes(created.organization.id) && !all.includes(marker) && !all.includes('owner@example.com'));
  await other.context.close();
});

test('a change of 1,400 findings requires typing their number, runs as a job, and is undone', async () => {
  const { page } = visitor;
  const count = 1_400;
  const dataSource = await addDataSource('many');
  const findings = Array.from({ length: count }, (_, n) => ({
    title: `Problem ${n}`,
    severity: 'low',
    path: `src/${n}.ts`,
  }));
  await importInto(dataSource, { source: 'many', findings });
  await visitor.open(`/findings?data_source=${dataSource}`);
  await page.getByRole('grid', { name: 'Findings' }).getByText('Problem').first().waitFor();
  await page.getByText('1,400 findings').waitFor();
  await visitor.press('*', '1');
  const dialog = page.getByRole('dialog', { name: 'Set everything that matches to Triaged' });
  await dialog.getByText('1,400 findings match.').waitFor();
  const change = dialog.getByRole('button', { name: 'Set 1,400 findings to Triaged' });
  assert.ok(
    !(await change.isEnabled()) ||
      (await change.getAttribute('aria-disabled')) === 'true' ||
      (await change.getAttribute('data-disabled')) !== null,
  );
  await dialog.getByLabel('Type 1,400 to continue').fill('1400');
  await change.click();
  await page.getByText('1,400 findings: triaged.').waitFor();
  const triaged = async () =>
    (await installation.ask('GET', `/findings/facets?field=status&status=triaged&data_source=${dataSource}`)).total;
  assert.equal(await triaged(), count);
  await page.getByRole('button', { name: 'Undo (z)' }).click();
  await eventually(async () => (await triaged()) === 0);
});

test('a person signs in at the single sign-on provider and returns to the page; a person of another domain does not', async () => {
  const walk = async (name: string) => {
    const person = await Visitor.arrive(browser, installation);
    const { page, context } = person;
    // The provider's own pages load a font from another host.
    await context.route(
      (url) => url.hostname !== '127.0.0.1',
      (route) => route.abort(),
    );
    await person.open('/findings?severity=critical');
    await page.getByRole('button', { name: 'Single sign-on' }).click();
    await page.locator('[name=login]').fill(name);
    await page.locator('[name=password]').fill('x');
    await page.locator('[type=submit]').click();
    await page.locator('[name=prompt][value=consent]').waitFor({ state: 'attached' });
    await page.locator('[type=submit]').click();
    return person;
  };
  const ada = await walk('ada');
  await ada.page.getByRole('grid', { name: 'Findings' }).getByText(marker).first().waitFor();
  assert.match(ada.page.url(), /\/findings\?severity=critical$/);
  await ada.page.getByRole('button', { name: 'Menu of Ada Lovelace' }).waitFor();
  await ada.context.close();
  const eve = await walk('eve');
  await eve.page.getByText('That account can’t sign in here.').waitFor();
  await eve.context.close();
});

test('another site cannot show the console in a frame', async () => {
  const elsewhere = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<iframe src="${installation.origin}/findings"></iframe>`);
  }).listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  const { port } = elsewhere.address() as AddressInfo;
  const victim = await visitor.context.newPage();
  const refused = victim.waitForEvent('console', { predicate: (message) => /frame-ancestors/.test(message.text()) });
  await victim.goto(`http://127.0.0.1:${port}/`);
  await refused;
  const [, frame] = victim.frames();
  assert.equal(await frame!.getByRole('navigation').count(), 0);
  await victim.close();
  elsewhere.close();
});

test('nothing hostile ran in the browser: no dialog, no violation of the policy, no request elsewhere', () => {
  assert.deepEqual(
    visitor.problems.filter((problem) => !/^request to (chrome|chrome-extension):/.test(problem)),
    [],
  );
});
