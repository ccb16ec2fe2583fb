// Plays the exchanges to a client library and reports errors in its requests. README.md describes it.
//   node clients/conformance/server.mjs      prints {"url": "http://127.0.0.1:PORT"}, and ends when its standard input does

import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { readCases } from './cases.mjs';

// Sends the response of an exchange: whole, late, in pieces, truncated or not at all.

/** Returns the bytes of a body or of a chunk: a string, `{"base64"}`, or `{"repeat", "times"}`. */
function bytesOf(part) {
  if (typeof part === 'string') return Buffer.from(part);
  if (part.base64 !== undefined) return Buffer.from(part.base64, 'base64');
  return Buffer.from(part.repeat.repeat(part.times));
}

function contentOf({ json, body }) {
  if (json !== undefined) return Buffer.from(JSON.stringify(json));
  return body === undefined ? Buffer.alloc(0) : bytesOf(body);
}

/** A call whose last request does not come is cancelled too, and the verdict says what is missing. */
const maxReceiveMs = 60_000;

/** Long enough for a client to read the data: a reset discards the unread part. */
const beforeResetMs = 200;

async function sendChunks(response, expected) {
  response.flushHeaders();
  for (const chunk of expected.chunks) {
    if (response.destroyed) return;
    if (chunk.pause_ms !== undefined) await pause(chunk.pause_ms);
    else await new Promise((resolve) => response.write(bytesOf(chunk), resolve));
  }
  if (expected.then === 'reset') {
    await pause(beforeResetMs);
    response.socket?.resetAndDestroy();
  } else if (expected.then !== 'hang') response.end();
}

/** Sends the response of an exchange. A response without a request id gets one that contains `number`. */
async function respond(response, expected, number) {
  if (expected.delay_ms) await pause(expected.delay_ms);
  if (expected.hang) return;
  if (expected.reset) return void response.socket?.resetAndDestroy();
  const type = expected.json === undefined ? {} : { 'Content-Type': 'application/json' };
  const headers = { 'X-Request-Id': `req_${number}`, ...type, ...expected.headers };
  for (const [name, value] of Object.entries(headers)) if (value !== null) response.setHeader(name, value);
  response.statusCode = expected.status;
  if (expected.chunks) return sendChunks(response, expected);
  const content = contentOf(expected);
  if (expected.cut_after === undefined) return void response.end(content);
  response.setHeader('Content-Length', content.length);
  response.write(content.subarray(0, expected.cut_after), () => response.socket?.destroySoon());
}

// Compares a request with the one that an exchange expects and describes each difference in a sentence.

const show = (value) => JSON.stringify(value);
/** Headers that browsers set themselves. */
const userAgent = /^(assay-(typescript|python|go)\/\d+\.\d+\.\d+\S*( |$)|Mozilla\/5\.0 )/;
const visible = /^[\x21-\x7e]{1,255}$/;

/** Returns a query as lists of values by name: repeated and comma-separated values are the same. */
function readQuery(text) {
  const query = {};
  for (const [name, value] of new URLSearchParams(text)) query[name] = [...(query[name] ?? []), ...value.split(',')];
  return query;
}

const listed = (query) =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value].flat().map(String)]));

const segments = (path) => path.split('/').map(decodeURIComponent);

function* explainTarget(found, expected) {
  if (found.method !== expected.method) yield `the method is ${found.method}, not ${expected.method}.`;
  const [path, search = ''] = found.path.split('?');
  const full = `/api/v1${expected.path}`;
  if (!isDeepStrictEqual(segments(path), segments(full))) yield `the path is ${path}, not ${full}.`;
  const [query, wanted] = [readQuery(search), listed(expected.query ?? {})];
  const sorted = (value) => Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  if (!isDeepStrictEqual(sorted(query), sorted(wanted))) yield `the query is ${show(query)}, not ${show(wanted)}.`;
}

function* explainHeaders(found, expected, conformanceCase) {
  const { token } = conformanceCase.client;
  const common = { authorization: token === null ? null : `Bearer ${token}` };
  for (const [name, value] of Object.entries({ ...common, ...expected.headers })) {
    const given = found.headers[name.toLowerCase()] ?? null;
    if (given !== value) yield `the header ${name} is ${show(given)}, not ${show(value)}.`;
  }
  if (!userAgent.test(found.headers['user-agent'] ?? '')) yield `its User-Agent is ${found.headers['user-agent']}.`;
}

function* explainBody(found, expected) {
  const { body } = found;
  if (expected.json !== undefined) {
    if (!found.headers['content-type']?.startsWith('application/json'))
      yield 'its Content-Type is not application/json.';
    let value;
    try {
      value = JSON.parse(body.toString());
    } catch {
      yield `its body is not JSON: ${body.toString().slice(0, 200)}`;
      return;
    }
    if (!isDeepStrictEqual(value, expected.json)) yield `the body is ${show(value)}, not ${show(expected.json)}.`;
  } else if (expected.text !== undefined) {
    if (body.toString() !== expected.text)
      yield `the body is ${show(body.toString().slice(0, 200))}, not ${show(expected.text)}.`;
  } else if (expected.sha256 !== undefined) {
    const hash = createHash('sha256').update(body).digest('hex');
    if (hash !== expected.sha256) yield `the body's ${body.length} bytes are not the ones expected.`;
  } else if (body.length > 0) {
    yield `it has a body (${body.toString().slice(0, 200)}) where none is expected.`;
  }
}

