// The module is imported as consumers import it: from another module, by its path.
import { describe } from 'node:test';
import { readCases } from '../../conformance/cases.mjs';
import { reportGoTests, runGoTests } from './go.fixture.mjs';

const oldestGo = '1.23.12';
const cases = await readCases();
const results = await runGoTests('.');
/** Go itself gets the toolchain from the module proxy. */
const oldest = await runGoTests('.', { GOTOOLCHAIN: `go${oldestGo}` });

describe('the Go client', () => reportGoTests(results, cases.length));

describe(`the Go client on Go ${oldestGo}, the oldest that it supports`, () => reportGoTests(oldest, cases.length));
