import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAll } from './formats.fixture.ts';
import * as samples from './network-samples.fixture.ts';

test('Nmap: open ports and vulnerabilities that scripts report are findings; closed ports are not', async () => {
  const { all, incomplete } = await readAll(samples.nmapSample);
  assert.deepEqual(
    all.map((one) => [one.rule.id, one.severity, one.location.path]),
    [
      ['open-port', 'info', '192.0.2.1:22/tcp'],
      ['CVE-2099-0101', 'medium', '192.0.2.1:22/tcp'],
      ['open-port', 'info', '192.0.2.1:80/tcp'],
      ['CVE-2099-0102', 'high', '192.0.2.1:80/tcp'],
    ],
  );
  assert.equal(incomplete.size, 0);
  assert.equal((await readAll(samples.nmapSample.replace('exit="success"', 'exit="error"'))).incomplete.size, 1);
});

test('Nmap: an abandoned host, or one without a responding port, closes no findings', async () => {
  const host = (attributes: string, ports: string) =>
    `<nmaprun scanner="nmap"><host${attributes}><status state="up" reason="user-set"/><address addr="192.0.2.1" addrtype="ipv4"/>${ports}</host><runstats><finished exit="success"/></runstats></nmaprun>`;
  const incompleteOf = async (file: string) => [...(await readAll(file)).incomplete].join();
  const silent = '<ports><extraports state="filtered" count="1000"/></ports>';
  const oneSilent = '<ports><port protocol="tcp" portid="22"><state state="filtered"/></port></ports>';
  const refused = '<ports><extraports state="filtered" count="990"/><extraports state="closed" count="10"/></ports>';
  assert.match(await incompleteOf(host(' timedout="true"', '')), /gave up 192\.0\.2\.1/);
  for (const ports of ['', silent, oneSilent]) assert.match(await incompleteOf(host('', ports)), /No port responded/);
  assert.equal(await incompleteOf(host('', refused)), '');
  // Most addresses in a large range have no host.
  const other = host('', silent).replace('192.0.2.1', '192.0.2.2');
  const [spare] = /<host>.*<\/host>/.exec(other)!;
  assert.equal(await incompleteOf(samples.nmapSample.replace('<host>', `${spare}<host>`)), '');
});

test('Nmap: another version of a service is the same open port', async () => {
  const upgraded = samples.nmapSample.replace('version="7.4"', 'version="9.9"');
  assert.equal((await readAll(upgraded)).all[0]!.fingerprint, (await readAll(samples.nmapSample)).all[0]!.fingerprint);
});

test('ZAP: an alert is one finding of its site, in XML as in JSON; confidence 0 is a false positive', async () => {
  const [cookie, other] = (await readAll(samples.zapSample)).all;
  assert.deepEqual([cookie!.severity, cookie!.occurrences, cookie!.location.url], ['low', 2, 'https://shop.example/a']);
  assert.match(cookie!.description, /^A cookie travels in clear\.\n/);
  assert.equal(other!.suppression!.status, 'false_positive');
  assert.equal((await readAll(samples.zapJsonSample)).all[0]!.fingerprint, cookie!.fingerprint);
});

test('Burp: the serial number, which changes in each report, creates no new finding; requests are not stored', async () => {
  const [one] = (await readAll(samples.burpFile('1'))).all;
  assert.equal((await readAll(samples.burpFile('2'))).all[0]!.fingerprint, one!.fingerprint);
  assert.deepEqual([one!.severity, one!.identifiers, one!.evidence], ['high', ['CWE-79'], null]);
  assert.equal((await readAll(samples.burpFile('1', 'False positive'))).all[0]!.suppression!.status, 'false_positive');
});

test('Burp: an issue of the whole site is one finding with its addresses; issues of parameters and extensions are separate', async () => {
  const issue = (type: string, name: string, path: string) =>
    `<issue><serialNumber>1</serialNumber><type>${type}</type><name>${name}</name><host>https://shop.example</host><path>${path}</path><location>${path}</location><severity>Low</severity></issue>`;
  const names: Array<[string, string, string]> = [
    ['16777984', 'Strict transport security not enforced', '/a'],
    ['16777984', 'Strict transport security not enforced', '/b'],
    ['2097920', 'Cross-site scripting (reflected)', '/a'],
    ['2097920', 'Cross-site scripting (reflected)', '/b'],
    ['134217728', 'Old library', '/a'],
    ['134217728', 'Weak header', '/a'],
  ];
  const file = `<!DOCTYPE issues><issues burpVersion="2">${names.map((one) => issue(...one)).join('')}</issues>`;
  const { all } = await readAll(file);
  assert.deepEqual(
    all.map((one) => [one.title, one.occurrences]),
    [
      ['Strict transport security not enforced at https://shop.example', 2],
      ['Cross-site scripting (reflected) at https://shop.example/a', 1],
      ['Cross-site scripting (reflected) at https://shop.example/b', 1],
      ['Old library at https://shop.example/a', 1],
      ['Weak header at https://shop.example/a', 1],
    ],
  );
});

