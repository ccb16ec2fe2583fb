import type { SandboxStatus } from '@assay/scanner/platform/sandbox/sandbox.ts';
import { asPartOfNone } from '../../platform/cost/request-cost.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { FoundProgram } from './found-program.ts';

/** The scanners that a worker found, by type. */
export type ReportedTools = Map<string, FoundProgram>;

/**
 * The reports of running workers. `sandbox` comes from the worker with the weakest confinement; null without reports.
 */
export type WorkerReports = { tools: ReportedTools; sandbox: SandboxStatus | null };

/** Workers report every minute: one without a report for this long has stopped. */
const lastingMs = 180_000;
const freshForMs = 5_000;

/** Replaces the report of this worker. */
export async function reportTools(
  database: Database,
  workerId: string,
  tools: ReportedTools,
  sandbox: SandboxStatus,
): Promise<void> {
  await database.single(null, {
    name: 'worker_tools_report',
    text: `INSERT INTO worker_tools (worker_id, tools, sandbox, reported_at) VALUES ($1, $2, $3, clock_timestamp())
           ON CONFLICT (worker_id) DO UPDATE
           SET tools = excluded.tools, sandbox = excluded.sandbox, reported_at = excluded.reported_at`,
    values: [workerId, JSON.stringify(Object.fromEntries(tools)), JSON.stringify(sandbox)],
  });
}

/** Removes the report of a worker that is stopping, and those of workers that stopped without removing theirs. */
export async function removeReport(database: Database, workerId: string): Promise<void> {
  await database.single(null, {
    name: 'worker_tools_remove',
    text: `DELETE FROM worker_tools
           WHERE worker_id = $1 OR reported_at < clock_timestamp() - $2 * interval '1 millisecond'`,
    values: [workerId, lastingMs],
  });
}

/** The kinds of confinement, weakest first: a scan may run on any worker. */
const order: Array<SandboxStatus['status']> = ['off', 'none', 'partial', 'active'];

async function readReports(database: Database): Promise<WorkerReports> {
  type Report = { tools: Record<string, FoundProgram>; sandbox: SandboxStatus };
  const reports = await database.single<Report>(null, {
    name: 'worker_tools_read',
    text: `SELECT tools, sandbox FROM worker_tools WHERE reported_at > clock_timestamp() - $1 * interval '1 millisecond'
           ORDER BY reported_at`,
    values: [lastingMs],
  });
  const found: ReportedTools = new Map();
  for (const [type, installation] of reports.flatMap(({ tools }) => Object.entries(tools))) {
    if (!found.has(type) || !('missing' in installation)) found.set(type, installation);
  }
  const sandboxes = reports.map(({ sandbox }) => sandbox);
  sandboxes.sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
  return { tools: found, sandbox: sandboxes[0] ?? null };
}

/**
 * Returns a function that reads the reports of running workers, at most every five seconds. A scanner is available
 * when one of them has it.
 */
export function createReportReader(database: Database): () => Promise<WorkerReports> {
  let known: Promise<WorkerReports> | null = null;
  let readAt = 0;
  return () => {
    if (known && performance.now() - readAt < freshForMs) return known;
    // Callers share a read in progress.
    const reading = asPartOfNone(() => readReports(database));
    known = reading;
    readAt = performance.now();
    reading.catch(() => {
      if (known === reading) known = null;
    });
    return reading;
  };
}
