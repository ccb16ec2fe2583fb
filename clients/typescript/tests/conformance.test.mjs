import { readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { inspect } from 'node:util';
import { installedPackage } from '../../../scripts/clients/packed-typescript.mjs';
import { startConformanceServer } from '../../conformance/server.mjs';
import { runCase } from './conformance.fixture.mjs';

const surface = JSON.parse(readFileSync(new URL('../../conformance/surface.json', import.meta.url), 'utf8'));
const library = await (await installedPackage()).module();
const server = await startConformanceServer();
const show = (value) => inspect(value, { depth: 10, showHidden: true });

describe('the TypeScript client', () => {
  after(() => server.close());
  for (const conformanceCase of server.cases) {
    test(`${conformanceCase.id}: ${conformanceCase.name}`, () =>
      runCase(library, conformanceCase, server.url, surface, show));
  }
});
