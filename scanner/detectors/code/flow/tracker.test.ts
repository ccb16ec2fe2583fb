import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSource } from '../check-source.ts';
import { registerGrammars } from '../languages/index.ts';
import type { LanguageName } from '../languages/language.ts';
import { loadRuleBook } from '../rule-book.ts';

registerGrammars();
const rules = [...(await loadRuleBook()).rules.values()];

const extensions: Record<LanguageName, string> = {
  ...{ javascript: 'js', python: 'py', go: 'go', java: 'java', ruby: 'rb', php: 'php', csharp: 'cs', template: 'html' },
};

/** A function of each language that puts `p`, input of a request, into a query, with statements between. */
const handlers: Partial<Record<LanguageName, (between: string) => string>> = {
  javascript: (between) =>
    `app.get('/', (req, res) => {\n  let p = req.query.p;\n${between}\n  db.query("select * from t where a = '" + p + "'");\n});`,
  java: (between) =>
    `class A { void f(HttpServletRequest request, Statement s) throws Exception {\n  String p = request.getParameter("p");\n${between}\n  s.executeQuery("select * from t where a = '" + p + "'");\n} }`,
  csharp: (between) =>
    `class A : Controller { public void F() {\n  var p = Request.Query["p"];\n${between}\n  var c = new SqlCommand("select * from t where a = '" + p + "'", connection);\n} }`,
  php: (between) =>
    `<?php\n$p = $_GET['p'];\n${between}\nmysqli_query($db, "select * from t where a = '" . $p . "'");\n`,
  ruby: (between) =>
    `class A < ApplicationController\n  def show\n    p = params[:p]\n${between}\n    User.where("name = '#{p}'")\n  end\nend`,
  python: (between) =>
    `@app.route('/')\ndef f():\n    p = request.args.get('p')\n${between}\n    cursor.execute("select * from t where a = '" + p + "'")\n`,
};

const finds = (language: LanguageName, source: string) =>
  checkSource(rules, language, extensions[language], Buffer.from(source)).hits.length > 0;

const findsIn = (language: LanguageName, between: string) => finds(language, handlers[language]!(between));

/** Statements that pass the input through, by language. */
const harmful: Array<[LanguageName, string]> = [
  ['javascript', 'if (p == null) p = "";'],
  ['javascript', 'if (debug) log(p); else p = "x";'],
  ['javascript', 'p ??= "";'],
  ['javascript', 'debug && (p = "");'],
  ['javascript', 'for (const x of []) p = "";'],
  ['javascript', 'if (p.match(/x/)) found = true;'],
  ['javascript', 'const ok = (p) => { if (allowed.includes(p)) return true; };'],
  ['javascript', 'if (typeof p !== "string") return;'],
  ['javascript', '// if (!allowed.includes(p)) return;'],
  ['javascript', 'log("allowed.includes(p)"); if (debug) return;'],
  ['javascript', 'if (debug) { if (!allowed.includes(p)) return; }'],
  ['javascript', 'if (allowed.includes(p)) { log(p); } else { log("other"); }'],
  ['javascript', "if (!p.startsWith('/')) p = '/' + p;"],
  ['javascript', 'if (isValid(p)) log(p);'],
  ['javascript', 'const isAllowed = (value) => value !== ""; if (!isAllowed(p)) return;'],
  ['java', 'if (p == null) p = "";'],
  ['java', 'while (retry) p = "";'],
  ['java', 'if ("x".equals(p)) return;'],
  ['java', 'if (p.matches("[a-z]+")) found = true;'],
  ['csharp', 'if (p == null) p = "";'],
  ['csharp', 'p ??= "";'],
  ['php', "if (!$p) $p = '';"],
  ['php', "$p ??= '';"],
  ['php', "if (array_key_exists('q', $p)) { $found = true; }"],
  ['php', "if (preg_match('/x/', $p)) $found = true;"],
  ['ruby', "    p = '' if p.nil?"],
  ['ruby', "    p = '' unless p"],
  ['ruby', "    p ||= ''"],
  ['ruby', '    found = true if p.match?(/x/)'],
  ['python', "    if p is None: p = ''"],
  ['python', "    if p.startswith('x'):\n        found = True"],
];

