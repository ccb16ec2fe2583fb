import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../tests/harness/properties.ts';
import { classifyAddress, parseAddressRange } from './address-class.ts';

const examples: Record<string, string[]> = {
  public: [
    '1.1.1.1',
    '8.8.8.8',
    '140.82.121.4',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '2606:4700::1111',
  ],
  metadata: [
    '169.254.169.254',
    'fd00:ec2::254',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fd20:ce::254',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
  ],
  loopback: ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '64:ff9b::7f00:1'],
  link_local: ['169.254.0.1', 'fe80::1', 'febf::1'],
  private: [
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    'fc00::1',
    'fdff::1',
    'fec0::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
  ],
  shared: ['100.64.0.1', '100.127.255.255'],
  multicast: ['224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1'],
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  tunnel: ['2002:7f00:1::', '2002:808:808::', '2001:0:7f00:1::', '64:ff9b:1::7f00:1', '::ffff:0:7f00:1'],
  reserved: [
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '240.0.0.1',
    '192.88.99.1',
    '2001:db8::1',
    '3fff::1',
    '100::1',
    '4000::1',
    '5f00::1',
    '::7f00:1',
    '::127.0.0.1',
    '2001:10::1',
  ],
};

for (const [expected, addresses] of Object.entries(examples)) {
  test(`${expected} addresses are distinguished from all others`, () => {
    for (const address of addresses) assert.equal(classifyAddress(address), expected, address);
  });
}

test('text that is not an address in standard notation is never public', () => {
  for (const text of [
    '',
    'localhost',
    '127.1',
    '0x7f000001',
    '2130706433',
    '0177.0.0.1',
    'fe80::1%eth0',
    '1.1.1.1%eth0',
    '1.1.1.1/32',
    '::g',
  ]) {
    assert.equal(classifyAddress(text), 'reserved', text);
  }
});

const inRange = (base: number, bits: number) =>
  fc.integer({ min: 0, max: 2 ** (32 - bits) - 1 }).map((offset) => {
    const value = base + offset;
    return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
  });
const quad = (a: number, b: number) => a * 2 ** 24 + b * 2 ** 16;
const forbidden = fc.oneof(
  inRange(quad(0, 0), 8),
  inRange(quad(10, 0), 8),
  inRange(quad(100, 64), 10),
  inRange(quad(127, 0), 8),
  inRange(quad(169, 254), 16),
  inRange(quad(172, 16), 12),
  inRange(quad(192, 168), 16),
  inRange(quad(198, 18), 15),
  inRange(quad(224, 0), 4),
  inRange(quad(240, 0), 4),
);
const hexPair = (address: string) => {
  const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number];
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
};

test('no address inside a forbidden IPv4 range is public, plain or inside an IPv6 address', () => {
  checkProperty(
    fc.property(forbidden, (address) => {
      const hex = hexPair(address);
      const forms = [
        address,
        `::ffff:${address}`,
        `::ffff:${hex}`,
        `::${hex}`,
        `64:ff9b::${hex}`,
        `2002:${hex}::1`,
        `2001::${hex}`,
        `::ffff:0:${hex}`,
      ];
      for (const form of forms) assert.notEqual(classifyAddress(form), 'public', form);
    }),
    { numRuns: 500 },
  );
});

test('an IPv6 address outside 2000::/3 is never public, unless it contains a public IPv4 address', () => {
  checkProperty(
    fc.property(fc.ipV6(), (address) => {
      const first = Number.parseInt(address.split(':')[0] || '0', 16);
      if (classifyAddress(address) !== 'public' || (first & 0xe000) === 0x2000) return;
      assert.match(address, /^(0*:|::).*ffff:|^0*64:/i, address);
    }),
    { numRuns: 2_000 },
  );
});

test('a range contains its addresses, including mapped ones, and no neighbours', () => {
  const range = parseAddressRange('10.1.0.0/16')!;
  assert.equal(range.single, false);
  for (const inside of ['10.1.0.0', '10.1.255.255', '::ffff:10.1.2.3']) assert.ok(range.contains(inside), inside);
  for (const outside of ['10.2.0.0', '10.0.255.255', '::1', 'text']) assert.ok(!range.contains(outside), outside);
  assert.ok(parseAddressRange('fd00::/8')!.contains('fd12::1'));
  assert.equal(parseAddressRange('127.0.0.1')!.single, true);
  for (const text of ['10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/8/8', '10.0.0.0/', 'host', '', 'fe80::1%1/64', '10.0/8']) {
    assert.equal(parseAddressRange(text), null, text);
  }
});
