import { createWriteStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { GuardedFetch, GuardedResponse } from '../../platform/egress/guarded-request.ts';
import { makeTemporaryDirectory } from '../../platform/temporary-directory.ts';

/** The archive of an ecosystem, on disk until it is closed, or the fact that there is none or nothing new. */
type OpenedArchive =
  | { kind: 'archive'; file: string; validator: string; close(): Promise<void> }
  | { kind: 'unchanged' }
  | { kind: 'absent' };

/** A source of advisories: archives in the layout of OSV's export, `ECOSYSTEM/all.zip`. */
export type Feed = {
  /** The feed's name as configured, without a password. */
  source: string;
  /** The ecosystems that the feed lists; null when it has no list. */
  listEcosystems(): Promise<string[] | null>;
  /**
   * Fetches an archive. `known` is the validator of the last one, or null. Throws a sentence, or the network's error.
   */
  open(ecosystem: string, known: string | null, signal: AbortSignal): Promise<OpenedArchive>;
};

const archiveName = 'all.zip';

/** A directory on this machine. */
export function directoryFeed(directory: string): Feed {
  return {
    source: directory,
    async listEcosystems() {
      const entries = await readdir(directory, { withFileTypes: true });
      const names = entries.filter((entry) => !entry.isFile()).map((entry) => entry.name);
      const present = await Promise.all(
        names.map((name) => stat(join(directory, name, archiveName)).catch(() => null)),
      );
      return names.filter((_, index) => present[index]?.isFile()).sort();
    },
    async open(ecosystem, known) {
      const file = join(directory, ecosystem, archiveName);
      const information = await stat(file).catch(() => null);
      if (!information?.isFile()) return { kind: 'absent' };
      const validator = `${information.size} ${information.mtimeMs}`;
      if (validator === known) return { kind: 'unchanged' };
      return { kind: 'archive', file, validator, close: async () => {} };
    },
  };
}

const maxArchiveBytes = 4 * 1024 ** 3;
const maxListBytes = 1024 * 1024;
const downloadTimeoutMs = 60 * 60_000;

/** The base URL of an export; `ecosystems.txt` lists its ecosystems. */
export function webFeed(base: string, fetch: GuardedFetch): Feed {
  const urlOf = (...path: string[]) => `${base.replace(/\/+$/, '')}/${path.map(encodeURIComponent).join('/')}`;
  return {
    source: withoutPassword(base),
    async listEcosystems() {
      const response = await fetch(urlOf('ecosystems.txt'), { maxBytes: maxListBytes });
      const list = await response.bytes();
      if (response.status !== 200) return null;
      const names = list
        .toString('utf8')
        .split(/\r?\n/)
        .map((name) => name.trim())
        .filter((name) => /^[\w .:-]{1,100}$/.test(name));
      return names.length > 0 ? names : null;
    },
    async open(ecosystem, known, signal) {
      const url = urlOf(ecosystem, archiveName);
      const response = await fetch(url, {
        headers: conditions(known),
        signal,
        timeoutMs: downloadTimeoutMs,
        maxBytes: maxArchiveBytes,
      });
      if (response.status === 304) return { kind: 'unchanged' };
      // Object stores return 403 for a missing object when the client may not list the bucket.
      if (response.status === 404 || response.status === 403) return leave(response, { kind: 'absent' });
      if (response.status !== 200) {
        await leave(response, null);
        throw new Error(`${withoutPassword(url)} returned ${response.status}.`);
      }
      return download(response);
    },
  };
}

async function leave<T>(response: GuardedResponse, value: T): Promise<T> {
  for await (const _ of response.body) break;
  return value;
}

async function download(response: GuardedResponse): Promise<OpenedArchive> {
  const { path, remove: close } = await makeTemporaryDirectory();
  const file = join(path, archiveName);
  try {
    await pipeline(response.body, createWriteStream(file));
  } catch (error) {
    await close();
    throw error;
  }
  const { etag = '', 'last-modified': modified = '' } = response.headers as Record<string, string | undefined>;
  return { kind: 'archive', file, validator: JSON.stringify([etag, modified]), close };
}

function conditions(known: string | null): Record<string, string> {
  const [etag = '', modified = ''] = known === null ? [] : (JSON.parse(known) as string[]);
  return { ...(etag && { 'if-none-match': etag }), ...(modified && { 'if-modified-since': modified }) };
}

function withoutPassword(url: string): string {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  return shown.href;
}