/** Statements that make the input harmless. */
const harmless: Array<[LanguageName, string]> = [
  ['javascript', 'p = "";'],
  ['javascript', 'if (!allowed.includes(p)) return;'],
  ['javascript', 'if (!allowed.includes(p)) p = "a";'],
  ['javascript', 'if (!allowed.includes(req.query.p)) return;'],
  ['javascript', 'if (allowed.includes(p)) { log(p); } else { p = "a"; }'],
  ['javascript', 'if (allowed.includes(p)) log(p); else if (p === "a") log(p); else return;'],
  ['javascript', 'const x1 = (value) => allowed.includes(value); if (!x1(p)) return;'],
  ['javascript', 'function x2(value) { if (!allowed.includes(value)) throw new Error(); }\nx2(p);'],
  ['javascript', 'let found = false; for (const one of allowed) if (one === p) found = true;\nif (!found) return;'],
  ['javascript', 'allowed.includes(p) || process.exit(1);'],
  ['javascript', 'while (!allowed.includes(p)) p = ask();'],
  ['javascript', 'if (p && !allowed.includes(p)) return;'],
  ['javascript', 'if (!allowed.includes(p)) { res.status(400).end(); return; }'],
  ['java', 'if (!"x".equals(p)) return;'],
  ['java', 'if (!p.matches("[a-z]+")) throw new IllegalArgumentException();'],
  ['java', 'if (!ALLOWED.contains(p)) { return; }'],
  ['csharp', 'if (!Allowed.Contains(p)) return;'],
  ['php', 'if (!in_array($p, $allowed)) die();'],
  ['php', 'if (!array_key_exists($p, $allowed)) { exit; }'],
  ['ruby', '    return unless ALLOWED.include?(p)'],
  ['ruby', '    raise ArgumentError unless ALLOWED.include?(p)'],
  ['ruby', "    p = 'a' unless ALLOWED.include?(p)"],
  ['python', '    if p not in ALLOWED:\n        abort(400)'],
  ['python', '    assert p in ALLOWED'],
];

/** Statements that leave the input only in another part of a container, or in a branch that is never taken. */
const followed: Array<[LanguageName, string, string]> = [
  [
    'java',
    'Map<String, String> m = new HashMap<>(); m.put("a", p); m.put("b", "x"); p = m.get("a");',
    'Map<String, String> m = new HashMap<>(); m.put("a", p); m.put("b", "x"); p = m.get("b");',
  ],
  [
    'java',
    'List<String> l = new ArrayList<>(); l.add("x"); l.add(p); l.remove(0); p = l.get(0);',
    'List<String> l = new ArrayList<>(); l.add("x"); l.add(p); l.add("y"); l.remove(0); p = l.get(1);',
  ],
  ['java', 'p = 7 * 6 > 40 ? p : "x";', 'p = 7 * 6 > 40 ? "x" : p;'],
  ['java', 'int n = 1; if (n > 2) p = "x";', 'int n = 3; if (n > 2) p = "x";'],
  [
    'java',
    'char c = "AB".charAt(0); switch (c) { case \'A\': break; default: p = "x"; }',
    'char c = "AB".charAt(1); switch (c) { case \'A\': break; default: p = "x"; }',
  ],
  ['python', "    d = {'a': p, 'b': 'x'}\n    p = d['a']", "    d = {'a': p, 'b': 'x'}\n    p = d['b']"],
  ['javascript', 'const o = { a: p, b: 1 }; p = o.a;', 'const o = { a: p, b: 1 }; p = o.b;'],
  ['php', "$a = ['a' => $p, 'b' => 'x']; $p = $a['a'];", "$a = ['a' => $p, 'b' => 'x']; $p = $a['b'];"],
  ['ruby', "    h = { a: p, b: 'x' }\n    p = h[:a]", "    h = { a: p, b: 'x' }\n    p = h[:b]"],
  [
    'csharp',
    'var d = new Dictionary<string, string>(); d["a"] = p; d["b"] = "x"; p = d["a"];',
    'var d = new Dictionary<string, string>(); d["a"] = p; d["b"] = "x"; p = d["b"];',
  ],
  ['javascript', 'p = String(p).slice(1);', 'p = String(parseInt(p));'],
  ['javascript', 'if (refused.includes(p)) return;', 'if (!allowed.includes(p)) return;'],
  ['javascript', 'p = escapeHtml(p);', 'p = db.escape(p);'],
  ['javascript', 'if (debug) p = "a"; else log(p);', 'if (debug) p = "a"; else p = "b";'],
];

test('only the part of a container, the branch and the case with input are found', () => {
  assert.deepEqual(
    followed.filter(([language, keeps, loses]) => !findsIn(language, keeps) || findsIn(language, loses)),
    [],
  );
});

test('functions of the same file are followed with the arguments of the call', () => {
  const query = (carry: string) =>
    `${carry}\napp.get('/', (req, res) => { db.query("select * from t where a = '" + carry(req.query.p) + "'"); });`;
  assert.ok(finds('javascript', query('function carry(value) { const result = value; return result; }')));
  assert.ok(!finds('javascript', query('function carry(value) { return "constant"; }')));
  const called = (argument: string) =>
    `function fetchPage(url) { return fetch(url); }\napp.get('/', (req) => fetchPage(${argument}));`;
  assert.ok(finds('javascript', called('req.query.url')));
  assert.ok(!finds('javascript', called('"https://example.com"')));
});

