import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../../tests/harness/properties.ts';
import { sampleSecret, sarifSample } from '../../testing/code-samples.fixture.ts';
import { readAll, sorted } from '../../testing/formats.fixture.ts';

const driver = { name: 'Tool', rules: [{ id: 'R1' }] };

const file = (results: object[], run: object = {}) => ({
  version: '2.1.0',
  runs: [{ tool: { driver }, results, ...run }],
});

const at = (uri: string, startLine: number, snippet?: string, more: object = {}) => ({
  ruleId: 'R1',
  message: { text: 'Something is wrong.' },
  locations: [
    {
      physicalLocation: {
        artifactLocation: { uri },
        region: { startLine, startColumn: 1, ...(snippet ? { snippet: { text: snippet } } : {}) },
      },
    },
  ],
  ...more,
});

const fingerprints = async (content: object) => sorted((await readAll(content)).all).map((one) => one.fingerprint);

test('one result is one finding with all its locations, from the source in its run', async () => {
  const { all, sources, incomplete } = await readAll(sarifSample);
  const [first] = all;
  assert.equal(first!.source, 'example-linter');
  assert.equal(first!.title, 'SQL from input');
  assert.match(first!.description, /The value name reaches a query/);
  assert.equal(first!.severity, 'high');
  assert.deepEqual(first!.identifiers, ['CWE-89']);
  assert.equal(first!.occurrences, 2);
  assert.deepEqual(
    first!.places.map((place) => [place.path, place.start_line]),
    [
      ['src/a.ts', 3],
      ['src/b.ts', 9],
    ],
  );
  assert.deepEqual([...sources], ['example-linter', 'other-tool']);
  assert.equal(incomplete.size, 1);
});

test('a tool that lists the problems of a rule as locations of one result has a finding for each location', async () => {
  const [one, other] = [at('a.js', 3, 'eval(a)'), at('b.js', 8, 'eval(b)')];
  const listed = { ...one, locations: [...one.locations, ...other.locations] };
  const ofTool = (name: string) => file([listed], { tool: { driver: { ...driver, name } } });
  const { all } = await readAll(ofTool('mobsfscan'));
  assert.deepEqual(
    all.map((found) => [found.location.path, found.occurrences]),
    [
      ['a.js', 1],
      ['b.js', 1],
    ],
  );
  assert.equal((await readAll(ofTool('Other'))).all.length, 1);
});

test('results that report success, or that are absent, are not findings', async () => {
  const { all } = await readAll(sarifSample);
  assert.equal(all.length, 6);
  assert.ok(!all.some((one) => one.description.includes('All is well') || one.location.path === 'src/c.ts'));
});

test('rules are found by index, by id and in extensions, files by index', async () => {
  const { all } = await readAll(sarifSample);
  const written = all.find((one) => one.rule.id === 'EX2')!;
  assert.equal(written.severity, 'critical');
  assert.equal(written.location.path, 'src/by index.ts');
  assert.equal(written.title, 'Written to the page.');
  assert.deepEqual(written.identifiers, ['CWE-79']);
  const remark = all.find((one) => one.rule.id === 'EXT1')!;
  assert.deepEqual([remark.title, remark.severity], ['From an extension', 'info']);
});

test('a suppressed result keeps its reason, and a result with a rejected suppression is open', async () => {
  const { all } = await readAll(sarifSample);
  assert.deepEqual(all.find((one) => one.location.path === 'src/d.ts')!.suppression, {
    status: 'accepted_risk',
    reason: 'Only numbers come here',
  });
  assert.equal(all.find((one) => one.location.path === 'src/e.ts')!.suppression, null);
  const falseAlarm = await readAll(
    file([at('a', 1, 'x', { suppressions: [{ kind: 'external', justification: 'False positive: a constant' }] })]),
  );
  assert.equal(falseAlarm.all[0]!.suppression!.status, 'false_positive');
});

test('the order of members changes nothing: results may precede their tool and artifacts', async () => {
  const turned = {
    runs: sarifSample.runs.map((run) => Object.fromEntries(Object.entries(run).reverse())),
    version: '2.1.0',
  };
  assert.deepEqual(sorted((await readAll(turned)).all), sorted((await readAll(sarifSample)).all));
});

test('the tool’s own fingerprint is the identity, even if code moves', async () => {
  const whole = (uri: string, line: number) =>
    file([at(uri, line, `line ${line}`, { fingerprints: { 'id/v1': 'abc' } })]);
  assert.deepEqual(await fingerprints(whole('a.ts', 1)), await fingerprints(whole('b.ts', 7)));
  const partial = (line: number, column: string) =>
    file([
      at('a.ts', line, `line ${line}`, {
        partialFingerprints: { primaryLocationLineHash: 'abc:1', primaryLocationStartColumnFingerprint: column },
      }),
    ]);
  assert.deepEqual(await fingerprints(partial(1, '0')), await fingerprints(partial(9, '4')));
});

test('values that are not fingerprints are not used as such', async () => {
  const results = ['one()', 'two()'].map((code, index) =>
    at('a.ts', index + 1, code, { fingerprints: { 'matchBasedId/v1': 'requires login' } }),
  );
  const plain = ['one()', 'two()'].map((code, index) => at('a.ts', index + 1, code));
  assert.deepEqual(await fingerprints(file(results)), await fingerprints(file(plain)));
});

