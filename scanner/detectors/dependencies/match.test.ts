import assert from 'node:assert/strict';
import { test } from 'node:test';
import { osvAdvisory } from '../../../tests/harness/advisories.ts';
import { readAdvisory } from '../../advisories/read-advisory.ts';
import type { Advisory } from '../../contract/advisory.ts';
import { findMatches } from './match.ts';
import { toDetection } from './to-detection.ts';

const advisory = (id: string, ecosystem: string, name: string, fixed: string, more: object = {}): Advisory =>
  readAdvisory(JSON.stringify(osvAdvisory(id, ecosystem, name, fixed, more)))!;
const ranges = (ecosystem: string, name: string, ...events: object[][]) => ({
  affected: [{ package: { ecosystem, name }, ranges: events.map((some) => ({ type: 'ECOSYSTEM', events: some })) }],
});
const npm = (version: string | null, name = 'left') => ({ ecosystem: 'npm', name, version, line: 7 });
const matches = (version: string, ...advisories: Advisory[]) =>
  findMatches(npm(version), advisories).map(({ id, fixedVersion }) => `${id} ${fixedVersion}`);

test('versions are affected from the introduction of the vulnerability until the fix', () => {
  const between = advisory(
    'CVE-1',
    'npm',
    'left',
    '',
    ranges('npm', 'left', [{ introduced: '1.0.0' }, { fixed: '1.2.0' }]),
  );
  assert.deepEqual(matches('0.9.9', between), []);
  assert.deepEqual(matches('1.0.0', between), ['CVE-1 1.2.0']);
  assert.deepEqual(matches('1.2.0-rc.1', between), ['CVE-1 1.2.0']);
  assert.deepEqual(matches('1.2.0', between), []);
});

test('the last affected version is affected, and later ones are not', () => {
  const last = advisory(
    'CVE-1',
    'npm',
    'left',
    '',
    ranges('npm', 'left', [{ introduced: '0' }, { last_affected: '1.2.0' }]),
  );
  assert.deepEqual(matches('1.2.0', last), ['CVE-1 null']);
  assert.deepEqual(matches('1.2.1', last), []);
});

test('events apply in the order of their versions, not as written, and a limit ends every range', () => {
  const events = [{ fixed: '2.1.0' }, { introduced: '2.0.0' }, { fixed: '1.5.0' }, { introduced: '0' }];
  const mixed = advisory('CVE-1', 'npm', 'left', '', ranges('npm', 'left', events));
  assert.deepEqual(matches('1.4.0', mixed), ['CVE-1 1.5.0']);
  assert.deepEqual(matches('1.6.0', mixed), []);
  assert.deepEqual(matches('2.0.5', mixed), ['CVE-1 2.1.0']);
  const limited = advisory(
    'CVE-2',
    'npm',
    'left',
    '',
    ranges('npm', 'left', [{ introduced: '0' }, { limit: '1.0.0' }]),
  );
  assert.deepEqual([matches('0.5.0', limited), matches('1.0.0', limited)], [['CVE-2 null'], []]);
});

test('a listed version is affected without a range', () => {
  const listed = advisory('CVE-1', 'npm', 'left', '', {
    affected: [{ package: { ecosystem: 'npm', name: 'left' }, versions: ['1.0.0', 'v1.1.0'] }],
  });
  assert.deepEqual(
    [matches('1.0.0', listed), matches('1.1.0', listed), matches('1.2.0', listed)],
    [['CVE-1 null'], ['CVE-1 null'], []],
  );
});

test('the fixed version is the lowest one above the installed version that no advisory lists as affected', () => {
  const first = advisory(
    'GHSA-a',
    'npm',
    'left',
    '',
    ranges('npm', 'left', [{ introduced: '0' }, { fixed: '1.5.0' }], [{ introduced: '2.0.0' }, { fixed: '2.3.0' }]),
  );
  const second = advisory('CVE-1', 'npm', 'left', '', {
    ...ranges('npm', 'left', [{ introduced: '0' }, { fixed: '1.5.2' }]),
    aliases: ['GHSA-a'],
  });
  assert.deepEqual(matches('1.0.0', first, second), ['GHSA-a 1.5.2']);
  assert.deepEqual(matches('2.1.0', first, second), ['GHSA-a 2.3.0']);
});

test('advisories that refer to each other are one vulnerability, with the same name in any set of databases', () => {
  const ghsa = advisory('GHSA-a', 'npm', 'left', '2.0.0', { aliases: ['CVE-2020-1'] });
  const cve = advisory('CVE-2020-1', 'npm', 'left', '2.0.0', { aliases: [] });
  const snyk = advisory('SNYK-1', 'npm', 'left', '2.0.0', { aliases: ['CVE-2020-1', 'GHSA-a'] });
  const other = advisory('CVE-2021-9', 'npm', 'left', '2.0.0');
  for (const order of [
    [ghsa, cve, snyk, other],
    [other, snyk, cve, ghsa],
    [snyk, other, ghsa],
  ]) {
    assert.deepEqual(matches('1.0.0', ...order).sort(), ['CVE-2021-9 2.0.0', 'GHSA-a 2.0.0']);
  }
  assert.deepEqual(matches('1.0.0', snyk), ['GHSA-a 2.0.0']);
  const joined = findMatches(npm('1.0.0'), [
    ghsa,
    advisory('X-1', 'npm', 'left', '2', { aliases: ['Y-1'] }),
    advisory('Z-1', 'npm', 'left', '2', { aliases: ['Y-1', 'CVE-2020-1'] }),
  ]);
  assert.deepEqual(
    joined.map(({ names }) => names),
    [['GHSA-a', 'CVE-2020-1', 'X-1', 'Y-1', 'Z-1']],
  );
});

