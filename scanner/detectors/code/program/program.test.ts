import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RepositoryFixture } from '../../../../tests/harness/repository.ts';
import { forEachTest, type ScannedSource } from '../../../../tests/harness/scanned-source.ts';
import type { Detection } from '../../../contract/detection.ts';
import { CodeChecker } from '../checker.ts';
import { codeDetector } from '../code-detector.ts';
import { type FileResult, toFileResult } from '../file-result.ts';
import { loadRuleBook } from '../rule-book.ts';
import { hitsOfProgram } from './apply.ts';
import type { Ask } from './ask.ts';

let fixture: RepositoryFixture;
let source: ScannedSource;
forEachTest(codeDetector, (created) => {
  ({ fixture, source } = created);
});

const placeOf = ({ rule, location }: Detection) => `${rule.id} ${location.path}:${location.start_line}`;
const placesOf = (found: Detection[]) => found.map(placeOf).sort();
const flowOf = (detection: Detection | undefined) =>
  detection?.flow?.map(({ path, start_line, message }) => `${path}:${start_line} ${message}`);

const javaScript = {
  'src/routes.ts': `import { ping } from './net/service';
import tidy from './net/tidy';
import * as net from './net';
import { Users } from './users';
const users = new Users();
app.get('/ping', (req, res) => ping(req.query.host));
app.get('/tidy', (req, res) => net.whois(tidy(req.query.host)));
app.get('/file', (req, res) => net.read({ name: req.params.name, kind: 'text' }));
app.get('/user', (req, res) => users.find(req.query.id, 'id'));
`,
  'src/net/service.ts': `import { shell } from './shell.js';
export async function ping(host: string) {
  return shell('ping -c 1 ' + host);
}
`,
  'src/net/shell.ts': `import { execute as run } from '@/net/execute';
export const shell = (command: string) => run(command);
`,
  'src/net/execute.ts': `import { exec } from 'node:child_process';
export function execute(command: string) {
  return exec(command);
}
`,
  'src/net/tidy.ts': `const known = { home: 'localhost' };
export default function (name: string) {
  return known[name] ?? 'localhost';
}
`,
  'src/net/index.ts': `export * from './files';
export { default as whois } from './whois';
`,
  'src/net/whois.ts': `import { execSync } from 'child_process';
export default (host) => execSync(host);
`,
  'src/net/files.ts': `import fs from 'node:fs';
export function read({ name, kind }: { name: string; kind: string }) {
  return fs.readFileSync('/data/' + name);
}
`,
  'src/users.ts': `import { Repository } from './repository';
export class Users {
  private readonly rows = new Repository();
  find(id: string, column: string) {
    return this.rows.load('SELECT * FROM users WHERE id = ' + id);
  }
}
`,
  'src/repository.ts': `import { pool } from './pool';
class Base {
  load(text: string) {
    return pool.query(text);
  }
}
export class Repository extends Base {}
`,
};

test('input is followed through imports, re-exports, default exports, aliases, objects and classes of JavaScript', async () => {
  fixture.commit(javaScript);
  const found = await source.scan();
  assert.deepEqual(placesOf(found), [
    'javascript-command-injection src/net/execute.ts:3',
    'javascript-path-traversal src/net/files.ts:3',
    'javascript-sql-injection src/repository.ts:4',
  ]);
  const command = found.find(({ rule }) => rule.id === 'javascript-command-injection');
  assert.deepEqual(flowOf(command), [
    'src/routes.ts:6 Input `req.query.host`',
    'src/routes.ts:6 Passed to `ping`',
    'src/net/service.ts:2 Parameter `host`',
    'src/net/service.ts:3 Passed to `shell`',
    'src/net/shell.ts:2 Parameter `command`',
    'src/net/shell.ts:2 Passed to `run`',
    'src/net/execute.ts:2 Parameter `command`',
    'src/net/execute.ts:3 Used in `exec(command)`',
  ]);
});

test('input is followed through CommonJS', async () => {
  fixture.commit({
    'app.js': `const { run } = require('./lib');
const shell = require('./lib/shell');
app.get('/a', (req, res) => run(req.query.a));
app.get('/b', (req, res) => shell.start(req.query.b));
const only = require('./lib/only');
app.get('/c', (req, res) => only(req.query.c));
`,
    'lib/index.js': `const { execSync } = require('child_process');
function run(command) {
  execSync(command);
}
module.exports = { run };
`,
    'lib/shell.js': `const cp = require('child_process');
exports.start = function (command) {
  cp.exec(command);
};
`,
    'lib/only.js': `const { exec } = require('child_process');
module.exports = (command) => exec(command);
`,
  });
  assert.deepEqual(placesOf(await source.scan()), [
    'javascript-command-injection lib/index.js:3',
    'javascript-command-injection lib/only.js:2',
    'javascript-command-injection lib/shell.js:3',
  ]);
});

