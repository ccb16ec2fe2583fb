import { resolve } from 'node:path';
import { sandboxModes } from '@assay/scanner/platform/sandbox/sandbox.ts';
import {
  address,
  bearerToken,
  cells,
  domains,
  email,
  fail,
  hostNames,
  issuerUrl,
  isTarget,
  list,
  listOf,
  oneOf,
  organization,
  origins,
  password,
  proxies,
  ratio,
  secretKey,
  sender,
  syslogAddress,
  timeOfDay,
  token,
  tracesProtocol,
  url,
  wholeNumber,
} from './parsers.ts';

/**
 * An environment variable that an operator can set. `parse` parses its text, or throws a sentence that says what is
 * accepted; `directory` is the working directory.
 */
export type Setting<T> = {
  /** A sentence for the settings page, in Markdown, with links relative to docs/. */
  about: string;
  /** The default, as shown on the page. */
  usual: string;
  fallback: T;
  parse(text: string, directory: string): T;
  /** Another setting that must be set with it, and an optional hint for the error when it is not. */
  needs?: Record<string, string>;
  /** Whether it belongs in a Kubernetes secret, never among the chart's values. */
  isSecret?: boolean;
};

type More = Pick<Setting<unknown>, 'needs' | 'isSecret'> & { usual?: string };

const setting = <T>(about: string, fallback: T, parse: Setting<T>['parse'], more: More = {}): Setting<T> => ({
  about,
  usual: `\`${fallback}\``,
  fallback,
  parse,
  ...more,
});

/** A setting whose default is null. */
const optional = <T>(about: string, parse: Setting<T>['parse'], more: More = {}): Setting<T | null> => ({
  about,
  usual: 'none',
  fallback: null,
  parse,
  ...more,
});

const several = <T>(about: string, parse: Setting<T[]>['parse'], more: More = {}): Setting<T[]> => ({
  about,
  usual: 'none',
  fallback: [],
  parse,
  ...more,
});

const path = (text: string, directory: string): string => resolve(directory, text);
const paths = (text: string, directory: string): string[] => list(text).map((item) => path(item, directory));
const pathOrUrl = (text: string, directory: string): string =>
  /^https?:\/\//i.test(text) ? text : path(text, directory);
const postgresUrl = url(['postgres:', 'postgresql:'], 'postgresql://user:password@host:5432/assay');
const webUrl = (example: string) => url(['http:', 'https:'], example);
const count = wholeNumber(1, 1_000_000);
const milliseconds = wholeNumber(0, 3_600_000);
const budget = wholeNumber(0, 100_000);

const service = {
  PORT: setting('The port on which the API listens', 8080, wholeNumber(0, 65_535)),
  HOST: setting('The address on which it listens', '127.0.0.1', address),
  ASSAY_BASE_URL: optional(
    "The URL for people: for links, cookies and the API's description",
    // Clients read their base URL from a variable of this name, with or without `/api/v1`.
    (text) =>
      webUrl('https://assay.example.com')(text)
        .replace(/\/+$/, '')
        .replace(/\/api\/v1$/, ''),
    { usual: 'from host and port' },
  ),
  ASSAY_DATA_DIR: setting(
    'Database, keys, caches, mails without SMTP, and [your own files](operating.md#your-own-files)',
    'data',
    path,
    {
      usual: '`./data`',
    },
  ),
  ASSAY_ALLOWED_HOSTS: several(
    'Further host names under which clients reach the API, separated by commas: see [Host names](operating.md#host-names)',
    hostNames,
  ),
  ASSAY_CORS_ORIGINS: several('Origins whose pages may call the API, separated by commas', origins),
  ASSAY_TRUSTED_PROXIES: several('Proxies whose `X-Forwarded-For` is trusted, separated by commas', proxies),
  ASSAY_SUPPORT_EMAIL: optional("The contact for technical questions in the API's description", email),
};

