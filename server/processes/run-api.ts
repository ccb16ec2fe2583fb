import { hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createNetworkPolicy } from '@assay/scanner/platform/egress/network-policy.ts';
import { removeAbandonedDirectories } from '@assay/scanner/platform/temporary-directory.ts';
import { outsideRoutes, routes } from '../api.ts';
import { Connections } from '../data-sources/connections.ts';
import { createLocalRepositories } from '../data-sources/local-repository.ts';
import type { DataSourceServices } from '../data-sources/services.ts';
import { decisionsOnDataSourceDeleted } from '../decisions/repository/queries.ts';
import { addFeedMetrics } from '../detection/advisories/feed-metrics.ts';
import { prepareTools } from '../detection/external/index.ts';
import { createReportReader } from '../detection/external/reported-tools.ts';
import { createRemoteReader } from '../detection/imports/call-reader.ts';
import { ScanWatches, scanChannel } from '../detection/scans/scan-watches.ts';
import { detectionOnDataSourceDeleted } from '../detection/scans/start-scan.ts';
import { EventFeeds, eventChannel } from '../events/event-feeds.ts';
import { addChangesAhead, addUnsealed } from '../findings/change-clock.ts';
import { FigureCache } from '../findings/figures/figure-cache.ts';
import { addFindingMetrics } from '../findings/figures/finding-metrics.ts';
import { consoleSettings } from '../findings/finding-schema.ts';
import { ColumnService } from '../findings/live-columns/column-service.ts';
import { Authenticator } from '../identity/authenticate.ts';
import { createIdentity, type IdentityOptions, signInSecret } from '../identity/services.ts';
import { mountSignIn } from '../identity/sign-in/mount-sign-in.ts';
import { authenticationChannel } from '../organization/authentication-changes.ts';
import { authorize } from '../organization/roles.ts';
import manifest from '../package.json' with { type: 'json' };
import { addBackupMetrics } from '../platform/backup/backup-records.ts';
import { createHelperProcess } from '../platform/helper-process.ts';
import { createCursorCodec } from '../platform/http/cursor.ts';
import { FailedAuthentications } from '../platform/http/failed-authentications.ts';
import { NotReady } from '../platform/http/probes.ts';
import { ProcessorBudget } from '../platform/http/processor-budget.ts';
import { createHttpServer } from '../platform/http/server.ts';
import { createMetrics, type Metrics } from '../platform/metrics.ts';
import { addBuildMetrics } from '../platform/monitoring/build-metrics.ts';
import { whyNotListening } from '../platform/monitoring/check-machine.ts';
import { addPoolMetrics, addQueueMetrics } from '../platform/monitoring/queue-metrics.ts';
import { openDatabases } from '../platform/postgres/cells/cell-database.ts';
import type { Database } from '../platform/postgres/database.ts';
import { databaseOutlet } from '../platform/postgres/database-outlet.ts';
import { listenInCells, type Notifications } from '../platform/postgres/notifications.ts';
import { addReplicaMetrics } from '../platform/postgres/replicas/replica-metrics.ts';
import { createMemoryRateLimiter } from '../platform/rate-limit/rate-limit.ts';
import { addRedisMetrics } from '../platform/rate-limit/redis-metrics.ts';
import { createRedisRateLimiter } from '../platform/rate-limit/redis-rate-limit.ts';
import { addRoomMetrics } from '../platform/room/room-metrics.ts';
import { openSandbox } from '../platform/sandbox/open-sandbox.ts';
import type { Keyring } from '../platform/sealed.ts';
import { openKeyring } from '../platform/secrets/open-keyring.ts';
import { addSite } from '../platform/static/add-site.ts';
import { schedulesOnDataSourceDeleted } from '../schedules/change-schedule.ts';
import { apiDocument } from './api-document.ts';
import type { ImportProcessOrder } from './import-process.ts';
import { checkedSettings, databaseRoomOf, openReplicas } from './open-rooms.ts';
import { baseUrlOf, type RunOptions } from './run-options.ts';
import { collectorOutlet } from './start-tracing.ts';
import type { SupervisedWorker } from './supervise-worker.ts';

const cursorKey = (secretKey: string) => Buffer.from(hkdfSync('sha256', secretKey, 'assay', 'cursors', 32));

/** The console as built by scripts/build-console.mjs. */
const consoleDirectory = fileURLToPath(new URL('../../console/dist', import.meta.url));

/** The time for clients to close their connections: load balancers check a node's readiness every few seconds. */
const drainMs = 4_000;

/** A pipeline that sends one file after another does not wait for the process each time. */
const importerIdleMs = 60_000;

