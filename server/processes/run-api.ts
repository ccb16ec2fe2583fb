import { hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outsideRoutes, routes } from '../api.ts';
import { Connections } from '../data-sources/connections.ts';
import { createLocalRepositories } from '../data-sources/local-repository.ts';
import { addFeedMetrics } from '../detection/advisories/feed-metrics.ts';
import { prepareTools } from '../detection/external/index.ts';
import { createReportReader } from '../detection/external/reported-tools.ts';
import { createRemoteReader } from '../detection/imports/call-reader.ts';
import { ScanWatches, scanChannel } from '../detection/scans/scan-watches.ts';
import { detectionOnDataSourceDeleted } from '../detection/scans/start-scan.ts';
import { EventFeeds, eventChannel } from '../events/event-feeds.ts';
import { addChangesAhead } from '../findings/change-clock.ts';
import { FigureCache } from '../findings/figures/figure-cache.ts';
import { addFindingMetrics } from '../findings/figures/finding-metrics.ts';
import { Authenticator } from '../identity/authenticate.ts';
import { createIdentity, signInSecret } from '../identity/services.ts';
import { mountSignIn } from '../identity/sign-in/mount-sign-in.ts';
import { authenticationChannel } from '../organization/authentication-changes.ts';
import { authorize } from '../organization/roles.ts';
import manifest from '../package.json' with { type: 'json' };
import { addBackupMetrics } from '../platform/backup/backup-records.ts';
import { createNetworkPolicy } from '../platform/egress/network-policy.ts';
import { createHelperProcess } from '../platform/helper-process.ts';
import { createCursorCodec } from '../platform/http/cursor.ts';
import { FailedAuthentications } from '../platform/http/failed-authentications.ts';
import { NotReady } from '../platform/http/probes.ts';
import { ProcessorBudget } from '../platform/http/processor-budget.ts';
import { createHttpServer } from '../platform/http/server.ts';
import { createMetrics } from '../platform/metrics.ts';
import { addBuildMetrics } from '../platform/monitoring/build-metrics.ts';
import { whyNotListening } from '../platform/monitoring/check-machine.ts';
import { addPoolMetrics, addQueueMetrics } from '../platform/monitoring/queue-metrics.ts';
import { openDatabase } from '../platform/postgres/database.ts';
import { databaseOutlet } from '../platform/postgres/database-outlet.ts';
import { listenForNotifications } from '../platform/postgres/notifications.ts';
import { addReplicaMetrics } from '../platform/postgres/replicas/replica-metrics.ts';
import { createMemoryRateLimiter } from '../platform/rate-limit/rate-limit.ts';
import { addRedisMetrics } from '../platform/rate-limit/redis-metrics.ts';
import { createRedisRateLimiter } from '../platform/rate-limit/redis-rate-limit.ts';
import { addRoomMetrics } from '../platform/room/room-metrics.ts';
import { openSandbox } from '../platform/sandbox/open-sandbox.ts';
import { openKeyring } from '../platform/secrets/open-keyring.ts';
import { addSite } from '../platform/static/add-site.ts';
import { removeAbandonedDirectories } from '../platform/temporary-directory.ts';
import { schedulesOnDataSourceDeleted } from '../schedules/change-schedule.ts';
import { apiDocument } from './api-document.ts';
import type { ImportProcessOrder } from './import-process.ts';
import { openReplicas } from './open-replicas.ts';
import { checkedSettings, databaseRoomOf } from './open-rooms.ts';
import { baseUrlOf, type RunOptions } from './run-options.ts';
import { collectorOutlet } from './start-tracing.ts';
import type { SupervisedWorker } from './supervise-worker.ts';

const cursorKey = (secretKey: string) => Buffer.from(hkdfSync('sha256', secretKey, 'assay', 'cursors', 32));

/** The console as scripts/build-console.mjs builds it. */
const consoleDirectory = fileURLToPath(new URL('../../console/dist', import.meta.url));

/** The time for clients to close their connections: load balancers check every few seconds whether a node is ready. */
const drainMs = 4_000;

/** A pipeline that sends file after file does not wait for the process each time. */
const importerIdleMs = 60_000;

/**
 * Starts the API and returns the address on which it listens. Stops with the lifecycle. `worker`: the one that runs beside
 * it, with the same data directory.
 */