const database = {
  DATABASE_URL: optional('Your own PostgreSQL 15 or newer', postgresUrl, {
    usual: 'embedded',
    isSecret: true,
    needs: { ASSAY_SECRET_KEY: 'the same on every node; "openssl rand -base64 32" makes one' },
  }),
  DATABASE_READ_URL: several(
    'Streaming replicas of that PostgreSQL, separated by commas: see [Read replicas](operating.md#read-replicas)',
    (text) => list(text).map(postgresUrl),
    { isSecret: true, needs: { DATABASE_URL: 'replicas belong to a PostgreSQL of your own' } },
  ),
  ASSAY_CELLS: several(
    'Further PostgreSQL servers that each hold whole organizations, as pairs such as `eu=postgresql://…`, separated by commas: see [Cells](scaling.md#cells)',
    cells(postgresUrl),
    { isSecret: true, needs: { DATABASE_URL: 'cells belong to a PostgreSQL of your own' } },
  ),
  ASSAY_REPLICA_MAX_LAG_SECONDS: setting('Replicas that are further behind serve no reads', 5, wholeNumber(1, 600)),
  REDIS_URL: optional(
    'Redis or Valkey: counts rate limits across API nodes, and lets them all read from replicas',
    url(['redis:', 'rediss:'], 'redis://host:6379'),
    { usual: 'memory', isSecret: true },
  ),
  ASSAY_COLUMNS_MB: setting(
    'Memory of an API node for columns of findings, about 200 MB for each million: see [Columns in memory](scaling.md#columns-in-memory). `0`: none, and lists and figures of large organizations are slower',
    1_024,
    wholeNumber(0, 1_000_000),
  ),
  ASSAY_SECRET_KEY: optional('At least 32 characters, the same on every node; needed with `DATABASE_URL`', secretKey, {
    usual: 'generated into the data directory',
    isSecret: true,
  }),
  ASSAY_SECRET_KEY_PREVIOUS: optional(
    'The former key, while you [change it](operating.md#changing-the-secret-key): what it sealed still opens',
    secretKey,
    { isSecret: true },
  ),
};

const firstStart = {
  ASSAY_ADMIN_EMAIL: optional('The owner that the first start on an empty database creates', email),
  ASSAY_ADMIN_PASSWORD: optional('Their password', password, { isSecret: true, needs: { ASSAY_ADMIN_EMAIL: '' } }),
  ASSAY_ORGANIZATION: optional('The name of their organization', organization),
  ASSAY_BOOTSTRAP_TOKEN: optional('Becomes an API token of the owner; must have the form of one', token, {
    isSecret: true,
  }),
};

const mail = {
  SMTP_URL: optional(
    'The mail server: `smtps://user:password@host:465`',
    url(['smtp:', 'smtps:'], 'smtps://user:password@host:465'),
    { usual: 'files in `mail/` of the data directory', isSecret: true },
  ),
  ASSAY_MAIL_FROM: setting('The sender of mails', 'Assay <assay@localhost>', sender),
};

const singleSignOn = {
  ASSAY_OIDC_ISSUER: optional(
    'The OpenID provider: see [Single sign-on](authentication.md#single-sign-on)',
    issuerUrl,
    { needs: { ASSAY_OIDC_CLIENT_ID: '', ASSAY_OIDC_CLIENT_SECRET: '' } },
  ),
  ASSAY_OIDC_CLIENT_ID: optional('The id that the provider gave Assay', (text) => text, {
    needs: { ASSAY_OIDC_ISSUER: '', ASSAY_OIDC_CLIENT_SECRET: '' },
  }),
  ASSAY_OIDC_CLIENT_SECRET: optional('Its secret', (text) => text, {
    isSecret: true,
    needs: { ASSAY_OIDC_ISSUER: '', ASSAY_OIDC_CLIENT_ID: '' },
  }),
  ASSAY_OIDC_ALLOWED_DOMAINS: several(
    'Domains, separated by commas: only their people sign in this way, and join the first organization when they first do; without domains, people who have an account',
    domains,
  ),
  ASSAY_OIDC_ROLE: setting<'viewer' | 'developer' | 'analyst' | 'admin'>(
    'The role that they get: `viewer`, `developer`, `analyst` or `admin`',
    'viewer',
    oneOf(['viewer', 'developer', 'analyst', 'admin']),
  ),
};

