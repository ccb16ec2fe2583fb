import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findOldestPython, oldestEnvironment } from '../../../scripts/clients/oldest-python.mjs';
import { startConformanceServer } from '../../conformance/server.mjs';
import { runPytest } from './pytest.fixture.mjs';

const surface = fileURLToPath(new URL('../../conformance/surface.json', import.meta.url));

describe('the installed Python client passes every exchange', () => {
  const oldest = findOldestPython();
  let server;
  let oldestPython;
  before(async () => {
    server = await startConformanceServer();
    // It takes most of the time, and is made while the other tests run.
    oldestPython = oldest && oldestEnvironment(oldest);
    oldestPython?.catch(() => {});
  });
  after(() => server.close());

  const passAll = async (half, python) => {
    const variables = { ASSAY_CONFORMANCE_URL: server.url, ASSAY_CONFORMANCE_SURFACE: surface };
    const passed = await runPytest(`test_exchanges_${half}.py`, variables, python);
    assert.ok(passed >= server.cases.length, `${passed} of ${server.cases.length}`);
  };

  for (const half of ['sync', 'async']) test(`${half}hronously`, () => passAll(half));

  const skip = oldest === null && 'There is no Python 3.10 here. pyenv or uv can install one.';
  test('synchronously, on Python 3.10 with the oldest httpx and pydantic that it accepts', { skip }, async () =>
    passAll('sync', await oldestPython),
  );
});
