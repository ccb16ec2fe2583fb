import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { GuardedFetch, GuardedResponse } from '../platform/egress/guarded-request.ts';
import { makeTemporaryDirectory } from '../platform/temporary-directory.ts';
import { FeedStatusError } from './try-again.ts';

/** A file of a feed, on disk until it is closed; or the fact that it is missing or unchanged. */
export type OpenedFile =
  | { kind: 'file'; file: string; validator: string; close(): Promise<void> }
  | { kind: 'unchanged' }
  | { kind: 'absent' };

const downloadTimeoutMs = 60 * 60_000;

/** Opens a file on this machine. `known` is the validator of the last file, or null. */
export async function openLocalFile(file: string, known: string | null): Promise<OpenedFile> {
  const information = await stat(file).catch(() => null);
  if (!information?.isFile()) return { kind: 'absent' };
  const validator = `${information.size} ${information.mtimeMs}`;
  if (validator === known) return { kind: 'unchanged' };
  return { kind: 'file', file, validator, close: async () => {} };
}

type Download = { known: string | null; signal: AbortSignal; maxBytes: number };

/** Downloads a file if it has changed. Throws a sentence, or the network's error. */
export async function downloadFile(
  fetch: GuardedFetch,
  url: string,
  { known, signal, maxBytes }: Download,
): Promise<OpenedFile> {
  const response = await fetch(url, { headers: conditions(known), signal, timeoutMs: downloadTimeoutMs, maxBytes });
  if (response.status === 304) return { kind: 'unchanged' };
  // Object stores return 403 for a missing object if the client may not list the bucket.
  if (response.status === 404 || response.status === 403) return leave(response, { kind: 'absent' });
  if (response.status !== 200) {
    await leave(response, null);
    throw new FeedStatusError(withoutPassword(url), response.status);
  }
  return save(response);
}

async function leave<T>(response: GuardedResponse, value: T): Promise<T> {
  for await (const _ of response.body) break;
  return value;
}

async function save(response: GuardedResponse): Promise<OpenedFile> {
  const { path, remove: close } = await makeTemporaryDirectory();
  const file = `${path}/file`;
  try {
    await pipeline(response.body, createWriteStream(file));
  } catch (error) {
    await close();
    throw error;
  }
  const { etag = '', 'last-modified': modified = '' } = response.headers as Record<string, string | undefined>;
  return { kind: 'file', file, validator: JSON.stringify([etag, modified]), close };
}

function conditions(known: string | null): Record<string, string> {
  const [etag = '', modified = ''] = known === null ? [] : (JSON.parse(known) as string[]);
  return { ...(etag && { 'if-none-match': etag }), ...(modified && { 'if-modified-since': modified }) };
}

export const isUrl = (location: string): boolean => /^https?:\/\//i.test(location);

/** Returns the URL of a file below a base URL. */
export const urlBelow = (base: string, ...path: string[]): string =>
  `${base.replace(/\/+$/, '')}/${path.map(encodeURIComponent).join('/')}`;

export function withoutPassword(url: string): string {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  return shown.href;
}