test('a long file with many calls is checked within its bound of steps', () => {
  const calls = Array.from(
    { length: 400 },
    (_, index) => `  f${index}(p);\n  db.query("select * from t where a = " + p);`,
  );
  const functions = calls.map((_, index) => `function f${index}(p) { f${(index + 1) % 400}(p + "a"); db.query(p); }`);
  const source = `${functions.join('\n')}\napp.get('/', (req, res) => {\n  let p = req.query.p;\n${calls.join('\n')}\n});`;
  const before = process.cpuUsage().user;
  checkSource(rules, 'javascript', 'js', Buffer.from(source));
  assert.ok(process.cpuUsage().user - before < 20_000_000);
});

test('input that passes through some statements unchanged is found', () => {
  assert.deepEqual(
    harmful.filter(([language, between]) => !findsIn(language, between)),
    [],
  );
});

test('replaced or checked input is not found', () => {
  assert.deepEqual(
    harmless.filter(([language, between]) => findsIn(language, between)),
    [],
  );
});

test('the branch that a condition guards is not found', () => {
  const guarded: Array<[LanguageName, string]> = [
    [
      'javascript',
      `app.get('/', (req, res) => {\n  const p = req.query.p;\n  if (allowed.includes(p)) db.query("select * from t where a = '" + p + "'");\n});`,
    ],
    [
      'javascript',
      `app.get('/', (req, res) => {\n  const p = req.query.p;\n  const rows = allowed.includes(p) ? db.query("select * from t where a = '" + p + "'") : [];\n});`,
    ],
    [
      'php',
      `<?php\n$p = $_GET['p'];\nif (in_array($p, $allowed)) {\n  mysqli_query($db, "select * from t where a = '" . $p . "'");\n}`,
    ],
    [
      'python',
      `@app.route('/')\ndef f():\n    p = request.args.get('p')\n    if p in ALLOWED:\n        cursor.execute("select * from t where a = '" + p + "'")\n`,
    ],
  ];
  assert.deepEqual(
    guarded.filter(([language, source]) => finds(language, source)),
    [],
  );
});

test('destructured parts of a request are input', () => {
  const sources = [
    `app.get('/', (req, res) => {\n  const { query } = req;\n  res.send("<b>" + query.p + "</b>");\n});`,
    `app.get('/', (req, res) => {\n  const { query: { p } } = req;\n  res.send("<b>" + p + "</b>");\n});`,
    `app.get('/', (req, res) => {\n  const { body: data } = req;\n  res.send("<b>" + data.p + "</b>");\n});`,
    `app.get('/', ({ query }, res) => {\n  res.send("<b>" + query.p + "</b>");\n});`,
    `app.get('/', async ({ params: { id } }, res) => {\n  res.send("<b>" + id + "</b>");\n});`,
  ];
  assert.deepEqual(
    sources.filter((source) => !finds('javascript', source)),
    [],
  );
  const others = [
    `app.get('/', (req, res) => {\n  const { app } = req;\n  res.send("<b>" + app.p + "</b>");\n});`,
    `build(({ app }, res) => {\n  res.send("<b>" + app.p + "</b>");\n});`,
  ];
  assert.deepEqual(
    others.filter((source) => finds('javascript', source)),
    [],
  );
});

test('a handler that only binds a body to a struct has input', () => {
  const source = (bind: string) =>
    `package a\nfunc f(c *gin.Context) {\n\tvar in Input\n\t${bind}\n\tdb.Query("select * from t where a = '" + in.Name + "'")\n}`;
  assert.ok(finds('go', source('c.ShouldBindJSON(&in)')));
  assert.ok(!finds('go', source('load(in)')));
});

test('a constant is not a varying value, in any container', () => {
  const source = (value: string) => `import yaml\n${value}\nyaml.load(q, Loader=yaml.Loader)\n`;
  assert.ok(!finds('python', source("values = ['a: 1', p]\nq = values[0]")));
  assert.ok(finds('python', source("values = ['a: 1', p]\nq = values[1]")));
  assert.ok(finds('python', source('q = open(path).read()')));
});

test('only a whole body is a mass assignment, not a part of it', () => {
  const source = (value: string) => `app.post('/', async (req, res) => { ${value}; await User.create(data); });`;
  for (const value of ['const data = req.body', 'const { body: data } = req', 'const data = { ...req.body, a: 1 }'])
    assert.ok(finds('javascript', source(value)), value);
  const parts = ['const data = req.body.user.name', 'const { data } = req.body', 'const data = { a: req.body.a }'];
  for (const value of [...parts, 'const data = {}; data.a = req.body.a'])
    assert.ok(!finds('javascript', source(value)), value);
});
