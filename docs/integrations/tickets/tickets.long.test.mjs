import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { installedPackage } from '../../../scripts/clients/packed-typescript.mjs';
import { eventually, Setting } from '../recipes.fixture.mjs';
import { GithubServer, JiraServer } from './trackers.fixture.mjs';

const scripts = fileURLToPath(new URL('./', import.meta.url));
const servers = { github: new GithubServer(), jira: new JiraServer() };

describe('the recipe that opens and closes tickets', () => {
  const setting = new Setting();
  const severe = (count) =>
    Array.from({ length: count }, (_, index) => ({
      rule: `injection-${index}`,
      text: `A query is built from input by @octocat, see #1\nand more. ${'x'.repeat(300)}`,
      path: `src/app${index}.js`,
    }));
  const minor = { rule: 'debug', text: 'A message is left in', path: 'src/debug.js', level: 'note' };

  before(async () => {
    await setting.start();
    for (const file of ['tickets.mjs', 'request.mjs', 'github.mjs', 'jira.mjs']) {
      await cp(join(scripts, file), join(setting.folder, file));
    }
    const { project } = await installedPackage();
    await cp(project, setting.folder, { recursive: true });
  });
  after(() => setting.remove());

  for (const [name, server] of Object.entries(servers)) {
    describe(name, () => {
      let program;
      const start = () => {
        const environment = { ...server.environment(), POLL_SECONDS: '0.2' };
        program = setting.run(process.execPath, ['tickets.mjs', name, `${name}.json`], environment);
      };
      const open = (count) =>
        eventually(
          async () => server.open() === count || assert.fail(`${server.open()} tickets are open.${program.errors}`),
        );
      let findings;

      before(async () => {
        await setting.import(name, [...severe(3), minor]);
        findings = await setting.findings('&severity=high&status=new');
        await server.start();
      });
      after(async () => {
        await program?.kill();
        await server.close();
        // The next tracker must not see these findings.
        await setting.import(name, []);
      });

      test('each severe finding has one ticket, even if the tracker limits the rate', async () => {
        server.next = 'limit';
        start();
        await open(3);
        assert.deepEqual(server.findingsOf().sort(), findings.map(({ id }) => id).sort());
      });

      test('a closed finding closes its ticket, and a reopened one reopens it', async () => {
        await setting.ask('PATCH', `/findings/${findings[0].id}`, { status: 'resolved' });
        await open(2);
        await setting.ask('PATCH', `/findings/${findings[0].id}`, { status: 'new' });
        await open(3);
      });

      test('after a restart without its position it opens no second ticket', async () => {
        await program.kill();
        await setting.complete('rm', [`${name}.json`]);
        await setting.ask('PATCH', `/findings/${findings[1].id}`, { status: 'false_positive' });
        start();
        await open(2);
        assert.equal(server.issues.length, 3);
      });

      test('a ticket whose creation was never confirmed is found again', async () => {
        server.next = 'drop';
        await setting.import(name, [...severe(4), minor]);
        assert.notEqual(await program.ended, 0);
        start();
        await setting.ask('PATCH', `/findings/${findings[2].id}`, { status: 'accepted_risk' });
        await open(2);
        assert.equal(new Set(server.findingsOf()).size, server.issues.length);
        assert.equal(server.issues.length, 4);
      });

      test('no request broke a rule of the tracker', () => assert.deepEqual(server.mistakes, []));
    });
  }
});
