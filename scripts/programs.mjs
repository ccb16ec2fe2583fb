// The system's programs that tests, measurements and the soak start. Plain JavaScript for the machine's own Node.js.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

const scannerTests = ['server/detection/external/installed-tools.long.test.ts', 'tests/estate.long.test.ts'];

const soakTest = 'tests/soak/soak.long.test.ts';

const clusterTest = 'tests/soak/cluster.long.test.ts';

const poolerTests = [
  'tests/contract-on-stock-postgres.long.test.ts',
  'tests/pooler.long.test.ts',
  'tests/tenants.test.ts',
  clusterTest,
];

const proxyTest = 'tests/reverse-proxies.long.test.ts';

const chartTest = 'tests/helm-chart.long.test.ts';

const cloneTest = 'clients/conformance/clone.long.test.mjs';
const generatorTest = 'tests/openapi-generators.long.test.ts';

const pythonRecipes = ['docs/integrations/siem/', 'docs/integrations/nightly-csv/'];

/** The programs that tests start: name, Debian package, and the tests that need it (paths or path prefixes). */
export const testPrograms = [
  { name: 'git', debian: 'git', tests: ['scanner/', 'server/', 'tests/', 'clients/', 'docs/'] },
  // Confines git, scanners and our own readers. Where namespaces are forbidden, the tests say so and run without it.
  { name: 'bwrap', debian: 'bubblewrap', tests: ['scanner/', 'server/', 'tests/'] },
  // The commands that a first start prints.
  {
    name: 'curl',
    debian: 'curl',
    tests: ['tests/backup.long.test.ts', 'tests/console/identity.test.ts', 'tests/journey.test.ts'],
  },
  {
    name: 'openssl',
    debian: 'openssl',
    tests: ['scanner/detectors/web/', 'server/organization/audit/heads/', proxyTest],
  },
  {
    name: 'redis-server',
    debian: 'redis-server',
    tests: [
      'server/platform/rate-limit/',
      'server/platform/postgres/replicas/',
      'tests/replicas.long.test.ts',
      clusterTest,
      soakTest,
    ],
  },
  { name: 'sshd', debian: 'openssh-server', tests: ['server/data-sources/connectors/git-ssh.test.ts'] },
  // Without faketime the soak moves no clocks, and says so.
  {
    name: 'faketime',
    debian: 'faketime',
    tests: [soakTest],
    isThere: () => hasProgram('faketime') || !canInstall(),
  },
  // An external PostgreSQL and pooler, from Debian.
  {
    name: 'initdb',
    debian: 'postgresql',
    tests: [
      ...poolerTests,
      'server/operation/check-replicas.long.test.ts',
      'tests/image.long.test.ts',
      'tests/statements/',
      'tests/stock-postgres.long.test.ts',
      'tests/restart.long.test.ts',
      'tests/replicas.long.test.ts',
    ],
  },
  { name: 'pgbouncer', debian: 'pgbouncer', tests: poolerTests },
  // Scanners that Debian provides and that install quickly.
  { name: 'bandit', debian: 'bandit', tests: [...scannerTests, 'scanner/path-scan/'] },
  { name: 'flawfinder', debian: 'flawfinder', tests: scannerTests },
  { name: 'nmap', debian: 'nmap', tests: scannerTests },
  { name: 'testssl', debian: 'testssl.sh', tests: ['server/detection/external/installed-tools.long.test.ts'] },
  // Readers of the exported document formats.
  {
    name: 'pdftotext',
    debian: 'poppler-utils',
    tests: ['server/reports/writers/', 'server/reports/document/'],
  },
  { name: 'pdfinfo', debian: 'poppler-utils', tests: ['server/reports/document/'] },
  { name: 'mvn', debian: 'maven', tests: ['server/reports/writers/pdf/verapdf.long.test.ts'] },
  { name: 'java', debian: 'default-jre-headless', tests: ['server/reports/writers/pdf/verapdf.long.test.ts'] },
  {
    name: 'soffice',
    debian: 'libreoffice-writer-nogui',
    tests: ['server/reports/writers/docx/libreoffice.long.test.ts', 'server/reports/writers/pages.long.test.ts'],
  },
  { name: 'chromium', debian: 'chromium', tests: ['clients/typescript/tests/browser.long.test.mjs', 'tests/console/'] },
  {
    name: 'go',
    debian: 'golang-go',
    tests: [
      'clients/go/',
      cloneTest,
      chartTest,
      'server/detection/external/installation/',
      'scanner/advisories/versions/vers-univers.long.test.ts',
      'docs/integrations/grafana/',
    ],
  },
  { name: 'nginx', debian: 'nginx-light', tests: [proxyTest, soakTest] },
  { name: 'haproxy', debian: 'haproxy', tests: [proxyTest, soakTest] },
  { name: 'caddy', debian: 'caddy', tests: [proxyTest] },
  { name: 'rsyslogd', debian: 'rsyslog', tests: ['docs/integrations/siem/'] },
  // Debian packages venv separately from the interpreter.
  {
    name: 'python3',
    debian: 'python3',
    tests: ['server/reports/writers/csv.test.ts', 'clients/python/', cloneTest, ...pythonRecipes],
  },
  {
    name: 'python3 -m venv',
    debian: 'python3-venv',
    tests: [
      'server/reports/writers/py-ocsf-models.long.test.ts',
      'clients/python/',
      cloneTest,
      generatorTest,
      'tests/proxy-schemas.long.test.ts',
      chartTest,
      'server/detection/external/installation/',
      'scanner/advisories/versions/vers-univers.long.test.ts',
      ...pythonRecipes,
    ],
    isThere: () => spawnSync('python3', ['-c', 'import ensurepip, venv']).status === 0,
  },
  // 1.24 or newer: Debian 12's version is too old for the generator.
  { name: 'go', debian: 'golang-go', tests: [generatorTest] },
];

