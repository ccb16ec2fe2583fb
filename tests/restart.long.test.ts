import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually, HostedInstallation, Run } from './harness/installation.ts';
import { isAlive } from './harness/processes.ts';
import { StockPostgres } from './harness/stock-postgres.ts';

type Outcome = { status: number; closes: boolean };

/** Sends a request on the agent's only connection. */
function ask(origin: string, path: string, token: string, agent: Agent): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      new URL(path, origin),
      { agent, headers: { authorization: `Bearer ${token}` } },
      (incoming) => {
        incoming.resume();
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode!, closes: incoming.headers.connection === 'close' }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end();
  });
}

describe('a server that is stopped', () => {
  const installation = new HostedInstallation();

  before(() => installation.start());
  after(() => installation.remove());

  test('responds to every request of clients that keep connections open, ends each connection and stream, and leaves no process', async () => {
    const { origin, token } = installation;
    let responses = 0;
    /** Sends requests over one connection until the server ends it. */
    async function visit(pauseMs: number): Promise<Outcome> {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      try {
        for (;;) {
          const outcome = await ask(origin, '/api/v1/findings?limit=5', token, agent);
          assert.equal(outcome.status, 200);
          responses++;
          if (outcome.closes) return outcome;
          await delay(pauseMs);
        }
      } finally {
        agent.destroy();
      }
    }
    /** Checks the node like a load balancer, over a separate connection. */
    async function probe(): Promise<number> {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (;;) {
        const { status } = await ask(origin, '/readyz', token, agent);
        if (status !== 200) return status;
        await delay(20);
      }
    }
    const visits = Array.from({ length: 12 }, (_, index) => visit(index * 60));
    const probed = probe();
    const stream = ask(origin, '/api/v1/events', token, new Agent({ keepAlive: true, maxSockets: 1 }));
    await eventually(async () => responses > 100);
    const processes = installation.run.processes();
    const ended = installation.run.stop();
    const outcomes = await Promise.allSettled(visits);
    assert.deepEqual(
      outcomes.filter(({ status }) => status === 'rejected'),
      [],
    );
    assert.equal(await probed, 503);
    assert.equal((await stream).status, 200);
    assert.deepEqual(await ended, { code: 0, signal: null });
    assert.deepEqual(processes.filter(isAlive), []);
  });
});

describe('a database that starts after the service', () => {
  const server = new StockPostgres();
  const directories = ['serve', 'work'].map(
    (command) => [command, mkdtempSync(join(tmpdir(), `assay-${command}-`))] as const,
  );
  const environment = { DATABASE_URL: server.url('postgres'), ASSAY_SECRET_KEY: 'k'.repeat(40) };

  after(async () => {
    await server.remove();
    for (const [, directory] of directories) rmSync(directory, { recursive: true, force: true });
  });

  test('is waited for, with a line in the log; a signal ends the wait', async () => {
    const impatient = new Run(directories[0]![1], environment, 'serve');
    await eventually(async () => impatient.errors.includes('is not available. Waiting'));
    assert.deepEqual(await impatient.stop(), { code: 0, signal: null });
    const runs = directories.map(([command, directory]) => new Run(directory, environment, command));
    try {
      for (const run of runs) await eventually(async () => run.errors.includes('is not available. Waiting'));
      await server.start();
      for (const run of runs) await eventually(async () => /ready at|is working on jobs/.test(run.output));
    } finally {
      for (const run of runs) assert.deepEqual(await run.stop(), { code: 0, signal: null });
    }
  });
});
