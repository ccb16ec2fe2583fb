import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScannedDetection } from '../contract/detector.ts';
import { decisionFile } from '../contract/suppression.ts';
import { readDecisionFile } from './decision-file.ts';

const read = (text: string | Buffer) => readDecisionFile(Buffer.from(text), new Date('2026-06-01T00:00:00Z'));

type Facts = { rule?: string; path?: string; places?: string[]; identifiers?: string[]; version?: string };

const found = ({ rule = 'js-eval', path = 'docs/examples/a.js', places = [], identifiers = [], version }: Facts) =>
  ({
    rule: { id: rule, name: rule, url: null },
    identifiers,
    location: {
      path,
      package: version ? { ecosystem: 'npm', name: 'left-pad', version, fixed_version: null, purl: null } : null,
    },
    places: places.map((place) => ({ path: place, start_line: 1, end_line: 1, commit: null })),
  }) as unknown as ScannedDetection;

const holds = (text: string, facts: Facts = {}, source = 'code') => {
  const { find, warnings } = read(text);
  assert.deepEqual(warnings, []);
  return find(found(facts), source)?.status ?? null;
};

/** A file with one decision, with this scope and these further lines. */
const file = (scope: string, more = '') => `decisions:
  - outcome: false_positive
    reason: Never deployed.
    scope: ${scope}
${more}`;

test('a decision holds for what all fields of its scope name, and any value of each', () => {
  const examples = file('{rule: [js-eval, other], path: ["**/examples/**"]}');
  assert.equal(holds(examples), 'false_positive');
  assert.equal(holds(examples, { rule: 'other' }), 'false_positive');
  assert.equal(holds(examples, { rule: 'third' }), null);
  assert.equal(holds(examples, { path: 'src/a.js' }), null);
  // One place outside is enough to stay open.
  assert.equal(holds(examples, { places: ['docs/examples/a.js', 'src/a.js'] }), null);
  assert.equal(holds(file('{rule: js-eval, source: secrets}')), null);
  assert.equal(holds(file('{identifier: cve-2099-0001}'), { identifiers: ['CVE-2099-0001'] }), 'false_positive');
  const range = file('{package: "pkg:npm/left-pad", versions: "vers:npm/>=1.0.0|<2.0.0"}');
  assert.equal(holds(range, { version: '1.3.0' }), 'false_positive');
  assert.equal(holds(range, { version: '2.0.0' }), null);
  assert.equal(holds(range), null);
  assert.equal(
    read(file('{rule: js-eval}')).find(found({}), 'code')!.reason,
    `Decided in ${decisionFile}: Never deployed.`,
  );
});

test('a rule that the file demotes is info for the places that the scope names, beside what closes it', () => {
  const demoted = (scope: string) => file(scope).replace('false_positive', 'demoted');
  const both = `${demoted('{rule: js-eval, path: "**/examples/**"}')}  - {outcome: accepted_risk, reason: x, scope: {rule: js-eval}}\n`;
  const { find, demotes, warnings, decisions } = read(both);
  assert.deepEqual(warnings, []);
  assert.equal(decisions[0]!.outcome, 'demoted');
  assert.equal(find(found({}), 'code')!.status, 'accepted_risk');
  const shown = [found({}), found({ path: 'src/a.js' }), found({ rule: 'other' })];
  assert.deepEqual(
    shown.map((detection) => demotes(detection, 'code')),
    [true, false, false],
  );
  const justOne = read(demoted('{rule: js-eval}'));
  assert.deepEqual([justOne.find(found({}), 'code'), justOne.demotes(found({}), 'code')], [null, true]);
  for (const scope of [
    '{identifier: CVE-2099-0001}',
    '{rule: js-eval, identifier: CVE-2099-0001}',
    '{rule: js-eval, package: "pkg:npm/left-pad"}',
  ])
    assert.match(read(demoted(scope)).warnings.join(), /line 4: `demoted` is about rules/, scope);
});

test('a decision ends with its day or time', () => {
  const until = (value: string) => holds(file('{rule: js-eval}', `    until: ${value}\n`));
  assert.equal(until('2026-06-01'), 'false_positive');
  assert.equal(until('2026-05-31'), null);
  assert.equal(until('"2026-06-01T00:00:01Z"'), 'false_positive');
  assert.equal(until('2026-05-31T23:00:00+00:00'), null);
});