const python = {
  'shop/__init__.py': '',
  'shop/views.py': `from flask import request, Blueprint
from . import service
from .users import Users
from shop.clean import tidy, host_of
bp = Blueprint("shop", __name__)
users = Users()
@bp.route("/ping")
def ping():
    return service.ping(host=request.args["host"])
@bp.route("/tidy")
def show():
    return service.trace(tidy(request.args["host"]))
@bp.route("/user/<name>")
def user(name):
    return users.find(name)
@bp.route("/look")
def look():
    return service.look(host_of(request))
`,
  'shop/service.py': `from shop import shell
def ping(host):
    return shell.run("ping " + host)
def trace(host):
    return shell.trace(host)
def look(host):
    return shell.look(host)
`,
  'shop/shell.py': `import os
def run(command):
    return os.system(command)
def trace(command):
    return os.system(command)
def look(command):
    return os.popen(command)
`,
  'shop/clean.py': `KNOWN = {"home": "localhost"}
def tidy(text):
    return KNOWN.get(text, "localhost")
def host_of(request):
    return request.headers["X-Host"]
`,
  'shop/users.py': `from .rows import Rows
class Users:
    def __init__(self):
        self.rows = Rows()
    def find(self, name):
        return self.rows.load("SELECT * FROM users WHERE name = '" + name + "'")
`,
  'shop/rows.py': `class Rows:
    def load(self, text):
        return self.cursor.execute(text)
`,
};

test('input is followed through packages, modules, classes and results of Python', async () => {
  fixture.commit(python);
  const found = await source.scan();
  assert.deepEqual(placesOf(found), [
    'python-command-injection shop/shell.py:3',
    'python-command-injection shop/shell.py:7',
    'python-sql-injection shop/rows.py:3',
  ]);
  assert.deepEqual(flowOf(found.find(({ location }) => location.start_line === 7)), [
    'shop/clean.py:5 Input `request.headers["X-Host"]`',
    'shop/views.py:18 Returned by `host_of`',
    'shop/views.py:18 Passed to `service.look`',
    'shop/service.py:6 Parameter `host`',
    'shop/service.py:7 Passed to `shell.look`',
    'shop/shell.py:6 Parameter `command`',
    'shop/shell.py:7 Used in `os.popen(command)`',
  ]);
});

test('what a function of another file cleans, checks or leaves out is not reported', async () => {
  fixture.commit({
    'app/views.py': `from flask import request
from app import safe, shell
@app.route("/a")
def a():
    os.system("ping " + safe.quoted(request.args["a"]))
@app.route("/b")
def b():
    os.system("ping " + safe.checked(request.args["b"]))
@app.route("/c")
def c():
    os.system("ping " + safe.constant(request.args["c"]))
@app.route("/d")
def d():
    shell.ping(shlex.quote(request.args["d"]))
@app.route("/e")
def e():
    shell.ping("home", request.args["e"])
`,
    'app/safe.py': `import shlex
def quoted(text):
    return inner(text)
def inner(text):
    return shlex.quote(text)
def checked(text):
    if text not in ("a", "b"):
        raise ValueError()
    return text
def constant(text):
    print(text)
    return "localhost"
`,
    'app/shell.py': `import os
def ping(command, reason=None):
    os.popen(command)
`,
  });
  assert.deepEqual(await source.scan(), []);
});

test('functions that call each other across files are followed once, and only their real results count', async () => {
  fixture.commit({
    'app.js': `import { even } from './even.js';
import { exec } from 'child_process';
app.get('/', (req, res) => exec(even(req.query.a, 3)));
app.get('/', (req, res) => exec(even('a', req.query.b)));
`,
    'even.js': `import { odd } from './odd.js';
export function even(text, depth) {
  if (depth === 0) return text;
  return odd(text, depth - 1);
}
`,
    'odd.js': `import { even } from './even.js';
export function odd(text, depth) {
  return even(text, depth - 1);
}
`,
  });
  assert.deepEqual(placesOf(await source.scan()), ['javascript-command-injection app.js:3']);
});

test('a change in one file is found in the other by a rescan, which reads no other file', async () => {
  fixture.commit(python);
  const before = await source.scan();
  fixture.commit({ 'shop/service.py': python['shop/service.py'].replace('"ping " + host', '"ping localhost"') });
  const after = await source.scan();
  assert.deepEqual(
    placesOf(before).filter((place) => !placesOf(after).includes(place)),
    ['python-command-injection shop/shell.py:3'],
  );
  fixture.commit({ 'shop/service.py': python['shop/service.py'] });
  assert.deepEqual(placesOf(await source.scan()), placesOf(before));
});

