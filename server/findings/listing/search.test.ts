import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Detection } from '@assay/scanner/contract/detection.ts';
import pg from 'pg';
import { startApplication } from '../../../tests/harness/application.ts';
import { addDataSource } from '../../../tests/harness/finding-set.ts';
import { recordScan, succeeded } from '../../../tests/harness/furnished.ts';
import { createTenant } from '../../../tests/harness/people.ts';
import { silentLog } from '../../platform/log.ts';
import { spellTexts, textOf } from '../facts.ts';
import { Parameters } from '../filter.ts';
import { detectionOf } from '../findings.fixture.ts';
import { findingTicks } from '../jobs.ts';
import { searchCondition } from '../shared-texts.ts';
import { ownWords, sharedWords, wordsOf } from '../words.ts';
import { rankedAfter, rankMatches } from './list-by-relevance.ts';

const app = await startApplication();
const { database } = app;
after(() => app.close());

async function asAdmin(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: app.adminUrl });
  await client.connect();
  await client.query(text);
  await client.end();
}

const package_ = { ecosystem: 'npm', name: '@types/lodash', version: '4.17.20', fixed_version: null, purl: null };
const texts = {
  description: 'Untrusted deserialization happens here.',
  remediation: 'Upgrade the Würfel.',
  references: ['https://example.com/advisories/zeppelin'],
};
const detections = (): Detection[] => [
  detectionOf('a', { ...texts, evidence: 'kettle = read(socket)' }),
  detectionOf('b', { ...texts, severity: 'critical', title: 'Socket left open' }),
  detectionOf('c', { location: { ...detectionOf('c').location, package: package_ } }),
  detectionOf('d', { description: '' }),
];

async function organization() {
  const owner = await createTenant(database);
  const dataSourceId = await addDataSource(app, owner.token, 'results');
  const record = (some: Detection[]) => recordScan(database, owner.orgId, dataSourceId, some);
  const get = async (path: string) => succeeded(await app.call(owner.token, 'GET', path));
  const found = async (q: string, more = '') =>
    (await get(`/findings?q=${encodeURIComponent(q)}${more}`)).data
      .map(({ rule }: { rule: { id: string } }) => rule.id.slice(5))
      .sort()
      .join('');
  const texts = () => database.single<{ id: string }>(owner.orgId, { text: 'SELECT id::text FROM finding_texts' });
  return { ...owner, record, get, found, texts };
}

/** Searches and the findings that they match. */
const searches: Record<string, string> = {
  deserialization: 'ab',
  'untrusted DESERIALIZATION': 'ab',
  würfel: 'ab',
  zeppelin: 'ab',
  // One word of the finding itself and one of its shared texts.
  'zeppelin kettle': 'a',
  'deserialization rule b': 'b',
  socket: 'ab',
  kettle: 'a',
  lodash: 'c',
  'lodash 4 17 20 npm': 'c',
  'lodash zeppelin': '',
  about: 'c',
  nowhere: '',
  'deserialization nowhere': '',
  problem: 'acd',
};

async function assertFound(owner: Awaited<ReturnType<typeof organization>>): Promise<void> {
  for (const [q, expected] of Object.entries(searches)) assert.equal(await owner.found(q), expected, q);
}

test("`q` finds words of description, evidence, remediation, package and references, also combined with a finding's own words", async () => {
  const owner = await organization();
  await owner.record(detections());
  await assertFound(owner);
  assert.equal(await owner.found('deserialization', '&severity=critical'), 'b');
  assert.equal(await owner.found('zeppelin', '&identifier=CWE-798&path=src/a'), 'a');
  const other = await organization();
  await other.record([detectionOf('x', texts)]);
  assert.deepEqual([await other.found('zeppelin'), await owner.found('zeppelin')], ['x', 'ab']);
  const { token } = owner;
  const q = 'deserialization';
  assert.equal((await owner.get(`/findings/facets?field=severity&q=${q}`)).total, 2);
  assert.equal((await owner.get(`/findings/facets?field=severity&q=nowhere`)).total, 0);
  assert.equal((await owner.get(`/findings/groups?by=rule&q=${q}`)).data.length, 2);
  assert.equal((await owner.get(`/findings/summary?q=${q}`)).total, 2);
  const file = await app.call(token, 'GET', `/findings/export?format=json&q=${q}`);
  assert.equal(succeeded(file).data.length, 2);
  const json = { filter: { q }, status: 'triaged', dry_run: true };
  assert.equal(succeeded(await app.call(token, 'PATCH', '/findings', { json })).matched, 2);
  assert.equal((await owner.texts()).length, 4);
  await owner.record([...detections(), { ...detections()[0]!, fingerprint: 'v1:another' }]);
  assert.equal((await owner.texts()).length, 4, 'equal texts of a rule are stored once');
});

