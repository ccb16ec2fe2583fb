import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** One cluster per work tree and user, kept between runs so that it starts in a fraction of a second. */
export const clusterDirectory = join(root, 'node_modules', '.cache', 'assay-test');

/** A connection to this socket keeps the cluster running. The path is short, because socket paths must be. */
export const keeperSocket = join(
  tmpdir(),
  `assay-test-${createHash('sha256').update(root).digest('hex').slice(0, 10)}-${process.getuid?.() ?? 0}.sock`,
);

/** The cluster's maintenance database, as the superuser and as the service's role. */
export type Cluster = { adminUrl: string; appUrl: string };

let held: Promise<Cluster> | undefined;

/** The address of another PostgreSQL for the databases of test files that a test runs. */
export const givenCluster = 'ASSAY_TEST_POSTGRES';

function tryConnect(): Promise<{ socket: Socket; cluster: Cluster } | null> {
  return new Promise((resolve) => {
    const socket = connect(keeperSocket);
    socket.once('error', () => resolve(null));
    socket.once('close', () => resolve(null));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
      if (text.endsWith('\n')) resolve({ socket, cluster: JSON.parse(text) as Cluster });
    });
  });
}

/**
 * Returns the addresses of the test cluster, which runs as long as this process. The first caller starts it through a
 * keeper process, which stops it a few seconds after its last user has ended or was killed.
 */
export function acquireCluster(): Promise<Cluster> {
  const given = process.env[givenCluster];
  if (given) return Promise.resolve({ adminUrl: given, appUrl: given });
  held ??= (async () => {
    mkdirSync(clusterDirectory, { recursive: true });
    for (let attempt = 0; attempt < 300; attempt++) {
      const connection = await tryConnect();
      if (connection) {
        connection.socket.unref();
        return connection.cluster;
      }
      // At most every five seconds: of several keepers, all but one exit at once.
      if (attempt % 50 === 0) {
        spawn(process.execPath, [join(import.meta.dirname, 'keeper.ts')], { detached: true, stdio: 'ignore' }).unref();
      }
      await delay(100);
    }
    throw new Error(`The test cluster in ${clusterDirectory} did not start: see keeper.log and postgres.log there.`);
  })();
  return held;
}
