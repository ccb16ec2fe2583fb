import { BlockList, isIP } from 'node:net';

/** A list of addresses and networks in the usual notation: `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`. */
export type AddressList = { includes(address: string): boolean };

const familyOf = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

/** Returns the address and prefix length of a network; null for any other text. */
export function parseNetwork(text: string): { address: string; prefix: number } | null {
  const [address, length, ...rest] = text.split('/');
  const family = isIP(address!);
  if (family === 0 || rest.length > 0 || address!.includes('%')) return null;
  const bits = family === 4 ? 32 : 128;
  if (length === undefined) return { address: address!, prefix: bits };
  if (!/^\d{1,3}$/.test(length) || Number(length) > bits) return null;
  return { address: address!, prefix: Number(length) };
}

/** Creates a list of valid networks. An IPv4-mapped IPv6 address (`::ffff:192.0.2.7`) matches its IPv4 form. */
export function createAddressList(networks: readonly string[]): AddressList {
  const list = new BlockList();
  for (const text of networks) {
    const { address, prefix } = parseNetwork(text)!;
    list.addSubnet(address, prefix, familyOf(address));
  }
  return {
    includes(address) {
      const plain = address.split('%', 1)[0]!;
      return isIP(plain) !== 0 && list.check(plain, familyOf(plain));
    },
  };
}
