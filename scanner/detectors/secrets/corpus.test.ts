import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { allRules } from './all-rules.ts';
import { createSecretEngine } from './engine.ts';

const engine = createSecretEngine(allRules);
const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

type Example = { path: string; text: string; secrets: string[] };

/** Reads a file in corpus/; its first lines describe it. */
function readExamples(name: string): Example[] {
  const [, ...sections] = readFileSync(new URL(`corpus/${name}.txt`, import.meta.url), 'utf8').split(/^== /m);
  return sections.flatMap((section) => {
    const [path = '', ...lines] = section.split('\n');
    return lines
      .filter(Boolean)
      .map((line, index) => fill(line, index + path.length * 31).replaceAll('⏎', '\n'))
      .map((text) => ({
        path,
        text: text.replace(/[«»]/g, ''),
        secrets: [...text.matchAll(/«([^»]*)»/g)].map((match) => match[1]!),
      }));
  });
}

function fill(line: string, seed: number): string {
  let next = seed;
  return line.replace(/%[RHB]/g, (mark) => {
    next += 1;
    if (mark === '%H') return characters('0123456789abcdef', 32, next);
    return characters(letters, mark === '%R' ? 24 : 40, next);
  });
}

/** Returns the same characters in every run, so that a failure can be reproduced. */
function characters(alphabet: string, length: number, seed: number): string {
  let state = seed;
  return Array.from({ length }, () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) >>> 0;
    return alphabet[(state >>> 8) % alphabet.length];
  }).join('');
}

test('secrets that people leak in configuration files and source code are found', () => {
  const examples = readExamples('positives');
  const missed = examples.flatMap(({ path, text, secrets }) => {
    const found = engine.find(Buffer.from(text), path).map((hit) => hit.secret);
    return secrets.every((secret) => found.includes(secret)) ? [] : [{ path, text, secrets, found }];
  });
  assert.ok(examples.length >= 300, `${examples.length} examples`);
  assert.deepEqual(missed, []);
});

test('placeholders, references and other values that are not secrets are not found', () => {
  const examples = readExamples('negatives');
  const wrong = examples.flatMap(({ path, text }) =>
    engine.find(Buffer.from(text), path).map((hit) => ({ path, text, rule: hit.rule.id, secret: hit.secret })),
  );
  assert.ok(examples.length >= 200, `${examples.length} examples`);
  assert.deepEqual(wrong, []);
});
