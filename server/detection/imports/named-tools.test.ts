import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { FormatError } from '@assay/scanner/readers/format-error.ts';
import { readResultFile } from '@assay/scanner/readers/read-result-file.ts';
import { createTestDatabase } from '../../../tests/harness/database.ts';
import { call, createTestNode } from '../../../tests/harness/identity.ts';
import { createTenant } from '../../../tests/harness/people.ts';
import { oneFindingRoutes } from '../../decisions/finding-routes.ts';
import { findingRoutes } from '../../findings/routes.ts';
import { newId } from '../../platform/id.ts';
import { silentLog } from '../../platform/log.ts';
import { createKeyring } from '../../platform/sealed.ts';
import { scanRoutes } from '../scans/routes.ts';
import { createImportReader } from './import-reader.ts';
import { type ImportJob, runImport } from './merge-import.ts';
import { importRoutes } from './routes.ts';

const db = await createTestDatabase();
const { database } = db;
const imports = createImportReader(database, createKeyring('k'.repeat(32)));
const node = await createTestNode(
  database,
  [...scanRoutes, ...importRoutes, ...findingRoutes, ...oneFindingRoutes],
  undefined,
  { imports },
);
after(async () => {
  await node.close();
  await db.drop();
});

async function createPlace() {
  const { orgId, token } = await createTenant(database);
  const id = newId('ds');
  await database.single(orgId, {
    text: `INSERT INTO data_sources (org_id, id, kind, name, config) VALUES ($1, $2, 'upload', 'pipeline', '{}')`,
    values: [orgId, id],
  });

  async function send(file: unknown, query = '') {
    const response = await node.app.inject({
      method: 'POST',
      url: `/api/v1/data-sources/${id}/imports?${query}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
      payload: typeof file === 'string' ? file : JSON.stringify(file),
    });
    return { status: response.statusCode, body: response.json() };
  }

  return {
    send,
    /** Imports a file and returns the finding counts of its scan. */
    async merge(file: unknown, query = '') {
      const sent = await send(file, query);
      assert.equal(sent.status, 202, JSON.stringify(sent.body));
      const job: ImportJob = { org_id: orgId, scan_id: sent.body.id, data_source_id: id };
      assert.equal(await runImport({ database, log: silentLog }, job), 0);
      return (await call(node, token, 'GET', `/scans/${sent.body.id}`)).body.findings;
    },
    get: async (path: string) => (await call(node, token, 'GET', path)).body,
    /** Returns the open findings as “source: title”. */
    async open(): Promise<string[]> {
      const { body } = await call(node, token, 'GET', '/findings?status=new&limit=100');
      return body.data.map((one: { source: string; title: string }) => `${one.source}: ${one.title}`).sort();
    },
  };
}

const own = (...titles: string[]) => ({ findings: titles.map((title) => ({ title, severity: 'high' })) });
const sarif = (...tools: string[]) => ({
  version: '2.1.0',
  runs: tools.map((name) => ({
    tool: { driver: { name } },
    results: [{ ruleId: 'r', level: 'error', message: { text: `Of ${name}` } }],
  })),
});
const grype = {
  matches: [
    {
      vulnerability: { id: 'CVE-2021-44228', severity: 'Critical' },
      artifact: { name: 'log4j-core', version: '2.14.0', type: 'java-archive' },
    },
  ],
  descriptor: { name: 'grype', version: '0.80.0' },
};

test('close_missing closes findings of the named tool only', async () => {
  const place = await createPlace();
  await place.merge(own('a', 'b'), 'tool=Alpha%20Scan');
  await place.merge(own('a', 'c'), 'tool=beta');
  await place.merge(own('d'));
  const merged = await place.merge(own('b'), 'tool=alpha-scan&close_missing=true');
  assert.deepEqual(merged, { new: 0, seen: 1, reopened: 0, resolved: 1 });
  assert.deepEqual(await place.open(), ['alpha-scan: b', 'beta: a', 'beta: c', 'generic: d']);
  await place.merge({ findings: [] }, 'format=generic&tool=beta&close_missing=true');
  assert.deepEqual(await place.open(), ['alpha-scan: b', 'generic: d']);
});

test('close_missing is refused for a file of an unknown tool, and nothing changes', async () => {
  const place = await createPlace();
  await place.merge(own('a', 'b'));
  for (const query of ['close_missing=true', 'close_missing=true&dry_run=true']) {
    const { status, body } = await place.send(own('a'), query);
    assert.equal(status, 400, JSON.stringify(body));
    assert.match(body.error.message, /close_missing: needs “tool” here/);
  }
  assert.deepEqual(await place.open(), ['generic: a', 'generic: b']);
  const named = own('a');
  assert.equal((await place.send({ source: 'alpha', ...named }, 'close_missing=true')).status, 202);
});

test('a file belongs to the tool of the request, whatever the file itself says', async () => {
  const place = await createPlace();
  await place.merge(sarif('Wrapper'), 'tool=semgrep');
  await place.merge(grype, 'tool=our%20grype');
  assert.deepEqual(await place.open(), ['our-grype: CVE-2021-44228 in log4j-core 2.14.0', 'semgrep: Of Wrapper']);
  const two = await place.send(sarif('One', 'Two'), 'tool=semgrep');
  assert.equal(two.status, 400);
  assert.match(two.body.error.message, /results of one and two: leave “tool” out/);
  for (const tool of ['secrets', 'Code', '---']) {
    const { status, body } = await place.send(own('a'), `tool=${tool}`);
    assert.deepEqual([status, body.error?.details[0].field], [400, 'tool']);
  }
});

test('a file of another tool in the format of Grype or TruffleHog closes none of their findings', async () => {
  const place = await createPlace();
  await place.merge(grype);
  const xeol = { matches: [], source: { type: 'image' }, distro: {}, descriptor: { name: 'xeol' } };
  const guessed = await place.send(xeol, 'close_missing=true');
  assert.deepEqual([guessed.status, guessed.body.error.code], [400, 'invalid_request']);
  const named = await place.send(xeol, 'format=grype&close_missing=true');
  assert.match(named.body.error.message, /Another tool than Grype wrote this file/);
  const hog = [{ stringsFound: ['password = 1'], path: 'a', reason: 'password', commitHash: 'a'.repeat(40), diff: '' }];
  assert.equal((await place.send(hog, 'close_missing=true')).status, 400);
  assert.deepEqual(await place.open(), ['grype: CVE-2021-44228 in log4j-core 2.14.0']);
});

const formatOf = async (file: unknown) => {
  const text = typeof file === 'string' ? file : JSON.stringify(file);
  const { format, detections } = await readResultFile(Readable.from([Buffer.from(text)]), {
    keyedHash: (value) => value,
  });
  for await (const _ of detections);
  return format.name;
};

test('files of tools without a reader are not mistaken for another tool’s', async () => {
  const twistlock = { results: [{ id: 'sha256:1', distro: 'Debian', packages: [{ name: 'apt' }] }] };
  const satellite = { total: 1, page: 1, results: [{ title: 'RHSA-2020:1', severity: 'Important' }] };
  const zora = 'source,image,id,title,severity,status,description,fixVersion\nTrivy,a,CVE-1,b,HIGH,fixed,c,1\n';
  const list = [{ title: 'a', severity: 'high', affected_asset: 'ip/192.0.2.1' }];
  const wrapped = { name: 'Nightly', type: 'Tool', findings: [{ title: 'a', severity: 'high' }] };
  for (const file of [twistlock, satellite, zora, list, wrapped]) {
    await assert.rejects(
      formatOf(file),
      (error) => error instanceof FormatError && /not recognised/.test(error.message),
    );
  }
  assert.equal(await formatOf(own('a')), 'generic');
  assert.equal(await formatOf('Title,"Severity",path\na,high,b.ts\n'), 'generic');
});

test('an error in a file of a recognised format names that format', async () => {
  const cut = JSON.stringify(sarif('Lint')).slice(0, -20);
  await assert.rejects(formatOf(cut), /ends too early: it was cut short\. It was read as SARIF: if another tool wrote/);
  await assert.rejects(formatOf('<nmaprun scanner="nmap"><host>'), /ends too early/);
  await assert.rejects(formatOf('title,severity\n"a,high'), /ends too early/);
});

test('the results of two tools on one package are one problem once a file names the CVE of the GHSA', async () => {
  const place = await createPlace();
  const [group, artifact, version] = ['org.apache.logging.log4j', 'log4j-core', '2.14.1'];
  const [cve, ghsa] = ['CVE-2021-44228', 'GHSA-jfh8-c2jp-5v3q'];
  const purl = `pkg:maven/${group}/${artifact}@${version}`;
  const found = { PkgName: `${group}:${artifact}`, InstalledVersion: version, Severity: 'CRITICAL' };
  await place.merge({
    SchemaVersion: 2,
    ArtifactName: 'app',
    Results: [
      { Target: 'app.jar', Class: 'lang-pkgs', Type: 'jar', Vulnerabilities: [{ VulnerabilityID: cve, ...found }] },
    ],
  });
  const grype = (related: object[]) => ({
    matches: [
      {
        vulnerability: { id: ghsa, severity: 'Critical' },
        relatedVulnerabilities: related,
        artifact: { name: artifact, version, type: 'java-archive', purl, locations: [{ path: '/app.jar' }] },
      },
    ],
    descriptor: { name: 'grype', version: '0.90.0' },
  });
  await place.merge(grype([]));
  const sourcesOf = async (query: string) =>
    (await place.get(`/findings?${query}`)).data.map(({ source }: { source: string }) => source).sort();
  assert.deepEqual(await sourcesOf(`identifier=${ghsa}`), ['grype']);
  await place.merge(grype([{ id: cve }]));
  for (const query of [`identifier=${ghsa}`, `identifier=${cve}`, `q=${ghsa}`, `q=${cve}`])
    assert.deepEqual(await sourcesOf(query), ['grype', 'trivy'], query);
  for (const { id } of (await place.get('/findings')).data)
    assert.equal((await place.get(`/findings/${id}`)).related.length, 1);
  assert.equal((await sourcesOf('unique=true')).length, 1);
});
