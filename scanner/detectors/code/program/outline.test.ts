import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuTimeMs } from '../../../../tests/harness/cpu-time.ts';
import { answerQuestions, checkSource } from '../check-source.ts';
import { languages, registerGrammars } from '../languages/index.ts';
import { sourceKindOf } from '../paths.ts';
import { loadRuleBook } from '../rule-book.ts';
import { hitsOfProgram } from './apply.ts';
import type { Ask } from './ask.ts';
import { mentionsOf } from './mentions.ts';
import { hasOpenClasses } from './open-classes.ts';
import { hasOutline, outlineOf, ownerOf } from './outline.ts';

registerGrammars();

const files = {
  'main.go': `package main
import "example.com/shop/users"
func handle(w http.ResponseWriter, r *http.Request) {
	store := users.NewStore(db)
	store.Find(r.FormValue("name"))
}
`,
  'users/new.go': 'package users\nfunc NewStore(db *sql.DB) *Store { return &Store{db: db} }\n',
  'users/store.go': 'package users\ntype Store struct {\n\tRows\n}\n',
  'users/find.go': `package users
import "database/sql"
func (s *Store) Find(name string) { s.db.Query("SELECT * FROM users WHERE name = '" + name + "'") }
`,
  'other/other.go': 'package other\nfunc Sum(left, right int) int { return left + right }\n',
};

test('a file without a match is parsed only if the way of a value leads through it', async () => {
  const { rules } = await loadRuleBook();
  const checked = Object.entries(files).map(([path, text]) => {
    const result = checkSource([...rules.values()], 'go', 'go', Buffer.from(text));
    return { path, language: 'go' as const, result };
  });
  const unparsed = () => checked.filter(({ result }) => result.summary?.outline).map(({ path }) => path);
  assert.deepEqual(unparsed(), ['main.go', 'users/new.go', 'users/store.go', 'other/other.go']);
  const ask: Ask = async (questions, take) => {
    for (const [file, own] of questions)
      take(file, answerQuestions('go', 'go', Buffer.from(files[file.path as keyof typeof files]), own));
  };
  const { hits, unsure } = await hitsOfProgram(checked, rules, ask);
  assert.deepEqual(
    hits.get('users/find.go')?.map(({ rule, confidence }) => `${rule} ${confidence}`),
    ['go-sql-injection high'],
  );
  assert.deepEqual(unsure, []);
  assert.deepEqual(unparsed(), ['users/store.go', 'other/other.go']);
});

test('an outline has every name by which other files find a file', () => {
  const texts = {
    'a.go':
      'package a\ntype A struct{}\ntype (\n\tB int\n\tC[T any] struct{}\n)\nvar d = New()\nvar (\n\te, f = 1, 2\n)\nfunc g() {}\nfunc (h *A) i() {}\nfunc (C[T]) j() {}\n',
    'b.java':
      'package a.b;\npublic final class A<T> extends B implements C, d.E<F> { record G(int h) {} enum I { J } }\n@interface K {}\n',
    'c.php':
      '<?php\nnamespace A\\B;\nuse C\\{D, E as F};\nabstract class G extends \\H\\I implements D { use J; }\nfunction &k() {}\ntrait L {}\n',
    'd.cs':
      'global using G.H;\nnamespace A.B;\npublic partial class C<T>(D d) : E<T>, F.G where T : H { int I() => 1; record struct J(int k); }\ninterface K : L { }\nstatic class M { static int N<T>(this T o) => 1; static int P(\n    this string q, int r) { return 1; } }\n',
    'e.rb':
      'module A\n  class B::C < D\n    include E\n    def f; @g = h; end\n    class << self; def i; end; end\n  end\nend\nclass ::J; end\ndef k; end\n',
    'f.rb': 'begin\n  def a; @b ||= c; end\nend\n@d = e()\n',
  };
  const missing = Object.entries(texts).flatMap(([path, text]) => {
    const { language, extension } = sourceKindOf(path)!;
    const outline = outlineOf(language, text, false);
    const known = new Set([...(outline.outline!.names ?? []), ...(outline.outline!.bases ?? [])]);
    const { declared } = answerQuestions(language, extension, Buffer.from(text), {
      ...{ functions: [], calls: [] },
      declared: true,
    });
    const { functions, classes, bases } = declared!;
    assert.ok(functions.length + classes.length > 2, languages[language].name);
    assert.equal(outline.package, declared!.package);
    assert.deepEqual(
      outline.stars,
      declared!.stars.filter((star) => language === 'csharp' && star.startsWith('*')),
    );
    const isOpen = hasOpenClasses(language);
    const ownerIn = (name: string) => (isOpen ? ownerOf(language, name) : name.split('.')[0]!);
    const own = functions.map(({ name }) => (language === 'go' ? name : ownerIn(name)));
    const last = bases.map(([, base]) => base.split(/[.\\]/).at(-1)!);
    const types = classes.map((name) => (isOpen ? ownerOf(language, name) : name));
    return [...own, ...types, ...(/^(?:go|ruby)$/.test(language) ? [] : last)].filter((name) => !known.has(name));
  });
  assert.deepEqual(missing, []);
});

test('no file makes its outline or its mentions slow', () => {
  const units = [
    'type (\n',
    'func (',
    '<?php\n',
    'class ',
    'function ',
    'use ',
    'A(this ',
    '@a',
    'extends ',
    'a',
    'A',
    'a ',
    ' ',
    '\n',
    ',',
  ];
  const starts = ['', 'func (', 'type a', 'package', 'extends', '<?php', 'function', 'use', 'as', 'A', 'A<'];
  const length = 100_000;
  for (const language of ['javascript', 'python', 'go', 'java', 'php', 'ruby', 'csharp'] as const)
    for (const unit of units)
      for (const start of starts) {
        const source = start + unit.repeat(length / unit.length);
        const before = cpuTimeMs();
        if (hasOutline(language)) outlineOf(language, source, false);
        else mentionsOf(source, language);
        const spent = cpuTimeMs() - before;
        assert.ok(spent < 500, `${language}, ${JSON.stringify(start + unit)}: ${Math.round(spent)} ms`);
      }
});
