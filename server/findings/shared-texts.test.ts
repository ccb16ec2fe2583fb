import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Detection } from '@assay/scanner/contract/detection.ts';
import fc from 'fast-check';
import { createTestDatabase, type TestDatabase } from '../../tests/harness/database.ts';
import { sampleValues } from '../../tests/harness/properties.ts';
import { newId } from '../platform/id.ts';
import { detectionOf, insertTenant } from './findings.fixture.ts';
import { listFindings } from './listing/list-findings.ts';
import { recordDetections } from './record-detections.ts';
import { purgeTexts } from './shared-texts.ts';

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

type Tenant = Awaited<ReturnType<typeof insertTenant>>;

const sightingIn = ({ dataSourceId }: Tenant) => ({
  dataSourceId,
  source: 'test',
  scanId: newId('scan'),
  startedAt: new Date(),
});

const record = (tenant: Tenant, detections: Detection[]) =>
  testDatabase.database.transaction(tenant.orgId, (tx) =>
    recordDetections(tx, tenant.orgId, sightingIn(tenant), detections),
  );

const fields = [
  'rule',
  'location',
  'identifiers',
  'cvss_score',
  'evidence',
  'description',
  'remediation',
  'references',
];

/** Returns the facts of all findings by title, from lists with and without chosen fields. */
async function factsOf({ orgId }: Tenant): Promise<Map<string, object>> {
  const request = { filters: {}, sort: '-first_seen_at', after: null, limit: 100 } as const;
  const list = async (more = {}) =>
    (await listFindings(testDatabase.database, orgId, { ...request, ...more })).map(({ json }) => JSON.parse(json));
  const facts = (finding: Record<string, unknown>) => Object.fromEntries(fields.map((name) => [name, finding[name]]));
  const whole = await list();
  assert.deepEqual((await list({ fields })).map(facts), whole.map(facts), 'chosen fields');
  assert.deepEqual(
    (await list({ fields: ['references'] })).map(({ references }) => references),
    whole.map(({ references }) => references),
  );
  return new Map(whole.map((finding) => [finding.title, facts(finding)]));
}

const expectedOf = (detections: Detection[]) =>
  new Map(
    detections.map((one) => [
      one.title,
      {
        ...Object.fromEntries(fields.map((name) => [name, one[name as keyof Detection]])),
        rule: { ...one.rule, tags: [] },
      },
    ]),
  );

/** Texts with characters that JSON, arrays or searches treat specially. */
const text = fc.oneof(
  fc.constantFrom('', '"', ',"remediation":', '{"description":', '\\', '{', '}', ',', ' ', 'NULL', 'ü€😀'),
  fc.string(),
);
const someTexts = fc.array(
  fc.record({
    description: text,
    remediation: fc.option(text),
    references: fc.array(text, { maxLength: 3 }),
    evidence: fc.option(text),
  }),
  { minLength: 20, maxLength: 20 },
);

test('every finding has the texts from its scanner, in full and by field', async () => {
  for (const texts of sampleValues(someTexts, 5, 1)) {
    const detections = texts.map((some, index) => detectionOf(`${index % 5}.${index}`, some));
    const printable = detections.map((one) => JSON.parse(JSON.stringify(one).replaceAll('\\u0000', '\uFFFD')));
    const tenant = await insertTenant(testDatabase.database);
    await record(tenant, detections);
    assert.deepEqual(await factsOf(tenant), expectedOf(printable));
    assert.equal((await record(tenant, detections)).seen, detections.length, 'and the next scan changes nothing');
  }
});

test('a stored text is looked up by its key, however many texts there are', async () => {
  const tenant = await insertTenant(testDatabase.database);
  const batch = (first: number) =>
    Array.from({ length: 500 }, (_, n) => detectionOf(`k${first + n}`, { description: `Text ${first + n}.` }));
  const read = await testDatabase.database.transaction(tenant.orgId, async (tx) => {
    const countRead = async () => {
      const { rows } = await tx.query<{ read: number }>({
        text: `SELECT sum(pg_stat_get_xact_tuples_returned(oid))::integer AS read FROM pg_class
               WHERE oid = 'finding_texts'::regclass OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'finding_texts'::regclass)`,
      });
      return rows[0]!.read;
    };
    for (let first = 0; first < 5_000; first += 500)
      await recordDetections(tx, tenant.orgId, sightingIn(tenant), batch(first));
    const before = await countRead();
    await recordDetections(tx, tenant.orgId, sightingIn(tenant), batch(4_800));
    return (await countRead()) - before;
  });
  assert.ok(read <= 1_000, `read ${read} entries for 500 texts`);
});

test('the purge removes all texts without a finding, however many there are', async () => {
  const tenant = await insertTenant(testDatabase.database);
  const { orgId } = tenant;
  const detections = [detectionOf('kept', { description: 'A text that is used.' })];
  await record(tenant, detections);
  await testDatabase.database.single(orgId, {
    text: `INSERT INTO finding_texts (org_id, id, rule, members, words)
           SELECT $1, hashint8extended(n, 7), '{}', '', '' FROM generate_series(1, 5000) n`,
    values: [orgId],
  });
  await purgeTexts((run) => testDatabase.database.transaction(orgId, run), orgId);
  const left = await testDatabase.database.single<{ members: string }>(orgId, {
    text: 'SELECT members FROM finding_texts WHERE org_id = $1',
    values: [orgId],
  });
  assert.deepEqual(
    left.map(({ members }) => members && JSON.parse(`{${members}}`).description),
    ['A text that is used.'],
  );
});
