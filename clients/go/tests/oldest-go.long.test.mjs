import { describe } from 'node:test';
import { readCases } from '../../conformance/cases.mjs';
import { reportGoTests, runGoTests } from './go.fixture.mjs';

const oldestGo = '1.23.12';
const cases = await readCases();
/** Go itself downloads the toolchain from the module proxy. */
const results = await runGoTests('.', { GOTOOLCHAIN: `go${oldestGo}` });

describe(`the Go client on Go ${oldestGo}, the oldest that it supports`, () => reportGoTests(results, cases.length));
