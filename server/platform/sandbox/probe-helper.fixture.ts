import { createServer } from 'node:http';
import { serveAsHelper } from '../helper-process.ts';
import { type Probe, tryEverything } from './probe.fixture.ts';

/** A helper process like the importer, which returns what it could access. */
serveAsHelper(
  ({ probe }: { probe: Probe }, socketPath) =>
    new Promise<void>((resolve) => {
      const server = createServer(async (_, response) => response.end(JSON.stringify(await tryEverything(probe))));
      server.listen(socketPath, resolve);
    }),
);
