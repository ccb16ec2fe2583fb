import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createNetworkPolicy } from '@assay/scanner/platform/egress/network-policy.ts';
import { sandboxStatus } from '@assay/scanner/platform/sandbox/sandbox.ts';
import { removeAbandonedDirectories } from '@assay/scanner/platform/temporary-directory.ts';
import { createLocalRepositories } from '../data-sources/local-repository.ts';
import { learnVersions, prepareTools } from '../detection/external/index.ts';
import { removeReport, reportTools } from '../detection/external/reported-tools.ts';
import type { DetectionServices } from '../detection/services.ts';
import { addTargetMetrics } from '../detection/target-metrics.ts';
import { consoleSettings } from '../findings/finding-schema.ts';
import { createHeadChannels } from '../organization/audit/heads/channels.ts';
import manifest from '../package.json' with { type: 'json' };
import { startEgressProxy } from '../platform/egress/egress-proxy.ts';
import { countMails } from '../platform/mail/counted-mailer.ts';
import { createMailer } from '../platform/mail/mail.ts';
import type { Instruments } from '../platform/metrics.ts';
import { addHeartbeatMetric, addJobMetrics } from '../platform/monitoring/job-metrics.ts';
import { openDatabases } from '../platform/postgres/cells/cell-database.ts';
import { openSandbox, warnOfRoot } from '../platform/sandbox/open-sandbox.ts';
import { openKeyring } from '../platform/secrets/open-keyring.ts';
import type { WorkerServices } from '../worker.ts';
import { openReplicas, openRooms } from './open-rooms.ts';
import { baseUrlOf, findInstallation, type RunOptions } from './run-options.ts';
import { promptConcurrency, startRunners } from './start-runners.ts';

const statementTimeoutMs = 300_000;

/** Starts running jobs: scans, mails and scheduled work. Stops with the lifecycle. */
export async function runWorker(
  options: Omit<RunOptions, 'checkResponses'> & { alone: boolean; figures: Instruments },
): Promise<void> {
  const { config, log, lifecycle, databaseUrl, figures } = options;
  removeAbandonedDirectories(log);
  const { dataDirectory, folders, sandbox } = config;
  openSandbox({ mode: sandbox.mode, hides: [dataDirectory], reads: sandbox.readable }, log, true);
  warnOfRoot(log);
  prepareTools({ dataDirectory, descriptions: folders.scanners, startsPrograms: true }, (warning) => log.warn(warning));
  if (existsSync(folders.codeRules)) {
    const { addOperatorRules } = await import('@assay/scanner/detectors/code/rule-book.ts');
    await addOperatorRules(folders.codeRules, log);
  }
  const settings = consoleSettings(baseUrlOf(config));
  const maxConnections = (config.worker.concurrency + promptConcurrency) * 3 + 2;
  const database = openDatabases(
    { connectionString: databaseUrl, applicationName: 'assay worker', maxConnections, statementTimeoutMs, settings },
    config.cells,
  );
  await lifecycle.onStop('database of the worker', () => database.close());
  // A job reads on behalf of no credential, so no other node needs its mark.
  const replicas = await openReplicas(database, options, {
    redisUrl: null,
    pool: { applicationName: 'assay worker', maxConnections: promptConcurrency, statementTimeoutMs },
  });
  const networkPolicy = createNetworkPolicy({ allowed: config.allowedTargets });
  const egress = await startEgressProxy({ policy: networkPolicy });
  await lifecycle.onStop('egress proxy', () => egress.close());
  const stopping = new AbortController();
  const { secretKey } = options;
  const { keyring } = await openKeyring(database, { secretKey, previousSecretKey: config.previousSecretKey });
  const detection: DetectionServices = {
    database,
    keyring,
    log,
    networkPolicy,
    localRepositories: createLocalRepositories(database, [...config.localRepositories, ...options.ownRepositories]),
    ...openRooms(config, log),
    egressProxyUrl: egress.url,
    feeds: config.feeds,
    retryForMs: config.worker.scanRetryMinutes * 60_000,
    stopping: stopping.signal,
    targetMetrics: addTargetMetrics(figures),
  };
  const mails = { smtpUrl: config.smtpUrl, directory: join(dataDirectory, 'mail'), from: config.mailFrom, log };
  const mailer = countMails(createMailer(mails), figures);
  const baseUrl = baseUrlOf(config);
  const headChannels = createHeadChannels(config.auditHeads, networkPolicy, log);
  const backup = { backups: config.backups, findInstallation: () => findInstallation(options) };
  const services: WorkerServices = {
    ...detection,
    ...backup,
    replicas,
    mailer,
    baseUrl,
    headChannels,
    brandingFolder: folders.branding,
  };
  const { concurrency } = config.worker;
  const runner = { services, log, concurrency, alone: options.alone, onJobEnd: addJobMetrics(figures) };
  const runners = await startRunners({ ...runner, databaseUrl, cells: config.cells, stopping: stopping.signal });
  const { heartbeatAgeMs } = runners;
  addHeartbeatMetric(figures, heartbeatAgeMs);
  const workerId = randomUUID();
  const stopLearning = learnVersions(
    (found) => reportTools(database, workerId, found, sandboxStatus()),
    (error) => log.warn({ err: error }, 'The version of a scanner was not read or not reported.'),
  );
  await lifecycle.onStop('jobs', async () => {
    stopLearning();
    stopping.abort(new Error('The worker is stopping.'));
    const removal = removeReport(database, workerId).catch(() => {});
    await Promise.all([runners.stop(), removal]);
  });
  const { workerPort: port, metricsToken } = config.monitoring;
  if (port === null || options.alone) return;
  const { serveWorkerProbes } = await import('../platform/monitoring/worker-probes.ts');
  const { host, trustedProxies } = config;
  const access = { host, port, metricsToken, trustedProxies, version: manifest.version };
  await serveWorkerProbes({ ...access, log, lifecycle, database, figures, heartbeatAgeMs });
}
