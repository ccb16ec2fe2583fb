import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { load } from 'js-yaml';
import { settings } from '../server/config/settings.ts';
import { addFeedMetrics } from '../server/detection/advisories/feed-metrics.ts';
import { addTargetMetrics } from '../server/detection/target-metrics.ts';
import { addChangesAhead } from '../server/findings/change-clock.ts';
import { addFindingMetrics } from '../server/findings/figures/finding-metrics.ts';
import { ColumnService } from '../server/findings/live-columns/column-service.ts';
import { FailedSignIns } from '../server/identity/failed-sign-ins/failed-sign-ins.ts';
import { addBackupMetrics } from '../server/platform/backup/backup-records.ts';
import { ProcessorBudget } from '../server/platform/http/processor-budget.ts';
import { silentLog } from '../server/platform/log.ts';
import { countMails } from '../server/platform/mail/counted-mailer.ts';
import { createMetrics } from '../server/platform/metrics.ts';
import { addBuildMetrics } from '../server/platform/monitoring/build-metrics.ts';
import { addHeartbeatMetric, addJobMetrics } from '../server/platform/monitoring/job-metrics.ts';
import { addPoolMetrics, addQueueMetrics } from '../server/platform/monitoring/queue-metrics.ts';
import { addReplicaMetrics } from '../server/platform/postgres/replicas/replica-metrics.ts';
import { createMemoryRateLimiter } from '../server/platform/rate-limit/rate-limit.ts';
import { addRedisMetrics } from '../server/platform/rate-limit/redis-metrics.ts';
import { createRefusalLog } from '../server/platform/refusals.ts';
import { addRoomMetrics } from '../server/platform/room/room-metrics.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

async function scrape(): Promise<string> {
  const metrics = createMetrics();
  metrics.observeRequest('listFindings', 'GET', 200, 0.01);
  const figures = {
    jobs: [{ job: 'merge-import', state: 'waiting', count: 1 }],
    oldestWaitingSeconds: 1,
    heartbeatAgeSeconds: 1,
  };
  const pool = { query: async () => ({ rows: [{ figures }] }), totalCount: 0, idleCount: 0, waitingCount: 0 };
  addQueueMetrics(metrics, { pool } as never);
  addPoolMetrics(metrics, { pool: pool as never });
  addBuildMetrics(metrics, 'api', '1.0.0');
  const rows = { feed: 'epss', loadedAt: new Date(), severity: 4, status: 'new', count: 1 };
  const database = { single: async () => [rows] } as never;
  addFindingMetrics(metrics, database);
  addChangesAhead(metrics, database);
  addFeedMetrics(metrics, database);
  const targets = addTargetMetrics(metrics);
  targets.observe('scan', 'secrets', 'completed', 1);
  targets.observe('import', 'sarif', 'completed', 1);
  addJobMetrics(metrics)('merge-import', 'done', 1);
  addHeartbeatMetric(metrics, () => 1);
  countMails({} as never, metrics);
  const states = () => [{ name: 'replica:5432', isInService: true, lagSeconds: 1 }];
  addReplicaMetrics(metrics, { states, reads: new Map([['primary', 1]]) } as never);
  addRedisMetrics(metrics, { isConnected: () => true });
  const row = {
    node: 'n',
    directory: '/data',
    freeBytes: 1,
    totalBytes: 2,
    cacheBytes: 0,
    ageSeconds: 1,
    lastError: null,
  };
  const rowDatabase = {
    transaction: (_orgId: string | null, run: (tx: never) => unknown) =>
      run({ query: async () => ({ rows: [row] }) } as never),
  } as never;
  addRoomMetrics(metrics, rowDatabase);
  addBackupMetrics(metrics, rowDatabase);
  createRefusalLog(silentLog, metrics);
  const budgets = { credential: 1, organization: 1 };
  new ProcessorBudget(createMemoryRateLimiter(), budgets, { log: silentLog, metrics });
  new FailedSignIns({ database: {} as never, log: silentLog, metrics, loggedAccounts: 'hashed', key: 'key' });
  new ColumnService({ database, databaseUrl: '', maxBytes: 0, log: silentLog, metrics });
  return metrics.text();
}

