import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../tests/harness/properties.ts';
import { FormatError } from '../format-error.ts';
import { chunksOf } from '../testing/formats.fixture.ts';
import { type JsonEvent, readJson } from './json.ts';

async function items(content: string, patterns: string[], chunkSize = 5, manyRoots = false): Promise<JsonEvent[]> {
  const events: JsonEvent[] = [];
  for await (const event of readJson(chunksOf(content, chunkSize), patterns, { manyRoots })) events.push(event);
  return events.filter((event) => event.kind === 'item');
}

const refusal = async (content: string, patterns = ['a[*]']): Promise<FormatError> => {
  const error = await items(content, patterns).then(
    () => assert.fail('it was read'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof FormatError);
  return error;
};

test('values that match a path are read completely, whatever surrounds them', async () => {
  const found = await items('{"x":{"a":[0]},"a":[{"b":"]}\\""}, [1,{"c":2}],3 ,null],"y":"}"}', ['a[*]']);
  assert.deepEqual(
    found.map((event) => event.kind === 'item' && [event.path, event.value]),
    [
      [['a', 0], { b: ']}"' }],
      [
        ['a', 1],
        [1, { c: 2 }],
      ],
      [['a', 2], 3],
      [['a', 3], null],
    ],
  );
});

test('any JSON is read like JSON.parse, in chunks of any size', async () => {
  const document = fc.record({ before: fc.jsonValue(), list: fc.array(fc.jsonValue()), after: fc.jsonValue() });
  await checkProperty(
    fc.asyncProperty(
      document,
      fc.integer({ min: 1, max: 50 }),
      fc.constantFrom(0, 1, 2),
      async (value, size, indent) => {
        const found = await items(JSON.stringify(value, null, indent), ['list[*]', 'after'], size);
        const expected: unknown = JSON.parse(JSON.stringify([...value.list, value.after]));
        assert.deepEqual(
          found.map((event) => event.kind === 'item' && event.value),
          expected,
        );
      },
    ),
    { numRuns: 300 },
  );
});

test('a string beyond 1 MiB is cut between two characters, and the rest of the document is read', async () => {
  const units = ['x', '"', '\\', '\n', 'é', '漢', '🙂', '\u0001'];
  for (const unit of [...units, units.join('')]) {
    const text = `${'-'.repeat(1_048_570)}${unit.repeat(40_000)}${'end'.repeat(30_000)}`;
    const content = JSON.stringify({ a: [{ before: 1, text, after: [true, 'z'] }, 'next'] });
    const [first, second] = (await items(content, ['a[*]'], 65_536)) as Array<{ value: Record<string, unknown> }>;
    const { text: kept, ...rest } = first!.value;
    assert.deepEqual(rest, { before: 1, after: [true, 'z'] });
    assert.equal(second!.value, 'next');
    assert.ok(typeof kept === 'string' && text.startsWith(kept), JSON.stringify(unit));
    assert.ok(kept.length < text.length - 60_000, `${JSON.stringify(unit)}: ${kept.length} of ${text.length}`);
  }
});

test('invalid JSON in the parts that are read is refused, as by JSON.parse', async () => {
  const text = fc.string({
    unit: fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '1', 'e', '-', ' ', 'null', '\\', 'a'),
    maxLength: 12,
  });
  await checkProperty(
    fc.asyncProperty(text, async (content) => {
      let parsed = true;
      try {
        JSON.parse(content);
      } catch {
        parsed = false;
      }
      const read = await items(content, [''], 3).then(
        () => true,
        (error: unknown) => {
          assert.ok(error instanceof FormatError);
          return false;
        },
      );
      assert.equal(read, parsed, content);
    }),
    { numRuns: 2_000 },
  );
});

test('errors are reported with line, column and path', async () => {
  assert.deepEqual((await refusal('{\n "a": [\n  1,\n  {"b": nul}\n]}')).place, { line: 4, column: 3, path: '$.a[1]' });
  assert.deepEqual((await refusal('{"a": {}}')).place, { line: 1, column: 7, path: '$.a' });
  assert.match(
    (await refusal('{"a": [1,\n2')).message,
    /ends too early: it was cut short\. \(line 2, column 2, at \$\.a\[1\]\)/,
  );
  assert.match((await refusal('')).message, /empty/);
  assert.match((await refusal('{"a": []} {}')).message, /follows the end/);
  assert.match((await refusal(`{"a": [${'['.repeat(300)}`)).message, /nested more than 256/);
});

test('errors in one of several documents are reported with its line', async () => {
  const found = await items('{"a":1}\n\n[2]\n{\n"a":3}', [''], 4, true);
  assert.deepEqual(
    found.map((event) => event.kind === 'item' && event.line),
    [1, 3, 4],
  );
  assert.deepEqual(await items(' \n', [''], 4, true), []);
});
