import { Agent, type ClientRequest, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { issueToken } from '../server/identity/issue-token.ts';
import { openDatabase } from '../server/platform/postgres/database.ts';
import { openEmbeddedPostgres } from '../server/platform/postgres/embedded-postgres.ts';
import { percentile, type Row } from './measure.ts';
import { type FindingsDirectory, quietLog } from './prepare-findings.ts';
import { timeRequest } from './requests.ts';
import { startServer } from './server-process.ts';

const streams = 1_000;
const streamsPerToken = 20;
const rounds = 5;
const requestsPerRound = 100;
/** The interval at which a finding is changed, of which each stream is notified. */
const changeEveryMs = 500;
/** The time for all streams to be notified of the first change. */
const maxWaitMs = 15_000;

/** Issues tokens of the owner: each can open 20 streams. */
async function issueTokens({ directory, orgId }: FindingsDirectory): Promise<string[]> {
  const { appUrl } = await openEmbeddedPostgres({ directory, log: quietLog() });
  const database = openDatabase({ connectionString: appUrl, maxConnections: 1 });
  try {
    return await database.transaction(orgId, async (tx) => {
      const { rows } = await tx.query<{ user_id: string }>({
        text: `SELECT user_id FROM members WHERE org_id = $1 AND role = 'owner' LIMIT 1`,
        values: [orgId],
      });
      const wanted = { userId: rows[0]!.user_id, name: 'streams', scopes: null, expiresAt: null };
      const tokens: string[] = [];
      while (tokens.length < streams / streamsPerToken) tokens.push((await issueToken(tx, orgId, wanted)).token);
      return tokens;
    });
  } finally {
    await database.close();
  }
}

type Stream = { events: number; request: ClientRequest };

function openStream(url: string, token: string, agent: Agent): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`${response.statusCode} for ${url}`));
      const stream = { events: 0, request: outgoing };
      response.on('data', (chunk: Buffer) => {
        if (chunk.includes('event: findings')) stream.events += 1;
      });
      response.on('error', () => {});
      resolve(stream);
    });
    outgoing.on('error', reject).end();
  });
}

/** Measures the cost of other requests while a thousand event streams are open and findings change. */
export async function measureStreams(findings: FindingsDirectory): Promise<Row[]> {
  const server = await startServer(findings.directory);
  const { address } = server;
  const headers = { authorization: `Bearer ${findings.token}`, 'content-type': 'application/json' };
  const listed = (await (await fetch(`${address}/findings?limit=1`, { headers })).json()) as { data: [{ id: string }] };
  let changes = 0;
  const changing = setInterval(() => {
    changes += 1;
    const body = JSON.stringify({ status: changes % 2 ? 'triaged' : 'new' });
    void fetch(`${address}/findings/${listed.data[0].id}`, { method: 'PATCH', headers, body }).catch(() => {});
  }, changeEveryMs);
  try {
    const tokens = await issueTokens(findings);
    const p50 = async () => {
      const times: number[] = [];
      for (let count = 0; count < requestsPerRound; count += 1)
        times.push(await timeRequest(`${address}/findings?limit=50`, findings.token));
      return percentile(times, 0.5);
    };
    await p50();
    const ratios: number[] = [];
    let received = 0;
    for (let round = 0; round < rounds; round += 1) {
      const alone = await p50();
      const agent = new Agent({ keepAlive: false });
      const open: Stream[] = [];
      for (const token of tokens)
        open.push(
          ...(await Promise.all(
            Array.from({ length: streamsPerToken }, () => openStream(`${address}/events`, token, agent)),
          )),
        );
      const notified = () => open.filter(({ events }) => events > 0).length;
      for (let waited = 0; notified() < streams && waited < maxWaitMs; waited += 100) await delay(100);
      received += notified();
      ratios.push((await p50()) / alone);
      for (const stream of open) stream.request.on('error', () => {}).destroy();
      await delay(500);
    }
    if (received < rounds * streams * 0.9) throw new Error(`Only ${received} streams had an event.`);
    return [
      {
        question: 'p50 of lists with 1,000 streams of events, against none',
        value: percentile(ratios, 0.5),
        unit: '',
        bound: '<= 1.5',
      },
    ];
  } finally {
    clearInterval(changing);
    await server.stop();
  }
}
