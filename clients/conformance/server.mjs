// Plays the exchanges to a client library, and reports what was wrong with the library's requests. README.md describes it.
//   node clients/conformance/server.mjs      prints {"url": "http://127.0.0.1:PORT"}, and ends when its standard input does
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { readCases } from './cases.mjs';
import { explainDifference } from './match.mjs';
import { respond } from './respond.mjs';

/** One run of a case: which exchange comes next, and what was wrong so far. */
class Run {
  constructor(conformanceCase) {
    this.case = conformanceCase;
    this.played = 0;
    this.problems = [];
    this.keys = [];
    this.open = 0;
  }

  async play(request, response, path) {
    const exchange = this.case.exchanges[this.played];
    const number = ++this.played;
    if (!exchange) {
      this.problems.push(`Request ${number} (${request.method} ${path}) is one too many.`);
      response.writeHead(418).end();
      return;
    }
    // Some HTTP libraries treat a chunked body as whole when it is cut on a connection that is about to close.
    response.shouldKeepAlive = exchange.response.then === 'reset';
    this.open++;
    response.once('close', () => this.open--);
    const body = await readBody(request);
    const found = { method: request.method, path, headers: request.headers, rawHeaders: request.rawHeaders, body };
    for (const problem of explainDifference(found, this.case, number - 1, this.keys)) {
      this.problems.push(`Request ${number}: ${problem}`);
    }
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
    // The client went away: the body is as much as was received.
  }
  return Buffer.concat(chunks);
}

const sendJson = (response, status, value) =>
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));

/**
 * Starts the server on a free port of the loopback interface. `serve` may respond to other requests, such as those of a page
 * in a browser, which may call its own origin only. It returns whether it did.
 */
export async function startConformanceServer(serve = async () => false) {
  const cases = await readCases();
  const runs = [];
  const server = createServer((request, response) => {
    // HTTP libraries silently repeat requests that are reset on a reused connection: here each request has its own.
    response.shouldKeepAlive = false;
    const handle = async () => {
      const [, area, number, ...rest] = request.url.split('/');
      if (request.method === 'GET' && request.url === '/cases') return sendJson(response, 200, cases);
      if (request.method === 'POST' && area === 'cases') {
        const conformanceCase = cases.find((item) => item.id === decodeURIComponent(number));
        if (!conformanceCase) return sendJson(response, 404, { message: `There is no case ${number}.` });
        runs.push(new Run(conformanceCase));
        const base = `http://${request.headers.host}/runs/${runs.length - 1}`;
        return sendJson(response, 201, { base_url: `${base}/api/v1`, verdict_url: base });
      }
      if (await serve(request, response)) return;
      const run = area === 'runs' ? runs[Number(number)] : undefined;
      if (!run) return sendJson(response, 404, { message: 'There is no such run.' });
      if (rest.length === 0) return sendJson(response, 200, run.verdict());
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
