import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleSecret } from '../../testing/code-samples.fixture.ts';
import { readAll } from '../../testing/formats.fixture.ts';

type Json = Record<string, unknown>;

const location = (uri: string, startLine: number, more: Json = {}) => ({
  physicalLocation: { artifactLocation: { uri }, region: { startLine }, ...more },
});
const step = (uri: string, line: number, text: string) => ({ location: { ...location(uri, line), message: { text } } });
const flowOf = (steps: unknown[]) => ({ threadFlows: [{ locations: steps }] });
const change = (uri: string, deletedRegion: Json, text?: string) => ({
  artifactLocation: { uri },
  replacements: [{ deletedRegion, ...(text === undefined ? {} : { insertedContent: { text } }) }],
});

async function read(result: Json, ruleId = 'r1') {
  const file = {
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'CodeQL' } }, results: [{ ruleId, message: { text: 'Here.' }, ...result }] }],
  };
  const { all, cut } = await readAll(file);
  return { ...all[0]!, warnings: cut.sentences() };
}

test('a result has the code, the flow and the fix from its tool, and null without them', async () => {
  const context = { contextRegion: { startLine: 3, endLine: 5, snippet: { text: 'a\r\nb\nc\n' } } };
  const whole = await read({
    locations: [location('src/a.js', 4, context)],
    codeFlows: [flowOf([step('src/b.js', 1, 'Read from [the request](1).'), step('src/a.js', 4, 'Used.')])],
    fixes: [
      {
        description: { text: 'Escape it.' },
        artifactChanges: [change('src/a.js', { startLine: 4, startColumn: 2, endColumn: 3 }, 'e(b)')],
      },
    ],
  });
  assert.deepEqual(whole.code, { start_line: 3, lines: ['a', 'b', 'c'] });
  assert.deepEqual(whole.flow, [
    { number: 1, path: 'src/b.js', start_line: 1, message: 'Read from the request.' },
    { number: 2, path: 'src/a.js', start_line: 4, message: 'Used.' },
  ]);
  assert.deepEqual(whole.fix, {
    description: 'Escape it.',
    changes: [{ path: 'src/a.js', start_line: 4, end_line: 4, start_column: 2, end_column: 3, text: 'e(b)' }],
  });
  assert.deepEqual(whole.warnings, []);
  for (const empty of [
    {},
    { codeFlows: [], fixes: [] },
    { codeFlows: [flowOf([])], fixes: [{ artifactChanges: [] }] },
  ]) {
    const { code, flow, fix, warnings } = await read({ locations: [location('a.js', 4)], ...empty });
    assert.deepEqual({ code, flow, fix, warnings }, { code: null, flow: null, fix: null, warnings: [] });
  }
});

test('a long flow keeps its first and last steps with their numbers; the omitted steps are counted', async () => {
  const steps = Array.from({ length: 10_000 }, (_, index) => step('a.js', index + 1, `Step ${index + 1}.`));
  const { flow, warnings } = await read({
    locations: [location('a.js', 1)],
    codeFlows: [flowOf(steps), flowOf([steps[0]])],
  });
  assert.deepEqual(
    flow!.map(({ number }) => number),
    [...Array(25).keys()].map((at) => at + 1).concat([...Array(25).keys()].map((at) => at + 9_976)),
  );
  assert.deepEqual(flow!.at(-1), { number: 10_000, path: 'a.js', start_line: 10_000, message: 'Step 10000.' });
  assert.deepEqual(warnings, [
    '1 result had more than 1 flow: the rest was left out.',
    '1 result had a flow that is longer than 50 steps or 16 kB: steps in its middle were left out.',
  ]);
});

