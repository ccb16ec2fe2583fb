import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readAdvisory } from '@assay/scanner/advisories/read-advisory.ts';
import type { Detection } from '@assay/scanner/contract/detection.ts';
import { findVulnerabilities } from '@assay/scanner/detectors/dependencies/find-vulnerabilities.ts';
import { readAll } from '@assay/scanner/readers/testing/formats.fixture.ts';
import * as samples from '@assay/scanner/readers/testing/package-samples.fixture.ts';
import { mergeDecisions } from '../server/decisions/apply-decisions.ts';
import { updateFinding } from '../server/decisions/decide-finding.ts';
import { readChangeClock } from '../server/findings/change-clock.ts';
import { insertTenant } from '../server/findings/findings.fixture.ts';
import { finishSighting, plainTransactions, recordDetections } from '../server/findings/record-detections.ts';
import { newId } from '../server/platform/id.ts';
import { osvAdvisory } from './harness/advisories.ts';
import { createTestDatabase, type TestDatabase } from './harness/database.ts';

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

/** Returns a tool's file about a package at these versions; without any, that nothing is affected. */
type Tool = (versions: string[]) => Promise<Detection[]>;

const grype: Tool = async (versions) => {
  const [match] = samples.grypeSample.matches;
  const matches = versions.map((version) => ({ ...match, artifact: { ...match!.artifact, version } }));
  return (await readAll({ ...samples.grypeSample, matches })).all;
};

const trivy: Tool = async (versions) => {
  const [, target] = samples.trivySample.Results;
  const Vulnerabilities = versions.map((InstalledVersion) => ({
    ...target!.Vulnerabilities![0],
    InstalledVersion,
  }));
  return (await readAll({ ...samples.trivySample, Results: [{ ...target, Vulnerabilities }] })).all;
};

const npmAudit: Tool = async (versions) => {
  const [advisory] = Object.values(samples.oldNpmSample.advisories);
  const findings = versions.map((version) => ({ version, paths: ['a>deep'] }));
  const advisories = versions.length > 0 ? { 7: { ...advisory, findings } } : {};
  return (await readAll({ ...samples.oldNpmSample, advisories })).all;
};

const osvScanner: Tool = async (versions) => {
  const [result] = samples.osvSample.results;
  const [entry] = result!.packages;
  const [vulnerability] = entry!.vulnerabilities;
  const packages = versions.map((version) => ({
    package: { ...entry!.package, version },
    vulnerabilities: [vulnerability],
  }));
  return (await readAll({ results: [{ ...result, packages }] })).all;
};

const leftPad = readAdvisory(JSON.stringify(osvAdvisory('GHSA-2222-3333-4444', 'npm', 'left-pad', '1.2.0')))!;
const dependencies: Tool = async (versions) => {
  const inManifest = versions.map((version, index) => ({
    ...{ ecosystem: 'npm', name: 'left-pad', version, line: 7 + index },
  }));
  const manifests = [{ path: 'package-lock.json', format: 'npm', dependencies: inManifest }];
  const found: Detection[] = [];
  for await (const detection of findVulnerabilities(manifests, {
    exist: async () => true,
    find: async () => [leftPad],
  }))
    found.push(detection);
  return found;
};

async function createPlace() {
  const { database } = testDatabase;
  const { orgId, userId, dataSourceId } = await insertTenant(database);
  return {
    /** Merges a complete scan. */
    async scan(detections: Detection[]) {
      // Start times have a precision of one millisecond.
      await new Promise((resolve) => setTimeout(resolve, 2));
      const startedAt = await database.transaction(orgId, (tx) => readChangeClock(tx, orgId));
      const sighting = { dataSourceId, source: 'tool', scanId: newId('scan'), startedAt };
      await database.transaction(orgId, (tx) => recordDetections(tx, orgId, sighting, detections, mergeDecisions));
      const seen = new Set(detections.map(({ fingerprint }) => fingerprint));
      const transact = plainTransactions(database, orgId);
      const coverage = { close: true, isComplete: true };
      await finishSighting(transact, orgId, sighting, (fingerprint) => seen.has(fingerprint), coverage);
    },
    async accept() {
      const [{ id } = { id: '' }] = await database.single<{ id: string }>(orgId, {
        text: 'SELECT id FROM findings WHERE org_id = $1',
        values: [orgId],
      });
      const decision = { status: 'accepted_risk' as const, comment: 'It runs at build time only.' };
      await database.transaction(orgId, (tx) =>
        updateFinding(
          tx,
          orgId,
          userId,
          id,
          decision,
          () => {},
          async () => null,
        ),
      );
    },
    findings: () =>
      database.single(orgId, {
        text: `SELECT status, resolution, package_version AS version, occurrences,
                 json_array_length(places) AS places FROM findings WHERE org_id = $1`,
        values: [orgId],
      }),
    /** Returns the id of the decision that applies. */
    async decision() {
      const [{ id } = { id: null }] = await database.single<{ id: string | null }>(orgId, {
        text: `SELECT d.id FROM findings f JOIN decisions d ON d.org_id = $1 AND d.id = f.decision_id AND d.status = 'active'
               WHERE f.org_id = $1`,
        values: [orgId],
      });
      return id;
    },
    async history() {
      const rows = await database.single<{ changes: object }>(orgId, {
        text: 'SELECT changes FROM finding_history WHERE org_id = $1 ORDER BY at, id',
        values: [orgId],
      });
      return rows.map(({ changes }) => changes);
    },
  };
}

