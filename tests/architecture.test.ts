import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { test } from 'node:test';
import { readMigrations } from '../server/platform/postgres/migrate.ts';

const server = resolve(import.meta.dirname, '../server');

/** The slices in import order: a slice may only import from earlier ones. */
const order = [
  'platform',
  'organization',
  'identity',
  'data-sources',
  'findings',
  'decisions',
  'detection',
  'reports',
  'schedules',
  'events',
  'operation',
];

const sourcesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/node_modules|^dist/.test(file))
    .map((file) => join(folder, file));

const files = sourcesIn(server);
const scanner = resolve(server, '../scanner');
const scannerFiles = sourcesIn(scanner);
const allFiles = [...files, ...scannerFiles];

const importPattern = /^(?:import|export)\s[^;]*?from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/gms;

const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(importPattern)].map((match) => resolve(dirname(file), match[1] ?? match[2]!));

/** Folders that combine the slices: settings, processes and the command line. */
const assembly = ['config', 'processes', 'commands'];

/** Returns the slice of a file; null for files that combine the slices. */
function sliceOf(file: string): string | null {
  const [first, ...rest] = relative(server, file).split(sep);
  return rest.length > 0 && !assembly.includes(first!) ? first! : null;
}

const shown = (file: string) => relative(file.startsWith(scanner) ? dirname(scanner) : server, file);
const isSource = (file: string) => !/\.(test|fixture)\.ts$/.test(file);

test('every folder of the server is a slice in the list', () => {
  const folders = new Set(files.map(sliceOf).filter((slice) => slice !== null && slice !== 'migrations'));
  assert.deepEqual(
    [...folders].filter((folder) => !order.includes(folder!)),
    [],
  );
});

test('slices import only earlier ones', () => {
  const wrong = files.flatMap((file) => {
    const own = sliceOf(file);
    if (own === null || file.endsWith('.test.ts')) return [];
    return importsOf(file)
      .filter((target) => order.indexOf(sliceOf(target) ?? own) > order.indexOf(own))
      .map((target) => `${shown(file)} imports ${shown(target)}`);
  });
  assert.deepEqual(wrong, []);
});

/**
 * The rooms of each slice with several, in import order. `.` is the place of unlisted files outside rooms, which
 * otherwise come first.
 */
const rooms: Record<string, string[]> = {
  platform: [
    'tracing',
    'rate-limit',
    'cost',
    'sandbox',
    'postgres',
    'limits.ts',
    'command-output.ts',
    'interruption.ts',
    'helper-process.ts',
    'egress',
    'mail',
    'secrets',
    'jobs',
    'room',
    'backup',
    'http',
    'openapi',
    'monitoring',
    'static',
  ],
  organization: ['audit', 'jobs.ts'],
  identity: [
    '.',
    'account-changes',
    'two-factor',
    'passkeys',
    'guess-limits',
    'library',
    'authenticate.ts',
    'continue-session.ts',
    'failed-sign-ins',
    'services.ts',
    'accounts',
    'create-user.ts',
    'find-account.ts',
    'admit-person.ts',
    'bootstrap.ts',
    'sign-in',
    'profile',
    'user-access',
    'member-access',
    'commands',
    'jobs.ts',
  ],
  'data-sources': ['connectors', '.', 'secrets'],
  findings: [
    'columns',
    'texts.ts',
    'standards',
    'aliases',
    'columns',
    '.',
    'policy',
    'filters',
    'live-columns',
    'listing',
    'flows',
    'figures',
    'timeline',
    'views',
    'bulk',
    'clock',
  ],
  detection: [
    'advisories',
    'external',
    'scan-additions.ts',
    'registry.ts',
    'targets',
    'scans',
    'imports',
    'sample-repository',
  ],
  reports: [
    'sentences',
    'describe-filters.ts',
    'narrative-sentences.ts',
    'narrative.ts',
    'mappings',
    'analysis',
    'snapshots',
    'branding',
    'charts',
    'document',
    'writers',
    'queries.ts',
    'create-report.ts',
    'export-options.ts',
    'report-schema.ts',
    'exports',
    'deliveries',
    'verification',
    'finding-export-route.ts',
    'take-snapshot.ts',
    'take-up-reports.ts',
    'jobs.ts',
  ],
};

/** Returns the position of a file's room within its slice; -1 for files outside rooms that come first. */
function roomOf(file: string): number {
  const [slice, room, ...rest] = relative(server, file).split(sep);
  const own = rooms[slice!] ?? [];
  const position = own.indexOf(room!);
  return position < 0 && rest.length === 0 ? own.indexOf('.') : position;
}

