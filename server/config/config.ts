import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import type { AuditHeadsConfig } from '../organization/audit/heads/channels.ts';
import type { BackupSettings } from '../platform/backup/backup-settings.ts';
import type { Budgets } from '../platform/http/processor-budget.ts';
import type { Limits } from '../platform/limits.ts';
import type { Rate } from '../platform/rate-limit/rate-limit.ts';
import { type Setting, settingSections, settings } from './settings.ts';

type Settings = typeof settings;
type Name = keyof Settings;
type Values = { [N in Name]: Settings[N] extends Setting<infer T> ? T : never };

export type Config = ReturnType<typeof configOf>;

/** All configuration errors at once. Commands that catch it exit with code 2. */
export class ConfigError extends Error {
  readonly errors: string[];

  constructor(errors: string[]) {
    super(
      `The configuration has ${errors.length === 1 ? 'an error' : `${errors.length} errors`}:\n- ${errors.join('\n- ')}`,
    );
    this.name = 'ConfigError';
    this.errors = errors;
  }
}

const names = Object.keys(settings) as Name[];
const isGiven = (env: NodeJS.ProcessEnv, name: string): boolean => (env[name]?.trim() ?? '') !== '';

/** Variables that are set for all programs of a machine matter only with a collector. */
const isTraced = (env: NodeJS.ProcessEnv): boolean =>
  isGiven(env, 'OTEL_EXPORTER_OTLP_ENDPOINT') || isGiven(env, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');

/** Reads one setting. An empty value counts as not set. An invalid value adds a sentence to `errors`. */
function readSetting(name: Name, env: NodeJS.ProcessEnv, directory: string, errors: string[]): unknown {
  const { parse, fallback } = settings[name];
  if (!isGiven(env, name) || (name in settingSections.Traces && !isTraced(env))) return fallback;
  try {
    return parse(env[name]!.trim(), directory);
  } catch (error) {
    errors.push(`${name}: ${(error as Error).message}`);
    return fallback;
  }
}

function readSettings(env: NodeJS.ProcessEnv, directory: string, errors: string[]): Values {
  return Object.fromEntries(names.map((name) => [name, readSetting(name, env, directory, errors)])) as Values;
}

/** Checks that the settings required by other settings are set. A missing one is reported once. */
function checkNeeds(env: NodeJS.ProcessEnv, errors: string[]): void {
  const missing = new Map<string, string>();
  for (const name of names.filter((given) => isGiven(env, given))) {
    for (const [needed, more] of Object.entries(settings[name].needs ?? {}))
      if (!isGiven(env, needed) && !missing.has(needed))
        missing.set(needed, `${needed}: must be set when ${name} is${more && `: ${more}`}.`);
  }
  errors.push(...missing.values());
}

/** Variables of clients, pipelines and tests. */
const isOther = (name: string): boolean => /^ASSAY_(?:TOKEN|URL|CLIENT|HOME|REPOSITORY|VERSION|TEST_\w+)$/.test(name);

/** Kubernetes sets these in every pod for services whose names start with "assay". */
const isServiceLink = (name: string, value: string): boolean =>
  /_SERVICE_(?:HOST|PORT(?:_\w+)?)$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?$/.test(name) ||
  /^(?:tcp|udp|sctp):/.test(value);

const pairsOf = (text: string) => new Set(Array.from(text.slice(1), (letter, i) => text[i] + letter));

/** Returns the setting that shares the most letter pairs with a misspelt name; null when none is similar. */
function nearestSetting(text: string): string | null {
  const wanted = pairsOf(text.replace('ASSAY_', ''));
  const scored = names.map((name) => {
    const pairs = pairsOf(name.replace('ASSAY_', ''));
    const shared = [...wanted].filter((pair) => pairs.has(pair)).length;
    return { name, score: (2 * shared) / (wanted.size + pairs.size) };
  });
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a));
  return best.score > 0.5 ? best.name : null;
}

/** With a misspelt name, the default would silently stay in effect. */
function checkNames(env: NodeJS.ProcessEnv, errors: string[]): void {
  for (const [name, value = ''] of Object.entries(env)) {
    if (!name.startsWith('ASSAY_') || name in settings || isOther(name) || isServiceLink(name, value)) continue;
    const nearest = nearestSetting(name);
    const hint = nearest === null ? 'docs/settings.md lists them' : `did you mean ${nearest}`;
    errors.push(`${name}: is not a setting of this release; ${hint}${nearest === null ? '.' : '?'}`);
  }
}

