import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../tests/harness/installation.ts';
import { ApiError } from './errors.ts';
import { openLog } from './log.ts';
import { causeOfLine, outageOf } from './postgres/outage.ts';
import { createRepeatedLines } from './repeated-lines.ts';

const refused = (port: number) =>
  Object.assign(new Error(`connect ECONNREFUSED 127.0.0.1:${port}`), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
    address: '127.0.0.1',
    port,
  });

function openCounting(everyMs?: number) {
  const lines: Record<string, unknown>[] = [];
  const repeated = createRepeatedLines((line) => causeOfLine(line, 5432), everyMs);
  const log = openLog({ level: 'info', repeated, destination: { write: (line) => lines.push(JSON.parse(line)) } });
  return { log, lines, repeated };
}

test('an outage of the database writes one line and a count, however many requests, jobs and ticks fail', () => {
  const { log, lines, repeated } = openCounting();
  const child = log.child({}, { redact: [] });
  for (let i = 0; i < 200; i++) {
    log.warn({ err: refused(5432), requestId: `req_${i}` }, 'The database is not available at the moment.');
    child.error({ err: new ApiError('unavailable', 'Away.', { cause: refused(5432) }) }, 'A job failed.');
    log.warn({ err: new Error('Connection terminated unexpectedly') }, 'A connection was lost.');
  }
  assert.equal(lines.length, 1);
  assert.match(JSON.stringify(lines[0]), /ECONNREFUSED.*stack|stack.*ECONNREFUSED/);
  repeated.flush();
  assert.equal(lines.length, 2);
  const { level, cause, lines: count, messages, err } = lines[1]!;
  assert.deepEqual([level, cause, count, err], ['warn', 'the database is unavailable', 599, undefined]);
  assert.deepEqual(messages, {
    'A job failed.': 200,
    'A connection was lost.': 200,
    'The database is not available at the moment.': 199,
  });
});

test('a minute without such a line ends the outage: the next one is written in full', async () => {
  const { log, lines } = openCounting(20);
  log.warn({ err: refused(5432) }, 'first');
  log.warn({ err: refused(5432) }, 'second');
  await eventually(async () => lines.length === 2);
  await eventually(async () => {
    log.warn({ err: refused(5432) }, 'third');
    return lines.some(({ msg }) => msg === 'third');
  });
});

test('errors of our own are all written, and so is each outage of another server', () => {
  const { log, lines } = openCounting();
  for (let i = 0; i < 3; i++) {
    log.error(
      { err: new TypeError('x is not a function'), requestId: `req_${i}` },
      'Something went wrong on our side.',
    );
    log.error({ err: refused(25) }, 'A job failed and is tried again later.');
    log.error({ err: refused(465) }, 'A job failed and is tried again later.');
    log.info({ err: refused(5432) }, 'information');
  }
  const ofOurs = lines.filter(({ level, msg }) => level === 'error' && msg === 'Something went wrong on our side.');
  assert.equal(ofOurs.length, 3);
  assert.equal(lines.filter(({ msg }) => msg === 'A job failed and is tried again later.').length, 2);
  assert.equal(lines.filter(({ level }) => level === 'info').length, 3);
});

test('a full disk is an outage, and a missing file is none', () => {
  assert.equal(outageOf(Object.assign(new Error('no space'), { code: 'ENOSPC', syscall: 'write' }), 5432), 'no room');
  assert.equal(outageOf(Object.assign(new Error('no file'), { code: 'ENOENT', syscall: 'open' }), 5432), null);
  const socket = Object.assign(new Error('no socket'), {
    code: 'ENOENT',
    syscall: 'connect',
    address: '/run/.s.PGSQL',
  });
  assert.equal(outageOf(socket, 5432), 'the database is unavailable');
  const both = Object.assign(new AggregateError([refused(5432), refused(5432)]), { code: 'ECONNREFUSED' });
  assert.equal(outageOf(both, 5432), 'the database is unavailable');
});
