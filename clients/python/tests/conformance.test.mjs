import { describe, test } from 'node:test';
import { passAll } from './conformance.fixture.mjs';

describe('the installed Python client passes every exchange', () => {
  for (const half of ['sync', 'async']) test(`${half}hronously`, () => passAll(half));
});
