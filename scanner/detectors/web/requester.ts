import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliDecompress, constants, gunzip, inflate } from 'node:zlib';
import manifest from '../../package.json' with { type: 'json' };
import { createGuardedFetch } from '../../platform/egress/guarded-request.ts';
import type { NetworkPolicy } from '../../platform/egress/network-policy.ts';
import { headerOf, type Page, toPage } from './page.ts';
import type { TimeBudget } from './time-budget.ts';

/** Few enough not to burden a small site when they are sent one at a time. */
const maxRequests = 25;
const pauseMs = 100;
const maxMs = 15_000;
const maxBodyBytes = 2 * 1024 * 1024;

export const userAgent = `Assay/${manifest.version} (+security scan)`;

/** Sends one request at a time to a site. Returns redirects unfollowed. Throws the connection's errors. */
export type Requester = {
  get(url: URL, options?: { headers?: Record<string, string>; maxBytes?: number }): Promise<Page>;
  readonly left: number;
};

/** Certificates and TLS versions have their own rules, so they must not prevent reading the page. */
const tls = { rejectUnauthorized: false, minVersion: 'TLSv1', ciphers: 'DEFAULT:@SECLEVEL=0' } as const;

export function createRequester(policy: NetworkPolicy, signal: AbortSignal, budget: TimeBudget): Requester {
  const fetch = createGuardedFetch(policy);
  let left = maxRequests;
  return {
    get left() {
      return left;
    },
    async get(url, { headers = {}, maxBytes = maxBodyBytes } = {}) {
      if (left === 0) throw new Error(`The limit of ${maxRequests} requests is reached`);
      if (left < maxRequests) await pause(pauseMs, undefined, { signal });
      left -= 1;
      const { response, raw } = await budget.spend(url.origin, maxMs, async (timeoutMs) => {
        const response = await fetch(url, {
          headers: {
            'user-agent': userAgent,
            accept: 'text/html,*/*;q=0.8',
            'accept-encoding': 'identity',
            ...headers,
          },
          maxRedirects: 0,
          maxBytes: Number.MAX_SAFE_INTEGER,
          timeoutMs,
          signal,
          tls,
        });
        return { response, raw: await readStart(response.body, maxBytes) };
      });
      const body = await decode(raw, headerOf(response, 'content-encoding'), maxBytes);
      return toPage({ url, status: response.status, headers: response.headers, body: toText(body, response) });
    },
  };
}

/** Reads at most the first `maxBytes` of a body. */
async function readStart(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

const decoders = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
};

/**
 * Some servers compress even if the request forbids it. A body that can't be decoded within the limit counts as empty.
 */
async function decode(raw: Buffer, encoding: string | null, maxOutputLength: number): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase();
  if (!name || name === 'identity') return raw;
  const partial = { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH };
  try {
    if (name === 'br') return await promisify(brotliDecompress)(raw, { maxOutputLength });
    const decoder = decoders[name as keyof typeof decoders];
    return decoder ? await decoder(raw, partial) : Buffer.alloc(0);
  } catch {
    return Buffer.alloc(0);
  }
}

/** Decodes text as UTF-8 (the rules look only for ASCII), everything else as one character per byte. */
function toText(body: Buffer, response: Pick<Page, 'headers'>): string {
  const isText = /^\s*(text\/|application\/(json|xhtml|xml|javascript))/i.test(
    headerOf(response, 'content-type') ?? '',
  );
  return body.toString(isText ? 'utf8' : 'latin1');
}
