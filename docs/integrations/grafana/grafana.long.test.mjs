import assert from 'node:assert/strict';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { runGo, runProgram } from '../../../scripts/clients/go-tools.mjs';
import { installedModule } from '../../../scripts/clients/packed-go.mjs';
import { eventually, Setting } from '../recipes.fixture.mjs';

const here = fileURLToPath(new URL('./', import.meta.url));
const dashboard = JSON.parse(await readFile(join(here, 'dashboard.json'), 'utf8'));
const provisioning = load(await readFile(join(here, 'data-source.yml'), 'utf8'));
const pluginType = 'yesoreyeram-infinity-datasource';

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Returns a cell as Infinity converts it to its column's type, or undefined if it can't be converted. */
const cellOf = {
  string: (value) => (typeof value === 'string' ? value : undefined),
  number: (value) => (typeof value === 'number' ? value : undefined),
  timestamp: (value) => (Number.isNaN(Date.parse(value)) ? undefined : new Date(value)),
};

describe('the recipe that feeds a Grafana dashboard', () => {
  const setting = new Setting();
  let feed;
  let address;

  before(async () => {
    await setting.start();
    await setting.import('payments', [
      { rule: 'injection', text: 'Built from input', path: 'src/app.js' },
      { rule: 'weak-hash', text: 'MD5 of a password', path: 'src/hash.js', level: 'warning' },
    ]);
    const use = await installedModule(setting.folder);
    await mkdir(join(use.folder, 'feed'));
    await cp(join(here, 'main.go'), join(use.folder, 'feed', 'main.go'));
    assert.equal(await runProgram('gofmt', ['-l', join(use.folder, 'feed')], use.folder), '');
    await runGo(['vet', './feed'], use.folder, use.env);
    await runGo(['build', '-o', join(setting.folder, 'feed'), './feed'], use.folder, use.env);
    address = `127.0.0.1:${await freePort()}`;
    const environment = { FEED_TOKEN: 'feed-secret', FEED_ADDRESS: address };
    feed = setting.run(join(setting.folder, 'feed'), [], environment);
    await eventually(async () => feed.errors.includes('The feed is at'));
  });
  after(() => setting.remove());

  /** Requests a path like Infinity: relative to the address of the provisioned data source, with its bearer token. */
  const request = (path, token = 'feed-secret') =>
    fetch(`http://${address}${path}`, { headers: { Authorization: `Bearer ${token}` } });

  test('each panel has the fields that its columns show', async () => {
    for (const panel of dashboard.panels) {
      const [target, ...others] = panel.targets;
      assert.deepEqual(others, []);
      assert.equal(target.datasource.type, pluginType);
      assert.deepEqual([target.type, target.source, target.root_selector], ['json', 'url', '']);
      const response = await request(target.url);
      assert.equal(response.status, 200, panel.title);
      const rows = await response.json();
      assert.ok(rows.length > 0, panel.title);
      for (const { selector, type } of target.columns) {
        for (const row of rows) assert.notEqual(cellOf[type](row[selector]), undefined, `${panel.title}: ${selector}`);
      }
    }
  });

  test('the figures match those of Assay', async () => {
    const [summary] = await (await request('/summary')).json();
    assert.deepEqual(summary, { open: 2, total: 2, critical: 0, high: 1 });
    const daily = await (await request('/daily')).json();
    assert.deepEqual([daily.length, daily.at(-1).opened], [90, 2]);
    const findings = await (await request('/findings')).json();
    assert.deepEqual(
      findings.map(({ severity }) => severity),
      ['high', 'medium'],
    );
  });

  test('they are requested at most once a minute', async () => {
    await setting.import('payments', []);
    const [summary] = await (await request('/summary')).json();
    assert.equal(summary.open, 2);
  });

  test('nobody can read them without the token', async () => {
    assert.equal((await request('/findings', 'other')).status, 401);
    assert.equal((await fetch(`http://${address}/findings`)).status, 401);
  });

  test('the dashboard and its data source match', () => {
    const [source] = provisioning.datasources;
    assert.equal(source.type, pluginType);
    assert.deepEqual(source.jsonData, { auth_method: 'bearerToken', allowedHosts: [source.url] });
    const [variable] = dashboard.templating.list;
    assert.deepEqual([variable.type, variable.query], ['datasource', pluginType]);
    for (const { targets } of dashboard.panels) assert.equal(targets[0].datasource.uid, `\${${variable.name}}`);
  });
});
