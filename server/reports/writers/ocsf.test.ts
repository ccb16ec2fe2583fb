import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAll } from '@assay/scanner/readers/testing/formats.fixture.ts';
import { bytesOf, reportOf } from '../report.fixture.ts';
import { reportFinding, reportFindings } from '../report-finding.fixture.ts';
import type { ReportFinding } from '../report-model.ts';
import { writeOcsf } from './ocsf.ts';

const write = async (findings: ReportFinding[]) => (await bytesOf(writeOcsf(reportOf(findings)))).toString();

type Numbers = Record<'class_uid' | 'type_uid' | 'activity_id' | 'severity_id' | 'status_id' | 'time', number>;
type Event = Numbers & { finding_info: { uid: string } };

test('a report that is imported again has the same open and suppressed findings', async () => {
  const findings = reportFindings(400);
  const { all, format, sources } = await readAll(await write(findings));
  assert.equal(format.name, 'ocsf');
  assert.deepEqual([...sources], ['assay']);
  const expected = findings.filter((finding) => finding.status !== 'resolved');
  const closed = (status: string) => (['accepted_risk', 'false_positive'].includes(status) ? status : null);
  assert.deepEqual(
    all
      .map((result) => [result.severity, result.location.path, result.suppression?.status ?? null, result.rule.id])
      .sort(),
    expected.map((result) => [result.severity, result.location.path, closed(result.status), result.rule.id]).sort(),
  );
  const titles = new Set(all.map((result) => result.title));
  for (const { title } of expected.filter((result) => result.title.length < 150 && !/\p{Cc}|\s{2}/u.test(result.title)))
    assert.ok(titles.has(title.toWellFormed()), title);
});

test('a finding is the event of its class, severity and status', async () => {
  const statuses = { new: 1, triaged: 2, in_progress: 2, false_positive: 3, accepted_risk: 3, resolved: 4 } as const;
  const severities = { info: 1, low: 2, medium: 3, high: 4, critical: 5 } as const;
  const findings = reportFindings(100);
  const events = JSON.parse(await write(findings)) as Event[];
  for (const event of events) {
    const { uid } = event.finding_info;
    const finding = findings.find(({ id }) => id === uid) ?? assert.fail(`No finding has the id ${uid} of an event.`);
    assert.equal(event.class_uid, finding.source === 'dependencies' ? 2002 : 2004);
    assert.equal(event.type_uid, event.class_uid * 100 + event.activity_id);
    assert.equal(event.severity_id, severities[finding.severity]);
    assert.equal(event.status_id, statuses[finding.status]);
    assert.equal(event.activity_id === 3, event.status_id >= 3);
    assert.equal(event.time, Date.parse(finding.first_seen_at));
  }
});

test('an advisory that is not a CVE is an advisory, and a package without a version has version `unknown`', async () => {
  const affected = { ecosystem: 'npm', name: 'x', version: null, fixed_version: null, purl: null };
  const [event] = JSON.parse(
    await write([
      reportFinding(0, {
        identifiers: ['GHSA-jfh8-c2jp-5v3q', 'CWE-79'],
        location: { ...reportFinding(0).location, package: affected },
      }),
    ]),
  );
  const [vulnerability] = event.vulnerabilities;
  assert.equal(vulnerability.advisory.uid, 'GHSA-jfh8-c2jp-5v3q');
  assert.equal(vulnerability.cve, undefined);
  assert.deepEqual(vulnerability.advisory.related_cwes, [{ uid: 'CWE-79' }]);
  assert.equal(vulnerability.affected_packages[0].version, 'unknown');
});
