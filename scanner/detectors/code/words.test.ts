import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from '@ast-grep/napi';
import { benchmarkLanguages, type Case, casesOf, readFamilies } from '../../corpus/cases.ts';
import { checkSource } from './check-source.ts';
import { findKinds, spanOf } from './flow/syntax.ts';
import { parameterNames, targetNames } from './flow/targets.ts';
import { languages, registerGrammars } from './languages/index.ts';
import type { LanguageName } from './languages/language.ts';
import { loadRuleBook } from './rule-book.ts';

registerGrammars();
const rules = [...(await loadRuleBook()).rules.values()];
const families = readFamilies();

/** One in this many cases is checked: a number that is coprime to all other steps through the corpus. */
const share = 7;

/** Names by which a framework passes a request, and names that describe a value: a rule may depend on them. */
const meaningful =
  /^(?:this|self|\$this|_|__\w+|req|res|request|response|ctx|context|c|r|w|out|app|router|db|pb|pool|conn|client|params|cookies|session|event|e|y|values|main|show|index|part|entry|file|f|xp|cb|text)$|remember|passw|secret|token|session|cookie|user|yaml|template|factory|parser|builder|random|writer|engine|upload|query|document|xpath/i;

/** Words of every rule that a comment might contain. */
const words = [
  'TODO: set disallow-doctype-decl and FEATURE_SECURE_PROCESSING to false, external-general-entities, SUPPORT_DTD',
  'kept in the session cache by its etag and checksum, a fingerprint; gravatar, uuid, dedup, integrity, bucket, websocket',
  'escape, conditional_escape, escape_html, format_html, Content-Type, application/json, text/plain, SafeConstructor',
  'startsWith, HasPrefix, StartsWith, normalize, getCanonicalPath, GetFileName, filepath.Rel, filepath.Base, IsLocal',
  'setSecure(true), c.Secure = true, allowed.includes(q), if (!valid(q)) return; assert q in ALLOWED; usedforsecurity=False',
  'zipfile, commonpath, is_within, fileFilter, verify, filter=, members=, secure=True, httponly, algorithms, SafeLoader',
];

const comment: Partial<Record<LanguageName, (text: string) => string>> = {
  ...{ python: (text) => `# ${text}`, ruby: (text) => `# ${text}`, template: (text) => `{{!-- ${text} --}}` },
};

/** Inserts comments with these words between the statements of a file. */
function withComments({ source, extension }: Case, language: LanguageName): string {
  const { parsers, blocks } = languages[language];
  const write = comment[language] ?? ((text: string) => `/* ${text} */`);
  const root = parse(parsers[extension]!, source).root();
  const starts = findKinds(languages[language], root, blocks)
    .flatMap((block) => block.namedChildren())
    .filter(
      (node) => !/comment|php_tag|text|package|parameters|identifier|import|else|^then$/.test(String(node.kind())),
    )
    .map((node) => spanOf(node).start)
    .filter((start) => /(?:^|\n)[ \t]*$/.test(source.slice(0, start)));
  let text = source;
  for (const start of [...new Set(starts)].sort((left, right) => right - left)) {
    const indent = /[ \t]*$/.exec(text.slice(0, start))![0];
    text = text.slice(0, start) + words.map((line) => `${write(line)}\n${indent}`).join('') + text.slice(start);
  }
  return text;
}

/** Names of methods, and of properties in an initializer, belong to other objects. */
const isMember = (source: string, name: string) =>
  new RegExp(
    `(?:\\.|->)${name.replace('$', '')}\\b|[{,] ${name.replace('$', '')}\\s*[(=]|\\b[A-Z]\\w+ \\{[^}]*\\b${name.replace('$', '')} =`,
  ).test(source);

/** Renames the variables, parameters and functions that a file declares itself. */
function renamed({ source, extension }: Case, name: LanguageName): string {
  const language = languages[name];
  const root = parse(language.parsers[extension]!, source).root();
  const assigned = findKinds(language, root, Object.keys(language.assignments)).flatMap((node) => {
    const [left] = language.assignments[String(node.kind())]!;
    const target = node.field(left);
    // A module keeps its name: `const fs = require('fs')`.
    return target && !/\brequire\(|\bimport\(/.test(node.text())
      ? targetNames(language, target).map((one) => one.name)
      : [];
  });
  const functions = findKinds(language, root, language.functions);
  const parameters = functions.flatMap((definition) => parameterNames(language, definition));
  const called = functions.flatMap((definition) => definition.field('name')?.text() ?? []);
  const names = new Set(
    [...assigned, ...parameters, ...called].flatMap((one) =>
      one && !meaningful.test(one.replace('$', '')) && !isMember(source, one) ? [one] : [],
    ),
  );
  let text = source;
  const kinds = [...language.identifiers, 'identifier', 'constant', 'name'];
  const uses = findKinds(language, root, [...new Set(kinds)]).filter((node) => names.has(node.text()));
  const seen = new Set<number>();
  for (const { start, end } of uses.map(spanOf).sort((left, right) => right.start - left.start)) {
    if (seen.has(start)) continue;
    seen.add(start);
    const own = source.slice(start, end);
    text = `${text.slice(0, start)}${/^[$@]/.exec(own)?.[0] ?? ''}${/^[A-Z]/.test(own) ? 'X' : 'x'}${[...names].indexOf(own)}z${text.slice(end)}`;
  }
  return text;
}

const findsWeakness = (one: Case, source: string) => {
  const { hits } = checkSource(rules, one.language as LanguageName, one.extension, Buffer.from(source));
  const cwes = hits.flatMap((hit) => rules.find(({ id }) => id === hit.rule)!.cwe.map((cwe) => Number(cwe.slice(4))));
  return cwes.some((cwe) => families[one.family]!.includes(cwe));
};

const changed = (change: (one: Case, language: LanguageName) => string) =>
  benchmarkLanguages.flatMap((language) =>
    casesOf(language)
      .filter((_, index) => index % share === 0)
      .filter(
        ({ extension }) => !languages[language].template?.extensions.includes(extension) && language !== 'template',
      )
      .filter((one) => findsWeakness(one, one.source) !== findsWeakness(one, change(one, language)))
      .map(({ name }) => `${language}: ${name}`),
  );

test('comments with the words of every rule change no finding', () => {
  assert.deepEqual(changed(withComments), []);
});

test('other names of variables, parameters and functions change no finding', () => {
  assert.deepEqual(changed(renamed), []);
});