test('alerts and dashboard use only metrics and labels that the API has', async () => {
  const scraped = await scrape();
  for (const file of ['deploy/monitoring/alerts.yaml', 'deploy/monitoring/dashboard.json']) {
    const names = new Set(read(file).match(/\b(assay|nodejs|process)_[a-z0-9_]+/g));
    assert.ok(names.size > 4, file);
    for (const name of names) assert.match(scraped, new RegExp(`^${name}[ {]`, 'm'), `${file}: ${name}`);
    const labels = [...read(file).matchAll(/by \(([^)]+)\)/g)].flatMap(([, list]) => list!.split(', '));
    for (const label of labels) {
      if (!['instance', 'job'].includes(label))
        assert.match(scraped, new RegExp(`[{,]${label}="`), `${file}: ${label}`);
    }
  }
  const { groups } = load(read('deploy/monitoring/alerts.yaml')) as { groups: Array<{ rules: object[] }> };
  for (const rule of groups.flatMap(({ rules }) => rules)) {
    assert.deepEqual(Object.keys(rule).sort(), ['alert', 'annotations', 'expr', 'for', 'labels']);
  }
});

test('every alert has a runbook at its runbook_url, and every runbook its alert', () => {
  type Rule = { alert: string; annotations: Record<string, string> };
  const { groups } = load(read('deploy/monitoring/alerts.yaml')) as { groups: Array<{ rules: Rule[] }> };
  const rules = groups.flatMap((group) => group.rules);
  const sections = new Map(
    read('docs/runbooks.md')
      .split(/^## /m)
      .slice(1)
      .map((section): [string, string] => [section.split('\n', 1)[0]!, section]),
  );
  assert.deepEqual(rules.map(({ alert }) => alert).sort(), [...sections.keys()].sort());
  for (const { alert, annotations } of rules) {
    assert.ok(annotations.runbook_url?.endsWith(`/docs/runbooks.md#${alert.toLowerCase()}`), alert);
    assert.ok(sections.get(alert)!.length > 120, `${alert}: the runbook says nothing`);
  }
});

test('deployment files set only what is a setting, and copy only what exists', () => {
  const traces = new Set(read('docs/operating.md').match(/\bOTEL_[A-Z_]+\b/g));
  const files = globSync('deploy/**/*', { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile());
  assert.ok(files.length > 10);
  for (const { parentPath, name } of files) {
    const text = readFileSync(join(parentPath, name), 'utf8');
    for (const variable of text.match(/\b(ASSAY_[A-Z_]+|DATABASE_(?:READ_)?URL|REDIS_URL|SMTP_URL)\b/g) ?? []) {
      assert.ok(variable in settings, `${name}: ${variable}`);
    }
    for (const variable of text.match(/\bOTEL_[A-Z_]+\b/g) ?? [])
      assert.ok(variable in settings || traces.has(variable), `${name}: ${variable}`);
  }
  const copied = [...read('deploy/Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths]) =>
    paths!.split(' '),
  );
  for (const path of copied) assert.ok(existsSync(join(root, path)), path);
});

test("the chart's schema of values accepts its own, has each of them, and refuses a misspelt one", () => {
  const values = load(read('deploy/helm/assay/values.yaml')) as Record<string, Record<string, unknown>>;
  const validate = new Ajv({ strict: false }).compile(JSON.parse(read('deploy/helm/assay/values.schema.json')));
  assert.ok(validate(values), JSON.stringify(validate.errors));
  for (const wrong of [
    { ...values, ingres: {} },
    { ...values, worker: { ...values.worker, replica: 2 } },
    { ...values, api: { ...values.api, replicas: 'two' } },
    { ...values, baseUrl: 'assay.example.com' },
    { ...values, settings: { 'not a name': 'x' } },
    { ...values, settings: { ASSAY_ALOWED_TARGETS: '10.0.0.0/8' } },
    { ...values, settings: { DATABASE_URL: 'postgresql://assay:secret@db/assay' } },
  ])
    assert.ok(!validate(wrong), JSON.stringify(wrong).slice(0, 80));
});

test('containers run without root, capabilities and a writable file system', () => {
  const { services } = load(read('deploy/compose.yaml')) as { services: Record<string, Record<string, unknown>> };
  for (const name of ['api', 'worker']) {
    assert.equal(services[name]!.read_only, true);
    assert.deepEqual(services[name]!.cap_drop, ['ALL']);
  }
  assert.match(read('deploy/Dockerfile'), /^USER 10001:10001$/m);
});