const scanning = {
  ASSAY_ALLOWED_TARGETS: several(
    'Further CIDRs, addresses and host names that scans may reach, separated by commas',
    listOf(isTarget, 'an address, a CIDR such as 10.0.0.0/8, or a host name'),
    { usual: 'public addresses' },
  ),
  ASSAY_LOCAL_REPOSITORIES: several(
    'Directories, separated by commas, under which the first organization may use `file:` repositories: see [Repositories on this machine](operating.md#repositories-on-this-machine)',
    paths,
  ),
  ASSAY_ADVISORIES: optional(
    "Directory or URL of OSV's export, loaded daily: see [dependencies](dependencies.md)",
    pathOrUrl,
  ),
  ASSAY_EPSS: optional(
    "File, directory or URL of EPSS's scores, loaded daily: see [urgency](urgency.md#exploitation)",
    pathOrUrl,
    { usual: 'beside the advisories' },
  ),
  ASSAY_KEV: optional("The same for CISA's catalogue of known exploited vulnerabilities", pathOrUrl, {
    usual: 'beside the advisories',
  }),
  ASSAY_SANDBOX: setting(
    'Whether git, scanners and parsers of untrusted files run in a sandbox: `auto` where the machine allows it, `required` or nothing starts, `off` never: see [Sandbox](operating.md#sandbox)',
    'auto',
    oneOf(sandboxModes),
  ),
  ASSAY_SANDBOX_READABLE: several('Files and folders, separated by commas, that confined programs may read too', paths),
  ASSAY_SCAN_RETRY_MINUTES: setting(
    'Minutes for which a scan is tried again after its host was unreachable or its program was killed (0 to 60): at most seven attempts, with growing pauses. Then it fails, or covers a website only in part. `0`: one attempt',
    10,
    wholeNumber(0, 60),
  ),
};

const limits = {
  ASSAY_RATE_LIMIT: setting('Requests a minute for each token on average', 100, count),
  ASSAY_RATE_BURST: optional('The maximum in any minute', wholeNumber(2, 2_000_000), {
    usual: 'twice the limit, at least `200`',
  }),
  ASSAY_PROCESSOR_BUDGET: setting(
    'Seconds of processor time a minute for each token or session; `0`: no limit: see [Budgets of processor time](operating.md#budgets-of-processor-time)',
    60,
    budget,
  ),
  ASSAY_ORGANIZATION_PROCESSOR_BUDGET: setting(
    'The same for all tokens and sessions of an organization together',
    120,
    budget,
  ),
  ASSAY_MAX_TOKENS: setting(
    'Valid API tokens of a person in an organization; revoked and expired ones don’t count, and neither does the command line: see [Limits of numbers](operating.md#limits-of-numbers)',
    50,
    count,
  ),
  ASSAY_MAX_VIEWS: setting('Private views of a person, and as many shared views of an organization', 200, count),
  ASSAY_MAX_SCHEDULES: setting('Scan schedules of an organization, and as many scheduled reports', 100, count),
  ASSAY_MAX_REPORTS: setting(
    'Reports of an organization that people requested; those of scheduled reports don’t count',
    1_000,
    count,
  ),
  ASSAY_MAX_OPEN_UPLOADS: setting(
    'Result files that one node receives from an organization at the same time',
    8,
    count,
  ),
};

const backups = {
  ASSAY_BACKUP_DIR: optional(
    'A folder that only this installation uses, for a daily backup by the workers: see [Scheduled backups](operating.md#scheduled-backups)',
    path,
  ),
  ASSAY_BACKUP_AT: setting('The time, in UTC', { hour: 2, minute: 30 }, timeOfDay, {
    usual: '`02:30`',
    needs: { ASSAY_BACKUP_DIR: '' },
  }),
  ASSAY_BACKUP_KEEP: setting('The number of backups to keep', 7, wholeNumber(1, 1_000), {
    needs: { ASSAY_BACKUP_DIR: '' },
  }),
};