test('the indexes of words return all findings with the words, or none when there are too many', async () => {
  const owner = await organization();
  await owner.record(detections());
  const other = await organization();
  await other.record(detections());
  const rules = new Map<string, string>();
  for (const { id, number, rule } of (await owner.get('/findings')).data)
    for (const name of [id, number.slice('F-'.length)]) rules.set(name, rule.id.slice(5));
  const letters = (names: string[]) =>
    names
      .map((name) => rules.get(name))
      .sort()
      .join('');
  const withRarest = async (words: string[], most: number) => {
    const [row] = await database.single<{ ids: string[] | null }>(owner.orgId, {
      text: 'SELECT findings_with_rarest_word($1::text[], $2) AS ids',
      values: [words, most],
    });
    return row!.ids && letters(row!.ids);
  };
  const withAll = async (words: string[], most: number) => {
    const [row] = await database.single<{ numbers: string | null }>(owner.orgId, {
      text: 'SELECT numbers_with_all_words($1::text[], $2) AS numbers',
      values: [words, most],
    });
    return row!.numbers === null ? null : letters(row!.numbers.split(',').filter(Boolean));
  };
  for (const analyzed of [false, true]) {
    if (analyzed) await asAdmin('ANALYZE findings; ANALYZE finding_texts');
    for (const [q, expected] of Object.entries(searches)) {
      const words = wordsOf(q);
      assert.equal(await withAll(words, 100), expected, q);
      for (const most of [1, 2, 10]) {
        const rarest = await withRarest(words, most);
        // The result may include findings that lack the other words.
        if (rarest !== null) assert.ok([...expected].every((key) => rarest.includes(key)) && rarest.length <= most, q);
      }
    }
    for (const [q, expected] of Object.entries(searches)) {
      for (const many of [false, true]) {
        const parameters = new Parameters(owner.orgId);
        const condition = searchCondition({ own: null, words: wordsOf(q) }, parameters, many);
        const found = await database.single<{ id: string }>(owner.orgId, {
          text: `SELECT f.id FROM findings f WHERE f.org_id = $1 AND ${condition}`,
          values: parameters.values,
        });
        const keys = found.map(({ id }) => rules.get(id));
        assert.equal(keys.sort().join(''), expected, `${q}, ${many ? 'many' : 'few'} findings`);
      }
    }
    assert.equal(await withAll(['problem'], 2), null);
    assert.equal(await withAll(['deserialization'], 1), null);
    assert.equal(await withRarest(['problem', 'zeppelin', 'kettle'], 10), 'a');
    assert.equal(await withRarest(['zeppelin'], 1), null);
    assert.equal(await withRarest(['problem', 'nowhere'], 1), '');
  }
});

test('a finding is found by its new texts, and texts without a finding are removed', async () => {
  const owner = await organization();
  await owner.record(detections());
  const changed = { description: 'Now about a marmalade.', remediation: null, references: [] };
  await owner.record(detections().map((detection) => ({ ...detection, ...changed })));
  assert.deepEqual([await owner.found('marmalade'), await owner.found('zeppelin')], ['abcd', '']);
  const purge = findingTicks.find(({ name }) => name === 'Removing unused texts of findings')!;
  assert.equal((await owner.texts()).length, 8);
  // While a scan writes findings, nothing is removed: the scan may be about to use a text again.
  await database.transaction(owner.orgId, async (tx) => {
    await tx.query({
      text: `SELECT pg_advisory_xact_lock_shared(hashtextextended('finding texts ' || $1, 0))`,
      values: [owner.orgId],
    });
    await purge.run({ database, log: silentLog });
    assert.equal((await owner.texts()).length, 8);
  });
  await purge.run({ database, log: silentLog });
  assert.equal((await owner.texts()).length, 4);
  assert.equal(await owner.found('marmalade'), 'abcd');
});

test('words of long texts are limited, and those of identifiers, path and title come first', () => {
  const many = Array.from({ length: 1_000 }, (_, n) => `word${n}`).join(' ');
  const { title, rule, location, identifiers } = detectionOf('a');
  const none = new Set<string>();
  const words = ownWords({ title, rule, location, identifiers, evidence: many }, none);
  assert.equal(words.length, 150);
  for (const word of ['cwe', '798', 'src', 'problem', 'word0']) assert.ok(words.includes(word), word);
  assert.equal(ownWords({ title: many, rule, location, identifiers, evidence: 'kettle' }, none).length, 101);
  assert.equal(sharedWords({ rule, description: many, remediation: null, references: [] }).size, 500);
});

test('words of title and evidence that the shared texts have are stored once, and found in any combination', async () => {
  const owner = await organization();
  await owner.record([
    detectionOf('a', {
      description: 'A marzipan is left open.',
      title: 'Marzipan in a drawer',
      evidence: 'open(drawer)',
    }),
    detectionOf('b', { description: 'Something else.', title: 'Marzipan in a cupboard', evidence: 'shut(drawer)' }),
  ]);
  const stored = await database.single<{ rule: string; words: string[] }>(owner.orgId, {
    text: 'SELECT rule_id AS rule, tsvector_to_array(words) AS words FROM findings ORDER BY rule_id',
  });
  const asked = ['marzipan', 'drawer', 'open', 'in', 'cwe', '798'];
  assert.deepEqual(
    stored.map(({ words }) => asked.filter((word) => words.includes(word))),
    [
      ['drawer', 'in', 'cwe', '798'],
      ['marzipan', 'drawer', 'in', 'cwe', '798'],
    ],
  );
  const searched = ['marzipan', 'marzipan drawer', 'open drawer', 'marzipan open', 'marzipan cupboard'];
  assert.deepEqual(await Promise.all(searched.map((q) => owner.found(q))), ['ab', 'ab', 'a', 'a', 'b']);
});

