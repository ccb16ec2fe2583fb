import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { readAuditHeads } from './config-audit.ts';
import { type LocalRepositoriesConfig, readBackup, readLocalRepositories } from './config-folders.ts';
import { readLimits, readProcessorBudgets, readRateLimit, readWorker, type WorkerLimits } from './config-limits.ts';
import { type MonitoringConfig, readMonitoring } from './config-monitoring.ts';
import { postgresUrl, type ReplicasConfig, readReplicas } from './config-replicas.ts';
import { readSandbox, type SandboxConfig } from './config-sandbox.ts';
import { readSingleSignOn, type SingleSignOnConfig } from './config-single-sign-on.ts';
import { readTracing, type TracingConfig } from './config-tracing.ts';
import {
  email,
  fail,
  isHostName,
  isOrigin,
  isTarget,
  listOf,
  oneOf,
  organization,
  password,
  type Read,
  reader,
  secretKey,
  sender,
  token,
  url,
  wholeNumber,
} from './config-values.ts';
import type { AuditHeadsConfig } from './organization/audit/heads/channels.ts';
import type { BackupSettings } from './platform/backup/backup-settings.ts';
import type { Budgets } from './platform/cost/processor-budget.ts';
import type { Limits } from './platform/limits.ts';
import type { Rate } from './platform/rate-limit/rate-limit.ts';

/** The validated configuration: everything that an operator can set. Rates are per minute. */
export type Config = {
  host: string;
  port: number;
  /** The URL for people and links; null: derived from host and port. */
  baseUrl: string | null;
  dataDirectory: string;
  /** null: the embedded PostgreSQL in the data directory. */
  databaseUrl: string | null;
  replicas: ReplicasConfig;
  redisUrl: string | null;
  smtpUrl: string | null;
  mailFrom: string;
  /** The contact for technical questions, for the OpenAPI document. */
  supportEmail: string | null;
  /** null: generated into the data directory (embedded database only). */
  secretKey: string | null;
  /** The key before, with which everything still opens until it is sealed again; null when the key did not change. */
  previousSecretKey: string | null;
  allowedTargets: string[];
  localRepositories: LocalRepositoriesConfig;
  /** Names of the service besides that of the base URL. */
  allowedHosts: string[];
  corsOrigins: string[];
  /** Addresses and networks of proxies whose X-Forwarded-For is trusted. */
  trustedProxies: string[];
  monitoring: MonitoringConfig;
  /** Directories, files or URLs from which facts on vulnerabilities are loaded. */
  feeds: { advisories: string | null; epss: string | null; kev: string | null };
  /** A folder with the operator's own descriptions of scanners. */
  tools: string | null;
  /** A folder with the operator's own rules for code. */
  codeRules: string | null;
  sandbox: SandboxConfig;
  /** The build of Typst that renders PDFs; null: native where it runs, WebAssembly elsewhere. */
  pdfCompiler: 'native' | 'wasm' | null;
  /** A folder with the logo and templates of documents. */
  reportBranding: string | null;
  auditHeads: AuditHeadsConfig;
  /** Backups that workers make; null: none. */
  backups: BackupSettings | null;
  rateLimit: Rate;
  processorBudgets: Budgets;
  limits: Limits;
  worker: WorkerLimits;
  /** The maximum size of a result file, in bytes; null: no limit. */
  importLimitBytes: number | null;
  logLevel: LogLevel;
  /** Whether failed sign-ins are logged with the address of the account or its hash. */
  loggedAccounts: 'hashed' | 'plain';
  tracing: TracingConfig;
  /** The OpenID provider with which people sign in; null: none. */
  singleSignOn: SingleSignOnConfig | null;
  /** The owner and organization that the first start on an empty database creates. */
  bootstrap: {
    adminEmail: string | null;
    adminPassword: string | null;
    organization: string | null;
    token: string | null;
  };
};

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof logLevels)[number];

/** All configuration errors at once. A command that catches it ends with exit code 2. */
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

/** Checks the settings that depend on each other. */
function checkTogether(config: Config, errors: string[]): void {
  if (config.databaseUrl && !config.secretKey && !errors.some((error) => error.startsWith('ASSAY_SECRET_KEY'))) {
    errors.push(
      'ASSAY_SECRET_KEY: must be set together with DATABASE_URL, the same on every node; "openssl rand -base64 32" makes one.',
    );
  }
  const { adminEmail, adminPassword } = config.bootstrap;
  if (adminPassword && !adminEmail) errors.push('ASSAY_ADMIN_EMAIL: must be set when ASSAY_ADMIN_PASSWORD is.');
}

function readBootstrap(read: Read): Config['bootstrap'] {
  return {
    adminEmail: read<string | null>('ASSAY_ADMIN_EMAIL', null, email),
    adminPassword: read<string | null>('ASSAY_ADMIN_PASSWORD', null, password),
    organization: read<string | null>('ASSAY_ORGANIZATION', null, organization),
    token: read<string | null>('ASSAY_BOOTSTRAP_TOKEN', null, token),
  };
}

/**
 * Reads and validates the configuration, without side effects. Throws a ConfigError that reports all errors at once.
 * Returns absolute paths; relative ones are resolved against `workingDirectory`.
 */
