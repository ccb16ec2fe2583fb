import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../tests/harness/properties.ts';
import { CutTexts } from './cut-texts.ts';
import type { ImportedDetection, ReadDetection } from './format.ts';
import { normalizeResults } from './normalize-results.ts';
import { sorted } from './testing/formats.fixture.ts';

const result = (line: number | null, column: number | null, extra: Partial<ReadDetection> = {}): ReadDetection => ({
  source: 'tool',
  identity: ['code', 'rule', 'a.ts', 'x = 1'],
  equals: 'problems',
  title: 'A title',
  severity: 'low',
  rule: { id: 'rule' },
  location: { path: 'a.ts', start_line: line, start_column: column },
  ...extra,
});

async function normalized(results: ReadDetection[]): Promise<ImportedDetection[]> {
  const all: ImportedDetection[] = [];
  for await (const batch of normalizeResults(
    (async function* () {
      yield* results;
    })(),
    new CutTexts(),
  ))
    all.push(...batch);
  return all;
}

const linesOf = (all: ImportedDetection[]) =>
  Object.fromEntries(all.map((one) => [one.fingerprint, one.location.start_line]));

test('the same code in two locations stays two problems, and moving both creates no third', async () => {
  const before = await normalized([result(3, 1), result(9, 1)]);
  const after = await normalized([result(13, 1), result(19, 1)]);
  assert.equal(before.length, 2);
  assert.deepEqual(Object.keys(linesOf(after)).sort(), Object.keys(linesOf(before)).sort());
});

test('a problem that is reported twice at one location is one detection', async () => {
  assert.equal((await normalized([result(3, 1), result(3, 1)])).length, 1);
  assert.equal((await normalized([result(null, null), result(null, null)])).length, 1);
});

test('two problems on one line stay two if the tool reports no column', async () => {
  assert.equal((await normalized([result(3, null), result(3, null)])).length, 2);
});

test('one problem in several locations is one finding with all of them and the highest severity', async () => {
  const at = (path: string, severity: 'low' | 'high') =>
    result(3, 1, { equals: 'places', severity, location: { path, start_line: 3 } });
  const [one, ...others] = await normalized([at('a.ts', 'low'), at('b.ts', 'high'), at('a.ts', 'low')]);
  assert.deepEqual(others, []);
  assert.equal(one!.severity, 'high');
  assert.equal(one!.occurrences, 2);
  assert.deepEqual(
    one!.places.map((place) => place.path),
    ['a.ts', 'b.ts'],
  );
});

test('a suppression counts only when all equal results are suppressed', async () => {
  const suppression = { status: 'accepted_risk' as const, reason: 'Known' };
  const one = result(3, 1, { equals: 'places', suppression });
  assert.ok((await normalized([one, one]))[0]!.suppression);
  assert.equal((await normalized([one, result(4, 1, { equals: 'places' })]))[0]!.suppression, null);
});

test('the order of results changes neither fingerprints nor the problems they identify', async () => {
  const arbitrary = fc.array(
    fc.record({
      line: fc.integer({ min: 1, max: 4 }),
      column: fc.constantFrom(null, 1, 2),
      content: fc.constantFrom('x', 'y'),
      title: fc.constantFrom('One', 'Two'),
      equals: fc.constantFrom('places' as const, 'problems' as const),
    }),
    { maxLength: 12 },
  );
  await checkProperty(
    fc.asyncProperty(arbitrary, fc.infiniteStream(fc.nat()), async (parts, order) => {
      const results = parts.map(({ line, column, content, title, equals }) =>
        result(line, column, { title, equals, identity: [equals, content] }),
      );
      const shuffled = results.map((value) => ({ value, key: order.next().value! })).sort((a, b) => a.key - b.key);
      assert.deepEqual(sorted(await normalized(shuffled.map(({ value }) => value))), sorted(await normalized(results)));
    }),
    { numRuns: 300 },
  );
});

test('numbering continues from one batch to the next, and no number repeats', async () => {
  const all = await normalized(Array.from({ length: 21_000 }, (_, index) => result(index + 1, 1)));
  assert.equal(new Set(all.map((one) => one.fingerprint)).size, 21_000);
  const repeated = await normalized([
    ...Array.from({ length: 12_000 }, (_, index) => result(index + 1, 1)),
    result(5, 1),
  ]);
  assert.equal(repeated.length, 12_000);
});

test('texts and lists are bounded, and only web addresses are references', async () => {
  const [one] = await normalized([
    result(1, 1, {
      title: 'long '.repeat(1_000),
      description: 'x'.repeat(100_000),
      evidence: 'y'.repeat(100_000),
      references: ['javascript:alert(1)', 'https://example.com', 'https://example.com', 'file:///etc/passwd'],
      rule: { id: 'rule', url: 'javascript:alert(1)' },
    }),
  ]);
  assert.equal(one!.title.length, 300);
  assert.equal(one!.description.length, 20_000);
  assert.equal(one!.evidence!.length, 2_000);
  assert.deepEqual(one!.references, ['https://example.com']);
  assert.equal(one!.rule.url, null);
});
