import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from './config.ts';
import { type Setting, settings } from './settings.ts';

const errorsIn = (env: Record<string, string>): string[] => {
  try {
    readConfig(env, '/srv');
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.errors;
  }
  return [];
};

test('all settings are optional', () => {
  const config = readConfig({}, '/srv');
  assert.equal(config.port, 8080);
  assert.equal(config.host, '127.0.0.1');
  assert.equal(config.dataDirectory, '/srv/data');
  assert.equal(config.databaseUrl, null);
  assert.deepEqual(config.rateLimit, { requestsPerMinute: 100, burstPerMinute: 200 });
});

test('all errors are reported at once, each with its variable and what is accepted', () => {
  const errors = errorsIn({
    PORT: 'eighty',
    LOG_LEVEL: 'loud',
    REDIS_URL: 'localhost:6379',
    ASSAY_CORS_ORIGINS: 'https://a.example, https://b.example/path',
    ASSAY_RATE_LIMIT: '100',
    ASSAY_RATE_BURST: '50',
    DATABASE_URL: 'postgresql://localhost/assay',
    ASSAY_ADMIN_PASSWORD: 'a long enough one',
  });
  assert.deepEqual(
    errors.map((error) => error.split(':')[0]),
    [
      'PORT',
      'ASSAY_CORS_ORIGINS',
      'REDIS_URL',
      'LOG_LEVEL',
      'ASSAY_RATE_BURST',
      'ASSAY_SECRET_KEY',
      'ASSAY_ADMIN_EMAIL',
    ],
  );
  assert.match(errors[0]!, /whole number from 0 to 65535/);
  assert.match(errors[1]!, /"https:\/\/b.example\/path"/);
  for (const error of errors) assert.match(error, /\.$/);
});

test('replicas need an external primary, and each address is checked', () => {
  const replicas = 'postgresql://a@one/assay, postgresql://a@two/assay';
  const key = { ASSAY_SECRET_KEY: 'k'.repeat(40) };
  const config = readConfig({ ...key, DATABASE_URL: 'postgresql://a@db/assay', DATABASE_READ_URL: replicas });
  assert.deepEqual(config.replicas, { urls: replicas.split(', '), maxLagMs: 5_000 });
  const cells = 'eu=postgresql://a@one/assay?sslmode=require,us=postgres://a@two/assay';
  const database = { ...key, DATABASE_URL: 'postgresql://a@db/assay' };
  assert.deepEqual(readConfig({ ...database, ASSAY_CELLS: cells }).cells, [
    { name: 'eu', url: 'postgresql://a@one/assay?sslmode=require' },
    { name: 'us', url: 'postgres://a@two/assay' },
  ]);
  assert.match(errorsIn({ ASSAY_CELLS: cells })[0]!, /^DATABASE_URL: must be set when ASSAY_CELLS is/);
  const wrong = [
    'postgresql://a@one/assay',
    'home=postgresql://a@one/assay',
    'EU=postgresql://a@one/assay',
    'eu=mysql://b',
  ];
  for (const text of wrong) assert.match(errorsIn({ ...database, ASSAY_CELLS: text })[0]!, /^ASSAY_CELLS: must be/);
  assert.match(errorsIn({ ...database, ASSAY_CELLS: `${cells},eu=postgres://c/d` })[0]!, /the cell eu twice/);
  assert.match(errorsIn({ ...database, ASSAY_CELLS: cells, DATABASE_READ_URL: replicas })[0]!, /are not used together/);
  assert.match(errorsIn({ DATABASE_READ_URL: replicas })[0]!, /^DATABASE_URL: must be set when DATABASE_READ_URL is/);
  const errors = errorsIn({
    DATABASE_READ_URL: 'postgresql://a@one/assay,mysql://b',
    ASSAY_REPLICA_MAX_LAG_SECONDS: '0',
  });
  assert.deepEqual(errors.map((error) => error.split(':')[0]).slice(0, 2), [
    'DATABASE_READ_URL',
    'ASSAY_REPLICA_MAX_LAG_SECONDS',
  ]);
});

