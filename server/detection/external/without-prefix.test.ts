import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../tests/harness/properties.ts';
import { prefixesOf, ruleIdPrefixOf, withoutPrefix } from './run-tool.ts';

const directory = '/data/cache/run-x1/files-Ab & "9"ü';

async function strip(text: string, sizes: number[] = []): Promise<string> {
  const bytes = Buffer.from(text);
  const chunks: Buffer[] = [];
  let start = 0;
  for (const size of sizes) {
    chunks.push(bytes.subarray(start, start + size));
    start += size;
  }
  chunks.push(bytes.subarray(start));
  const pieces: Buffer[] = [];
  const source = (async function* () {
    yield* chunks;
  })();
  for await (const piece of withoutPrefix(source, prefixesOf(directory))) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

test('files are named by their path in the repository, however the tool writes the path of our copy', async () => {
  const uri = '/data/cache/run-x1/files-Ab%20&%20%229%22%C3%BC';
  const forms = [
    ...[directory, JSON.stringify(directory).slice(1, -1), uri, `file://${uri}`, directory.replaceAll('&', '&amp;')],
    ...['/../files-Ab & "9"ü', '../files-Ab & "9"ü', '/files-Ab & "9"ü'],
  ];
  for (const form of forms) assert.equal(await strip(`{"path":"${form}/src/a.c"}`), '{"path":"src/a.c"}', form);
});

test('text split into any chunks gives the same result', async () => {
  const piece = fc.oneof(fc.constantFrom(`${directory}/`, directory, '/data/cache/', '/../files-Ab'), fc.string());
  await checkProperty(
    fc.asyncProperty(fc.array(piece), fc.array(fc.nat(40)), async (pieces, sizes) => {
      assert.equal(await strip(pieces.join(''), sizes), await strip(pieces.join('')));
    }),
    { numRuns: 300 },
  );
});

test('the ids of rules do not depend on the folder that they are in', async () => {
  const bytes = (async function* () {
    yield Buffer.from('{"check_id":"srv.assay-1.tools.rules.semgrep.python.lang.eval"}');
  })();
  const pieces: Buffer[] = [];
  const prefixes = [ruleIdPrefixOf('/srv/assay-1/tools/rules/semgrep')];
  for await (const piece of withoutPrefix(bytes, prefixes)) pieces.push(piece);
  assert.equal(Buffer.concat(pieces).toString(), '{"check_id":"python.lang.eval"}');
});