test('moved lines, indented code and shuffled results keep every fingerprint', async () => {
  const arbitrary = fc.array(
    fc.record({
      path: fc.constantFrom('a.ts', 'b.ts'),
      code: fc.constantFrom('f(x)', 'g(y)', undefined),
      line: fc.integer({ min: 1, max: 50 }),
    }),
    { maxLength: 15 },
  );
  await checkProperty(
    fc.asyncProperty(
      arbitrary,
      fc.integer({ min: 0, max: 100 }),
      fc.infiniteStream(fc.nat()),
      async (parts, moved, order) => {
        const before = parts.map(({ path, code, line }) => at(path, line, code));
        const after = parts.map(({ path, code, line }) => at(path, line + moved, code && `    ${code}\n`));
        const shuffled = after.map((value) => ({ value, key: order.next().value! })).sort((a, b) => a.key - b.key);
        assert.deepEqual(
          await fingerprints(file(shuffled.map(({ value }) => value))),
          await fingerprints(file(before)),
        );
      },
    ),
    { numRuns: 200 },
  );
});

test('only the region’s lines of a code snippet count', async () => {
  const around = (text: string) => {
    const result = at('a.ts', 11);
    Object.assign(result.locations[0]!.physicalLocation, {
      contextRegion: { startLine: 10, endLine: 12, snippet: { text } },
    });
    return file([result]);
  };
  assert.deepEqual(await fingerprints(around('old()\nbad()\nx')), await fingerprints(around('new()\nbad()\ny')));
  assert.notDeepEqual(await fingerprints(around('a\nbad()\nb')), await fingerprints(around('a\nworse()\nb')));
});

test('secrets in snippets and messages are removed, and results of secret scanners are identified by the secret', async () => {
  const leak = (uri: string, line: number) => ({
    ...at(uri, line, `token = "${sampleSecret}"`),
    properties: { offender: sampleSecret, commit: 'c1' },
  });
  const { all } = await readAll({
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'Gitleaks' } }, results: [leak('a.env', 1), leak('b.env', 2)] }],
  });
  assert.equal(all.length, 1);
  assert.equal(all[0]!.occurrences, 2);
  assert.ok(!JSON.stringify(all).includes(sampleSecret));
  const hardCoded = at('a.ts', 1, `const password = '${sampleSecret}'`, {
    ruleId: 'hardcoded-password',
    message: { text: `Password “${sampleSecret}” = '${sampleSecret}'` },
  });
  assert.ok(!JSON.stringify((await readAll(file([hardCoded]))).all).includes(sampleSecret));
});

test('another version, a run without a tool or an invalid result is refused with its path', async () => {
  await assert.rejects(
    readAll({ version: '1.0.0', runs: [] }, { format: 'sarif' }),
    /Only SARIF 2\.1\.0 is read.*\$\.version/,
  );
  await assert.rejects(
    readAll({ version: '2.1.0', runs: [{ results: [] }] }),
    /A run must say its tool.*\$\.runs\[0\]\.tool/,
  );
  await assert.rejects(
    readAll(file([at('a', 1), 7 as unknown as object])),
    /must be an object.*\$\.runs\[0\]\.results\[1\]/,
  );
});

test('a run without results still counts as a run of its tool', async () => {
  const { all, sources } = await readAll(file([]));
  assert.deepEqual([all.length, [...sources]], [0, ['tool']]);
});

test('an import cannot use the name of a built-in source', async () => {
  const { sources } = await readAll({
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'Secrets' } }, results: [] }],
  });
  assert.deepEqual([...sources], ['secrets-import']);
});

test('`security-severity` is the CVSS score, and the tags of the rule are kept up to a limit', async () => {
  const tags = ['security', ' security ', '', 'x'.repeat(101), ...Array.from({ length: 30 }, (_, n) => `tag-${n}`)];
  const rules = [
    { id: 'R1', properties: { 'security-severity': '8.1', tags } },
    { id: 'R2', properties: { 'security-severity': 'high', tags: 'not a list' } },
  ];
  const content = (name: string) =>
    file([at('a.ts', 1), { ...at('b.ts', 2), ruleId: 'R2' }], { tool: { driver: { name, rules } } });
  const [first, second] = sorted((await readAll(content('Tool'))).all).sort((a, b) => (a.rule.id < b.rule.id ? -1 : 1));
  assert.deepEqual([first!.cvss_score, first!.severity], [8.1, 'high']);
  assert.deepEqual(first!.rule.tags, ['security', ...Array.from({ length: 19 }, (_, n) => `tag-${n}`)]);
  assert.deepEqual([second!.cvss_score, second!.severity], [null, 'high']);
  const own = (await readAll(content('assay'))).all.map(({ cvss_score }) => cvss_score);
  assert.deepEqual(own, [null, null], 'Assay derives it from the severity');
});

test('the confidence is that of the result, then of its rule, then its rank', async () => {
  const rules = [
    { id: 'plain' },
    { id: 'codeql', properties: { precision: 'very-high' } },
    { id: 'semgrep', properties: { tags: ['LOW CONFIDENCE', 'security'] } },
  ];
  const given = [
    { ruleId: 'codeql' },
    { ruleId: 'codeql', properties: { confidence: 'Low' } },
    { ruleId: 'codeql', properties: { issue_confidence: 'MEDIUM' } },
    { ruleId: 'codeql', rank: 10 },
    { ruleId: 'semgrep' },
    { ruleId: 'plain', properties: { confidence: 0.5 } },
    { ruleId: 'plain', rank: 90 },
    { ruleId: 'plain', rank: -1 },
    { ruleId: 'plain', properties: { confidence: 'certainly not' } },
  ];
  const results = given.map((result, index) => ({ ...at(`${index}.ts`, 1), ...result }));
  const { all } = await readAll(file(results, { tool: { driver: { name: 'Tool', rules } } }));
  const byPath = all.toSorted((one, other) => (one.location.path! < other.location.path! ? -1 : 1));
  assert.deepEqual(
    byPath.map(({ confidence }) => confidence),
    ['high', 'low', 'medium', 'high', 'low', 'medium', 'high', null, null],
  );
});
