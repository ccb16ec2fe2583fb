import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { asAdmin } from './harness/database.ts';
import { exchange, type Sent } from './harness/exchange.ts';
import { eventually, Installation } from './harness/installation.ts';
import { StockPostgres } from './harness/stock-postgres.ts';

const sarif = (...names: string[]) => ({
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'Reviewer', rules: [] } },
      results: names.map((name) => ({
        ruleId: `rule-${name}`,
        level: 'error',
        message: { text: `Something about ${name}` },
        locations: [
          { physicalLocation: { artifactLocation: { uri: `${name}.ts` }, region: { startLine: 1, endLine: 1 } } },
        ],
      })),
    },
  ],
});

describe('an installation with a home cell and two more', () => {
  const servers = { home: new StockPostgres(), eu: new StockPostgres(), us: new StockPostgres() };
  const { home, eu, us } = servers;
  const agent = new Agent({ keepAlive: false });
  let installation!: Installation;
  let session = '';
  const organizations: Record<string, { id: string; token: string; ownerId: string }> = {};

  const call = (cell: string, method: string, path: string, sent: Sent = {}) =>
    installation.call(method, path, {
      ...sent,
      headers: { authorization: `Bearer ${organizations[cell]!.token}`, ...sent.headers },
    });
  const ask = async (cell: string, method: string, path: string, json?: object) => {
    const response = await call(cell, method, path, json === undefined ? {} : { json });
    assert.ok(response.status < 300, `${cell}: ${method} ${path}: ${response.status} ${response.text}`);
    return response.body;
  };
  const inSession = async (method: string, path: string, json?: object) => {
    const { origin } = installation;
    const sent = { headers: { cookie: session, origin }, ...(json && { json }) };
    return exchange(origin, agent, method, `/api/v1${path}`, sent);
  };
  /** Switches the session, once all cells respond. */
  const choose = (cell: string, more: { name?: string } = {}) =>
    eventually(async () => {
      const { status } = await inSession('PATCH', '/profile', { organization_id: organizations[cell]!.id, ...more });
      return status === 200;
    });
  const rowsIn = (server: StockPostgres, sql: string): Promise<Record<string, unknown>[]> =>
    asAdmin(server.url('postgres'), async (client) => (await client.query(sql)).rows);
  const countIn = async (server: StockPostgres, table: string, orgId: string) =>
    Number((await rowsIn(server, `SELECT count(*) FROM ${table} WHERE org_id = '${orgId}'`))[0]!.count);

  before(async () => {
    await home.start({ wal_level: 'logical' });
    await eu.start();
    await us.start();
    installation = new Installation({
      DATABASE_URL: home.url('postgres'),
      ASSAY_CELLS: `eu=${eu.url('postgres')},us=${us.url('postgres')}`,
      ASSAY_SECRET_KEY: 'k'.repeat(40),
      ASSAY_ADMIN_EMAIL: 'ada@assay.test',
      ASSAY_ADMIN_PASSWORD: 'correct horse battery',
    });
    await installation.start();
    organizations.home = { id: '', token: installation.token, ownerId: '' };
    const profile = await ask('home', 'GET', '/profile');
    const { id } = await ask('home', 'GET', '/organization');
    // Only a verified account belongs to several organizations; the mail that verifies it is not sent here.
    await home.admin.query(`UPDATE users SET email_verified = true, organization_id = NULL`);
    organizations.home = { id, token: installation.token, ownerId: profile.id };
  });
  after(async () => {
    await installation?.remove();
    agent.destroy();
    for (const server of Object.values(servers)) await server.remove();
  });

  test('an organization is created in the cell that the operator names, and is in no other', async () => {
    for (const cell of ['eu', 'us']) {
      const owner = cell === 'eu' ? 'ada@assay.test' : 'grace@assay.test';
      const options = ['--name', `Firm in ${cell}`, '--owner-email', owner, '--cell', cell, '--json'];
      const made = JSON.parse(installation.command('organization', 'create', ...options));
      organizations[cell] = { id: made.organization.id, token: made.token, ownerId: made.owner.id };
      const read = await eventually(async () => {
        const { status, body } = await call(cell, 'GET', '/organization');
        return status === 200 && body;
      });
      assert.equal(read.name, `Firm in ${cell}`);
      for (const [name, server] of Object.entries(servers)) {
        const rows = await rowsIn(server, `SELECT FROM organizations WHERE id = '${made.organization.id}'`);
        assert.equal(rows.length, name === cell ? 1 : 0, `in ${name}`);
      }
    }
    assert.throws(
      () =>
        installation.command(
          'organization',
          'create',
          '--name',
          'X',
          '--owner-email',
          'x@assay.test',
          '--cell',
          'mars',
        ),
      /There is no cell mars in ASSAY_CELLS/,
    );
  });

  test('only the organization of the operators runs the installation', async () => {
    const runs = [];
    for (const cell of Object.keys(organizations))
      runs.push((await ask(cell, 'GET', '/organization')).runs_installation);
    assert.deepEqual(runs, [true, false, false]);
  });

  test('results are imported, decided and reported in each cell by its own jobs', async () => {
    for (const [cell, { id }] of Object.entries(organizations)) {
      const scan = await ask(cell, 'POST', '/imports?data_source_name=shop', sarif(`a-${cell}`, `b-${cell}`));
      await eventually(async () => (await ask(cell, 'GET', `/scans/${scan.id}`)).completed_at !== null);
      const findings = (await ask(cell, 'GET', '/findings')).data;
      assert.deepEqual(
        findings.map(({ title }: { title: string }) => title.includes(cell)),
        [true, true],
      );
      await ask(cell, 'PATCH', `/findings/${findings[0].id}`, { status: 'in_progress' });
      const report = await ask(cell, 'POST', '/reports', { title: `Report of ${cell}` });
      const done = await eventually(async () => {
        const current = await ask(cell, 'GET', `/reports/${report.id}`);
        return current.completed_at !== null && current;
      });
      assert.equal(done.error ?? null, null);
      for (const [name, server] of Object.entries(servers)) {
        for (const table of ['findings', 'reports', 'audit_events', 'api_tokens'])
          assert.equal((await countIn(server, table, id)) > 0, name === cell, `${table} of ${cell} in ${name}`);
      }
    }
  });

  test('a person of two cells signs in once, works in both organizations, and is renamed in each', async () => {
    const password = 'correct horse battery';
    const { origin } = installation;
    const signedIn = await exchange(origin, agent, 'POST', '/auth/sign-in/email', {
      json: { email: 'ada@assay.test', password },
      headers: { origin },
    });
    assert.equal(signedIn.status, 200, signedIn.text);
    session = signedIn.headers['set-cookie']!.map((line) => line.split(';')[0]).join('; ');
    const listed = await eventually(async () => {
      const { status, body } = await inSession('GET', '/profile');
      return status === 200 && body.organizations.length > 1 && body.organizations;
    });
    assert.deepEqual(
      listed.map(({ id }: { id: string }) => id),
      [organizations.home!.id, organizations.eu!.id],
    );
    await choose('eu', { name: 'Ada Lovelace' });
    const read = (path: string) =>
      eventually(async () => {
        const { status, body } = await inSession('GET', path);
        return status === 200 && body;
      });
    assert.equal((await read('/organization')).name, 'Firm in eu');
    assert.equal((await read('/findings')).data.length, 2);
    for (const cell of ['home', 'eu']) {
      const renamed = async () => {
        const { data } = await ask(cell, 'GET', '/organization/members');
        return data.some(({ name }: { name: string }) => name === 'Ada Lovelace');
      };
      await eventually(renamed);
    }
    const secrets = ['accounts', 'sessions', 'two_factors', 'passkeys'].map((table) => `SELECT FROM ${table}`);
    assert.deepEqual(await rowsIn(eu, secrets.join(' UNION ALL ')), [], 'A cell has nothing to sign in with.');
  });

  test('while a cell is down, its organizations get 503 with Retry-After, and all others work', async () => {
    await choose('home');
    await eu.kill();
    const refused = await call('eu', 'GET', '/findings');
    assert.equal(refused.status, 503, refused.text);
    assert.ok(Number(refused.headers['retry-after']) > 0);
    for (const cell of ['home', 'us']) {
      await ask(cell, 'GET', '/findings');
      const scan = await ask(cell, 'POST', '/imports?data_source_name=shop', sarif(`c-${cell}`));
      await eventually(async () => (await ask(cell, 'GET', `/scans/${scan.id}`)).completed_at !== null);
    }
    const { status, body: profile } = await inSession('GET', '/profile');
    assert.deepEqual([status, profile.organization.id], [200, organizations.home!.id]);
    await eu.start();
    await eventually(async () => (await call('eu', 'GET', '/findings')).status === 200);
    await choose('eu');
    const scan = await ask('eu', 'POST', '/imports?data_source_name=shop', sarif('c-eu'));
    await eventually(async () => (await ask('eu', 'GET', `/scans/${scan.id}`)).completed_at !== null);
  });

  test('a cell that does not respond at all holds up nobody else', async () => {
    await choose('home');
    eu.signal('SIGSTOP');
    try {
      const begin = performance.now();
      for (let i = 0; i < 3; i++) {
        for (const path of ['/profile', '/findings'])
          await eventually(async () => (await inSession('GET', path)).status === 200);
        for (const cell of ['home', 'us']) await ask(cell, 'GET', '/findings');
      }
      // A statement is given up after 30 seconds.
      assert.ok(performance.now() - begin < 25_000);
    } finally {
      eu.signal('SIGCONT');
    }
    await eventually(async () => (await call('eu', 'GET', '/findings')).status === 200);
  });

  const refusedCommand = (...args: string[]) => {
    try {
      installation.command(...args);
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      return stdout + stderr;
    }
    return assert.fail('It did not fail.');
  };

  test('the cells are listed with their organizations, and checked', async () => {
    const { cells } = JSON.parse(installation.command('cell', 'list', '--json'));
    assert.deepEqual(
      cells.map(({ name, organizations: count }: { name: string; organizations: number }) => [name, count]),
      [
        ['home', 1],
        ['eu', 1],
        ['us', 1],
      ],
    );
    await eventually(async () => /ok +us +Its copies follow/.test(installation.command('cell', 'check')));
    assert.match(
      installation.command('cell', 'check'),
      /warning +home .* can fill the disk[\s\S]*max_slot_wal_keep_size/,
    );
    await us.kill();
    assert.match(refusedCommand('cell', 'check'), /ok +eu [\s\S]*failed +us +It can't be reached/);
    await us.start();
  });

  test('the metrics and the checks of the installation add up the cells', async () => {
    let expected = 0;
    for (const [cell, { id }] of Object.entries(organizations))
      expected += await countIn(servers[cell as keyof typeof servers], 'findings', id);
    assert.ok(expected >= 6);
    await eventually(async () => {
      const { status, text } = await exchange(installation.origin, agent, 'GET', '/metrics');
      const counts = [...text.matchAll(/^assay_findings\{.*\} (\d+)$/gm)].map(([, count]) => Number(count));
      return status === 200 && counts.reduce((sum, count) => sum + count, 0) === expected;
    });
    const { checks } = await ask('home', 'GET', '/organization/installation');
    const jobs = checks.find(({ name }: { name: string }) => name === 'jobs');
    assert.match(jobs.summary, /jobs? waiting or running|A job has waited/);
  });

  test('a copy whose log the home cell no longer has is reported, and made anew', async () => {
    await eu.kill();
    const slot = `slot_name LIKE 'assay_%_eu'`;
    await eventually(async () => {
      const dropped = await rowsIn(
        home,
        `SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE ${slot} AND NOT active`,
      );
      return dropped.length === 1;
    });
    await home.admin.query(`UPDATE users SET name = 'Ada Byron' WHERE email = 'ada@assay.test'`);
    await eu.start();
    assert.match(refusedCommand('cell', 'check'), /failed +eu +It gets no copies .*\n.*assay migrate/);
    installation.command('migrate');
    await eventually(async () => {
      const { status, body } = await call('eu', 'GET', '/organization/members');
      return status === 200 && body.data.some(({ name }: { name: string }) => name === 'Ada Byron');
    });
    await eventually(async () => /ok +eu +Its copies follow/.test(installation.command('cell', 'check')));
  });

  test('a node without the cells, or with a cell as its home, does not start', async () => {
    const start = (environment: Record<string, string>) => {
      const other = new Installation({ ...installation.environment, ...environment });
      try {
        other.command('migrate');
        assert.fail('It started.');
      } catch (error) {
        return String((error as { stderr?: string }).stderr ?? error);
      }
    };
    assert.match(start({ ASSAY_CELLS: '' }), /ASSAY_CELLS lacks eu, us/);
    assert.match(start({ ASSAY_CELLS: '', DATABASE_URL: eu.url('postgres') }), /DATABASE_URL is the cell eu/);
    const swapped = `eu=${us.url('postgres')},us=${eu.url('postgres')}`;
    assert.match(start({ ASSAY_CELLS: swapped }), /the database of the cell eu is the cell us/);
  });
});
