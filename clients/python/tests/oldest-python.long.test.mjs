import { test } from 'node:test';
import { findOldestPython, oldestEnvironment } from '../../../scripts/clients/oldest-python.mjs';
import { passAll } from './conformance.fixture.mjs';

const oldest = findOldestPython();
const skip = oldest === null && 'There is no Python 3.10 here. pyenv or uv can install one.';

test(
  'the installed Python client passes every exchange on Python 3.10 with the oldest httpx and pydantic that it accepts',
  {
    skip,
  },
  async () => passAll('sync', await oldestEnvironment(oldest)),
);
