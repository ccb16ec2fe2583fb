import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { GuardedFetch } from '../platform/egress/guarded-request.ts';
import { isTransientStatus } from '../platform/egress/transient-failure.ts';
import { downloadFile, type OpenedFile, openLocalFile, urlBelow, withoutPassword } from './opened-file.ts';
import { FeedStatusError } from './try-again.ts';

/** A source of advisories: archives in the layout of OSV's export, `ECOSYSTEM/all.zip`. */
export type Feed = {
  /** The feed's name as configured, without a password. */
  source: string;
  /** The ecosystems that the feed lists; null if it has no list. */
  listEcosystems(): Promise<string[] | null>;
  /**
   * Fetches an archive. `known` is the validator of the last archive, or null. Throws a sentence, or the network's
   * error.
   */
  open(ecosystem: string, known: string | null, signal: AbortSignal): Promise<OpenedFile>;
};

const archiveName = 'all.zip';

function whyUnlisted({ code, message }: NodeJS.ErrnoException, directory: string): string {
  if (code === 'ENOENT') return `There is nothing at ${directory}.`;
  if (code === 'ENOTDIR') return `${directory} is no directory with archives such as npm/${archiveName}.`;
  return code === 'EACCES' || code === 'EPERM' ? `${directory} may not be read.` : message;
}

/** A directory on this machine. */
export function directoryFeed(directory: string): Feed {
  return {
    source: directory,
    async listEcosystems() {
      const entries = await readdir(directory, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
        throw new Error(whyUnlisted(error, directory), { cause: error });
      });
      const names = entries.filter((entry) => !entry.isFile()).map((entry) => entry.name);
      const present = await Promise.all(
        names.map((name) => stat(join(directory, name, archiveName)).catch(() => null)),
      );
      return names.filter((_, index) => present[index]?.isFile()).sort();
    },
    open: (ecosystem, known) => openLocalFile(join(directory, ecosystem, archiveName), known),
  };
}

const maxArchiveBytes = 4 * 1024 ** 3;
const maxListBytes = 1024 * 1024;

/** The base URL of an export; `ecosystems.txt` lists its ecosystems. */
export function webFeed(base: string, fetch: GuardedFetch): Feed {
  return {
    source: withoutPassword(base),
    async listEcosystems() {
      const response = await fetch(urlBelow(base, 'ecosystems.txt'), { maxBytes: maxListBytes });
      const list = await response.bytes();
      // A missing list is no error. A list that can't be read may contain an archive that is due.
      if (isTransientStatus(response.status)) throw new FeedStatusError(withoutPassword(base), response.status);
      if (response.status !== 200) return null;
      const names = list
        .toString('utf8')
        .split(/\r?\n/)
        .map((name) => name.trim())
        .filter((name) => /^[\w .:-]{1,100}$/.test(name));
      return names.length > 0 ? names : null;
    },
    open: (ecosystem, known, signal) =>
      downloadFile(fetch, urlBelow(base, ecosystem, archiveName), { known, signal, maxBytes: maxArchiveBytes }),
  };
}
