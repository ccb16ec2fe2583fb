import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { installedPackage } from '../../../scripts/clients/packed-python.mjs';
import { eventually, Setting } from '../recipes.fixture.mjs';

const script = fileURLToPath(new URL('./siem.py', import.meta.url));

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Debian's rsyslog, which writes each parsed message as a line of JSON. */
class Receiver {
  constructor(setting, port) {
    this.setting = setting;
    this.port = port;
    this.file = join(setting.folder, 'received.jsonl');
  }

  async start() {
    const configuration = join(this.setting.folder, 'rsyslog.conf');
    await writeFile(
      configuration,
      `global(workDirectory="${this.setting.folder}" parser.escapeControlCharactersOnReceive="off")
module(load="imtcp" maxSessions="10")
template(name="fields" type="list" option.jsonf="on") {
  property(outname="severity" name="syslogseverity-text" format="jsonf")
  property(outname="time" name="timereported" dateFormat="rfc3339" format="jsonf")
  property(outname="app" name="app-name" format="jsonf")
  property(outname="msgid" name="msgid" format="jsonf")
  property(outname="message" name="msg" format="jsonf")
}
input(type="imtcp" port="${this.port}" address="127.0.0.1")
action(type="omfile" file="${this.file}" template="fields")
`,
    );
    this.program = this.setting.run('rsyslogd', ['-n', '-f', configuration, '-i', 'NONE'], {
      PATH: `${process.env.PATH}:/usr/sbin`,
    });
  }

  async messages() {
    const text = await readFile(this.file, 'utf8').catch(() => '');
    const lines = text.split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line)).map((fields) => ({ ...fields, ...readCef(fields.message) }));
  }

  /** Waits for a message about a finding with this status. */
  received(id, status) {
    return eventually(async () =>
      (await this.messages()).find(({ extension }) => extension.externalId === id && extension.act === status),
    );
  }
}

/** Parses CEF by its specification, with the escapes of header and extension undone. */
function readCef(text) {
  const parts = text.replace(/^\ufeff/, '').match(/^CEF:0((?:\|(?:\\.|[^|\\])*){6})\|(.*)$/s);
  assert.ok(parts, text);
  const plain = (value) => value.replace(/\\(.)/g, (_, character) => (character === 'n' ? '\n' : character));
  const fields = [...parts[1].matchAll(/\|((?:\\.|[^|\\])*)/g)];
  const [vendor, product, version, rule, name, severity] = fields.map(([, value]) => plain(value));
  const pairs = [...parts[2].matchAll(/(\w+)=((?:\\.|[^=\\])*)(?=\s\w+=|$)/g)];
  const extension = Object.fromEntries(pairs.map(([, key, value]) => [key, plain(value)]));
  return { vendor, product, version, rule, name, cefSeverity: severity, extension };
}

describe('the recipe that sends changes to a SIEM', () => {
  const setting = new Setting();
  let receiver;
  let sender;
  const start = () => {
    const options = ['--position', join(setting.folder, 'position'), '--poll', '0.2'];
    sender = setting.run(installedPackage().python, [script, `127.0.0.1:${receiver.port}`, ...options]);
  };
  const update = (finding, status) => setting.ask('PATCH', `/findings/${finding.id}`, { status });

  let findings;
  before(async () => {
    await setting.start();
    await setting.import('payments|api', [
      { rule: 'sql|injection', text: 'A query is built from input: a=b \\ c|d', path: 'src/app=1.js' },
      { rule: 'weak-hash', text: 'MD5 of a password', path: 'src/hash.js', level: 'warning' },
      { rule: 'debug', text: 'Ausgabe für Zürich', path: 'src/日本.js', level: 'note' },
    ]);
    findings = await setting.findings('&sort=-severity');
    receiver = new Receiver(setting, await freePort());
    await receiver.start();
    start();
  });
  after(() => setting.remove());

  test('every finding arrives, and the receiver parses each field to its original value', async () => {
    for (const finding of findings) {
      const message = await receiver.received(finding.id, 'new');
      assert.deepEqual([message.app, message.msgid, message.severity], ['assay', 'finding', 'notice']);
      assert.equal(Date.parse(message.time), Date.parse(finding.updated_at));
      assert.deepEqual([message.rule, message.name], [finding.rule.id, finding.title]);
      assert.equal(message.extension.filePath, finding.location.path);
      assert.equal(message.cefSeverity, { high: '8', medium: '5', low: '3', info: '0' }[finding.severity]);
      assert.equal(message.extension.cs1, 'payments|api');
      assert.deepEqual([message.extension.cs3, message.extension.cs4], [finding.number, finding.url]);
      assert.equal(Number(message.extension.rt), Date.parse(finding.updated_at));
    }
  });

  test('a change arrives in its new state', async () => {
    await update(findings[0], 'triaged');
    await receiver.received(findings[0].id, 'triaged');
  });

  test('changes while the sender was dead arrive after its restart', async () => {
    await sender.kill();
    await update(findings[1], 'false_positive');
    start();
    await receiver.received(findings[1].id, 'false_positive');
  });

  test('changes while the receiver was away arrive once it is back', async () => {
    await receiver.program.stop();
    await update(findings[2], 'in_progress');
    await eventually(async () => sender.errors.includes('Trying again'));
    await receiver.start();
    await receiver.received(findings[2].id, 'in_progress');
  });
});
