import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findOldestPython, oldestEnvironment } from '../../../scripts/clients/oldest-python.mjs';
import { startConformanceServer } from '../../conformance/server.mjs';
import { runPytest } from './pytest.fixture.mjs';

const surface = fileURLToPath(new URL('../../conformance/surface.json', import.meta.url));

describe('the installed Python client passes every exchange', () => {
  let server;
  before(async () => {
    server = await startConformanceServer();
  });
  after(() => server.close());

  const passAll = async (half, python) => {
    const variables = { ASSAY_CONFORMANCE_URL: server.url, ASSAY_CONFORMANCE_SURFACE: surface };
    const passed = await runPytest(`test_exchanges_${half}.py`, variables, python);
    assert.ok(passed >= server.cases.length, `${passed} of ${server.cases.length}`);
  };

  for (const half of ['sync', 'async']) test(`${half}hronously`, () => passAll(half));

  const oldest = findOldestPython();
  const skip = oldest === null && 'There is no Python 3.10 here. pyenv or uv can install one.';
  test('synchronously, on Python 3.10 with the oldest httpx and pydantic that it accepts', { skip }, () =>
    passAll('sync', oldestEnvironment(oldest)),
  );
});
