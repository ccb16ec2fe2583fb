import type { Outlet } from '@assay/scanner/platform/sandbox/outlets.ts';
import { setRecorder } from '@assay/scanner/platform/tracing.ts';
import type { TracingConfig } from '../config/config.ts';
import manifest from '../package.json' with { type: 'json' };
import type { Lifecycle } from '../platform/lifecycle.ts';
import type { Log } from '../platform/log.ts';

/** Returns the host that spans are sent to. */
export function collectorOutlet({ endpoint }: NonNullable<TracingConfig>): Outlet {
  const { protocol, hostname, port } = new URL(endpoint);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}

/**
 * Records the spans of this process until the lifecycle stops, if a collector is configured. The libraries are loaded
 * only then.
 */
export async function startTracing(
  tracing: TracingConfig,
  part: 'api' | 'worker' | 'importer',
  log: Log,
  lifecycle?: Lifecycle,
): Promise<void> {
  if (tracing === null) return;
  const { openRecorder } = await import('../platform/tracing/open-telemetry.ts');
  const recorder = await openRecorder({ ...tracing, service: `assay-${part}`, version: manifest.version, log });
  setRecorder(recorder);
  await lifecycle?.onStop('tracing', () => recorder.close());
}