function rateOf({ ASSAY_RATE_LIMIT: requestsPerMinute, ASSAY_RATE_BURST: burst }: Values, errors: string[]): Rate {
  const burstPerMinute = burst ?? Math.max(200, requestsPerMinute * 2);
  if (burstPerMinute <= requestsPerMinute) {
    errors.push(`ASSAY_RATE_BURST: must be above ASSAY_RATE_LIMIT (${requestsPerMinute}), not ${burstPerMinute}.`);
  }
  return { requestsPerMinute, burstPerMinute };
}

const budgetsOf = (values: Values): Budgets => ({
  credential: values.ASSAY_PROCESSOR_BUDGET || null,
  organization: values.ASSAY_ORGANIZATION_PROCESSOR_BUDGET || null,
});

const limitsOf = (values: Values): Limits => ({
  tokens: values.ASSAY_MAX_TOKENS,
  views: values.ASSAY_MAX_VIEWS,
  schedules: values.ASSAY_MAX_SCHEDULES,
  reports: values.ASSAY_MAX_REPORTS,
  openUploads: values.ASSAY_MAX_OPEN_UPLOADS,
});

function auditHeadsOf(values: Values): AuditHeadsConfig {
  const { ASSAY_AUDIT_WEBHOOK: webhook, ASSAY_AUDIT_WEBHOOK_TOKEN: token } = values;
  const { ASSAY_AUDIT_TIMESTAMP: authority, ASSAY_AUDIT_TIMESTAMP_CA: caFile } = values;
  return {
    syslog: values.ASSAY_AUDIT_SYSLOG,
    webhook: webhook === null ? null : { url: webhook, token },
    timestamps: authority === null || caFile === null ? null : { url: authority, caFile },
    timestampCaFile: caFile,
  };
}

const backupsOf = (values: Values): BackupSettings | null =>
  values.ASSAY_BACKUP_DIR === null
    ? null
    : { directory: values.ASSAY_BACKUP_DIR, at: values.ASSAY_BACKUP_AT, keep: values.ASSAY_BACKUP_KEEP };

/** The OpenID provider for sign-in; null for none. */
function singleSignOnOf(values: Values) {
  const { ASSAY_OIDC_ISSUER: issuer, ASSAY_OIDC_CLIENT_ID: clientId, ASSAY_OIDC_CLIENT_SECRET: clientSecret } = values;
  if (issuer === null || clientId === null || clientSecret === null) return null;
  return {
    issuer,
    clientId,
    clientSecret,
    allowedDomains: values.ASSAY_OIDC_ALLOWED_DOMAINS,
    role: values.ASSAY_OIDC_ROLE,
  };
}

export type TracingConfig = ReturnType<typeof tracingOf>;

/**
 * The collector of spans, and the sampling; null when nothing is traced. The libraries themselves read headers and
 * the name of the service from the OTEL_ variables.
 */
function tracingOf(values: Values) {
  const endpoint = values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? values.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === null || values.OTEL_TRACES_EXPORTER === 'none' || values.OTEL_SDK_DISABLED) return null;
  return {
    endpoint,
    protocol: values.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? values.OTEL_EXPORTER_OTLP_PROTOCOL,
    sampler: values.OTEL_TRACES_SAMPLER,
    ratio: values.OTEL_TRACES_SAMPLER_ARG,
    delayMs: values.OTEL_BSP_SCHEDULE_DELAY,
  };
}

/** Scans wait for the network and for programs more than they compute; each can use gigabytes of memory. */
const scansAtOnce = () => Math.min(Math.max(availableParallelism(), 2), 8);

