// Imports the module by its path from another module, like a consumer.
import { describe } from 'node:test';
import { readCases } from '../../conformance/cases.mjs';
import { reportGoTests, runGoTests } from './go.fixture.mjs';

const cases = await readCases();
const results = await runGoTests('.');

describe('the Go client', () => reportGoTests(results, cases.length));
