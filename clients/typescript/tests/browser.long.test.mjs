import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { installedPackage } from '../../../scripts/clients/packed-typescript.mjs';
import { startConformanceServer } from '../../conformance/server.mjs';
import { openPage } from './chromium.fixture.mjs';

const fixture = fileURLToPath(new URL('./conformance.fixture.mjs', import.meta.url));
const surface = JSON.parse(await readFile(new URL('../../conformance/surface.json', import.meta.url), 'utf8'));

/** Cases that can't pass in a browser. */
const exceptions = {
  'errors-26': 'It hides the status of a redirect.',
  'imports-4': 'It sends a file as a whole, without progress.',
  'requests-1': 'It has no environment variables.',
};

describe('the installed package in Chromium', () => {
  let server;
  let browser;
  before(async () => {
    const { entry } = await installedPackage();
    const serve = async (request, response) => {
      const { pathname } = new URL(request.url, 'http://localhost');
      if (!pathname.startsWith('/page/')) return false;
      const name = normalize(pathname.slice('/page/'.length));
      const isPage = name === 'index.html';
      const path = name.startsWith('library/') ? join(dirname(entry), name.slice('library/'.length)) : fixture;
      response.setHeader('Content-Type', isPage ? 'text/html' : 'text/javascript');
      response.end(isPage ? '<!doctype html><title>Conformance</title>' : await readFile(path));
      return true;
    };
    server = await startConformanceServer(serve);
    browser = await openPage();
    await browser.page.goto(`${server.url}/page/index.html`);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  test('it passes every exchange', async () => {
    const run = async ([cases, surface]) => {
      const library = await import('/page/library/index.js');
      const { runCase } = await import('/page/conformance.fixture.mjs');
      const failures = {};
      for (const conformanceCase of cases) {
        try {
          await runCase(library, conformanceCase, location.origin, surface, (value) => JSON.stringify(value) ?? '');
        } catch (error) {
          failures[conformanceCase.id] = `${conformanceCase.name}: ${error.message}`;
        }
      }
      return failures;
    };
    const cases = server.cases.filter(({ id }) => !exceptions[id]);
    assert.equal(server.cases.length - cases.length, Object.keys(exceptions).length);
    assert.deepEqual(await browser.page.evaluate(run, [cases, surface]), {});
  });

  test('a redirect is an error and is not followed', async () => {
    const call = async (baseUrl) => {
      const { Assay } = await import('/page/library/index.js');
      return new Assay({ token: null, baseUrl }).findings.get('fnd_1').catch(({ name, status }) => [name, status]);
    };
    const conformanceCase = server.cases.find(({ id }) => id === 'errors-26');
    const started = await fetch(`${server.url}/cases/${conformanceCase.id}`, { method: 'POST' });
    const { base_url, verdict_url } = await started.json();
    assert.deepEqual(await browser.page.evaluate(call, base_url), ['APIStatusError', 0]);
    assert.equal((await (await fetch(verdict_url)).json()).requests, 1);
  });
});
