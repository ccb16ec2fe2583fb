import assert from 'node:assert/strict';
import { test } from 'node:test';
import { benchmarkLanguages, casesOf } from '../scanner/corpus/cases.ts';
import { checkEstate, countResources } from '../scanner/corpus/estates.ts';
import { checkCases, ratesOf, youdenIndex } from '../scanner/corpus/measure-detection.ts';

/** One in this many cases is checked here; `npm run bench -- --only detection` checks them all. */
const share = 8;
/** The index of every language is higher when all cases are counted. */
const floor = 0.8;

test('the benchmark has at least 400 cases, about half of them safe, in seven languages', () => {
  const cases = benchmarkLanguages.flatMap(casesOf);
  const harmful = cases.filter((one) => one.harmful).length;
  assert.ok(cases.length >= 400, `${cases.length} cases`);
  assert.ok(Math.abs(harmful / cases.length - 0.5) < 0.05, `${harmful} of ${cases.length} are harmful`);
  assert.equal(new Set(cases.map((one) => `${one.language} ${one.name}`)).size, cases.length);
});

test('the built-in rules tell harmful code from safe code in every language', async () => {
  for (const language of benchmarkLanguages) {
    const rates = ratesOf(await checkCases([language], share));
    const index = youdenIndex(rates);
    assert.ok(index >= floor, `${language}: ${index.toFixed(2)} (${JSON.stringify(rates)})`);
  }
});

test('secure Terraform resources have no finding, and nearly all vulnerable ones have one', async () => {
  assert.deepEqual([...(await checkEstate('secure'))], []);
  const [found, resources] = [(await checkEstate('vulnerable')).size, await countResources('vulnerable')];
  assert.ok(found / resources > 0.9, `${found} of ${resources}`);
});
