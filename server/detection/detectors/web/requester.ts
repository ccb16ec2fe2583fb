import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliDecompress, constants, gunzip, inflate } from 'node:zlib';
import manifest from '../../../package.json' with { type: 'json' };
import { createGuardedFetch } from '../../../platform/egress/guarded-request.ts';
import type { NetworkPolicy } from '../../../platform/egress/network-policy.ts';
import { headerOf, type Page, toPage } from './page.ts';

/** So many requests that a small site's owner does not notice, one after the other. */
const mostRequests = 25;
const pauseMs = 100;
const timeoutMs = 15_000;
const mostBodyBytes = 2 * 1024 * 1024;

export const userAgent = `Assay/${manifest.version} (+security scan)`;

/** Asks a site for one thing at a time. Redirects are answered as they are. Throws what the connection throws. */
export type Requester = {
  get(url: URL, options?: { headers?: Record<string, string>; mostBytes?: number }): Promise<Page>;
  readonly left: number;
};

/** Certificates and old versions of TLS are judged by rules of their own: here they must not keep us from the page. */
const tls = { rejectUnauthorized: false, minVersion: 'TLSv1', ciphers: 'DEFAULT:@SECLEVEL=0' } as const;

export function createRequester(policy: NetworkPolicy, signal: AbortSignal): Requester {
  const fetch = createGuardedFetch(policy);
  let left = mostRequests;
  return {
    get left() {
      return left;
    },
    async get(url, { headers = {}, mostBytes = mostBodyBytes } = {}) {
      if (left === 0) throw new Error(`More than ${mostRequests} requests are not made`);
      if (left < mostRequests) await pause(pauseMs, undefined, { signal });
      left -= 1;
      const response = await fetch(url, {
        headers: { 'user-agent': userAgent, accept: 'text/html,*/*;q=0.8', 'accept-encoding': 'identity', ...headers },
        ...{ maxRedirects: 0, maxBytes: Number.MAX_SAFE_INTEGER, timeoutMs, signal, tls },
      });
      const raw = await readStart(response.body, mostBytes);
      const body = await decode(raw, headerOf(response, 'content-encoding'), mostBytes);
      return toPage({ url, status: response.status, headers: response.headers, body: toText(body, response) });
    },
  };
}

/** The first bytes of a body; what is longer is left. */
async function readStart(body: AsyncIterable<Uint8Array>, mostBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= mostBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, mostBytes);
}

const decoders = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
};

/** Some servers compress whatever was asked for. What can't be decoded within the bound counts as empty. */
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

/** Text is read as UTF-8 (what the rules look for is ASCII anyway), everything else as one character per byte. */
function toText(body: Buffer, response: Pick<Page, 'headers'>): string {
  const isText = /^\s*(text\/|application\/(json|xhtml|xml|javascript))/i.test(
    headerOf(response, 'content-type') ?? '',
  );
  return body.toString(isText ? 'utf8' : 'latin1');
}
