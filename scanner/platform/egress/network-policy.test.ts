import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { test } from 'node:test';
import { normalizeHost } from './host-name.ts';
import { createNetworkPolicy, HostNotFound, NetworkRefusal, type Resolve } from './network-policy.ts';

const resolverOf = (table: Record<string, string[]>): Resolve => {
  return async (host) =>
    (table[host] ?? []).map((address) => ({ address, family: address.includes(':') ? (6 as const) : (4 as const) }));
};
const policyFor = (table: Record<string, string[]>, allowed: string[] = []) =>
  createNetworkPolicy({ allowed, resolve: resolverOf(table) });
const refused = (policy: ReturnType<typeof policyFor>, host: string) =>
  assert.rejects(policy.check(host), NetworkRefusal, host);

test('a name with a public address is allowed, and its addresses are returned for the connection', async () => {
  const policy = policyFor({ 'git.example.com': ['93.184.216.34', '2606:2800:220:1::1'] });
  const { host, addresses } = await policy.check('GIT.Example.com.', 443);
  assert.equal(host, 'git.example.com');
  assert.deepEqual(
    addresses.map(({ address }) => address),
    ['93.184.216.34', '2606:2800:220:1::1'],
  );
});

test('a name with a forbidden address among public ones is refused', async () => {
  await refused(policyFor({ 'mixed.example.com': ['93.184.216.34', '10.0.0.1'] }), 'mixed.example.com');
});

test('every notation of a forbidden address is refused', async () => {
  const policy = policyFor({});
  const notations = [
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '127.0.0.1.',
    '①②⑦.0.0.1',
    '[::1]',
    '::1',
    '[::ffff:127.0.0.1]',
    '0:0:0:0:0:ffff:a9fe:a9fe',
    '0',
    '0.0.0.0',
    '169.254.169.254',
    '[fd00:ec2::254]',
    '100.100.100.200',
    '255.255.255.255',
    '224.0.0.1',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
  ];
  for (const host of notations) await refused(policy, host);
});

test('names of the local network are refused, wherever or whether they resolve', async () => {
  const table = { localhost: ['127.0.0.1'], 'a.localhost': ['93.184.216.34'], 'printer.local': ['93.184.216.34'] };
  for (const host of ['localhost', 'LOCALHOST.', 'a.localhost', 'printer.local', 'metadata.google.internal']) {
    await refused(policyFor(table), host);
  }
});

test('text that is not a host is refused', async () => {
  for (const host of [
    '',
    ' ',
    'a b',
    'a/b',
    'user@host',
    'host:80',
    '[::1]:80',
    'a..b',
    '-a.example',
    'fe80::1%eth0',
    'x'.repeat(64),
    '999.1.1.1',
    'a%2eb',
    '[::1',
    'host\r\nX: y',
  ]) {
    await refused(policyFor({}), host);
    assert.equal(normalizeHost(host), null, host);
  }
});

test('a name without an address is distinguished from a refused one', async () => {
  await assert.rejects(policyFor({}).check('nowhere.example.com'), HostNotFound);
  const never = createNetworkPolicy({ allowed: [], resolve: () => new Promise(() => {}), resolveTimeoutMs: 20 });
  await assert.rejects(never.check('slow.example.com'), HostNotFound);
});

test('a refusal has the host and the remedy, but never the address from DNS', async () => {
  await assert.rejects(policyFor({ 'wiki.example.com': ['10.11.12.13'] }).check('wiki.example.com'), (error: Error) => {
    assert.match(error.message, /"wiki.example.com" leads to a private address.*ASSAY_ALLOWED_TARGETS/);
    assert.doesNotMatch(error.message, /10\.11/);
    return true;
  });
});

test('the operator allows ranges, addresses, names and patterns, and nothing beyond them is allowed', async () => {
  const table = {
    'git.corp': ['10.1.2.3'],
    'a.dev.example.com': ['192.168.7.7'],
    'dev.example.com': ['192.168.7.7'],
    localhost: ['127.0.0.1'],
  };
  const policy = policyFor(table, ['10.1.0.0/16', ' 127.0.0.1', '*.dev.example.com', '', 'fd00::/8']);
  for (const host of [
    'git.corp',
    '10.1.9.9',
    'localhost',
    '127.0.0.1',
    '[::ffff:127.0.0.1]',
    'a.dev.example.com',
    '[fd12::1]',
  ]) {
    await policy.check(host);
  }
  for (const host of ['10.2.0.1', '127.0.0.2', 'dev.example.com', '192.168.7.7']) await refused(policy, host);
});

test('a metadata address is allowed only by an entry of exactly that address', async () => {
  const table = { 'meta.example.com': ['169.254.169.254'] };
  const wide = policyFor(table, ['169.254.0.0/16', '0.0.0.0/0', 'meta.example.com']);
  await refused(wide, '169.254.169.254');
  await refused(wide, 'meta.example.com');
  await policyFor(table, ['169.254.169.254']).check('meta.example.com');
});

test('an unreadable entry is an error with that entry', () => {
  for (const entry of ['10.0.0.0/40', 'http://x', '10.0.0/8', 'a b', '*', '0x7f.1']) {
    assert.throws(() => createNetworkPolicy({ allowed: [entry] }), RangeError, entry);
  }
});

test('a port outside 1 to 65535 is refused', async () => {
  for (const port of [0, -1, 65_536, 1.5, Number.NaN]) {
    await assert.rejects(policyFor({}, ['127.0.0.1']).check('127.0.0.1', port), NetworkRefusal);
  }
});

test('a socket connects to the checked address even if DNS has changed since', async () => {
  await using server = createServer((socket) => socket.end('safe')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  let asked = 0;
  const rebinding: Resolve = async () => [{ address: asked++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
  const policy = createNetworkPolicy({ allowed: ['127.0.0.1'], resolve: rebinding });
  const { port } = server.address() as AddressInfo;
  const socket = connect({ host: 'rebind.example.com', port, lookup: policy.lookup });
  await once(socket, 'connect');
  assert.equal(socket.remoteAddress, '127.0.0.1');
  assert.equal(asked, 1);
  socket.resume();
  await once(socket, 'close');
  const second = connect({ host: 'rebind.example.com', port, lookup: policy.lookup });
  const [error] = await once(second, 'error');
  assert.ok(error instanceof NetworkRefusal);
});
