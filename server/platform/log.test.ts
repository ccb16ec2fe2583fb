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

test("a lost connection is logged without the driver's details", () => {
  const lines: string[] = [];
  const log = openLog({ level: 'info', destination: { write: (line) => lines.push(line) } });
  log.warn({ err: Object.assign(new Error('terminated'), { code: '57P01', client: { host: 'inner state' } }) }, 'lost');
  const { err } = JSON.parse(lines[0]!);
  assert.deepEqual([err.message, err.code, err.client], ['terminated', '57P01', undefined]);
  assert.match(err.stack, /log\.test/);
});
