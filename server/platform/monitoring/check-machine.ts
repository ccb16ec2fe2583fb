import { mkdtemp, rmdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const listenFailures: Record<string, (port: number, host: string) => string> = {
  EADDRINUSE: (port) =>
    `Port ${port} is in use by another program, or by an Assay that runs already. Start on another port: PORT=${port === 3001 ? 3002 : 3001} npm start`,
  EACCES: (port) => `Port ${port} may only be used by root. Start on another port: PORT=3001 npm start`,
  EADDRNOTAVAIL: (_port, host) =>
    `HOST=${host} is no address of this machine. Leave HOST out for 127.0.0.1, or set it to 0.0.0.0 for all addresses.`,
};

/** Returns the sentence for an error of listening; the error's own message for others. */
export const whyNotListening = ({ code, message }: NodeJS.ErrnoException, port: number, host: string): string =>
  listenFailures[code ?? '']?.(port, host) ?? message;

/** Throws a sentence when the port can't be listened on, before anything else is created. */
export async function requirePort(port: number, host: string): Promise<void> {
  if (port === 0) return;
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(new Error(whyNotListening(error, port, host), { cause: error })));
      server.listen(port, host, resolve);
    });
  } finally {
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  }
}

/** Throws a sentence when temporary files can't be created: the database, git and scanners need them. */
export async function requireTemporaryFolder(folder = tmpdir()): Promise<void> {
  try {
    await rmdir(await mkdtemp(join(folder, 'assay-check-')));
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const why =
      code === 'ENOENT' || code === 'ENOTDIR'
        ? 'does not exist'
        : code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
          ? 'is not writable by this user'
          : code === 'ENOSPC'
            ? 'is on a full disk'
            : `can't be used (${message})`;
    throw new Error(
      `The folder for temporary files, ${folder}, ${why}. Make it writable, or start with another: TMPDIR=/var/tmp npm start`,
      { cause },
    );
  }
}
