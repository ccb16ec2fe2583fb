import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  addCopy,
  factsOf,
  fileSources,
  importFile,
  installation,
  scanByServer,
  scanHere,
  startOwnResults,
  stopOwnResults,
  whole,
} from './own-results.fixture.ts';

before(startOwnResults);
after(stopOwnResults);

const reports: Record<string, Promise<string>> = {};
const formats = {
  sarif: ['--format', 'sarif'],
  json: ['--format', 'json'],
  object: ['--json'],
  cyclonedx: ['--format', 'cyclonedx'],
};
/** Writes each report once. */
const eachReport = async function* () {
  for (const [name, format] of Object.entries(formats)) {
    reports[name] ??= scanHere(...format, ...whole);
    yield [name, await reports[name]] as const;
  }
};

test('a scan by the command line, imported after one by the server, changes nothing, in each format', async () => {
  const dataSourceId = await addCopy('scanned');
  await scanByServer(dataSourceId);
  const before = await factsOf(dataSourceId);
  assert.deepEqual([...new Set(before.map(({ source }) => source))].sort(), fileSources.toSorted());
  for await (const [name, report] of eachReport()) {
    const { findings } = await importFile(dataSourceId, report);
    assert.deepEqual([findings.new, findings.reopened, findings.resolved], [0, 0, 0], name);
    assert.ok(findings.seen > 0, name);
    assert.deepEqual(await factsOf(dataSourceId), before, name);
  }
  const types = (await installation.ask('GET', '/detection-sources')).data.map(({ type }: { type: string }) => type);
  assert.ok(!types.some((type: string) => /^assay|-import$/.test(type)), types.join());
});

/** Returns a finding with what its decision says, but without which of several decisions that is. */
function withoutDecision({ also: _, decision, version, ...facts }: Record<string, unknown>) {
  const { id: __, ...said } = (decision ?? {}) as Record<string, unknown>;
  return { ...facts, decision: said, version: decision ? null : version };
}

test('a scan by the server adds nothing to an earlier import from the command line, in each format', async () => {
  for await (const [name, report] of eachReport()) {
    const dataSourceId = await addCopy(`sent-as-${name}`);
    const { findings: sent } = await importFile(dataSourceId, report);
    const sources = name === 'cyclonedx' ? ['dependencies'] : fileSources;
    const before = await factsOf(dataSourceId, sources);
    assert.equal(before.length, sent.new, name);
    const scans = await scanByServer(dataSourceId);
    const after = await factsOf(dataSourceId, sources);
    // Only an array of findings omits the decisions made by comments.
    const accepted = name === 'json' ? after.filter(({ status }) => status === 'accepted_risk') : [];
    assert.equal(accepted.length, name === 'json' ? 1 : 0);
    if (name !== 'cyclonedx')
      assert.equal(
        scans.reduce((sum, scan) => sum + scan.new!, 0),
        accepted.length,
        name,
      );
    // The scan also knows the comment, whose decision takes over from that of the imported results.
    const known = after.filter((finding) => !accepted.includes(finding));
    assert.deepEqual(known.map(withoutDecision), before.map(withoutDecision), name);
  }
});
