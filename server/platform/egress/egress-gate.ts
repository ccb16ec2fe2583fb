import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { HostNotFound, type NetworkPolicy, NetworkRefusal, type ResolvedAddress } from './network-policy.ts';

type Admission =
  | { ok: true; host: string; port: number; addresses: ResolvedAddress[] }
  | { ok: false; status: 400 | 403 | 407 | 502; message: string };

/** Decides whether a proxy request with `target` (`host:port`) may go out. Never throws. */
export type Admit = (request: IncomingMessage, target: string) => Promise<Admission>;

/**
 * Makes the proxy's gate. It checks the credential, then the form of the target, then the policy. `onRefused` gets the
 * policy's messages.
 */
export function createGate(policy: NetworkPolicy, password: string, onRefused: (message: string) => void): Admit {
  const expected = Buffer.from(`Basic ${Buffer.from(`assay:${password}`).toString('base64')}`);
  return async (request, target) => {
    const given = Buffer.from(request.headers['proxy-authorization'] ?? '');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      return { ok: false, status: 407, message: 'This proxy serves only the programs that it was started for.' };
    }
    const [, host, port] = /^(\[[^\]]*\]|[^:\s/@]+):(\d{1,5})$/.exec(target) ?? [];
    if (host === undefined) return { ok: false, status: 400, message: 'The target must be host:port.' };
    try {
      return { ok: true, port: Number(port), ...(await policy.check(host, Number(port))) };
    } catch (error) {
      const known = error instanceof NetworkRefusal || error instanceof HostNotFound;
      const message = known ? error.message : `"${host}" could not be checked.`;
      onRefused(message);
      return { ok: false, status: error instanceof NetworkRefusal ? 403 : 502, message };
    }
  };
}
