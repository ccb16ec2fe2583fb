import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startConformanceServer } from '../../conformance/server.mjs';
import { runPytest } from './pytest.fixture.mjs';

const surface = fileURLToPath(new URL('../../conformance/surface.json', import.meta.url));

describe('the installed Python client passes every exchange', () => {
  let server;
  before(async () => {
    server = await startConformanceServer();
  });
  after(() => server.close());

  for (const half of ['sync', 'async']) {
    test(`${half}hronously`, async () => {
      const variables = { ASSAY_CONFORMANCE_URL: server.url, ASSAY_CONFORMANCE_SURFACE: surface };
      const passed = await runPytest(`test_exchanges_${half}.py`, variables);
      assert.ok(passed >= server.cases.length, `${passed} of ${server.cases.length}`);
    });
  }
});