type ApiOptions = RunOptions & { worker: Pick<SupervisedWorker, 'readFigures'> | null };

/** The limits of requests, which all nodes share if Redis is configured. */
function openLimits({ config, log }: ApiOptions, metrics: Metrics) {
  const redis = config.redisUrl ? createRedisRateLimiter({ url: config.redisUrl, log }) : null;
  if (redis) addRedisMetrics(metrics, redis);
  const rateLimiter = redis ?? createMemoryRateLimiter();
  const budget = new ProcessorBudget(rateLimiter, config.processorBudgets, { log, metrics });
  return { rateLimiter, budget, failedAuthentications: new FailedAuthentications() };
}

/** The process that reads result files. */
function openImporter({ config, log, databaseUrl }: ApiOptions, hashRoot: Buffer) {
  const outlets = [databaseUrl, ...config.cells.map(({ url }) => url)].map(databaseOutlet);
  const { tracing, logLevel, cells } = config;
  return createHelperProcess<ImportProcessOrder>({
    name: 'The importer',
    module: join(import.meta.dirname, 'import-process.ts'),
    order: { databaseUrl, cells, hashRoot: hashRoot.toString('base64'), tracing, logLevel },
    idleMs: importerIdleMs,
    // The rows of open batches survive: with 4 MB, a third of the reader's time was garbage collection.
    nodeOptions: ['--max-semi-space-size=16'],
    log,
    outlets: [...outlets.map(({ outlet }) => outlet), ...(tracing ? [collectorOutlet(tracing)] : [])],
    reads: outlets.flatMap(({ reads }) => reads),
  });
}

/** Opens the services of data sources: the rules for what may be scanned, and the steps that follow a deletion. */
function openDataSources(
  { config, ownRepositories }: ApiOptions,
  database: Database,
  keyring: Keyring,
): DataSourceServices {
  const targetRules = {
    networkPolicy: createNetworkPolicy({ allowed: config.allowedTargets }),
    localRepositories: createLocalRepositories(database, [...config.localRepositories, ...ownRepositories]),
  };
  return {
    keyring,
    ...targetRules,
    connections: new Connections(targetRules),
    sampleRepository: ownRepositories[0] ?? null,
    onDeleted: [detectionOnDataSourceDeleted, schedulesOnDataSourceDeleted, decisionsOnDataSourceDeleted],
  };
}

const databaseMetrics = [
  addQueueMetrics,
  addPoolMetrics,
  addFindingMetrics,
  addChangesAhead,
  addUnsealed,
  addFeedMetrics,
  addRoomMetrics,
  addBackupMetrics,
];

function openMetrics({ worker }: ApiOptions, database: Database): Metrics {
  const metrics = createMetrics();
  addBuildMetrics(metrics, 'api', manifest.version);
  for (const add of databaseMetrics) add(metrics, database);
  if (worker) metrics.append(() => worker.readFigures());
  return metrics;
}

/** Opens the services for sign-in, the profile and the authentication of requests. */
async function openIdentity(
  options: ApiOptions,
  services: Pick<IdentityOptions, 'database' | 'keyring' | 'failedAuthentications'> & { metrics: Metrics },
  notifications: Notifications,
) {
  const { config, secretKey, log, lifecycle } = options;
  const { previousSecretKey, singleSignOn, loggedAccounts, rateLimit } = config;
  const baseUrl = baseUrlOf(config);
  const identity = createIdentity({
    ...services,
    secret: signInSecret(secretKey),
    formerSecret: previousSecretKey === null ? null : signInSecret(previousSecretKey),
    baseUrl,
    sendsMail: config.smtpUrl !== null,
    singleSignOn,
    log,
    loggedAccounts,
  });
  await lifecycle.onStop('failed sign-ins', () => identity.failedSignIns.close());
  const { database } = services;
  const authenticator = new Authenticator({ database, notifications, auth: identity.auth, log, rateLimit, baseUrl });
  await lifecycle.onStop('authentication', () => authenticator.close());
  return { identity, authenticator };
}

