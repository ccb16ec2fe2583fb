import Fastify, { type FastifyInstance } from 'fastify';
import { handleFailures } from './failure.ts';
import { addProbes, type ProbeOptions } from './probes.ts';
import { addDrain } from './shutdown.ts';

/** Creates the server of a process without an API: `/healthz`, `/readyz` and `/metrics`. It does not listen yet. */
export function createProbeServer(options: ProbeOptions): FastifyInstance {
  const app = Fastify({ logger: false, forceCloseConnections: true }) as unknown as FastifyInstance;
  addDrain(app);
  app.decorateRequest('actor', null);
  handleFailures(app, options, options.metrics);
  addProbes(app, options);
  return app;
}
