import { HostNotFound } from './network-policy.ts';

const transientCodes =
  /^(ECONN(REFUSED|RESET|ABORTED)|ETIMEDOUT|EPIPE|EAI_AGAIN|ENET(UNREACH|DOWN|RESET)|EHOST(UNREACH|DOWN)|ERR_STREAM_PREMATURE_CLOSE)$/;

/**
 * Returns whether a connection failed for a temporary reason: the name currently has no address, the host or the route
 * to it is down, or it did not respond in time. A refusal by the network policy or an untrusted certificate is
 * permanent.
 */
export function isTransientFailure(error: unknown): boolean {
  if (error instanceof HostNotFound) return true;
  if (!(error instanceof Error)) return false;
  return error.name === 'TimeoutError' || transientCodes.test(String((error as NodeJS.ErrnoException).code ?? ''));
}

/** Returns whether a status says that the same request may succeed later: 408, 429, and server errors. */
export const isTransientStatus = (status: number): boolean =>
  status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 505);