export function readConfig(env: NodeJS.ProcessEnv, workingDirectory: string = process.cwd()): Config {
  const errors: string[] = [];
  const read = reader(env, errors);
  const absolute = (path: string) => resolve(workingDirectory, path);
  const pathOrUrl = (text: string) => (/^https?:\/\//i.test(text) ? text : absolute(text));
  const config: Config = {
    host: read('HOST', '127.0.0.1', (text) =>
      isIP(text) || isHostName(text) ? text : fail('must be an IP address or a host name.'),
    ),
    port: read('PORT', 8080, wholeNumber(0, 65_535)),
    baseUrl: read<string | null>('ASSAY_BASE_URL', null, (text) =>
      url(['http:', 'https:'], 'https://assay.example.com')(text).replace(/\/+$/, ''),
    ),
    dataDirectory: read('ASSAY_DATA_DIR', absolute('data'), absolute),
    databaseUrl: read<string | null>('DATABASE_URL', null, postgresUrl),
    replicas: readReplicas(read, errors),
    redisUrl: read<string | null>('REDIS_URL', null, url(['redis:', 'rediss:'], 'redis://host:6379')),
    smtpUrl: read<string | null>('SMTP_URL', null, url(['smtp:', 'smtps:'], 'smtps://user:password@host:465')),
    mailFrom: read('ASSAY_MAIL_FROM', 'Assay <assay@localhost>', sender),
    supportEmail: read<string | null>('ASSAY_SUPPORT_EMAIL', null, email),
    secretKey: read<string | null>('ASSAY_SECRET_KEY', null, secretKey),
    previousSecretKey: read<string | null>('ASSAY_SECRET_KEY_PREVIOUS', null, secretKey),
    allowedTargets: read(
      'ASSAY_ALLOWED_TARGETS',
      [],
      listOf(isTarget, 'an address, a CIDR such as 10.0.0.0/8, or a host name'),
    ),
    localRepositories: readLocalRepositories(read, errors, absolute),
    allowedHosts: read(
      'ASSAY_ALLOWED_HOSTS',
      [],
      listOf(isHostName, 'a host name such as assay.internal, without a port'),
    ),
    corsOrigins: read(
      'ASSAY_CORS_ORIGINS',
      [],
      listOf(isOrigin, 'an origin such as https://console.example.com, without a path'),
    ),
    trustedProxies: read(
      'ASSAY_TRUSTED_PROXIES',
      [],
      listOf((item) => isTarget(item) && isIP(item.split('/')[0]!) !== 0, 'an address or a CIDR such as 10.0.0.0/8'),
    ),
    monitoring: readMonitoring(read),
    feeds: {
      advisories: read<string | null>('ASSAY_ADVISORIES', null, pathOrUrl),
      epss: read<string | null>('ASSAY_EPSS', null, pathOrUrl),
      kev: read<string | null>('ASSAY_KEV', null, pathOrUrl),
    },
    tools: read<string | null>('ASSAY_TOOLS', null, absolute),
    codeRules: read<string | null>('ASSAY_CODE_RULES', null, absolute),
    sandbox: readSandbox(read, absolute),
    reportBranding: read<string | null>('ASSAY_REPORT_BRANDING', null, absolute),
    pdfCompiler: read<Config['pdfCompiler']>('ASSAY_PDF_COMPILER', null, oneOf(['native', 'wasm'] as const)),
    auditHeads: readAuditHeads(read, errors, absolute),
    backups: readBackup(read, errors, absolute),
    rateLimit: readRateLimit(read, errors),
    processorBudgets: readProcessorBudgets(read),
    limits: readLimits(read),
    importLimitBytes: read<number | null>(
      'ASSAY_IMPORT_LIMIT_MB',
      null,
      (text) => wholeNumber(1, 1_000_000)(text) * 1_048_576,
    ),
    worker: readWorker(read),
    logLevel: read<LogLevel>('LOG_LEVEL', 'info', oneOf(logLevels)),
    loggedAccounts: read<Config['loggedAccounts']>('ASSAY_LOG_ACCOUNTS', 'hashed', oneOf(['hashed', 'plain'] as const)),
    tracing: readTracing(read),
    singleSignOn: readSingleSignOn(read, errors),
    bootstrap: readBootstrap(read),
  };
  checkTogether(config, errors);
  if (errors.length > 0) throw new ConfigError(errors);
  return config;
}

/** The configuration of this process. Nothing else reads the environment, except PATH. */
export function loadConfig(): Config {
  return readConfig(process.env);
}

/** Settings of Assay and of the Node.js that runs it. */
const ownVariable = /^(?:ASSAY_|NODE_|OTEL_|npm_|DATABASE_(?:READ_)?URL$|REDIS_URL$|SMTP_URL$)/;

/**
 * The environment of the person who runs a command, for programs that act for them, such as pip with their proxy and
 * their index: all but Assay's own settings.
 */
export function personalEnvironment(): Record<string, string> {
  const variables = Object.entries(process.env).filter(([name]) => !ownVariable.test(name));
  return Object.fromEntries(variables) as Record<string, string>;
}

/** Reads these settings alone, for commands that need no other. A wrong one is reported as an error. */
export function loadSandbox(): SandboxConfig {
  const errors: string[] = [];
  const sandbox = readSandbox(reader(process.env, errors), (path) => resolve(path));
  if (errors.length > 0) throw new Error(errors.join('\n'));
  return sandbox;
}
