import { isIPv6 } from 'node:net';
import { ApiError, type RefusalFacts } from '../errors.ts';
import { type Allowance, createMemoryRateLimiter, type Rate } from '../rate-limit/rate-limit.ts';

export const defaultFailedAuthentications: Rate = { requestsPerMinute: 20, burstPerMinute: 40 };

/**
 * Concurrent lookups for addresses beyond their limit: a third of the connections, so that a flood of guesses neither
 * blocks the database for other requests nor delays a valid credential (a lookup takes 0.3 ms).
 */
const maxLookUpsBeyondLimit = 4;

/**
 * Returns the key by which an address is counted. An IPv6 /64 network belongs to one customer: counting single
 * addresses would limit nobody.
 */
export function addressKey(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return `address:${address}`;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? [] : tail.split(':');
    while (groups.length + after.length < 8) groups.push('0');
    groups.push(...after);
  }
  return `address:${groups.slice(0, 4).join(':')}`;
}

/** Returns the 429 error for an exceeded limit. `what` is the sentence that names the limit. */
export function limited(allowance: Allowance, what: string, facts?: RefusalFacts): ApiError {
  const seconds = allowance.retryAfterSeconds;
  return new ApiError('rate_limited', `${what} Wait ${seconds} second${seconds === 1 ? '' : 's'} and try again.`, {
    headers: { 'Retry-After': String(seconds) },
    ...(facts && { facts }),
  });
}

/**
 * Counts wrong credentials by client address. Each node has its own counters: a shared one would cost every request a
 * round trip. Only failures are counted and limited, so that other users behind the same address (a NAT, a proxy, a
 * CI runner) aren't locked out. Guessing stays hopeless: the secrets have 200 bits or more.
 */
export class FailedAuthentications {
  readonly rate: Rate;
  readonly #limiter = createMemoryRateLimiter();
  readonly #waiting: (() => void)[] = [];
  #lookUps = 0;

  constructor(rate: Rate = defaultFailedAuthentications) {
    this.rate = rate;
  }

  /** The remaining failures of an address. */
  allowance(address: string): Allowance {
    return this.#limiter.peek(addressKey(address), this.rate);
  }

  /** Looks up a credential. An address beyond its limit waits for a free slot. */
  async lookUp<T>(address: string, find: () => Promise<T>): Promise<T> {
    if (this.#limiter.peek(addressKey(address), this.rate).allowed) return find();
    if (this.#lookUps >= maxLookUpsBeyondLimit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#lookUps += 1;
    try {
      return await find();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#lookUps -= 1;
    }
  }

  /** Counts a wrong credential and returns the error to throw: `refusal`, or 429 beyond the limit. */
  async refuse(address: string, refusal: ApiError): Promise<ApiError> {
    const allowance = await this.#limiter.take(addressKey(address), this.rate);
    if (allowance.allowed) return refusal;
    return limited(allowance, 'Too many failed authentications from this address.', refusal.facts);
  }
}
