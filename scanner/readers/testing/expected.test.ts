import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ImportedDetection } from '../format.ts';
import { FormatError } from '../format-error.ts';
import { formats } from '../index.ts';
import { readResultFile } from '../read-result-file.ts';
import { isOnlyId } from '../titles.ts';
import { differences, formatOfFolder, unrecognisable } from './expected-differences.fixture.ts';
import { keyedHash, readAll, sorted } from './formats.fixture.ts';

type Expected = { file: string; findings: number; severities: Record<string, number> };

const data = process.env.ASSAY_TEST_DATA;
const results = data && join(data, 'results');
const skip = results && existsSync(results) ? false : 'ASSAY_TEST_DATA names no folder with results of real tools';

const files = (skip === false ? readdirSync(results!) : []).flatMap((folder) => {
  const format = formatOfFolder[folder] ?? folder;
  if (!formats.some((one) => one.name === format)) return [];
  const expected: Expected[] = JSON.parse(readFileSync(join(results!, folder, 'expected.json'), 'utf8'));
  return expected.map((one) => {
    const path = join(results!, folder, one.file);
    return { ...one, path, key: `${folder}/${one.file}`, format: formatOf(path, format) };
  });
});

/** SARIF of any tool counts as SARIF, whichever folder it is in. */
function formatOf(path: string, format: string): string {
  return /"runs"\s*:/.test(readFileSync(path, 'utf8').slice(0, 2_000)) ? 'sarif' : format;
}

function severitiesOf(detections: ImportedDetection[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { severity } of detections) {
    const name = severity[0]!.toUpperCase() + severity.slice(1);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

test('real files have the expected number of findings of each severity, or a documented different one', {
  skip,
}, async (t) => {
  for (const { key, path, format, severities } of files) {
    await t.test(key, async () => {
      const { all } = await readAll(readFileSync(path), { format });
      assert.deepEqual(severitiesOf(all), differences[key]?.severities ?? severities);
      assert.equal(new Set(all.map((one) => one.source + one.fingerprint)).size, all.length);
    });
  }
});

test('every documented difference exists', { skip }, () => {
  for (const [key, { severities }] of Object.entries(differences)) {
    const file = files.find((one) => one.key === key);
    if (file) assert.notDeepEqual(severities, file.severities, key);
  }
});

test('the format of a real file is recognised', { skip }, async () => {
  for (const { key, path, format } of files) {
    if (unrecognisable.has(key)) continue;
    const named = await readResultFile(asChunks(path), { keyedHash });
    assert.equal(named.format.name, format, key);
  }
});

test('no title of a real file is only the id of a rule', { skip }, async () => {
  for (const { key, path, format } of files) {
    for (const { title } of (await readAll(readFileSync(path), { format })).all)
      assert.ok(!isOnlyId(title), `${key}: ${title}`);
  }
});

test('a real file in arbitrary chunks has the same detections', { skip }, async () => {
  for (const { key, path, format } of files) {
    const content = readFileSync(path);
    if (content.length > 60_000) continue;
    const whole = await readAll(content, { format });
    const pieces = await readAll(content, { format, chunkSize: 7 });
    assert.deepEqual(pieces.all, whole.all, key);
  }
});

test('a real file with its lists in another order has the same detections', { skip }, async () => {
  for (const { key, path, format } of files) {
    let value: unknown;
    try {
      value = JSON.parse(readFileSync(path, 'utf8'));
    } catch {
      continue;
    }
    const original = await readAll(value as object, { format });
    const reversed = await readAll(reverseResults(value) as object, { format });
    assert.deepEqual(sorted(reversed.all), sorted(original.all), key);
  }
});

test('a truncated or damaged real file is refused with the position, or read', { skip }, async () => {
  for (const { key, path, format } of files) {
    const content = readFileSync(path).subarray(0, 60_000);
    for (let round = 1; round <= 8; round += 1) {
      const at = Math.floor((content.length * round) / 9);
      const damaged = [
        content.subarray(0, at),
        Buffer.concat([content.subarray(0, at), content.subarray(at + 37)]),
        Buffer.concat([content.subarray(0, at), Buffer.from('"]}<&'), content.subarray(at)]),
      ];
      for (const bytes of damaged) await readsOrRefuses(bytes, format, key);
    }
  }
});

async function readsOrRefuses(content: Buffer, format: string, key: string): Promise<void> {
  try {
    await readAll(content, { format });
  } catch (error) {
    assert.ok(error instanceof FormatError, `${key}: ${(error as Error).stack}`);
    assert.ok(error.place.line !== undefined || error.place.path !== undefined, `${key}: ${error.message}`);
  }
}

async function* asChunks(path: string): AsyncGenerator<Buffer> {
  yield readFileSync(path);
}

const listsOfResults = new Set([
  'results',
  'matches',
  'Results',
  'Vulnerabilities',
  'vulnerabilities',
  'Issues',
  'failed_checks',
  'vulns',
  'dependencies',
  'packages',
  'components',
]);

/** Reverses the lists of results, but not lists whose order has a meaning (a trace, a rule's index). */
function reverseResults(value: unknown, name = 'results'): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => reverseResults(item, ''));
    return listsOfResults.has(name) ? items.reverse() : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, reverseResults(item, key)]));
}
