import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { Agent } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { asAdmin } from './harness/database.ts';
import { type ApiResponse, exchange, type Sent } from './harness/exchange.ts';
import { eventually, Installation } from './harness/installation.ts';
import { signal } from './harness/processes.ts';
import { StockPostgres } from './harness/stock-postgres.ts';

const program = fileURLToPath(new URL('../server/assay.mjs', import.meta.url));
/** More of both, by hand: `ASSAY_MOVES=20 ASSAY_MOVED_FINDINGS=100000`. */
const interruptedMoves = Number(process.env.ASSAY_MOVES ?? 4);
const size = Number(process.env.ASSAY_MOVED_FINDINGS ?? 2_000);

const sarif = (name: string, count: number) => ({
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'Reviewer', rules: [] } },
      results: Array.from({ length: count }, (_, index) => ({
        ruleId: `rule-${name}-${index % 50}`,
        level: 'error',
        message: { text: `Something about ${name} ${index}` },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: `${name}-${index}.ts` },
              region: { startLine: 1, endLine: 1 },
            },
          },
        ],
      })),
    },
  ],
});

describe('moves of an organization between the home cell and another one', () => {
  const servers = { home: new StockPostgres(), eu: new StockPostgres() };
  const agent = new Agent({ keepAlive: false });
  let installation!: Installation;
  let organization!: { id: string; token: string };
  let findings: string[] = [];
  let session = '';

  const call = (method: string, path: string, sent: Sent = {}) =>
    installation.call(method, path, {
      ...sent,
      headers: { authorization: `Bearer ${organization.token}`, ...sent.headers },
    });
  const ask = async (method: string, path: string, json?: object) => {
    const response = await call(method, path, json === undefined ? {} : { json });
    assert.ok(response.status < 300, `${method} ${path}: ${response.status} ${response.text}`);
    return response.body;
  };
  const inSession = async (method: string, path: string, json?: object) => {
    const { origin } = installation;
    const sent = { headers: { cookie: session, origin }, ...(json && { json }) };
    return exchange(origin, agent, method, `/api/v1${path}`, sent);
  };
  const rowsIn = (server: StockPostgres, sql: string): Promise<Record<string, unknown>[]> =>
    asAdmin(server.url('postgres'), async (client) => (await client.query(sql)).rows);
  const restart = async (server: StockPostgres) =>
    server.start({ wal_level: 'logical', max_wal_senders: '20', max_replication_slots: '20' });

  /** Runs `assay` without waiting for it. */
  const assay = (...args: string[]) => {
    const env = {
      PATH: process.env.PATH,
      HOME: installation.directory,
      ASSAY_DATA_DIR: `${installation.directory}/data`,
      ...installation.environment,
    };
    const ended = Promise.withResolvers<{ code: number | null; output: string }>();
    const child = execFile(process.execPath, [program, ...args], { env }, (_error, stdout, stderr) =>
      ended.resolve({ code: child.exitCode, output: stdout + stderr }),
    );
    return { child, ended: ended.promise };
  };
  const cellOf = async () => {
    const [row] = await rowsIn(
      servers.home,
      `SELECT cell FROM organization_cells WHERE organization_id = '${organization.id}'`,
    );
    return (row?.cell ?? 'home') as 'home' | 'eu';
  };
  const other = (cell: 'home' | 'eu') => (cell === 'home' ? 'eu' : 'home');
  const move = async (to: string) => {
    const { code, output } = await assay('organization', 'move', organization.id, '--to', to, '--json').ended;
    assert.equal(code, 0, output);
    return JSON.parse(output) as { from: string; to: string; stopped_ms: number; different: string[] };
  };
  /** Moves it whatever an earlier, interrupted move has left; ends one that wasn't compared. */
  const moveAnyway = (to: string) =>
    eventually(async () => {
      if ((await cellOf()) === to) return true;
      const { output } = await assay('organization', 'move', organization.id, '--to', to).ended;
      if (/is unfinished/.test(output))
        await assay('organization', 'move', organization.id, '--accept', '--to', await cellOf()).ended;
      return (await cellOf()) === to;
    });

  /** Checks that nothing of a move is left but the old rows. */
  const assertTidy = async () => {
    for (const [name, server] of Object.entries(servers)) {
      const left = await rowsIn(
        server,
        `SELECT slot_name AS name FROM pg_replication_slots WHERE slot_name NOT LIKE 'assay\\_%\\_eu' AND NOT temporary
         UNION ALL SELECT pubname FROM pg_publication WHERE pubname <> 'assay_home'
         UNION ALL SELECT subname FROM pg_subscription WHERE subname <> 'assay_home'`,
      );
      assert.deepEqual(left, [], name);
    }
  };

  /** Whether a request may be repeated: it was refused for now, or its connection was lost. */
  const isRefused = (response: ApiResponse | null) =>
    response === null || ([429, 503].includes(response.status) && Number(response.headers['retry-after']) > 0);
  const logOf = ({ body }: ApiResponse) =>
    installation.run.errors.split('\n').filter((line) => line.includes(body?.error?.request_id ?? 'no request'));
  /** Works in the organization until it is stopped: comments, changes of states, a follower of changes, a session. */
  const work = () => {
    const acknowledged: string[] = [];
    const scans: string[] = [];
    const states = new Map<string, string>();
    const followed = new Map<string, string>();
    const wrong: string[] = [];
    let stopped = false;
    const begin = Date.now();
    const until = async (turn: (count: number) => Promise<ApiResponse | null>) => {
      for (let count = 0; !stopped; count++) {
        const response = await turn(count);
        if (isRefused(response)) await delay(20);
        else if (response!.status >= 300) wrong.push(`${response!.status} ${response!.text}${logOf(response!)}`);
      }
    };
    const comment = (name: string) =>
      until(async (count) => {
        const text = `${begin}-${name} ${count}`;
        const id = findings[count % findings.length]!;
        const response = await call('POST', `/findings/${id}/comment`, { json: { comment: text } }).catch(() => null);
        if (response?.status === 201) acknowledged.push(text);
        return response;
      });
    const change = until(async (count) => {
      const id = findings[count % findings.length]!;
      const status = (count + Math.floor(count / findings.length)) % 2 === 0 ? 'triaged' : 'in_progress';
      const response = await call('PATCH', `/findings/${id}`, { json: { status } }).catch(() => null);
      if (response?.status === 200 && Date.parse(response.body.updated_at) > begin) states.set(id, status);
      // It may have been stored.
      else states.delete(id);
      return response;
    });
    let last = new Date(begin).toISOString();
    // A cursor belongs to a list with the same filters.
    let from = last;
    let cursor: string | null = null;
    const readOn = async () => {
      if (cursor === null) from = last;
      const place = `updated_from=${from}${cursor === null ? '' : `&next_cursor=${encodeURIComponent(cursor)}`}`;
      const response = await call('GET', `/findings?sort=updated_at&limit=100&${place}`).catch(() => null);
      if (response?.status !== 200) return response;
      for (const { id, status, updated_at } of response.body.data) {
        followed.set(id, status);
        last = updated_at;
      }
      cursor = response.body.next_cursor;
      return response;
    };
    const follow = until(readOn);
    const bring = until(async (count) => {
      const json = sarif(`${begin}-${count}`, 3);
      const response = await call('POST', '/imports?data_source_name=shop', { json }).catch(() => null);
      if (response?.status === 202) scans.push(response.body.id);
      await delay(200);
      return response;
    });
    const sign = until(async () => {
      // A session has 600 requests a minute.
      await delay(150);
      return inSession('GET', '/findings?limit=1').catch(() => null);
    });
    const ends = Promise.all([comment('a'), comment('b'), change, bring, follow, sign]);
    return {
      acknowledged,
      async stop() {
        stopped = true;
        await ends;
      },
      /** Checks that every acknowledged write is stored once, that the follower saw it, and that no response was wrong. */
      async check() {
        assert.deepEqual(wrong, []);
        await assertOnce(acknowledged);
        for (const id of scans)
          await eventually(async () => {
            const { status, body } = await call('GET', `/scans/${id}`);
            return status === 200 && body.status === 'completed';
          });
        do await readOn();
        while (cursor !== null);
        await readOn();
        for (const [id, status] of states) assert.equal(followed.get(id), status, id);
      },
    };
  };
  const assertOnce = async (texts: string[]) => {
    const rows = await rowsIn(
      servers[await cellOf()],
      `SELECT comment FROM finding_comments WHERE org_id = '${organization.id}'`,
    );
    const stored = rows.map(({ comment }) => comment);
    assert.equal(new Set(stored).size, stored.length, 'A comment is stored twice.');
    const all = new Set(stored);
    assert.deepEqual(
      texts.filter((text) => !all.has(text)),
      [],
    );
  };

  before(async () => {
    for (const server of Object.values(servers)) await restart(server);
    installation = new Installation({
      DATABASE_URL: servers.home.url('postgres'),
      ASSAY_CELLS: `eu=${servers.eu.url('postgres')}`,
      ASSAY_SECRET_KEY: 'k'.repeat(40),
      ASSAY_ADMIN_EMAIL: 'ada@assay.test',
      ASSAY_ADMIN_PASSWORD: 'correct horse battery',
    });
    await installation.start();
    await servers.home.admin.query('UPDATE users SET email_verified = true, organization_id = NULL');
    const options = ['--name', 'Mover', '--owner-email', 'ada@assay.test', '--cell', 'eu', '--json'];
    const made = JSON.parse((await assay('organization', 'create', ...options).ended).output);
    organization = { id: made.organization.id, token: made.token };
    await eventually(async () => (await call('GET', '/organization')).status === 200);
    const scan = await ask('POST', '/imports?data_source_name=shop', sarif('first', size));
    await eventually(async () => (await ask('GET', `/scans/${scan.id}`)).completed_at !== null);
    const json = { email: 'ada@assay.test', password: 'correct horse battery' };
    const { origin } = installation;
    const signedIn = await exchange(origin, agent, 'POST', '/auth/sign-in/email', { json, headers: { origin } });
    session = signedIn.headers['set-cookie']!.map((line) => line.split(';')[0]).join('; ');
    await eventually(
      async () => (await inSession('PATCH', '/profile', { organization_id: organization.id })).status === 200,
    );
    findings = (await ask('GET', '/findings?limit=100')).data.map(({ id }: { id: string }) => id);
  });
  after(async () => {
    await installation?.remove();
    agent.destroy();
    for (const server of Object.values(servers)) await server.remove();
  });

  test('it moves while it works: what was acknowledged is there once, and nothing of the move is left', async (t) => {
    const load = work();
    const moved = await move('home').finally(() => load.stop());
    t.diagnostic(`stopped for ${moved.stopped_ms} ms, ${load.acknowledged.length} comments`);
    assert.deepEqual([moved.from, moved.to, moved.different], ['eu', 'home', []]);
    await load.check();
    await assertTidy();
    const { status, body } = await inSession('GET', '/organization');
    assert.deepEqual([status, body.name], [200, 'Mover']);
    const audited = await assay('audit', 'verify', '--organization', organization.id).ended;
    assert.equal(audited.code, 0, audited.output);
  });

  test('a node that is suspended before a move writes nothing to the old cell, whose rows go after a day', async () => {
    const from = await cellOf();
    const nodes = installation.run.processes();
    for (const pid of nodes) signal(pid, 'SIGSTOP');
    const sums = `SELECT (SELECT count(*) FROM finding_comments c WHERE c.org_id = '${organization.id}') AS comments,
      (SELECT md5(string_agg(f::text, '' ORDER BY f.id)) FROM findings f WHERE f.org_id = '${organization.id}') AS findings`;
    const before = await rowsIn(servers[from], sums);
    try {
      await move(other(from));
    } finally {
      for (const pid of nodes) signal(pid, 'SIGCONT');
    }
    const load = work();
    await eventually(async () => load.acknowledged.length > 20);
    await load.stop();
    await load.check();
    assert.deepEqual(await rowsIn(servers[from], sums), before);
    await servers.home.admin.query(`UPDATE organization_moves SET changed_at = now() - interval '25 hours'`);
    await eventually(async () => (await rowsIn(servers.home, 'SELECT FROM organization_moves')).length === 0);
    const old = `SELECT FROM audit_events WHERE org_id = '${organization.id}' UNION ALL SELECT FROM organizations WHERE id = '${organization.id}'`;
    assert.deepEqual(await rowsIn(servers[from], old), []);
    await ask('GET', '/findings');
  });

  test('whatever is killed during a move, it goes on or back, and nothing is lost or left', async (t) => {
    const took: number[] = [];
    for (let count = 0; count < interruptedMoves; count++) {
      const from = await cellOf();
      const to = other(from);
      const load = work();
      await eventually(async () => load.acknowledged.length > 5);
      const moving = assay('organization', 'move', organization.id, '--to', to);
      const begin = performance.now();
      // Later than the start of the program, and up to the end of the whole move.
      const at = 500 + Math.random() * 3_000;
      await Promise.race([delay(at), moving.ended]);
      const victim = ['mover', 'node', from, to][count % 4]!;
      if (victim === 'mover') moving.child.kill('SIGKILL');
      else if (victim === 'node') installation.run.kill();
      else await servers[victim as 'home' | 'eu'].kill();
      if (victim === 'node') await installation.start();
      else if (victim !== 'mover') await restart(servers[victim as 'home' | 'eu']);
      const { code, output } = await moving.ended;
      t.diagnostic(`${victim} after ${Math.round(at)} ms: ${code ?? 'killed'}, ${output.trim().split('\n').at(-1)}`);
      took.push(performance.now() - begin);
      await moveAnyway(to);
      await load.stop();
      await load.check();
      await eventually(async () => {
        await assertTidy();
        return true;
      });
      const states = await rowsIn(servers.home, 'SELECT state FROM organization_moves');
      if (states.some(({ state }) => state === 'kept'))
        await assay('organization', 'move', organization.id, '--accept', '--to', to).ended;
    }
  });

  test('rows that differ stop the organization until the operator says which are right', async () => {
    const from = await cellOf();
    const to = other(from);
    await servers[to].admin.query(`
      CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.name := 'spoilt'; RETURN NEW; END $$;
      CREATE TRIGGER spoil BEFORE INSERT ON data_sources FOR EACH ROW EXECUTE FUNCTION spoil();
      ALTER TABLE data_sources ENABLE ALWAYS TRIGGER spoil`);
    const { code, output } = await assay('organization', 'move', organization.id, '--to', to).ended;
    assert.equal(code, 1, output);
    assert.match(output, /STOPPED: the rows differ in public.data_sources/);
    const refused = await call('GET', '/findings');
    assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '1']);
    assert.match((await assay('cell', 'check').ended).output, /failed +home .* is stopped/);
    await assay('organization', 'move', organization.id, '--accept', '--to', from).ended;
    assert.equal(await cellOf(), from);
    const names = (await ask('GET', '/data-sources')).data.map(({ name }: { name: string }) => name);
    assert.deepEqual(names, ['shop']);
    await assertTidy();
  });
});