function* explainKey(found, expected, isRetry, keys) {
  const key = found.headers['idempotency-key'];
  const isBulkUpdate = expected.method === 'PATCH' && expected.path === '/findings';
  if (expected.method !== 'POST' && !isBulkUpdate) {
    if (key !== undefined) yield 'it has an Idempotency-Key, which only a POST and a bulk update have.';
    return;
  }
  if (key === undefined || !visible.test(key)) yield `its Idempotency-Key is ${show(key)}.`;
  if (isRetry && key !== keys.at(-1)) yield 'the Idempotency-Key is not the one of the first attempt.';
  if (!isRetry && keys.includes(key)) yield 'the Idempotency-Key was used by an earlier call.';
  keys.push(key);
}

/** Returns the request that an exchange expects: for a retry, the previous exchange's. */
function expectedRequest(exchanges, index) {
  while (exchanges[index].retry) index--;
  return exchanges[index].request;
}

/**
 * Returns a sentence for each difference between the request and exchange `index`. `keys` collects idempotency keys.
 */
function explainDifference(found, conformanceCase, index, keys) {
  const exchange = conformanceCase.exchanges[index];
  const expected = expectedRequest(conformanceCase.exchanges, index);
  return [
    ...explainTarget(found, expected),
    ...explainHeaders(found, expected, conformanceCase),
    ...explainBody(found, expected),
    ...explainKey(found, expected, exchange.retry === true, keys),
  ];
}

/** One run of a case: the next exchange, and the problems so far. */
class Run {
  constructor(conformanceCase) {
    this.case = conformanceCase;
    this.played = 0;
    this.problems = [];
    this.keys = [];
    this.open = 0;
    this.received = new Promise((resolve) => {
      this.onReceived = resolve;
    });
  }

  async play(request, response, path) {
    const exchange = this.case.exchanges[this.played];
    const number = ++this.played;
    if (!exchange) {
      this.problems.push(`Request ${number} (${request.method} ${path}) is one too many.`);
      response.writeHead(418).end();
      return;
    }
    // Some HTTP libraries treat a truncated chunked body as complete on a connection that is about to close.
    response.shouldKeepAlive = exchange.response.then === 'reset';
    this.open++;
    response.once('close', () => this.open--);
    const body = await readBody(request);
    const found = { method: request.method, path, headers: request.headers, rawHeaders: request.rawHeaders, body };
    for (const problem of explainDifference(found, this.case, number - 1, this.keys)) {
      this.problems.push(`Request ${number}: ${problem}`);
    }
    if (number === this.case.exchanges.length) this.onReceived();
    await respond(response, exchange.response, number);
  }

  verdict() {
    const missing = this.case.exchanges.length - this.played;
    const problems = [...this.problems];
    if (missing > 0) problems.push(`${missing} of ${this.case.exchanges.length} requests never came.`);
    return { requests: this.played, open_requests: this.open, problems };
  }
}

async function readBody(request) {
  const chunks = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch {
    // The client disconnected: the body is the part that was received.
  }
  return Buffer.concat(chunks);
}

const sendJson = (response, status, value) =>
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));

/**
 * Starts the server on a free port of the loopback interface. `serve` may respond to other requests and returns whether
 * it did: it serves the page of a browser test, which may call only its own origin.
 */
export async function startConformanceServer(serve = async () => false) {
  const cases = await readCases();
  const runs = [];
  const server = createServer((request, response) => {
    // HTTP libraries silently repeat requests that are reset on a reused connection, so each request has a new
    // connection here.
    response.shouldKeepAlive = false;
    const handle = async () => {
      const [, area, number, ...rest] = request.url.split('/');
      if (request.method === 'GET' && request.url === '/cases') return sendJson(response, 200, cases);
      if (request.method === 'POST' && area === 'cases') {
        const conformanceCase = cases.find((item) => item.id === decodeURIComponent(number));
        if (!conformanceCase) return sendJson(response, 404, { message: `There is no case ${number}.` });
        runs.push(new Run(conformanceCase));
        const base = `http://${request.headers.host}/runs/${runs.length - 1}`;
        return sendJson(response, 201, {
          base_url: `${base}/api/v1`,
          received_url: `${base}/received`,
          verdict_url: base,
        });
      }
      if (await serve(request, response)) return;
      const run = area === 'runs' ? runs[Number(number)] : undefined;
      if (!run) return sendJson(response, 404, { message: 'There is no such run.' });
      if (rest.length === 0) return sendJson(response, 200, run.verdict());
      if (rest.join('/') === 'received') {
        await Promise.race([run.received, pause(maxReceiveMs, undefined, { ref: false })]);
        return sendJson(response, 200, run.verdict());
      }
      return run.play(request, response, `/${rest.join('/')}`);
    };
    handle().catch((error) => {
      process.stderr.write(`${error.stack}\n`);
      response.destroy();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    cases,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { url } = await startConformanceServer();
  process.stdout.write(`${JSON.stringify({ url })}\n`);
  process.stdin.once('end', () => process.exit(0)).resume();
}