const auditLog = {
  ASSAY_AUDIT_SYSLOG: optional(
    '`udp://host:514`, `tcp://host:601` or `tls://host:6514`: where the heads of the audit log go, see [Heads outside](operating.md#heads-outside)',
    syslogAddress,
  ),
  ASSAY_AUDIT_WEBHOOK: optional('The same by HTTP', webUrl('https://logs.example.com')),
  ASSAY_AUDIT_WEBHOOK_TOKEN: optional('The bearer token of that webhook', bearerToken, {
    isSecret: true,
    needs: { ASSAY_AUDIT_WEBHOOK: '' },
  }),
  ASSAY_AUDIT_TIMESTAMP: optional(
    'An authority of RFC 3161 that timestamps the heads',
    webUrl('http://timestamp.example.com'),
    { needs: { ASSAY_AUDIT_TIMESTAMP_CA: 'a file with the certificates of its CA in PEM' } },
  ),
  ASSAY_AUDIT_TIMESTAMP_CA: optional('A file in PEM with the CA that issued its certificate', path),
};

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const monitoring = {
  LOG_LEVEL: setting(
    'JSON lines on standard error; a signal [changes it](operating.md#the-log) while it runs',
    'info',
    oneOf(logLevels),
  ),
  ASSAY_LOG_ACCOUNTS: setting<'hashed' | 'plain'>(
    "Whether failed sign-ins are logged with the account's email address (`plain`) or a hash of it: see [Attacks in the log](operating.md#attacks-in-the-log)",
    'hashed',
    oneOf(['hashed', 'plain']),
  ),
  ASSAY_SLOW_REQUEST_MS: setting(
    'Requests that take longer are logged; `0`: none: see [The log](operating.md#the-log)',
    5_000,
    milliseconds,
  ),
  ASSAY_SLOW_STATEMENT_MS: setting('The same for statements of the database', 1_000, milliseconds),
  ASSAY_METRICS_TOKEN: optional(
    'The bearer token for `/metrics`',
    (text) => (text.length >= 16 ? text : fail('must have at least 16 characters.')),
    { usual: 'this machine only', isSecret: true },
  ),
  ASSAY_WORKER_PORT: optional(
    'The port on which `assay work` serves `/healthz`, `/readyz` and `/metrics`, on the address of `HOST`: see [Monitoring](operating.md#monitoring)',
    wholeNumber(0, 65_535),
  ),
};

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const collector = webUrl('http://collector:4318');

/** The libraries of OpenTelemetry themselves read further variables, such as `OTEL_EXPORTER_OTLP_HEADERS`. */
const tracing = {
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    'A collector of traces: see [Traces](operating.md#traces). The other variables count only with one',
    collector,
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional('The full address for traces, instead', collector),
  OTEL_EXPORTER_OTLP_PROTOCOL: setting<'http/protobuf' | 'http/json'>(
    '`http/protobuf` or `http/json`',
    'http/protobuf',
    tracesProtocol,
  ),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: optional('The same for traces alone', tracesProtocol),
  OTEL_TRACES_EXPORTER: setting<'otlp' | 'none'>('`none` switches traces off', 'otlp', oneOf(['otlp', 'none'])),
  OTEL_SDK_DISABLED: setting('`true` switches them off too', false, (text) => /^true$/i.test(text)),
  OTEL_TRACES_SAMPLER: setting(
    `One of ${samplers.map((name) => `\`${name}\``).join(', ')}`,
    'parentbased_always_on',
    oneOf(samplers),
  ),
  OTEL_TRACES_SAMPLER_ARG: setting('The share of traces that a sampler with a ratio records, from 0 to 1', 1, ratio),
  OTEL_BSP_SCHEDULE_DELAY: setting('Milliseconds between two exports', 5_000, wholeNumber(1, 600_000)),
};

/** Every setting, grouped by the sections of the settings page. */
export const settingSections = {
  'The service': service,
  'Database and keys': database,
  'First start': firstStart,
  Mail: mail,
  'Single sign-on': singleSignOn,
  Scanning: scanning,
  Limits: limits,
  Backups: backups,
  'Audit log': auditLog,
  'Log and metrics': monitoring,
  Traces: tracing,
} as const satisfies Record<string, Record<string, Setting<unknown>>>;

export const settings = {
  ...service,
  ...database,
  ...firstStart,
  ...mail,
  ...singleSignOn,
  ...scanning,
  ...limits,
  ...backups,
  ...auditLog,
  ...monitoring,
  ...tracing,
};