export async function runApi(
  options: RunOptions & { worker: Pick<SupervisedWorker, 'readFigures'> | null },
): Promise<string> {
  const { config, secretKey, log, lifecycle } = options;
  removeAbandonedDirectories(log);
  const { dataDirectory, folders, sandbox } = config;
  openSandbox({ mode: sandbox.mode, hides: [dataDirectory], reads: sandbox.readable }, log, options.worker === null);
  const baseUrl = baseUrlOf(config);
  const database = openDatabase({
    connectionString: options.databaseUrl,
    applicationName: 'assay api',
    maxConnections: 12,
  });
  await lifecycle.onStop('database of the api', () => database.close());
  // The API starts no programs: a worker in the same place wrote their versions down, the others report theirs.
  const readReports = options.worker ? null : createReportReader(database);
  prepareTools({ dataDirectory, descriptions: folders.scanners, startsPrograms: false, readReports }, (warning) =>
    log.warn(warning),
  );
  const replicas = await openReplicas(database, options, { redisUrl: config.redisUrl });
  const redisLimiter = config.redisUrl ? createRedisRateLimiter({ url: config.redisUrl, log }) : null;
  const rateLimiter = redisLimiter ?? createMemoryRateLimiter();
  const failedAuthentications = new FailedAuthentications();
  const { previousSecretKey } = config;
  const { keyring, hashRoot } = await openKeyring(database, { secretKey, previousSecretKey });
  const metrics = createMetrics();
  const budget = new ProcessorBudget(rateLimiter, config.processorBudgets, { log, metrics });
  const identity = createIdentity({
    database,
    secret: signInSecret(secretKey),
    formerSecret: previousSecretKey === null ? null : signInSecret(previousSecretKey),
    baseUrl,
    sendsMail: config.smtpUrl !== null,
    keyring,
    singleSignOn: config.singleSignOn,
    failedAuthentications,
    log,
    metrics,
    loggedAccounts: config.loggedAccounts,
  });
  await lifecycle.onStop('failed sign-ins', () => identity.failedSignIns.close());
  const notifications = listenForNotifications(database, log, [authenticationChannel, scanChannel, eventChannel]);
  await lifecycle.onStop('notifications', () => notifications.close());
  const scanWatches = new ScanWatches(database, notifications);
  const eventFeeds = new EventFeeds(database, notifications);
  const authenticator = new Authenticator({
    database,
    notifications,
    auth: identity.auth,
    log,
    rateLimit: config.rateLimit,
    baseUrl,
  });
  await lifecycle.onStop('authentication', () => authenticator.close());
  const targetRules = {
    networkPolicy: createNetworkPolicy({ allowed: config.allowedTargets }),
    localRepositories: createLocalRepositories(database, [...config.localRepositories, ...options.ownRepositories]),
  };
  const dataSources = {
    keyring,
    ...targetRules,
    connections: new Connections(targetRules),
    sampleRepository: options.ownRepositories[0] ?? null,
    onDeleted: [detectionOnDataSourceDeleted, schedulesOnDataSourceDeleted],
  };
  const { outlet, reads } = databaseOutlet(options.databaseUrl);
  const importer = createHelperProcess<ImportProcessOrder>({
    name: 'The importer',
    module: join(import.meta.dirname, 'import-process.ts'),
    order: {
      databaseUrl: options.databaseUrl,
      hashRoot: hashRoot.toString('base64'),
      tracing: config.tracing,
      logLevel: config.logLevel,
    },
    idleMs: importerIdleMs,
    log,
    outlets: [outlet, ...(config.tracing ? [collectorOutlet(config.tracing)] : [])],
    reads,
  });
  await lifecycle.onStop('importer', () => importer.close());
  const cursors = createCursorCodec(
    cursorKey(secretKey),
    previousSecretKey === null ? [] : [cursorKey(previousSecretKey)],
  );
  const context = {
    database,
    cursors,
    dataSources,
    identity,
    scanWatches,
    eventFeeds,
    figures: new FigureCache(),
    rateLimit: config.rateLimit,
    limits: config.limits,
    databaseRoom: databaseRoomOf(config),
    checked: checkedSettings(config),
    imports: createRemoteReader(importer),
  };
  const checkResponses = options.checkResponses ?? false;
  addBuildMetrics(metrics, 'api', manifest.version);
  for (const add of [
    addQueueMetrics,
    addPoolMetrics,
    addFindingMetrics,
    addChangesAhead,
    addFeedMetrics,
    addRoomMetrics,
    addBackupMetrics,
  ])
    add(metrics, database);
  const { worker } = options;
  if (worker) metrics.append(() => worker.readFigures());
  if (replicas) addReplicaMetrics(metrics, replicas);
  if (redisLimiter) addRedisMetrics(metrics, redisLimiter);
  const app = await createHttpServer({
    routes,
    context,
    database,
    replicas,
    authenticate: authenticator.authenticate,
    rightsNews: authenticator.rightsNews,
    authorize,
    rateLimiter,
    budget,
    failedAuthentications,
    log,
    onRefusal: identity.failedSignIns.observe,
    metrics,
    document: apiDocument(config.supportEmail),
    readiness: async () => {
      const trouble = options.databaseTrouble?.() ?? null;
      if (trouble !== null) throw new NotReady(trouble);
      await database.single(null, { text: 'SELECT 1' });
    },
    config: {
      version: manifest.version,
      baseUrl,
      allowedHosts: config.allowedHosts,
      corsOrigins: config.corsOrigins,
      trustedProxies: config.trustedProxies,
      metricsToken: config.monitoring.metricsToken,
      slowRequestMs: config.monitoring.slowRequestMs,
      checkResponses,
    },
  });
  await mountSignIn(app, outsideRoutes, context, { log, checkResponses });
  if (!addSite(app, consoleDirectory)) log.warn('There is no console: "node scripts/build-console.mjs" builds it.');
  await lifecycle.onStop('api', async () => {
    await app.drain(drainMs);
    scanWatches.close();
    eventFeeds.close();
    await app.close();
    budget.close();
    await rateLimiter.close?.();
  });
  return app.listen({ host: config.host, port: config.port }).catch((error: Error) => {
    throw new Error(whyNotListening(error, config.port, config.host), { cause: error });
  });
}