test("the number of a finding's texts depends on each of them", () => {
  const rule = { id: 'rule', name: 'A rule', url: null, tags: [] };
  const one = { ...texts, rule };
  const others = [
    { ...one, description: 'Other' },
    { ...one, remediation: null },
    { ...one, references: [] },
    { ...one, rule: { ...rule, id: 'other' } },
    { ...one, rule: { ...rule, name: 'Other' } },
    { ...one, rule: { ...rule, url: 'https://example.com' } },
    { ...one, rule: { ...rule, tags: ['other'] } },
  ];
  const numbers = [one, ...others].map((each) => textOf(spellTexts(each)));
  assert.equal(new Set(numbers).size, 8);
  assert.equal(textOf(spellTexts({ rule, ...texts })), numbers[0]);
});

test('`sort=relevance` ranks identifiers and rules, then titles, then the rest, and its pages are stable', async () => {
  const owner = await organization();
  const titled = (key: string, title: string, severity: Detection['severity'], more: Partial<Detection> = {}) =>
    detectionOf(key, { title, severity, ...more });
  const ranked = [
    titled('exact', 'Something', 'low', { identifiers: ['CVE-2021-44228'] }),
    titled('title-high', 'About CVE-2021-44228', 'high'),
    titled('title-low', 'CVE 2021 44228', 'low'),
    titled('text-critical', 'Other', 'critical', { description: 'See CVE-2021-44228.' }),
    titled('evidence', 'Other', 'medium', { evidence: 'cve 2021 44228' }),
    titled('near', 'CVE-2021', 'critical'),
  ];
  await owner.record(ranked);
  const order = async (query: string): Promise<string[]> =>
    (await owner.get(`/findings?${query}`)).data.map(({ rule }: { rule: { id: string } }) => rule.id.slice(5));
  const expected = ['exact', 'title-high', 'title-low', 'text-critical', 'evidence'];
  const query = 'q=cve-2021-44228&sort=relevance';
  assert.deepEqual(await order(query), expected);
  assert.deepEqual(await order('q=rule-near&sort=relevance'), ['near']);
  assert.deepEqual(await order(`${query}&severity=low`), ['exact', 'title-low']);
  assert.deepEqual(await order('q=nowhere&sort=relevance'), []);
  // A newer match does not change later pages.
  const pages: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await owner.get(`/findings?${query}&limit=2&fields=rule${cursor && `&next_cursor=${cursor}`}`);
    pages.push(...page.data.map(({ rule }: { rule: { id: string } }) => rule.id.slice(5)));
    if (cursor === '')
      await owner.record([...ranked, titled('newer', 'New', 'low', { identifiers: ['CVE-2021-44228'] })]);
    cursor = page.next_cursor;
  }
  assert.deepEqual(pages, expected);
  assert.deepEqual((await order(query)).slice(0, 2), ['newer', 'exact']);
  const refused = await app.call(owner.token, 'GET', '/findings?sort=relevance');
  assert.deepEqual([refused.status, refused.body.error.details[0].field], [400, 'sort']);
  assert.match(refused.body.error.message, /only together with q/);
});

test('a view can be ordered by relevance only if it has words', async () => {
  const owner = await organization();
  const call = async (method: string, path: string, json: object) =>
    app.call(owner.token, method, path, { json, headers: {} });
  const view = { name: 'Relevant', sort: 'relevance' };
  assert.equal((await call('POST', '/views', { ...view, filter: {} })).status, 400);
  const { id } = succeeded(await call('POST', '/views', { ...view, filter: { q: 'x' } }));
  assert.equal((await call('PATCH', `/views/${id}`, { filter: {} })).status, 400);
  succeeded(await call('PATCH', `/views/${id}`, { filter: {}, sort: null }));
});

test('matches rank by the place of the words, then by severity, and otherwise keep their order', () => {
  const match = (id: string, title: string, severity: number, exact = false) => ({
    id,
    firstSeenAt: '2026-03-01 00:00:00+00',
    severity,
    title,
    exact,
  });
  const given = [
    match('e', 'a', 1),
    match('d', 'a b', 1),
    match('c', 'B, a', 3),
    match('b', 'x', 0, true),
    match('a', 'a', 1),
  ];
  const ranked = rankMatches(['a', 'b'], given);
  assert.equal(ranked.map(({ id }) => id).join(''), 'bcdea');
  for (const [index, { rank, severity, firstSeenAt, id }] of ranked.entries()) {
    const rest = rankedAfter(ranked, [String(rank), String(severity), firstSeenAt, id]);
    assert.equal(rest.map((found) => found.id).join(''), 'bcdea'.slice(index + 1));
  }
  // A position stays valid when its finding is deleted.
  assert.equal(rankedAfter(ranked, ['1', '2', '2026-03-01 00:00:00+00', 'x'])[0]!.id, 'd');
});