test('only advisories on the package itself count, by the spelling of the ecosystem', () => {
  assert.deepEqual(matches('1.0.0', advisory('CVE-1', 'npm', 'Left', '2'), advisory('CVE-2', 'PyPI', 'left', '2')), []);
  const python = findMatches({ ecosystem: 'PyPI', name: 'Zope.Interface', version: '4', line: null }, [
    advisory('PYSEC-1', 'PyPI', 'zope_interface', '5'),
  ]);
  assert.equal(python.length, 1);
  const debian = advisory('DSA-1', 'Debian:12', 'curl', '7.88.1-10+deb12u5');
  const installed = (ecosystem: string) =>
    findMatches({ ecosystem, name: 'curl', version: '7.88.1-10', line: null }, [debian]);
  assert.deepEqual([installed('Debian:12').length, installed('Debian:11').length], [1, 0]);
});

test('a package of unknown version or ecosystem has no finding', () => {
  assert.deepEqual(findMatches(npm(null), [advisory('CVE-1', 'npm', 'left', '2')]), []);
  assert.deepEqual(findMatches({ ...npm('1'), ecosystem: 'Else' }, [advisory('CVE-1', 'Else', 'left', '2')]), []);
});

test('a withdrawn advisory does not count', () => {
  assert.equal(
    readAdvisory(JSON.stringify(osvAdvisory('CVE-1', 'npm', 'left', '2', { withdrawn: '2026-01-01T00:00:00Z' }))),
    null,
  );
});

const found = (more: object, id = 'GHSA-a') =>
  toDetection(
    npm('1.0.0'),
    'web/package-lock.json',
    findMatches(npm('1.0.0'), [advisory(id, 'npm', 'left', '2.0.0', more)])[0]!,
  );

test('a finding has the package, its location, its severity and the remediation', () => {
  const detection = found({
    aliases: ['CVE-2020-1'],
    details: 'Long **story**.',
    severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
    references: [
      { type: 'WEB', url: 'https://example.com/a' },
      { type: 'WEB', url: 'javascript:alert(1)' },
    ],
    database_specific: { severity: 'LOW', cwe_ids: ['CWE-79'] },
  });
  assert.equal(detection.title, 'left 1.0.0: Something is wrong with left');
  assert.deepEqual([detection.severity, detection.cvss_score], ['critical', 9.8]);
  assert.deepEqual(detection.identifiers, ['GHSA-a', 'CVE-2020-1', 'CWE-79']);
  assert.deepEqual(detection.references, ['https://example.com/a']);
  assert.deepEqual([detection.location.path, detection.location.start_line], ['web/package-lock.json', 7]);
  assert.deepEqual(detection.location.package, {
    ecosystem: 'npm',
    name: 'left',
    version: '1.0.0',
    fixed_version: '2.0.0',
    purl: 'pkg:npm/left@1.0.0',
  });
  assert.equal(detection.remediation, 'Upgrade left to 2.0.0 or later.');
  assert.match(detection.description, /^Long \*\*story\*\*\.\n\nKnown as GHSA-a, CVE-2020-1\.$/);
});

test('severity comes from CVSS 3, then 4, then 2, then the reviewers, then the kind of advisory', () => {
  const v4 = { type: 'CVSS_V4', score: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N' };
  const v3 = { type: 'CVSS_V3', score: 'CVSS:3.1/AV:L/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N' };
  const of = (more: object, id?: string) => {
    const { severity, cvss_score } = found(more, id);
    return [severity, cvss_score];
  };
  assert.deepEqual(of({ severity: [v4, v3] }), ['low', 1.8]);
  assert.deepEqual(of({ severity: [v4] }), ['critical', 9.3]);
  assert.deepEqual(of({ severity: [{ type: 'CVSS_V2', score: 'AV:N/AC:L/Au:N/C:C/I:C/A:C' }] }), ['critical', 10]);
  assert.deepEqual(
    of({ severity: [{ type: 'CVSS_V3', score: 'nonsense' }], database_specific: { severity: 'MODERATE' } }),
    ['medium', null],
  );
  assert.deepEqual(of({}, 'MAL-2026-1'), ['critical', null]);
  assert.deepEqual(of({}), ['medium', null]);
  const unmaintained = ranges('npm', 'left', [{ introduced: '0' }]).affected.map((part) => ({
    ...part,
    database_specific: { informational: 'unmaintained' },
  }));
  assert.deepEqual(of({ affected: unmaintained }), ['info', null]);
});

test('only package, file and vulnerability identify a finding, not the version', () => {
  const fingerprintOf = (version: string, path: string, more: object, line = 1) => {
    const dependency = { ...npm(version), line };
    return toDetection(
      dependency,
      path,
      findMatches(dependency, [advisory('GHSA-a', 'npm', 'left', '2.0.0', more)])[0]!,
    ).fingerprint;
  };
  const base = fingerprintOf('1.0.0', 'a', {});
  assert.equal(fingerprintOf('1.0.0', 'a', { aliases: ['CVE-1'], summary: 'Other', modified: '2027' }, 99), base);
  assert.equal(fingerprintOf('1.0.1', 'a', {}), base);
  assert.notEqual(fingerprintOf('1.0.0', 'b', {}), base);
});
