import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Classes of addresses. Connections to other classes than `public` need the operator's permission. */
export type AddressClass =
  | 'public'
  | 'metadata'
  | 'loopback'
  | 'link_local'
  | 'private'
  | 'shared'
  | 'multicast'
  | 'unspecified'
  | 'tunnel'
  | 'reserved';

export const addressClassNames: Record<AddressClass, string> = {
  public: 'a public address',
  metadata: "a cloud provider's metadata address",
  loopback: 'a loopback address',
  link_local: 'a link-local address',
  private: 'a private address',
  shared: 'a shared (carrier-grade NAT) address',
  multicast: 'a multicast or broadcast address',
  unspecified: 'an unspecified address',
  tunnel: 'an address that carries another one inside (6to4, Teredo or translation)',
  reserved: 'a reserved address',
};

// These addresses return instance credentials. Azure's and Oracle's are in ranges that would otherwise be public or
// merely reserved.
const metadataAddresses = new Set([
  '169.254.169.254',
  '169.254.169.253',
  '169.254.170.2',
  '169.254.170.23',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::253',
  'fd00:ec2::23',
  'fd20:ce::254',
]);

const ipv4Classes: Record<string, AddressClass> = {
  unicast: 'public',
  unspecified: 'unspecified',
  broadcast: 'multicast',
  multicast: 'multicast',
  linkLocal: 'link_local',
  loopback: 'loopback',
  carrierGradeNat: 'shared',
  private: 'private',
};

const ipv6Classes: Record<string, AddressClass> = {
  unspecified: 'unspecified',
  linkLocal: 'link_local',
  deprecatedSiteLocal: 'private',
  uniqueLocal: 'private',
  multicast: 'multicast',
  loopback: 'loopback',
  '6to4': 'tunnel',
  teredo: 'tunnel',
  rfc6145: 'tunnel',
  rfc6052: 'tunnel',
};

const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];
const wellKnownNat64 = ipaddr.parseCIDR('64:ff9b::/96') as [ipaddr.IPv6, number];

/**
 * Classifies an IP address in standard notation by the destination of a connection to it: IPv4-mapped (`::ffff:…`) and
 * well-known NAT64 addresses by the IPv4 address inside. Any other text, including an address with a zone (`%eth0`), is
 * `reserved`.
 */
export function classifyAddress(text: string): AddressClass {
  const address = parse(text);
  if (address === null) return 'reserved';
  if (metadataAddresses.has(address.toString())) return 'metadata';
  if (address instanceof ipaddr.IPv4) return ipv4Classes[address.range()] ?? 'reserved';
  const range: string = address.range();
  // Everything outside today's global unicast space is refused, so that a range assigned later is not allowed by
  // accident.
  if (range === 'unicast') return address.match(globalUnicast) ? 'public' : 'reserved';
  return ipv6Classes[range] ?? 'reserved';
}

function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (text.includes('%')) return null;
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  // ipaddr.js reads `::127.0.0.1` as `::ffff:127.0.0.1`; the hexadecimal form is unambiguous.
  const hexadecimal = isIP(text) === 6 ? URL.parse(`http://[${text}]`)?.hostname.slice(1, -1) : undefined;
  if (hexadecimal === undefined) return null;
  const address = ipaddr.IPv6.parse(hexadecimal);
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (address.match(wellKnownNat64)) return new ipaddr.IPv4(address.toByteArray().slice(12));
  return address;
}

/**
 * Parses a set of addresses in the operators' notation: `10.0.0.0/8`, `fd00::/8` or a single address. Null for any
 * other text.
 */
export function parseAddressRange(text: string): { contains(address: string): boolean; single: boolean } | null {
  const [base, bits] = text.split('/');
  const address = parse(base ?? '');
  if (address === null) return null;
  const width = address.kind() === 'ipv4' ? 32 : 128;
  if (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > width)) return null;
  if (text.split('/').length > 2) return null;
  const length = bits === undefined ? width : Number(bits);
  return {
    single: length === width,
    contains: (other) => {
      const candidate = parse(other);
      return candidate !== null && candidate.kind() === address.kind() && candidate.match(address as never, length);
    },
  };
}