for (const [name, tool] of Object.entries({ grype, trivy, npmAudit, osvScanner, dependencies })) {
  test(`${name}: an accepted risk stays through vulnerable versions, is resolved with the fix, and applies again when it returns`, async () => {
    const place = await createPlace();
    await place.scan(await tool(['1.0.0']));
    await place.accept();
    const id = await place.decision();
    assert.ok(id);
    const accepted = { status: 'accepted_risk', resolution: null, occurrences: 1, places: null };
    await place.scan(await tool(['1.0.1']));
    assert.deepEqual(await place.findings(), [{ ...accepted, version: '1.0.1' }]);
    const [decision, version, ...others] = await place.history();
    assert.deepEqual(decision, { status: ['new', 'accepted_risk'], decision: [null, id] });
    assert.deepEqual([version, others], [{ package_version: ['1.0.0', '1.0.1'] }, []]);
    await place.scan(await tool(['1.0.0', '1.0.1']));
    assert.deepEqual(await place.findings(), [{ ...accepted, version: '1.0.0', occurrences: 2, places: 2 }]);
    await place.scan(name === 'dependencies' ? await tool(['1.2.0']) : await tool([]));
    assert.deepEqual(await place.findings(), [
      { status: 'resolved', resolution: 'fixed', version: '1.0.0', occurrences: 2, places: 2 },
    ]);
    await place.scan(await tool(['1.0.1']));
    assert.deepEqual(await place.findings(), [{ ...accepted, version: '1.0.1' }]);
    assert.equal(await place.decision(), id, 'the same decision all along');
  });
}

test('another name of an advisory, and a path with the version, leave a finding the same', async () => {
  const fingerprints = async (file: object) => (await readAll(file)).all.map(({ fingerprint }) => fingerprint);
  const [match] = samples.grypeSample.matches;
  const jar = (version: string, related: object[]) => ({
    ...samples.grypeSample,
    matches: [
      {
        ...match,
        relatedVulnerabilities: related,
        artifact: {
          ...{ name: 'log4j-core', version, type: 'java-archive' },
          ...{ purl: `pkg:maven/org.apache.logging.log4j/log4j-core@${version}` },
          locations: [{ path: `/app/lib/log4j-core-${version}.jar` }],
        },
      },
    ],
  });
  const named = await fingerprints(jar('2.14.0', match!.relatedVulnerabilities!));
  assert.deepEqual(await fingerprints(jar('2.14.1', [])), named);
  const [, target] = samples.trivySample.Results;
  const trivyFile = (VulnerabilityID: string, VendorIDs: string[]) => ({
    ...samples.trivySample,
    Results: [{ ...target, Vulnerabilities: [{ ...target!.Vulnerabilities![0], VulnerabilityID, VendorIDs }] }],
  });
  const before = await fingerprints(trivyFile('GHSA-2222-3333-4444', []));
  assert.deepEqual(await fingerprints(trivyFile('CVE-2099-0002', ['GHSA-2222-3333-4444'])), before);
});

test('a bulletin on several vulnerabilities is a separate finding', async () => {
  const [target] = samples.trivySample.Results;
  const [vulnerability] = target!.Vulnerabilities!;
  const Vulnerabilities = [
    { ...vulnerability, VulnerabilityID: 'RHSA-2099:1', VendorIDs: ['CVE-2099-0001', 'CVE-2099-0002'] },
    vulnerability,
  ];
  const { all } = await readAll({ ...samples.trivySample, Results: [{ ...target, Vulnerabilities }] });
  assert.equal(all.length, 2);
});

const data = process.env.ASSAY_TEST_DATA;

const later = (version: string) => `${version}.99`;

/** Returns a file with a later version of every package, including in paths with a version. */
function updated(file: object, detections: Detection[]): object {
  let text = JSON.stringify(file, (key, value) =>
    typeof value === 'string' && ['version', 'InstalledVersion'].includes(key) ? later(value) : value,
  );
  const named = new Map<string, string>();
  for (const { location } of detections) {
    const version = location.package?.version;
    if (version && location.path?.includes(version)) named.set(location.path, version);
  }
  for (const [path, version] of named) text = text.replaceAll(path, path.replace(version, later));
  return JSON.parse(text);
}

for (const tool of ['grype', 'trivy', 'npm-audit', 'osv-scanner'])
  test(`${tool}: the next version of every package in real files leaves each finding the same`, {
    skip: data === undefined && 'ASSAY_TEST_DATA is not set',
  }, async () => {
    const folder = join(data!, 'results', tool);
    for (const name of readdirSync(folder)) {
      if (name === 'expected.json') continue;
      const file = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      const { all } = await readAll(file, { format: tool });
      const next = await readAll(updated(file, all), { format: tool });
      const identities = (detections: Detection[]) =>
        detections.map(({ fingerprint, places }) => `${fingerprint} ${places.length}`).sort();
      assert.deepEqual(identities(next.all), identities(all), name);
    }
  });
