import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { scoreOfVector } from '../../advisories/cvss.ts';
import { readAdvisory } from '../../advisories/read-advisory.ts';
import { readArchive } from '../../advisories/read-archive.ts';
import { orderOf } from '../../advisories/versions/index.ts';
import type { Advisory } from '../../contract/advisory.ts';
import { severityFromCvss } from '../../contract/severity.ts';
import { findMatches, isAffected } from './match.ts';

const data = process.env.ASSAY_TEST_DATA ? join(process.env.ASSAY_TEST_DATA, 'osv') : null;
const skip = data && existsSync(data) ? false : 'ASSAY_TEST_DATA names no directory with advisories';

for (const ecosystem of skip ? [] : readdirSync(data!)) {
  const compare = orderOf(ecosystem)!;
  const load = async () => {
    const advisories: Advisory[] = [];
    for await (const { text } of readArchive(join(data!, ecosystem, 'all.zip'))) {
      const advisory = readAdvisory(text!);
      if (advisory) advisories.push(advisory);
    }
    return advisories;
  };

  test(`every advisory of ${ecosystem} is read, and its bounds apply`, async () => {
    const advisories = await load();
    assert.ok(advisories.length > 50);
    for (const { id, affected } of advisories) {
      assert.ok(affected.length > 0, id);
      for (const part of affected) {
        const events = part.ranges.flatMap((range) => range.events);
        const alone = { ...part, versions: [] };
        for (const { kind, version } of events) {
          // Some list a version as both fixed and introduced: the last event counts.
          if (events.filter((event) => event.version === version).length > 1) continue;
          if (kind === 'introduced' && version !== '0')
            assert.ok(isAffected(part, version, compare), `${id} ${version}`);
          if (kind === 'fixed') assert.ok(!isAffected(alone, version, compare), `${id} ${version} is fixed`);
        }
      }
    }
  });

  test(`every listed version of ${ecosystem} is found, with a fixed version above it`, async () => {
    for (const advisory of await load()) {
      for (const { ecosystem: where, name, versions } of advisory.affected) {
        for (const version of [versions[0], versions.at(-1)].filter((known) => known !== undefined)) {
          const [match] = findMatches({ ecosystem: where, name, version, line: null }, [advisory]);
          assert.ok(match, `${advisory.id} ${version}`);
          if (match.fixedVersion !== null) assert.ok(compare(match.fixedVersion, version) > 0);
        }
      }
    }
  });

  test(`every CVSS vector of ${ecosystem} has a score`, async () => {
    for (const { id, severity } of await load()) {
      for (const { type, score } of severity) {
        if (/^CVSS_V[234]$/.test(type)) assert.notEqual(scoreOfVector(score), undefined, `${id} ${score}`);
      }
    }
  });
}

test("reviewers' severities agree with the scores of their vectors", {
  skip: skip || !existsSync(join(data!, 'npm')),
}, async () => {
  const labels: Record<string, string> = { CRITICAL: 'critical', HIGH: 'high', MODERATE: 'medium', LOW: 'low' };
  const wrong: string[] = [];
  for await (const { text } of readArchive(join(data!, 'npm', 'all.zip'))) {
    const advisory = readAdvisory(text!);
    if (!advisory?.severityLabel || advisory.severity.length === 0) continue;
    const severities = advisory.severity.map(({ score }) => severityFromCvss(scoreOfVector(score)!));
    if (!severities.includes(labels[advisory.severityLabel] as 'low'))
      wrong.push(`${advisory.id} ${advisory.severityLabel} ${severities}`);
  }
  assert.deepEqual(wrong, []);
});

test('well-known vulnerable packages are found with their ids and fixed versions', { skip }, async () => {
  const advisories: Advisory[] = [];
  for await (const { text } of readArchive(join(data!, 'npm', 'all.zip'))) {
    const advisory = readAdvisory(text!);
    if (advisory) advisories.push(advisory);
  }
  const found = findMatches({ ecosystem: 'npm', name: 'socket.io', version: '2.4.0', line: null }, advisories);
  const vulnerability = found.find(({ id }) => id === 'GHSA-25hc-qcg6-38wj')!;
  assert.deepEqual(
    [vulnerability.fixedVersion, vulnerability.names],
    ['2.5.1', ['GHSA-25hc-qcg6-38wj', 'CVE-2024-38355']],
  );
});