test('OpenVAS: a result is the same finding in XML and CSV; log entries are informational', async () => {
  const [tls, detected] = (await readAll(samples.openvasSample)).all;
  assert.deepEqual([tls!.severity, tls!.cvss_score, tls!.identifiers], ['medium', 4.3, ['CVE-2099-0103']]);
  assert.equal(tls!.remediation, 'Turn it off.');
  assert.equal(detected!.severity, 'info');
  assert.equal((await readAll(samples.openvasCsvSample)).all[0]!.fingerprint, tls!.fingerprint);
});

test('Nikto: items with an OSVDB number are medium, other items are informational', async () => {
  const { all } = await readAll(samples.niktoSample);
  assert.deepEqual(
    all.map((one) => [one.severity, one.location.url]),
    [
      ['info', 'http://old.example:80/'.replace(':80', '')],
      ['medium', 'http://old.example/admin/'],
    ],
  );
  assert.equal((await readAll(samples.niktoJsonSample)).all[0]!.fingerprint, all[1]!.fingerprint);
});

test('testssl.sh: a site’s addresses share a finding; good results and summaries are not findings', async () => {
  const { all } = await readAll(samples.testsslSample);
  assert.deepEqual(
    all.map((one) => [one.rule.id, one.severity, one.occurrences]),
    [
      ['SSLv3', 'high', 2],
      ['SWEET32', 'low', 1],
    ],
  );
  assert.deepEqual(all[1]!.identifiers, ['CVE-2016-2183', 'CVE-2016-6329', 'CWE-327']);
  assert.equal((await readAll(samples.testsslJsonSample)).all[0]!.fingerprint, all[0]!.fingerprint);
});

test('testssl.sh: ciphers of a protocol share a rule, as do simulated clients, and each is a finding', async () => {
  const ids = [
    'cipher-tls1_2_xc019',
    'cipher-tls1_2_x0a',
    'cipher-tls1_x0a',
    'clientsimulation-ie_11',
    'clientsimulation-java',
  ];
  const lines = ids.map((id) => ({
    id,
    ip: 'shop.example/192.0.2.5',
    port: '443',
    severity: 'LOW',
    finding: 'AES256-SHA',
  }));
  const { all } = await readAll(lines);
  const rules = ['cipher-tls1_2', 'cipher-tls1_2', 'cipher-tls1', 'clientsimulation', 'clientsimulation'];
  assert.deepEqual(
    all.map(({ rule }) => rule.id),
    rules,
  );
  assert.equal(new Set(all.map(({ fingerprint }) => fingerprint)).size, ids.length);
});

test('Nuclei: credentials of an address are not shown, and another probe is not a new finding', async () => {
  const [panel, technology] = (await readAll(samples.nucleiSample)).all;
  assert.equal(panel!.location.url, 'https://shop.example/panel?probe=12345');
  assert.deepEqual([panel!.severity, panel!.identifiers, technology!.severity], ['medium', ['CWE-200'], 'info']);
  assert.equal((await readAll(samples.nucleiSample.replace('12345', '67890'))).all[0]!.fingerprint, panel!.fingerprint);
});

test('Nessus: a result is the same finding in XML and in both forms of CSV, with all of its CVE numbers', async () => {
  const { all } = await readAll(samples.nessusSample);
  assert.deepEqual(
    all.map((one) => [one.rule.id, one.severity, one.location.path]),
    [
      ['900101', 'medium', '192.0.2.7:443/tcp'],
      ['900102', 'info', '192.0.2.7'],
      ['900103', 'high', '192.0.2.7'],
    ],
  );
  assert.deepEqual(all[0]!.identifiers, ['CVE-2099-0401', 'CVE-2099-0402', 'CWE-327']);
  const [ofCsv, ofPlatform] = [await readAll(samples.nessusCsvSample), await readAll(samples.tenableCsvSample)];
  assert.deepEqual([ofCsv.all.length, ofPlatform.all.length], [2, 1]);
  for (const [one] of [ofCsv.all, ofPlatform.all]) {
    assert.equal(one!.fingerprint, all[0]!.fingerprint);
    assert.deepEqual(one!.identifiers.slice(0, 2), ['CVE-2099-0401', 'CVE-2099-0402']);
  }
});

test('Acunetix: a vulnerability is a finding of its address and parameter; requests are not stored', async () => {
  const { all } = await readAll(samples.acunetixSample);
  assert.deepEqual(
    all.map((one) => [one.severity, one.location.url, one.identifiers, one.suppression?.status]),
    [
      ['high', 'https://shop.example/search', ['CVE-2099-0501', 'CWE-89'], undefined],
      ['low', 'https://shop.example/Web%20Server', ['CWE-200'], 'false_positive'],
    ],
  );
  assert.match(all[0]!.description, /The value of q reaches a query\.\nIt was seen\./);
  assert.ok(!JSON.stringify(all).includes('q=1'));
});