test('every folder of a slice with rooms is in the list of rooms', () => {
  const unnamed = files
    .filter((file) => relative(server, file).split(sep).length > 2)
    .filter((file) => rooms[sliceOf(file)!] !== undefined && roomOf(file) < 0)
    .map(shown);
  assert.deepEqual(unnamed, []);
});

test('rooms of a slice import only earlier ones', () => {
  const routesOf = (file: string) => file.endsWith('routes.ts');
  const wrong = files.flatMap((file) =>
    isSource(file) && !routesOf(file)
      ? importsOf(file)
          .filter((target) => sliceOf(target) === sliceOf(file) && roomOf(target) > roomOf(file))
          .map((target) => `${shown(file)} imports ${shown(target)}`)
      : [],
  );
  assert.deepEqual(wrong, []);
});

/** The rooms of the scanner in import order. */
const scannerRooms = [
  'platform',
  'contract',
  'advisories',
  'repository',
  'detectors',
  'readers',
  'path-scan',
  'corpus',
];

test('the scanner imports nothing of the server, and its rooms import only earlier ones', () => {
  const roomIn = (file: string) => {
    const [room, ...rest] = relative(scanner, file).split(sep);
    return rest.length > 0 ? scannerRooms.indexOf(room!) : room === '..' ? -1 : scannerRooms.length;
  };
  const manifest = join(scanner, 'package.json');
  const wrong = scannerFiles.filter(isSource).flatMap((file) =>
    importsOf(file)
      .filter((target) => target !== manifest && (roomIn(target) < 0 || roomIn(target) > roomIn(file)))
      .map((target) => `${shown(file)} imports ${relative(dirname(scanner), target)}`),
  );
  assert.deepEqual(wrong, []);
  const { dependencies } = JSON.parse(readFileSync(join(scanner, 'package.json'), 'utf8'));
  const imported = scannerFiles
    .filter(isSource)
    .flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/^(?:import\s[^;']*?|\} )from\s'((?:@[\w-]+\/)?[a-z][\w.-]*)/gm),
    ])
    .map(([, name]) => name!);
  assert.deepEqual(
    [...new Set(imported)].filter((name) => name !== 'node' && !(name in dependencies)),
    [],
  );
});

/** The steps of a scan, which don't import each other; `run-target.ts` combines them. */
const steps = ['targets/claimed-target.ts', 'scans/checkout.ts', 'scans/detect.ts', 'scans/batches.ts'].map((file) =>
  join(server, 'detection', file),
);

test('the steps of a scan go one way: target, checkout, detector, batches', () => {
  const way = join(server, 'detection/scans/run-target.ts');
  const imported = importsOf(way);
  assert.deepEqual(
    steps.filter((step) => !imported.includes(step)),
    [],
  );
  // Only batches write, and only while the target is claimed.
  const allowed = new Set([`${steps[3]} ${steps[0]}`]);
  const wrong = steps.flatMap((step) =>
    importsOf(step)
      .filter((target) => [way, ...steps].includes(target) && !allowed.has(`${step} ${target}`))
      .map((target) => `${shown(step)} imports ${shown(target)}`),
  );
  assert.deepEqual(wrong, []);
});

test('no files import each other in a circle, types included', () => {
  const visited = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: string[]) => {
    const start = path.indexOf(file);
    if (start >= 0) circles.push([...path.slice(start), file].map(shown).join(' → '));
    if (visited.has(file)) return;
    visited.add(file);
    for (const target of allFiles.includes(file) ? importsOf(file) : []) visit(target, [...path, file]);
  };
  for (const file of allFiles.filter(isSource)) visit(file, []);
  assert.deepEqual(circles, []);
});

test('a file has at most 400 lines, and a folder at most 30 source files unless it is a table of rules, formats or filters', () => {
  const long = allFiles
    .filter(isSource)
    .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length - 1 }))
    .filter(({ lines }) => lines > 400)
    .map(({ file, lines }) => `${shown(file)} has ${lines} lines`);
  const folders = Map.groupBy(allFiles.filter(isSource), dirname);
  const crowded = [...folders]
    .filter(([folder, sources]) => sources.length > 30 && !/[/\\](rules|formats|filters)$/.test(folder))
    .map(([folder, sources]) => `${shown(folder)} holds ${sources.length} files`);
  assert.deepEqual([...long, ...crowded], []);
});

test('the root contains only the tables of contents', () => {
  const root = readdirSync(server).filter((name) => /\.(ts|mjs|md)$/.test(name));
  assert.deepEqual(root.sort(), ['api.ts', 'assay.mjs', 'contents.test.ts', 'context.ts', 'main.ts', 'worker.ts']);
});