test('a finding says how well its flow is proven, and needs input if all calls are known', async () => {
  fixture.commit({
    ...{ 'a.py': 'import os\ndef a(host):\n    os.system("ping " + host)\n' },
    ...{
      'b.py': 'import os\ndef b(host):\n    os.system("ping " + host)\n',
      'call.py': 'from b import b\nname = "x"\nb(name)\n',
    },
    ...{ 'c.py': 'import os\n@app.route("/")\ndef c():\n    os.system("ping " + request.args["host"])\n' },
  });
  const found = await source.scan();
  assert.deepEqual(found.map(({ confidence, location }) => `${location.path} ${confidence}`).sort(), [
    'a.py medium',
    'c.py high',
  ]);
  assert.deepEqual(found.map(({ description }) => description.split('\n\n').at(-1)).sort(), [
    'Each step from the input to its use was followed. It is harmless only if a check was not recognised.',
    'No call that passes input was found. It is harmless if every caller passes trusted values.',
  ]);
});

test('a function with the form of a view gets what its calls pass, and text before a value belongs to it', async () => {
  fixture.commit({
    'shop/pages.py': `def show(request, path):\n    return open(path)\n\ndef load(request, path):\n    return open(path)\n\ndef view(request, path):\n    return open(path)\n`,
    'shop/calls.py': `from .pages import load, show\nshow(current, "/srv/a")\nload(current, request.GET["path"])\n`,
    'web/paths.ts': `export const signIn = (page) => \`\${base}?to=\${new URLSearchParams(page)}\`;\nexport const same = (page) => page;\n`,
    'web/app.ts': `import { same, signIn } from './paths';\napp.get('/', (req, res) => res.redirect(signIn(req.query.to)));\napp.get('/b', (req, res) => res.redirect(same(req.query.to)));\n`,
  });
  const found = await source.scan();
  assert.deepEqual(
    found.map(({ rule, location, confidence }) => `${rule.id} ${location.start_line} ${confidence}`).sort(),
    ['javascript-open-redirect 3 high', 'python-path-traversal 5 high', 'python-path-traversal 8 medium'],
  );
});

test('no input comes from a test, and renamed functions and comments change nothing', async () => {
  fixture.commit({
    ...javaScript,
    'src/net/run.test.ts': `import { spare } from './spare';\nspare(req.query.host);\n`,
    'src/net/spare.ts': `import { exec } from 'child_process';\nexport function spare(command) {\n  exec(command);\n}\n`,
  });
  const before = await source.scan();
  assert.ok(before.every(({ location }) => location.path !== 'src/net/spare.ts'));
  const words = '// sanitize, escape, allowed.includes(host), clean: TODO\n';
  const renamed = Object.entries(javaScript).map(([path, text]) => [
    path,
    words +
      text.replaceAll(
        /\b(ping|shell|execute|run|whois|load|find|Users|Repository|host|command|text)\b(?!'|\.js)/g,
        'q$1',
      ),
  ]);
  fixture.commit(Object.fromEntries(renamed));
  const lines = ({ rule, location }: Detection) => `${rule.id} ${location.path}`;
  assert.deepEqual((await source.scan()).map(lines).sort(), before.map(lines).sort());
});

test('a file that could not be read this time leaves no finding of another file to be closed', async () => {
  const { rules } = await loadRuleBook();
  const checker = new CodeChecker([...rules.values()], { home: source.directory, signal: AbortSignal.timeout(60_000) });
  const kind = { language: 'python', extension: 'py' } as const;
  const contents = new Map(
    Object.entries({
      'shell.py': 'import os\ndef run(host):\n    os.system("ping " + host)\n',
      'call.py': 'from shell import run\nrun(request.args["host"])\n',
    }).map(([path, text]) => [path, Buffer.from(text)]),
  );
  const answer: Ask = async (questions, take) => {
    for (const [file, own] of questions) take(file, (await checker.ask(kind, contents.get(file.path)!, own))!);
  };
  const unsure = async (other: FileResult, ask: Ask) => {
    const files = [{ path: 'other.py', language: 'python' as const, result: other }];
    for (const [path, content] of contents)
      files.push({ path, language: 'python', result: toFileResult(await checker.check(kind, content), path) });
    return (await hitsOfProgram(files, rules, ask)).unsure;
  };
  try {
    assert.deepEqual(await unsure({ hits: [], bounds: [] }, answer), []);
    assert.deepEqual(await unsure({ problem: 'size' }, answer), [], 'it was never read');
    assert.deepEqual(await unsure({ problem: 'time' }, answer), ['shell.py']);
    assert.deepEqual(await unsure({ hits: [], bounds: [] }, async () => {}), ['shell.py']);
  } finally {
    checker.close();
  }
});