/** All settings in the form used by the processes. Rates are per minute, paths are absolute. */
function configOf(values: Values, errors: string[]) {
  const dataDirectory = values.ASSAY_DATA_DIR;
  return {
    host: values.HOST,
    port: values.PORT,
    /** The URL for people and links; null: derived from host and port. */
    baseUrl: values.ASSAY_BASE_URL,
    dataDirectory,
    /**
     * The operator's own files: descriptions of scanners, rules for code, and the logo of documents. Each is
     * optional.
     */
    folders: {
      scanners: join(dataDirectory, 'scanners'),
      codeRules: join(dataDirectory, 'code-rules'),
      branding: join(dataDirectory, 'branding'),
    },
    /** null: the embedded PostgreSQL in the data directory. */
    databaseUrl: values.DATABASE_URL,
    /** Streaming replicas of the database, for reads of the API; a replica that lags further is not used. */
    replicas: { urls: values.DATABASE_READ_URL, maxLagMs: values.ASSAY_REPLICA_MAX_LAG_SECONDS * 1_000 },
    /** Databases of organizations besides `databaseUrl`. */
    cells: values.ASSAY_CELLS,
    /** The memory for columns of findings; 0 for none. */
    columnBytes: values.ASSAY_COLUMNS_MB * 1_000_000,
    redisUrl: values.REDIS_URL,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.ASSAY_MAIL_FROM,
    supportEmail: values.ASSAY_SUPPORT_EMAIL,
    /** null: generated into the data directory (embedded database only). */
    secretKey: values.ASSAY_SECRET_KEY,
    previousSecretKey: values.ASSAY_SECRET_KEY_PREVIOUS,
    allowedTargets: values.ASSAY_ALLOWED_TARGETS,
    localRepositories: values.ASSAY_LOCAL_REPOSITORIES,
    allowedHosts: values.ASSAY_ALLOWED_HOSTS,
    corsOrigins: values.ASSAY_CORS_ORIGINS,
    trustedProxies: values.ASSAY_TRUSTED_PROXIES,
    monitoring: {
      /** null: only this machine can read the metrics. */
      metricsToken: values.ASSAY_METRICS_TOKEN,
      workerPort: values.ASSAY_WORKER_PORT,
      slowRequestMs: values.ASSAY_SLOW_REQUEST_MS,
      slowStatementMs: values.ASSAY_SLOW_STATEMENT_MS,
    },
    feeds: { advisories: values.ASSAY_ADVISORIES, epss: values.ASSAY_EPSS, kev: values.ASSAY_KEV },
    sandbox: { mode: values.ASSAY_SANDBOX, readable: values.ASSAY_SANDBOX_READABLE },
    auditHeads: auditHeadsOf(values),
    /** Scheduled backups by the workers; null for none. */
    backups: backupsOf(values),
    rateLimit: rateOf(values, errors),
    processorBudgets: budgetsOf(values),
    limits: limitsOf(values),
    worker: { concurrency: scansAtOnce(), scanRetryMinutes: values.ASSAY_SCAN_RETRY_MINUTES },
    logLevel: values.LOG_LEVEL,
    loggedAccounts: values.ASSAY_LOG_ACCOUNTS,
    tracing: tracingOf(values),
    singleSignOn: singleSignOnOf(values),
    /** The owner and organization to create at the first start on an empty database. */
    bootstrap: {
      adminEmail: values.ASSAY_ADMIN_EMAIL,
      adminPassword: values.ASSAY_ADMIN_PASSWORD,
      organization: values.ASSAY_ORGANIZATION,
      token: values.ASSAY_BOOTSTRAP_TOKEN,
    },
  };
}

/**
 * Reads and validates the configuration, without side effects. Throws a ConfigError that reports all errors at once.
 * Returns absolute paths; relative ones are resolved against `workingDirectory`.
 */
export function readConfig(env: NodeJS.ProcessEnv, workingDirectory: string = process.cwd()): Config {
  const errors: string[] = [];
  const values = readSettings(env, workingDirectory, errors);
  if (!isGiven(env, 'ASSAY_DATA_DIR')) values.ASSAY_DATA_DIR = resolve(workingDirectory, values.ASSAY_DATA_DIR);
  const config = configOf(values, errors);
  if (config.cells.length > 0 && config.replicas.urls.length > 0)
    errors.push('DATABASE_READ_URL: replicas are not used together with ASSAY_CELLS yet. Set one of the two.');
  checkNeeds(env, errors);
  checkNames(env, errors);
  if (errors.length > 0) throw new ConfigError(errors);
  return config;
}

/** Returns the configuration of this process. Nothing else reads the environment, except PATH. */
export function loadConfig(): Config {
  return readConfig(process.env);
}

/** Settings of Assay and of the Node.js that runs it. */
const isOwn = (name: string): boolean => name in settings || /^(?:ASSAY_|NODE_|OTEL_|npm_)/.test(name);

/**
 * Returns the environment of the person who runs a command, without Assay's own settings, for programs that act for
 * them, such as pip with their proxy and package index.
 */
export function personalEnvironment(): Record<string, string> {
  const variables = Object.entries(process.env).filter(([name]) => !isOwn(name));
  return Object.fromEntries(variables) as Record<string, string>;
}

/** Reads only these settings, for commands that need no others. A wrong value is reported as an error. */
export function loadSandbox(): Config['sandbox'] {
  const errors: string[] = [];
  const { ASSAY_SANDBOX: mode, ASSAY_SANDBOX_READABLE: readable } = readSettings(
    Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('ASSAY_SANDBOX'))),
    process.cwd(),
    errors,
  );
  if (errors.length > 0) throw new Error(errors.join('\n'));
  return { mode, readable };
}