/**
 * Returns whether any of these files (paths or patterns relative to the root) is one of the tests (paths or path
 * prefixes).
 */
export function overlap(files, tests) {
  const beginnings = files.map((file) => file.replace(/^\.\//, '').replace(/[*?[{].*$/, ''));
  return tests.some((path) => beginnings.some((given) => given.startsWith(path) || path.startsWith(given)));
}

/**
 * Returns the programs needed by the tests in these files (paths or patterns relative to the root; none means all).
 */
export const programsOf = (files) =>
  files.length === 0 ? testPrograms : testPrograms.filter(({ tests }) => overlap(files, tests));

const folders = () => ['/usr/local/bin', '/usr/bin', '/usr/sbin', ...(process.env.PATH ?? '').split(delimiter)];

/** On Debian, pgbench is not in the PATH but in a folder for each major version. */
const versionedFolders = () =>
  existsSync('/usr/lib/postgresql')
    ? readdirSync('/usr/lib/postgresql').map((version) => `/usr/lib/postgresql/${version}/bin`)
    : [];

export function hasProgram(name) {
  return [...folders(), ...versionedFolders()].some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Returns whether missing programs can be installed here. */
export const canInstall = () => process.getuid?.() === 0 && hasProgram('apt-get');

/** Installs Debian packages without starting the services that they contain. */
function installPackages(packages) {
  const policy = '/usr/sbin/policy-rc.d';
  const ownPolicy = !existsSync(policy);
  if (ownPolicy) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  const clusters = '/etc/postgresql-common/createcluster.conf';
  if (packages.includes('postgresql') && !existsSync(clusters)) {
    mkdirSync(dirname(clusters), { recursive: true });
    writeFileSync(clusters, 'create_main_cluster = false\n');
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args) => spawnSync('apt-get', ['-qq', '-y', ...args], { encoding: 'utf8', env });
  try {
    let result = apt('install', '--no-install-recommends', ...packages);
    if (result.status !== 0) {
      apt('update');
      result = apt('install', '--no-install-recommends', ...packages);
    }
    return result.status === 0 ? null : `${result.stdout ?? ''}${result.stderr ?? result.error?.message ?? ''}`.trim();
  } finally {
    if (ownPolicy) rmSync(policy, { force: true });
  }
}

/** Installs missing programs. Throws an error with a sentence for the user if it can't. */
export function ensurePrograms(programs, purpose) {
  const missing = programs.filter(({ name, isThere }) => !(isThere ?? (() => hasProgram(name)))());
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(', ');
  const packages = [...new Set(missing.map(({ debian }) => debian))];
  if (!canInstall())
    throw new Error(`${purpose} need ${names}. Install them, on Debian: sudo apt-get install ${packages.join(' ')}`);
  process.stdout.write(`Installing ${packages.join(', ')} for ${purpose.toLowerCase()} …\n`);
  const error = installPackages(packages);
  if (error !== null)
    throw new Error(`${purpose} need ${names}, and apt-get could not install ${packages.join(' ')}:\n${error}`);
}