/** Opens the services for the endpoints. Everything closes with the lifecycle. */
async function openServices(options: ApiOptions) {
  const { config, secretKey, log, lifecycle } = options;
  const settings = consoleSettings(baseUrlOf(config));
  const database = openDatabases(
    { connectionString: options.databaseUrl, applicationName: 'assay api', maxConnections: 12, settings },
    config.cells,
  );
  await lifecycle.onStop('database of the api', () => database.close());
  const replicas = await openReplicas(database, options, { redisUrl: config.redisUrl });
  const { previousSecretKey } = config;
  const { keyring, hashRoot } = await openKeyring(database, { secretKey, previousSecretKey });
  const metrics = openMetrics(options, database);
  if (replicas) addReplicaMetrics(metrics, replicas);
  const limits = openLimits(options, metrics);
  const notifications = listenInCells(database, log, [authenticationChannel, scanChannel, eventChannel]);
  await lifecycle.onStop('notifications', () => notifications.close());
  const { failedAuthentications } = limits;
  const { identity, authenticator } = await openIdentity(
    options,
    { database, keyring, failedAuthentications, metrics },
    notifications,
  );
  const { databaseUrl } = options;
  const columns = new ColumnService({
    database,
    databaseUrl,
    cells: config.cells,
    maxBytes: config.columnBytes,
    directory: join(config.dataDirectory, 'columns'),
    log,
    metrics,
  });
  await lifecycle.onStop('columns', () => columns.close());
  const importer = openImporter(options, hashRoot);
  await lifecycle.onStop('importer', () => importer.close());
  const context = {
    database,
    cursors: createCursorCodec(cursorKey(secretKey), previousSecretKey === null ? [] : [cursorKey(previousSecretKey)]),
    dataSources: openDataSources(options, database, keyring),
    identity,
    scanWatches: new ScanWatches(database, notifications),
    eventFeeds: new EventFeeds(database, notifications),
    figures: new FigureCache(),
    columns,
    rateLimit: config.rateLimit,
    limits: config.limits,
    databaseRoom: databaseRoomOf(config),
    checked: checkedSettings(config),
    imports: createRemoteReader(importer),
  };
  return { context, database, replicas, metrics, limits, authenticator };
}

/**
 * Starts the API and returns the address that it listens on. Stops with the lifecycle. `worker` is the worker process
 * beside it, with the same data directory.
 */
export async function runApi(options: ApiOptions): Promise<string> {
  const { config, log, lifecycle, checkResponses = false } = options;
  removeAbandonedDirectories(log);
  const { dataDirectory, folders, sandbox } = config;
  openSandbox({ mode: sandbox.mode, hides: [dataDirectory], reads: sandbox.readable }, log, options.worker === null);
  const { context, database, replicas, metrics, limits, authenticator } = await openServices(options);
  const { identity, scanWatches, eventFeeds } = context;
  // The API starts no programs: a worker with the same data directory stores the versions there, other workers report
  // theirs.
  const readReports = options.worker ? null : createReportReader(database);
  prepareTools({ dataDirectory, descriptions: folders.scanners, startsPrograms: false, readReports }, (warning) =>
    log.warn(warning),
  );
  const loading = { isDone: false };
  void context.columns.start().finally(() => {
    loading.isDone = true;
  });
  const app = await createHttpServer({
    routes,
    context,
    database,
    replicas,
    authenticate: authenticator.authenticate,
    rightsNews: authenticator.rightsNews,
    authorize,
    ...limits,
    log,
    onRefusal: identity.failedSignIns.observe,
    metrics,
    document: apiDocument(config.supportEmail),
    readiness: () => checkReadiness(options, database, loading),
    config: serverConfig(options),
  });
  await mountSignIn(app, outsideRoutes, context, { log, checkResponses });
  if (!addSite(app, consoleDirectory)) log.warn('There is no console: "node scripts/build-console.mjs" builds it.');
  await lifecycle.onStop('api', async () => {
    await app.drain(drainMs);
    scanWatches.close();
    eventFeeds.close();
    await app.close();
    limits.budget.close();
    await limits.rateLimiter.close?.();
  });
  return app.listen({ host: config.host, port: config.port }).catch((error: Error) => {
    throw new Error(whyNotListening(error, config.port, config.host), { cause: error });
  });
}

async function checkReadiness(
  { databaseTrouble }: ApiOptions,
  database: Database,
  loading: { isDone: boolean },
): Promise<void> {
  const trouble = databaseTrouble?.() ?? null;
  if (trouble !== null) throw new NotReady(trouble);
  await database.single(null, { text: 'SELECT 1' });
  if (!loading.isDone) throw new NotReady('The findings that were read in the last hour are being loaded.');
}

const serverConfig = ({ config, checkResponses = false }: ApiOptions) => ({
  version: manifest.version,
  baseUrl: baseUrlOf(config),
  allowedHosts: config.allowedHosts,
  corsOrigins: config.corsOrigins,
  trustedProxies: config.trustedProxies,
  metricsToken: config.monitoring.metricsToken,
  slowRequestMs: config.monitoring.slowRequestMs,
  checkResponses,
});
