import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { standards } from '../../findings/standards/standards.ts';
import { weaknessName, weaknessNumber } from '../../findings/standards/weaknesses.ts';
import { remediationFor } from '../mappings/remediations.ts';
import { reportFinding } from '../report-finding.fixture.ts';
import { tables } from '../sentences/wording.ts';
import { chooseActions } from './actions.ts';
import { placeName } from './analyse.ts';
import { neededVersion } from './needed-version.ts';
import { isReadable, readableName } from './readable-name.ts';

const named = (title: string, id: string, name = id, more: { identifiers?: string[]; package?: string } = {}) =>
  readableName({
    title,
    rule: { id, name },
    identifiers: more.identifiers ?? [],
    location: { package: more.package ? { name: more.package } : null },
  });

test('a problem has a readable name: from its rule, its title, its id in words, or its weakness', () => {
  assert.equal(named('x', 'aws', 'AWS access key'), 'AWS access key');
  assert.equal(named('SQL injection in src/db.ts:12', 'js.lang.sqli', 'js.lang.sqli'), 'SQL injection');
  assert.equal(named('Cookie without Secure (www.example.com:443)', 'cookie_x'), 'Cookie without Secure');
  assert.equal(named('blacklist', 'B303', 'blacklist'), 'Use of MD2, MD4, MD5 or SHA-1');
  assert.equal(named('x', 'java.lang.security.audit.sqli.tainted-sql-string'), 'Tainted SQL string');
  assert.equal(named('x', 'py/pathInjection'), 'Path injection');
  assert.equal(named('x', '10038', '10038', { identifiers: ['CWE-79'] }), 'Cross-site scripting (XSS)');
  assert.equal(
    named('CVE-2021-44228 in log4j', 'CVE-2021-44228', 'CVE-2021-44228', { package: 'log4j-core' }),
    'CVE-2021-44228 in log4j-core',
  );
  assert.equal(named('Log4Shell in pom.xml', 'CVE-2021-44228', 'Log4Shell'), 'CVE-2021-44228');
  assert.equal(
    named(`A first sentence that says it. ${'More words. '.repeat(20)}`, 'x1'),
    'A first sentence that says it',
  );
  // A text truncated by its tool is not a name.
  assert.equal(named('x', 'generic-api-key', 'Use after free in Blink XSLT in…'), 'Generic API key');
});

test('an id, a path and a truncated text are not readable', () => {
  for (const text of [
    'B303',
    'js.lang.sqli',
    'security/detect-object-injection',
    'Use after free in…',
    `a ${'b'.repeat(60)}`,
  ])
    assert.equal(isReadable(text), false, text);
  for (const text of ['SQL injection', 'Use of MD5']) assert.equal(isReadable(text), true, text);
});

const work = (findingId: string, score: number) => ({
  ...{ findings: 2, bySeverity: [0, 0, 0, 1, 1], score, priority: 60, dueAt: null, overdue: 1 },
  ...{ dataSourceIds: [`ds_${findingId}`], dataSourceCount: 1, findingId, total: 7 },
});
const example = (id: string, name: string) => ({
  ...{ id, title: name, rule: { id: name, name, url: null }, identifiers: [], remediation: null, package: null },
  ...{ path: null, url: null },
});

test("findings of two tools with the same name are one action, and Go's standard library is upgraded with Go", () => {
  const rule = { ruleId: 'Password in URL', source: 'gitleaks' };
  const go = { ecosystem: 'Go', name: 'stdlib', versions: [{ version: 'v1.24.0', fixed: 'v1.25.9' }] };
  const { first, total, covered } = chooseActions(
    {
      upgrades: [{ ...work('c', 100), ...go }],
      replacements: [],
      rules: [
        { ...work('a', 200), ...rule },
        { ...work('b', 150), ...rule, source: 'trufflehog' },
      ],
    },
    [example('a', 'Password in URL'), example('b', 'Password in URL'), example('c', 'x')],
    new Map([['ds_a', { name: 'billing', ownerId: 'usr_1', ownerName: 'Ada' }]]),
    10,
  );
  assert.deepEqual(
    first.map(({ kind, name, findings, data_source_count: count }) => [kind, name, findings, count]),
    [
      ['rotate_secret', 'Password in URL', 4, 2],
      ['upgrade', 'Go', 2, 1],
    ],
  );
  assert.deepEqual(first[0]!.owners, [{ id: 'usr_1', name: 'Ada' }]);
  assert.deepEqual([total, covered], [13, { open: 6, critical_high: 6 }]);
});

test('the version needed is the highest of the next fixes, in the order of the ecosystem', () => {
  const pair = (version: string | null, fixed: string) => ({ version, fixed });
  assert.equal(neededVersion('Maven', [pair('2.14.1', '2.15.0, 2.12.2'), pair('2.14.1', '2.17.1')]), '2.17.1');
  assert.equal(neededVersion('Maven', [pair('2.11.0', '2.15.0, 2.12.2')]), '2.12.2');
  assert.equal(neededVersion('npm', [pair('1.9.0', '1.10.0'), pair('1.9.0', '1.9.5')]), '1.10.0');
  assert.equal(neededVersion('PyPI', [pair(null, '>=2.0')]), '2.0');
  assert.equal(neededVersion('Debian:12', [pair('1.1.1d-0+deb10u3', '1.1.1n-0+deb10u3')]), '1.1.1n-0+deb10u3');
  assert.equal(neededVersion('no such', [pair('1.2', '1.10'), pair('1.2', '1.9')]), '1.10');
  assert.equal(neededVersion('npm', []), null);
});

