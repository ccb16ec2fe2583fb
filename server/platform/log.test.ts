import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { openLog } from './log.ts';

test('credentials never reach the log', () => {
  let text = '';
  const destination = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  const log = openLog({ level: 'info', destination });
  const secret = ['not', 'for', 'logs'].join('-');
  log.info(
    {
      req: { headers: { authorization: secret, cookie: secret }, url: '/x' },
      res: { headers: { 'set-cookie': secret } },
    },
    'a',
  );
  log.info({ token: secret, config: { credential: secret, nested: { password: secret } } }, 'b');
  assert.doesNotMatch(text, new RegExp(secret));
  const [first] = text.split('\n');
  const line = JSON.parse(first!) as { level: string; time: string; msg: string; req: { url: string } };
  assert.equal(line.level, 'info');
  assert.equal(line.req.url, '/x');
  assert.match(line.time, /^\d{4}-\d\d-\d\dT/);
});

test('a line has its time in UTC', () => {
  const lines: string[] = [];
  const log = openLog({ level: 'info', destination: { write: (line) => lines.push(line) } });
  const before = Date.now();
  log.info('now');
  const { time } = JSON.parse(lines[0]!);
  assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.ok(Date.parse(time) >= before && Date.parse(time) <= Date.now());
});

test("a lost connection is logged without the driver's details", () => {
  const lines: string[] = [];
  const log = openLog({ level: 'info', destination: { write: (line) => lines.push(line) } });
  log.warn({ err: Object.assign(new Error('terminated'), { code: '57P01', client: { host: 'inner state' } }) }, 'lost');
  const { err } = JSON.parse(lines[0]!);
  assert.deepEqual([err.message, err.code, err.client], ['terminated', '57P01', undefined]);
  assert.match(err.stack, /log\.test/);
});

test('the last words of a program that failed are logged, without credentials', () => {
  const lines: string[] = [];
  const log = openLog({ level: 'info', destination: { write: (line) => lines.push(line) } });
  const said = `${'x'.repeat(5_000)} fatal: unable to access https://someone:${['pass', 'word'].join('')}@example.com/x`;
  const program = Object.assign(new Error('git ended with exit code 128.'), { stderr: said });
  log.error({ err: new Error('The scan failed.', { cause: new Error('No repository.', { cause: program }) }) }, 'scan');
  const { err } = JSON.parse(lines[0]!);
  assert.match(err.stderr, /^x+ fatal: unable to access https:\/\/…@example\.com\/x$/);
  assert.ok(err.stderr.length <= 2_000);
});

test('untrusted text never starts a log line and is never used as a format', () => {
  const lines: string[] = [];
  const log = openLog({ level: 'info', destination: { write: (line) => lines.push(line) } });
  const text = 'x\r\n{"level":"fatal","msg":"forged"}\u2028%s %j %o \u001b[2J';
  log.info({ userAgent: text }, 'request');
  assert.equal(lines.length, 1);
  assert.doesNotMatch(lines[0]!.trimEnd(), /[\r\n\u001b]/);
  assert.equal(JSON.parse(lines[0]!).userAgent, text);
});