test('hostile code, flows and fixes stay within 4, 16 and 8 kB', async () => {
  const long = 'x'.repeat(3_900);
  const snippet = { text: `${'<script>\u202e'.repeat(9_000)}\n`.repeat(20) };
  const { code, flow, fix, warnings } = await read({
    locations: [location('a.js', 4, { contextRegion: { startLine: 1, snippet } })],
    codeFlows: [flowOf(Array.from({ length: 60 }, () => step(long, 2 ** 30, long)))],
    fixes: [{ artifactChanges: [change('a.js', { startLine: 1 }, 'y'.repeat(8_000))] }],
  });
  assert.ok(Buffer.byteLength(code!.lines.join('\n')) <= 4_096);
  assert.ok(JSON.stringify(flow).length <= 16_000);
  assert.equal(fix, null);
  assert.ok(warnings.includes('1 result had a fix of more than 20 changes or 8 kB: it was left out.'));
});

test('a fix outside of the data source, without lines or with an invalid part is left out as a whole', async () => {
  const good = change('a.js', { startLine: 1 }, 'x');
  for (const bad of [
    change('../../.ssh/authorized_keys', { startLine: 1 }, 'x'),
    change('a.js', { charOffset: 4, charLength: 2 }, 'x'),
    change('a%2f..%2f..%2fb', { startLine: 1 }),
  ]) {
    const { fix, warnings } = await read({
      locations: [location('a.js', 1)],
      fixes: [{ artifactChanges: [good, bad] }],
    });
    assert.equal(fix, null);
    assert.deepEqual(warnings, [
      '1 result had a fix that names no file of the data source, or no lines: it was left out.',
    ]);
  }
});

test('secrets are redacted in code, flow and fix; in results about secrets, every literal is', async () => {
  const line = `const password = "${sampleSecret}";`;
  const given = {
    locations: [
      location('a.js', 2, { contextRegion: { startLine: 1, snippet: { text: `// first\n${line}\nopen("hunter2")` } } }),
    ],
    codeFlows: [flowOf([step('a.js', 2, `The value ${sampleSecret} is read.`)])],
    fixes: [{ description: { text: sampleSecret }, artifactChanges: [change('a.js', { startLine: 2 }, line)] }],
  };
  const { code, flow, fix } = await read(given);
  assert.ok(!JSON.stringify({ code, flow, fix }).includes(sampleSecret));
  assert.equal(code!.lines[2], 'open("hunter2")');
  const about = await read(given, 'js/hardcoded-credentials');
  assert.equal(about.code!.lines[2], 'open("…(redacted)")');
});

test('a file in Assay’s own format has the same bounds, and its code, flow and fix show no secret and have no outside path', async () => {
  const finding = {
    title: 'T',
    severity: 'high',
    source: 'code',
    rule: { id: 'r' },
    fingerprint: `v1:${'a'.repeat(22)}`,
    location: { path: 'a.js', start_line: 2 },
    code: { start_line: 1, lines: Array(9).fill(`\u0007password = "${sampleSecret}" ${'é'.repeat(390)}`) },
    flow: Array.from({ length: 50 }, (_, index) => ({
      number: index + 3,
      path: 'x'.repeat(3_900),
      start_line: 1,
      message: sampleSecret,
    })),
    fix: { description: null, changes: [{ path: '../b.js', start_line: 1, end_line: 1, text: 'x' }] },
  };
  const file = {
    findings: [finding],
    warnings: [],
    ignored: [],
    known: [],
    coverage: [],
    tool: { name: 'Assay', version: '1' },
  };
  const { all, cut } = await readAll(file, { format: 'assay' });
  const { code, flow, fix } = all[0]!;
  assert.ok(Buffer.byteLength(code!.lines.join('\n')) <= 4_096);
  assert.match(code!.lines[0]!, /^\uFFFDpassword = "…\(redacted\)"/);
  assert.ok(JSON.stringify(flow).length <= 16_000);
  assert.deepEqual([flow![0]!.number, flow!.at(-1)!.number], [3, 52]);
  assert.ok(!JSON.stringify(all).includes(sampleSecret));
  assert.equal(fix, null);
  assert.equal(cut.sentences().length, 2);
});