test('identifiers of weaknesses are recognized in every spelling', () => {
  assert.deepEqual(['CWE-79', 'cwe-079', 'CWE-79: Cross-site', 'CVE-2021-79', 'CWE'].map(weaknessNumber), [
    79,
    79,
    79,
    undefined,
    undefined,
  ]);
  assert.equal(weaknessName('CWE-89'), 'SQL injection');
});

test('every weakness of the CWE Top 25 has a name and a remediation in complete sentences of both languages', () => {
  for (const { id, name } of standards.find(({ id }) => id === 'cwe-top-25-2025')!.rows) assert.ok(name.en, id);
  const numbers = Array.from({ length: 1_400 }, (_, number) => `CWE-${number}`);
  const [english, german] = (['en', 'de'] as const).map((language) =>
    numbers.filter((id) => {
      const text = (tables[language] as Record<string, string>)[`remediation.${id.slice(4)}`];
      if (text !== undefined) assert.match(text, /^[A-ZÄÖÜ`].*\.$/, id);
      return text !== undefined;
    }),
  );
  assert.ok(english!.length >= 60 && german!.length >= 40, `${english!.length} ${german!.length}`);
  for (const id of german!) assert.ok(english!.includes(id), id);
  for (const id of english!) assert.ok(weaknessName(id), id);
});

test('every weakness that a built-in rule refers to has a name', () => {
  const folder = new URL('../../../scanner/detectors/', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const texts = files
    .filter((file) => /\.(ts|yml)$/.test(file) && !/\.test\.ts$/.test(file))
    .map((file) => readFileSync(new URL(file, folder), 'utf8'));
  const ids = new Set(texts.flatMap((text) => text.match(/CWE-\d+\b/g) ?? []));
  assert.ok(ids.size > 50, `${ids.size} weaknesses`);
  assert.deepEqual(
    [...ids].filter((id) => weaknessName(id) === undefined),
    [],
  );
  // Scanners report it for unhandled errors.
  assert.equal(weaknessName('CWE-390'), 'Detection of an error condition without action');
});

test('a finding without a remediation gets that of its weakness, and a package is upgraded', () => {
  const finding = { ...reportFinding(0), remediation: null, identifiers: ['CWE-89'] };
  const location = { ...finding.location, package: null };
  const log4j = { ecosystem: 'Maven', name: 'log4j-core', version: '2.14', fixed_version: null, purl: null };
  assert.equal(remediationFor({ ...finding, remediation: 'Do this.' }, 'de'), 'Do this.');
  assert.match(remediationFor({ ...finding, location }, 'en'), /prepared statements/);
  assert.match(
    remediationFor({ ...finding, location: { ...location, package: log4j } }, 'en'),
    /^Upgrade the component/,
  );
  const unknown = {
    ...finding,
    location,
    identifiers: [],
    source: 'code',
    rule: { id: 'x', name: 'x', url: null, tags: [] },
  };
  assert.match(remediationFor(unknown, 'en'), /^Read what the rule says/);
  assert.match(remediationFor({ ...unknown, source: 'gitleaks' }, 'de'), /widerrufen/);
  // A TLS setting is not fixed by validating input, nor a telnet client by HTTP headers.
  const nowhere = { ...location, path: null, url: null };
  const beast = { ...unknown, source: 'testssl', rule: { ...unknown.rule, id: 'BEAST_CBC_TLS1' }, location: nowhere };
  assert.match(remediationFor({ ...beast, identifiers: ['CWE-20'] }, 'en'), /^Offer only TLS 1\.2/);
  assert.match(remediationFor({ ...unknown, identifiers: ['CWE-319'] }, 'en'), /^Encrypt the connection/);
});

test('the place of a finding is its package, its path and line, or its address', () => {
  const { location } = reportFinding(0);
  const django = { ecosystem: 'PyPI', name: 'django', version: '3.2.0', fixed_version: null, purl: null };
  const nowhere = { ...location, path: null, url: null, package: null };
  assert.equal(placeName({ ...nowhere, path: 'src/db.ts', start_line: 12 }), 'src/db.ts:12');
  assert.equal(placeName({ ...nowhere, path: 'src/db.ts', start_line: null }), 'src/db.ts');
  assert.equal(
    placeName({ ...nowhere, path: 'requirements.txt', start_line: 1, package: django }),
    'django 3.2.0, requirements.txt',
  );
  assert.equal(placeName({ ...nowhere, url: 'https://www.example.com/' }), 'https://www.example.com/');
  assert.equal(placeName(nowhere), null);
});