test('heads of the audit log are only sent where the address can be used', () => {
  const { auditHeads } = readConfig(
    { ASSAY_AUDIT_SYSLOG: 'tls://[2001:db8::1]/', ASSAY_AUDIT_TIMESTAMP_CA: 'ca.pem' },
    '/srv',
  );
  assert.deepEqual(auditHeads, {
    syslog: { transport: 'tls', host: '2001:db8::1', port: 6514 },
    webhook: null,
    timestamps: null,
    timestampCaFile: '/srv/ca.pem',
  });
  for (const address of [
    'logs:514',
    'http://logs',
    'udp://',
    'tcp://user:pass@logs',
    'tcp://logs/path',
    'udp://logs:99999',
  ]) {
    assert.match(errorsIn({ ASSAY_AUDIT_SYSLOG: address })[0]!, /^ASSAY_AUDIT_SYSLOG: must be an address/, address);
  }
  const errors = errorsIn({
    ASSAY_AUDIT_WEBHOOK_TOKEN: 'sixteen-characters',
    ASSAY_AUDIT_TIMESTAMP: 'http://tsa.example.com',
  });
  assert.deepEqual(
    errors.map((error) => error.split(':')[0]),
    ['ASSAY_AUDIT_WEBHOOK', 'ASSAY_AUDIT_TIMESTAMP_CA'],
  );
});

test('an invalid secret is not repeated in the message', () => {
  const secret = 'hunter' + '2';
  const errors = errorsIn({
    DATABASE_URL: `mysql://root:${secret}@db/assay`,
    SMTP_URL: secret,
    ASSAY_SECRET_KEY: secret,
    ASSAY_SECRET_KEY_PREVIOUS: secret,
    ASSAY_ADMIN_PASSWORD: secret,
    ASSAY_BOOTSTRAP_TOKEN: secret,
  });
  assert.ok(errors.length >= 5);
  for (const error of errors) assert.doesNotMatch(error, new RegExp(secret));
});

test('targets are addresses, ranges and host names, and nothing that only looks similar', () => {
  const accepted = '10.0.0.0/8, 192.168.1.7, fd00::/8, ::1, git.internal, *.corp.example, localhost';
  assert.equal(readConfig({ ASSAY_ALLOWED_TARGETS: accepted }).allowedTargets.length, 7);
  for (const wrong of ['10.0.0.0/33', '300.1.1.1', 'http://x', 'a b', 'host/8', 'x/1/2']) {
    assert.equal(errorsIn({ ASSAY_ALLOWED_TARGETS: wrong }).length, 1, wrong);
  }
});