test('a slice takes from the root only its context and the manifest', () => {
  const allowed = ['context.ts', 'package.json'];
  const wrong = files.flatMap((file) =>
    sliceOf(file) === null || file.endsWith('.test.ts')
      ? []
      : importsOf(file)
          .filter((target) => sliceOf(target) === null && !allowed.includes(shown(target)))
          .map((target) => `${shown(file)} imports ${shown(target)}`),
  );
  assert.deepEqual(wrong, []);
});

test('only api.ts imports routes', () => {
  const wrong = files.flatMap((file) =>
    !isSource(file)
      ? []
      : importsOf(file)
          .filter((target) => target.endsWith(`${sep}routes.ts`) && shown(file) !== 'api.ts')
          .map((target) => `${shown(file)} imports ${shown(target)}`),
  );
  assert.deepEqual(wrong, []);
});

test('only config.ts reads the environment; programs that we start get only our PATH', () => {
  const reads = (file: string) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .some((line) => /^[^'"`]*process\.env\b/.test(line) && !/^\s*(\*|\/\/)/.test(line));
  // The sample repository's files contain program code.
  const isSample = (file: string) => file.endsWith('sample-commits.ts');
  const readers = allFiles.filter((file) => isSource(file) && !isSample(file) && reads(file)).map(shown);
  assert.deepEqual(readers.sort(), [
    'config/config.ts',
    // Our own processes get the variables that libraries read, and the folder of compiled modules.
    'platform/helper-process.ts',
    'scanner/platform/sandbox/node-process.ts',
    'scanner/platform/sandbox/paths.ts',
  ]);
});

const tenantTables = readdirSync(join(server, 'migrations'))
  .flatMap((file) => [
    ...readFileSync(join(server, 'migrations', file), 'utf8').matchAll(/^CREATE TABLE (\w+) \(\s*org_id /gm),
  ])
  .map((match) => match[1]!);

/** Connections other than the service's, which run every statement as the role that row-level security applies to. */
const otherConnections = {
  'operation/check-replicas.ts': 'asks the primary about its standbys, without a table of ours',
  'platform/backup/backup.ts': 'reads the tables, as the owner',
  'platform/backup/drill.ts': 'counts what a restore loaded, as the owner',
  'platform/backup/restore.ts': 'replaces the rows, as the owner',
  'platform/cost/lock-watch.ts': 'reads pg_stat_activity',
  'platform/monitoring/server-log.ts': 'reads an address',
  'platform/postgres/cells/as-owner.ts': 'sets up cells, and records a backup or a drill, as the owner',
  'platform/postgres/apply-migration.ts': 'migrates, as the owner',
  'platform/postgres/database-outlet.ts': 'reads an address',
  'platform/postgres/embedded-postgres.ts': 'makes roles and the database',
  'platform/postgres/migrate.ts': 'migrates, as the owner',
  'platform/postgres/pooler.ts': 'tries prepared statements, without a table of ours',
  'platform/postgres/postgres-server.ts': 'waits for the server',
  'platform/postgres/wait-for-database.ts': 'waits for the server',
};

test('no statement runs as the owner of the tables outside migrations, backup and restore', () => {
  const opens = /new (?:pg\.)?(?:Client|Pool)\(|\bextends pg\.(?:Client|Pool)\b/;
  const found = files.filter((file) => isSource(file) && opens.test(readFileSync(file, 'utf8')));
  const others = found
    .map((file) => shown(file).replaceAll(sep, '/'))
    .filter((file) => !/application-client/.test(file));
  assert.deepEqual(others.sort(), Object.keys(otherConnections).sort());
});

test('only rule patterns, which are rewritten, have groups that ignore case, which V8 can forget', () => {
  const rewritten = /^scanner\/(?:detectors\/secrets\/|platform\/case-groups)/;
  const wrong = allFiles
    .filter((file) => isSource(file) && !rewritten.test(shown(file).replaceAll(sep, '/')))
    .filter((file) => /\(\?(?:-?i|[msx]+-?i)[a-z-]*:/.test(readFileSync(file, 'utf8')))
    .map(shown);
  assert.deepEqual(wrong, []);
});

test('every statement on a table of organizations names the organization', () => {
  const onTenantTable = new RegExp(`\\b(FROM|JOIN|UPDATE|INTO) (${tenantTables.join('|')})\\b`);
  const forgetful = files.filter(isSource).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/`[^`]*`|'[^'\n]*'/g)]
      .map(([text]) => text)
      .filter((text) => onTenantTable.test(text) && !/org_id|\$\{/.test(text))
      .map((text) => `${shown(file)}: ${text.replace(/\s+/g, ' ').slice(0, 100)}`),
  );
  assert.ok(tenantTables.length > 10);
  assert.deepEqual(forgetful, []);
});

/** Tables with another owner than the slice of their migration. */
const otherOwners: Record<string, string> = {
  // Other tables refer to people before there are sessions.
  users: 'identity',
  // Their migration comes before that of decisions, which bulk changes make.
  bulk_operations: 'decisions',
  bulk_operation_changes: 'decisions',
};

/** Returns the slice at the start of a migration's name: `0006_findings_figures.sql` belongs to `findings`. */
const sliceOfMigration = (name: string) =>
  order.find((slice) => `${name}_`.startsWith(`${slice.replaceAll('-', '_')}_`)) ??
  `nobody: name ${name} after a slice`;

/**
 * Tables that a slice reads although another owns them: names to show with ids, and figures stored for that purpose.
 */
const reads: Record<string, string[]> = {
  organization: ['users', 'api_tokens'],
  identity: ['members', 'organizations', 'finding_views'],
  'data-sources': ['finding_counts', 'users', 'organizations', 'scan_targets'],
  findings: ['users', 'members', 'data_sources', 'decisions', 'epss_scores', 'known_exploited', 'advisory_aliases'],
  decisions: ['users', 'findings', 'data_sources', 'rule_judgements'],
  detection: ['users', 'data_sources', 'finding_counts'],
  reports: [
    ...['users', 'members', 'organizations', 'data_sources', 'findings', 'finding_comments', 'finding_history'],
    ...['decisions', 'finding_policies', 'finding_coverage', 'scan_targets', 'scan_schedules', 'scheduled_reports'],
  ],
  schedules: ['users', 'reports', 'report_deliveries'],
};

/** Statements that write another slice's table, because both must change together. */
const writes: Record<string, string[]> = {
  // A person's other status withdraws the decision that an update of the finding made.
  findings: ['UPDATE decisions'],
  // Tokens end with the membership.
  organization: ['UPDATE api_tokens'],
  // The last use of members and tokens is recorded together. A person's resources move with an account that is joined
  // into theirs.
  identity: ['UPDATE members', 'UPDATE finding_views', 'UPDATE data_sources'],
};

const tablesNamedBy = (statement: string) =>
  readdirSync(join(server, 'migrations')).flatMap((file) =>
    [...readFileSync(join(server, 'migrations', file), 'utf8').matchAll(new RegExp(`^${statement} (\\w+)`, 'gm'))].map(
      ([, table]) => ({ table: table!, migration: file.replace(/^\d+_|\.sql$/g, '') }),
    ),
  );

const dropped = new Set(tablesNamedBy('DROP TABLE').map(({ table }) => table));
const owners = new Map(
  tablesNamedBy('CREATE TABLE')
    .filter(({ table }) => !dropped.has(table))
    .map(({ table, migration }) => [table, otherOwners[table] ?? sliceOfMigration(migration)]),
);

test('every table has an owner', () => {
  const nobodys = [...owners].filter(([, owner]) => !order.includes(owner)).map(([table]) => table);
  assert.deepEqual(nobodys, [], 'Name the migration after a slice, or add the table to otherOwners.');
});

test("a slice writes only its own tables, and reads another slice's only as listed above", () => {
  const statements = (file: string) => readFileSync(file, 'utf8').match(/`[^`]*`|'[^'\n]*'/g) ?? [];
  const wrong = files.filter(isSource).flatMap((file) => {
    const slice = sliceOf(file);
    if (slice === null) return [];
    return statements(file).flatMap((text) =>
      [...text.matchAll(/\b(INSERT INTO|UPDATE|DELETE FROM|FROM|JOIN) (\w+)\b/g)]
        .filter(([statement, verb, table]) => {
          const owner = owners.get(table!);
          if (owner === undefined || owner === slice) return false;
          const allowed =
            verb === 'FROM' || verb === 'JOIN' ? reads[slice]?.includes(table!) : writes[slice]?.includes(statement);
          return !allowed;
        })
        .map(
          ([statement]) => `${shown(file)}: ${statement}, which belongs to ${owners.get(statement.split(' ').at(-1)!)}`,
        ),
    );
  });
  assert.deepEqual(wrong, []);
});

test('no two migrations have the same number', async () => {
  const versions = (await readMigrations()).map(({ version }) => version);
  assert.equal(new Set(versions).size, versions.length);
});
