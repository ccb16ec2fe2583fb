import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAddressList, parseNetwork } from './address-list.ts';

test('a list includes the addresses of its networks, of both families, and no others', () => {
  const list = createAddressList(['192.0.2.7', '198.51.100.0/24', '2001:db8::/32', '::1']);
  for (const address of [
    '192.0.2.7',
    '::ffff:192.0.2.7',
    '198.51.100.255',
    '2001:db8:1::9',
    '::1',
    '2001:db8::1%eth0',
  ]) {
    assert.ok(list.includes(address), address);
  }
  for (const address of ['192.0.2.8', '::ffff:192.0.2.8', '198.51.101.0', '2001:db9::1', '127.0.0.1', '::', '', 'x']) {
    assert.ok(!list.includes(address), address);
  }
  assert.ok(createAddressList(['0.0.0.0/0']).includes('203.0.113.9'));
  assert.ok(!createAddressList(['0.0.0.0/0']).includes('2001:db8::1'));
});

test('other text is not a network', () => {
  for (const text of ['', 'x', '192.0.2.0/33', '192.0.2.0/', '192.0.2.0/-1', '192.0.2.0/24/1', '192.0.2', '::/129']) {
    assert.equal(parseNetwork(text), null, text);
  }
  assert.equal(parseNetwork('fe80::1%eth0'), null);
  assert.deepEqual(parseNetwork('2001:db8::/32'), { address: '2001:db8::', prefix: 32 });
});
