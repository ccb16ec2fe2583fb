// Runs the exchanges with the installed wheel.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { startConformanceServer } from '../../conformance/server.mjs';
import { runPytest } from './pytest.fixture.mjs';

const surface = fileURLToPath(new URL('../../conformance/surface.json', import.meta.url));

/** Fails unless every exchange passes with one of the clients (`sync` or `async`). */
export async function passAll(half, python) {
  const server = await startConformanceServer();
  try {
    const variables = { ASSAY_CONFORMANCE_URL: server.url, ASSAY_CONFORMANCE_SURFACE: surface };
    const passed = await runPytest(`test_exchanges_${half}.py`, variables, python);
    assert.ok(passed >= server.cases.length, `${passed} of ${server.cases.length}`);
  } finally {
    await server.close();
  }
}
