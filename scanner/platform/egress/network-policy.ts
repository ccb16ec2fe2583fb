import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { addressClassNames, classifyAddress, parseAddressRange } from './address-class.ts';
import { isLocalName, normalizeHost } from './host-name.ts';

export type ResolvedAddress = { address: string; family: 4 | 6 };
/** Resolves a name to all its addresses. Throws if there are none. */
export type Resolve = (host: string) => Promise<ResolvedAddress[]>;

/**
 * A connection that the policy refuses. `message` is a sentence for the person who specified the target, without
 * resolved addresses.
 */
export class NetworkRefusal extends Error {
  readonly code = 'network_refused';
  readonly host: string;

  constructor(host: string, message: string) {
    super(message);
    this.name = 'NetworkRefusal';
    this.host = host;
  }
}

/** A name that currently has no address. `message` is a sentence as in NetworkRefusal. */
export class HostNotFound extends Error {
  readonly code = 'host_not_found';
  readonly host: string;

  constructor(host: string, cause: unknown) {
    super(`The name "${host}" could not be resolved. Check its spelling, and that this machine's DNS knows it.`, {
      cause,
    });
    this.name = 'HostNotFound';
    this.host = host;
  }
}

/** The allowed hosts of outbound connections: public addresses, and those that the operator allows. */
export type NetworkPolicy = {
  /**
   * Resolves `host` (in any notation) and checks all its addresses: if one is not allowed, the host is refused. Connect
   * only to the returned addresses, since another look-up could return others. Throws NetworkRefusal or HostNotFound.
   */
  check(host: string, port?: number): Promise<{ host: string; addresses: ResolvedAddress[] }>;
  /**
   * For the `lookup` option of net, tls and http: resolves and checks the host, and returns only checked addresses.
   * Node calls no lookup for a host that is already an address: call `check` first, as guarded-request.ts does.
   */
  readonly lookup: LookupFunction;
};

export type NetworkPolicyOptions = {
  /** CIDRs, addresses, host names and `*.domain` patterns (ASSAY_ALLOWED_TARGETS). */
  allowed: string[];
  resolve?: Resolve;
  resolveTimeoutMs?: number;
};

const resolveWithSystem: Resolve = async (host) =>
  (await systemLookup(host, { all: true, order: 'verbatim' })) as ResolvedAddress[];

/** Creates the policy. Throws a RangeError with the entry of `allowed` that can't be parsed. */
export function createNetworkPolicy(options: NetworkPolicyOptions): NetworkPolicy {
  const allowance = readAllowance(options.allowed);
  const resolve = options.resolve ?? resolveWithSystem;

  async function check(text: string, port?: number) {
    const host = normalizeHost(text);
    if (host === null) throw new NetworkRefusal(text, `"${printable(text)}" is not a host name or IP address.`);
    if (port !== undefined && (!Number.isInteger(port) || port < 1 || port > 65_535)) {
      throw new NetworkRefusal(host, `${port} is not a port: it must be from 1 to 65535.`);
    }
    const addresses = await resolveHost(host, resolve, options.resolveTimeoutMs ?? 10_000).catch((error) => {
      // Without this, a name such as metadata.google.internal would look like a mere misspelling on a machine that
      // doesn't know it.
      const mayBeAllowed = allowance.allowsHost(host) || allowance.hasRanges;
      throw isLocalName(host) && !mayBeAllowed ? refusal(host, 'is a name of the local network') : error;
    });
    for (const { address } of addresses) judge(host, address, allowance);
    return { host, addresses };
  }

  const lookup: LookupFunction = (host, lookupOptions, callback) => {
    check(host).then(
      ({ addresses }) => returnAddresses(host, addresses, lookupOptions, callback),
      (error) => callback(error, '', 0),
    );
  };
  return { check, lookup };
}

/** Creates a lookup that returns only the checked addresses. */
export function pinnedLookup(addresses: ResolvedAddress[]): LookupFunction {
  return (host, options, callback) => process.nextTick(returnAddresses, host, addresses, options, callback);
}

function returnAddresses(
  host: string,
  addresses: ResolvedAddress[],
  options: Parameters<LookupFunction>[1],
  callback: Parameters<LookupFunction>[2],
): void {
  const family = options.family === 'IPv4' ? 4 : options.family === 'IPv6' ? 6 : options.family;
  const fitting = family ? addresses.filter((entry) => entry.family === family) : addresses;
  const first = fitting[0];
  if (!first) callback(new HostNotFound(host, undefined), '', 0);
  else if (options.all) callback(null, fitting);
  else callback(null, first.address, first.family);
}

async function resolveHost(host: string, resolve: Resolve, timeoutMs: number): Promise<ResolvedAddress[]> {
  const literal = isIP(host);
  if (literal !== 0) return [{ address: host, family: literal as 4 | 6 }];
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('DNS did not respond in time')), timeoutMs);
  try {
    const addresses = await Promise.race([resolve(host), expired]);
    if (addresses.length === 0) throw new Error('DNS returned no address');
    return addresses;
  } catch (error) {
    throw new HostNotFound(host, error);
  } finally {
    clearTimeout(timer);
  }
}

type Allowance = {
  hasRanges: boolean;
  allowsHost(host: string): boolean;
  allowsAddress(address: string, exactOnly: boolean): boolean;
};

function judge(host: string, address: string, allowance: Allowance): void {
  const kind = classifyAddress(address);
  // A single request to a metadata address returns credentials, so a wide range, or a name that resolves to it, must
  // not allow it unintentionally.
  if (kind === 'metadata') {
    if (allowance.allowsAddress(address, true)) return;
    throw refusal(host, `leads to ${addressClassNames.metadata}`);
  }
  if (allowance.allowsHost(host) || allowance.allowsAddress(address, false)) return;
  if (kind !== 'public') throw refusal(host, `leads to ${addressClassNames[kind]}`);
  if (isLocalName(host)) throw refusal(host, 'is a name of the local network');
}

function refusal(host: string, reason: string): NetworkRefusal {
  return new NetworkRefusal(
    host,
    `"${host}" ${reason}, which may not be reached from here. If that is intended, the operator can allow it in ASSAY_ALLOWED_TARGETS.`,
  );
}

function readAllowance(entries: string[]): Allowance {
  const ranges: NonNullable<ReturnType<typeof parseAddressRange>>[] = [];
  const hosts = new Set<string>();
  const suffixes: string[] = [];
  for (const entry of entries.map((text) => text.trim()).filter((text) => text !== '')) {
    const range = parseAddressRange(entry.replace(/^\[(.*)\]$/, '$1'));
    const host = normalizeHost(entry.replace(/^\*\./, ''));
    if (range) ranges.push(range);
    else if (host === null || isIP(host) !== 0) throw new RangeError(unreadable(entry));
    else if (entry.startsWith('*.')) suffixes.push(`.${host}`);
    else hosts.add(host);
  }
  return {
    hasRanges: ranges.length > 0,
    allowsHost: (host) => hosts.has(host) || suffixes.some((suffix) => host.endsWith(suffix)),
    allowsAddress: (address, exactOnly) =>
      ranges.some((range) => (range.single || !exactOnly) && range.contains(address)),
  };
}

const unreadable = (entry: string) =>
  `"${printable(entry)}" is not an IP address, a CIDR range (10.0.0.0/8), a host name or a pattern (*.example.com)`;

const printable = (text: string) => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 100);