test('a collector is enough to turn traces on, by HTTP, unless they are switched off', () => {
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
  const { tracing } = readConfig(collector, '/srv');
  assert.deepEqual(tracing, {
    protocol: 'http/protobuf',
    sampler: 'parentbased_always_on',
    ratio: 1,
    delayMs: 5_000,
    endpoint: 'http://collector:4318',
  });
  const sampled = { ...collector, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' };
  assert.equal(readConfig(sampled, '/srv').tracing?.ratio, 0.25);
  for (const off of [{ OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }])
    assert.equal(readConfig({ ...collector, ...off }, '/srv').tracing, null);
  const grpc = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
  assert.equal(readConfig(grpc, '/srv').tracing, null, 'it is for other programs');
  assert.match(
    errorsIn({ ...collector, ...grpc, OTEL_TRACES_SAMPLER_ARG: '2' }).join(),
    /PROTOCOL: must be .*,.*_ARG: must/,
  );
});

test('a higher rate without a burst gets a burst above it', () => {
  assert.deepEqual(readConfig({ ASSAY_RATE_LIMIT: '1000' }).rateLimit, {
    requestsPerMinute: 1000,
    burstPerMinute: 2000,
  });
});

test('a budget of processor time is 60 and 120 seconds a minute unless set, and none with 0', () => {
  assert.deepEqual(readConfig({}).processorBudgets, { credential: 60, organization: 120 });
  const set = { ASSAY_PROCESSOR_BUDGET: '0', ASSAY_ORGANIZATION_PROCESSOR_BUDGET: '300' };
  assert.deepEqual(readConfig(set).processorBudgets, { credential: null, organization: 300 });
  assert.throws(() => readConfig({ ASSAY_PROCESSOR_BUDGET: '-1' }), /ASSAY_PROCESSOR_BUDGET: must be a whole number/);
});

test('an empty variable counts as not set', () => {
  assert.equal(readConfig({ PORT: '', DATABASE_URL: ' ' }).port, 8080);
});

test('relative paths are resolved from the working directory, and a base address loses its last slash', () => {
  const config = readConfig(
    {
      ASSAY_DATA_DIR: 'var',
      ASSAY_LOCAL_REPOSITORIES: 'repos, /home/git',
      ASSAY_BASE_URL: 'https://assay.example.com/api/v1/',
    },
    '/srv',
  );
  assert.equal(config.dataDirectory, '/srv/var');
  assert.deepEqual(config.localRepositories, ['/srv/repos', '/home/git']);
  assert.equal(config.folders.codeRules, '/srv/var/code-rules');
  assert.equal(config.baseUrl, 'https://assay.example.com');
});

test('single sign-on needs an issuer over https, a client and its secret', () => {
  const read = (env: Record<string, string>) => readConfig(env, '/srv').singleSignOn;
  const whole = {
    ASSAY_OIDC_ISSUER: 'https://login.example.com/realms/main',
    ASSAY_OIDC_CLIENT_ID: 'assay',
    ASSAY_OIDC_CLIENT_SECRET: 'secret',
  };
  assert.equal(read({}), null);
  const { role, allowedDomains } = read({ ...whole, ASSAY_OIDC_ALLOWED_DOMAINS: 'Example.com' })!;
  assert.deepEqual([role, allowedDomains], ['viewer', ['example.com']]);
  assert.throws(() => read({ ...whole, ASSAY_OIDC_CLIENT_SECRET: '' }), /ASSAY_OIDC_CLIENT_SECRET: must be set/);
  assert.deepEqual(errorsIn({ ASSAY_OIDC_ISSUER: whole.ASSAY_OIDC_ISSUER }), [
    'ASSAY_OIDC_CLIENT_ID: must be set when ASSAY_OIDC_ISSUER is.',
    'ASSAY_OIDC_CLIENT_SECRET: must be set when ASSAY_OIDC_ISSUER is.',
  ]);
  assert.equal(errorsIn({ ASSAY_OIDC_CLIENT_SECRET: 'secret' }).length, 2);
  assert.throws(() => read({ ...whole, ASSAY_OIDC_ISSUER: 'http://login.example.com' }), /ASSAY_OIDC_ISSUER: must be/);
  assert.throws(() => read({ ...whole, ASSAY_OIDC_ROLE: 'owner' }), /ASSAY_OIDC_ROLE: must be one of/);
});

test('an unknown name is refused with the most similar setting, and those of clients, tests and Kubernetes are accepted', () => {
  assert.deepEqual(errorsIn({ ASSAY_ALOWED_TARGETS: '10.0.0.0/8', ASSAY_BANANA: '1', ASSAY_WORKR_PORT: '1' }), [
    'ASSAY_ALOWED_TARGETS: is not a setting of this release; did you mean ASSAY_ALLOWED_TARGETS?',
    'ASSAY_BANANA: is not a setting of this release; docs/settings.md lists them.',
    'ASSAY_WORKR_PORT: is not a setting of this release; did you mean ASSAY_WORKER_PORT?',
  ]);
  const others = {
    ASSAY_TOKEN: 'asy_x',
    ASSAY_TEST_SEED: '1',
    ASSAY_SERVICE_HOST: '10.0.0.1',
    ASSAY_API_SERVICE_PORT_HTTP: '80',
    ASSAY_API_PORT: 'tcp://10.0.0.1:80',
    ASSAY_API_PORT_80_TCP_ADDR: '10.0.0.1',
  };
  assert.deepEqual(errorsIn(others), []);
});

test('every default is a valid value', () => {
  for (const [name, { fallback, usual, parse }] of Object.entries<Setting<unknown>>(settings)) {
    const written = /^`([^`]+)`$/.exec(usual)?.[1];
    if (written !== undefined && name !== 'ASSAY_DATA_DIR') assert.deepEqual(parse(written, '/srv'), fallback, name);
  }
});