test('a decision that can’t be read has no effect and is named with its line; the others hold', () => {
  for (const [scope, words] of [
    ['{path: ["src/**"]}', 'at least one of rule, identifier and package'],
    ['{rule: js-eval, path: "../other/**"}', 'stays in the repository'],
    ['{rule: js-eval, path: "/etc/**"}', 'stays in the repository'],
    ['{rule: js-eval, path: ["a/../../b"]}', 'stays in the repository'],
    ['{rule: js-eval, data_source: [ds_1]}', 'its own repository'],
    ['{rule: js-eval, finding: [fnd_1]}', 'its own repository'],
    ['{rule: js-eval, rulez: a}', '`rulez` is not a known field'],
    ['{rule: js-eval, versions: "vers:npm/1.0.0"}', 'needs `package`'],
    ['{package: "pkg:npm/left-pad", versions: "1.0.0"}', '`versions`'],
    ['{package: left-pad}', 'package URL'],
    ['{rule: []}', '1 to 100 values'],
    ['{rule: 5}', 'must be text'],
    [`{rule: ${'x'.repeat(501)}}`, 'at most 500 characters'],
    ['everything', 'must be a mapping'],
  ] as const) {
    const { find, warnings } = read(
      `${file(scope)}  - {outcome: accepted_risk, reason: Known., scope: {rule: js-eval}}\n`,
    );
    assert.equal(warnings.length, 1, scope);
    assert.ok(
      warnings[0]!.includes(words) && /^\.assay\/decisions\.yaml, line [24]: .* has no effect\.$/.test(warnings[0]!),
      warnings[0],
    );
    assert.equal(find(found({}), 'code')?.status, 'accepted_risk', scope);
  }
  for (const more of ['    until: soon\n', '    until: 2026-13-01\n', '    approved: yes\n'])
    assert.equal(read(file('{rule: js-eval}', more)).warnings.length, 1, more);
  assert.match(
    read('decisions:\n  - {outcome: resolved, reason: x, scope: {rule: a}}').warnings[0]!,
    /line 2: `outcome` must be one of/,
  );
});

test('a hostile file is refused as a whole, at once', () => {
  const startedAt = performance.now();
  const bomb = `a: &a [x,x]\n${Array.from({ length: 20 }, (_, n) => `b${n}: &b${n} [*a,*a]`).join('\n')}\ndecisions: []\n`;
  for (const [text, words] of [
    [bomb, 'Aliases are not accepted'],
    [Buffer.alloc(256 * 1024 + 1, 0x20), 'larger than 256 KiB'],
    [`decisions: ${'['.repeat(100_000)}`, 'nested too deeply'],
    [`decisions:\n${'- '.repeat(100_000)}`, 'nested too deeply'],
    [`${Array.from({ length: 600 }, (_, n) => `${' '.repeat(n % 400)}k:`).join('\n')}`, 'The file'],
    [`decisions:\n${'- {rule: a}\n'.repeat(501)}`, '501 decisions'],
    ['decisions: {', 'not a YAML document'],
    ['a: 1\n---\nb: 2\n', 'not a YAML document'],
    ['rules: []', '`rules` is not a known field'],
    ['- a', 'must be a mapping'],
    ['decisions: all', 'must be a list'],
    [Buffer.from([0xff, 0xfe, 0, 0]), 'The file'],
  ] as const) {
    const { find, warnings } = read(text as string);
    assert.equal(warnings.length, 1, words);
    assert.ok(warnings[0]!.includes(words), warnings[0]);
    assert.equal(find(found({}), 'code'), null);
  }
  const many = Array.from(
    { length: 11 },
    () =>
      `  - {outcome: accepted_risk, reason: x, scope: {rule: a, path: [${Array.from({ length: 100 }, (_, n) => `p${n}`).join(',')}]}}`,
  );
  assert.match(read(`decisions:\n${many.join('\n')}`).warnings.join(), /line 12: .*1000 path patterns/);
  const wild = `  - {outcome: accepted_risk, reason: x, scope: {rule: a, path: "${'**/a'.repeat(101)}${'*a'.repeat(48)}"}}`;
  assert.deepEqual(read(`decisions:\n${wild}`).warnings, []);
  const wilder = wild.replace('path: "', `path: ["${'*/b'.repeat(100)}", "`).replace('"}}', '"]}}');
  assert.match(read(`decisions:\n${wilder}`).warnings.join(), /line 2: `path` may have at most 200 wildcards/);
  assert.ok(read(`decisions:\n${'  - x\n'.repeat(400)}`).warnings.length <= 20);
  assert.ok(performance.now() - startedAt < 10_000);
  assert.deepEqual(read('').warnings, []);
  assert.deepEqual(read('decisions:\n').warnings.length, 1);
});
