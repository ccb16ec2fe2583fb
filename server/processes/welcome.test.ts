import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import type { Bootstrapped } from '../identity/bootstrap.ts';
import { createToken } from '../identity/token.ts';
import { firstSteps } from './start.ts';

const ownerWith = (token: string | null): Bootstrapped => ({
  organization: { id: 'org_01jd3q5r8wf0ht6vsx2p9k4m7n', name: 'Example' },
  email: 'owner@example.com',
  userId: 'usr_01jd3q5r8wf0ht6vsx2p9k4m7n',
  password: null,
  token,
});
const stepsOf = (owner: Bootstrapped | null) =>
  firstSteps({ address: 'http://127.0.0.1:8080', owner, sample: 'file:///data/sample-repository' });

/** Returns the arguments that a shell passes to curl for each printed command. */
const argumentsOf = (steps: string, environment: Record<string, string> = {}) =>
  steps
    .split('\n')
    .filter((line) => line.startsWith('curl '))
    .map((line) =>
      execFileSync('/bin/sh', ['-c', line.replace(/^curl /, "printf '%s\\n' ")], {
        env: environment,
        encoding: 'utf8',
      }),
    );

test('a token that this start created is in the printed commands', () => {
  const token = createToken();
  const commands = argumentsOf(stepsOf(ownerWith(token)));
  assert.equal(commands.length, 3);
  for (const command of commands) assert.ok(command.includes(`\nAuthorization: Bearer ${token}\n`), command);
});

test('a token that the operator chose is never printed, and the commands read it from the environment', () => {
  const token = createToken();
  const steps = stepsOf(ownerWith(null));
  assert.doesNotMatch(steps, /asy_/);
  for (const command of argumentsOf(steps, { ASSAY_BOOTSTRAP_TOKEN: token })) {
    assert.ok(command.includes(`\nAuthorization: Bearer ${token}\n`), command);
  }
});

test('the first printed line is the address of the console', () => {
  const [first, second] = stepsOf(null).trim().split('\n');
  assert.equal(first, 'Assay is ready at http://127.0.0.1:8080');
  assert.match(second!, /Open it in a browser/);
});

test('a later start prints no credential and no command that needs one', () => {
  assert.doesNotMatch(stepsOf(null), /Bearer|Sign-in {2}|token/i);
});
