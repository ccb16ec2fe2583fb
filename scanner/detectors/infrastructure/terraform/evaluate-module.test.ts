import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTerraform } from '../terraform.ts';
import { evaluateTree, rootsOf } from './module-tree.ts';

async function modulesOf(texts: Record<string, string>) {
  const files = await Promise.all(
    Object.entries(texts).map(async ([path, text]) => ({ ...(await readTerraform(text)), path })),
  );
  return Map.groupBy(files, ({ path }) => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.'));
}

async function bodiesOf(texts: Record<string, string>, root = '.') {
  const modules = await modulesOf(texts);
  return evaluateTree(Object.fromEntries(modules), root)
    .flat()
    .filter(({ kind }) => kind === 'resource')
    .map(({ name, body }) => [name, body]);
}

test('defaults, variable files and locals are filled in, and values on which files disagree are unknown', async () => {
  const main =
    'variable "a" {\n  default = 1\n}\nvariable "b" {}\nresource "x" "r" {\n  a = var.a\n  b = var.b\n  c = local.c\n}\n';
  const locals = 'locals {\n  c = "${local.d}!"\n  d = "n${var.a}"\n  e = local.f\n  f = local.e\n}\n';
  assert.deepEqual(await bodiesOf({ 'main.tf': main, 'locals.tf': locals }), [
    ['r', { a: 1, b: '${var.b}', c: 'n1!' }],
  ]);
  const set = { 'main.tf': main, 'terraform.tfvars': 'a = 2\n', 'p.tfvars': 'b = 3\n' };
  assert.deepEqual(await bodiesOf(set), [['r', { a: 2, b: 3, c: '${local.c}' }]]);
  const disagreeing = { ...set, 'q.tfvars': 'b = 4\n' };
  assert.deepEqual(await bodiesOf(disagreeing), [['r', { a: 2, b: '${var.b}', c: '${local.c}' }]]);
});

test('locals that refer to each other are unknown', async () => {
  const text = 'locals {\n  a = local.b\n  b = local.a\n}\nresource "x" "r" {\n  a = local.a\n}\n';
  assert.deepEqual(await bodiesOf({ 'main.tf': text }), [['r', { a: '${local.a}' }]]);
});

test('modules of the repository receive the arguments of each call, and references of the caller are unknown there', async () => {
  const texts = {
    'main.tf':
      'module "one" {\n  source = "./m"\n  a = "x"\n  b = aws_vpc.v.id\n}\nmodule "two" {\n  source = "./m"\n  a = "y"\n}\n',
    'm/main.tf':
      'variable "a" {}\nvariable "b" {\n  default = "d"\n}\nresource "x" "r" {\n  a = var.a\n  b = var.b\n}\n',
  };
  assert.deepEqual(rootsOf(await modulesOf(texts)), ['.']);
  assert.deepEqual(await bodiesOf(texts), [
    ['r', { a: 'x', b: '${var.b}' }],
    ['r', { a: 'y', b: 'd' }],
  ]);
});

test('blocks are repeated and generated as far as known; a default of none may be changed', async () => {
  const resource = (body: string) => ({
    'main.tf': `variable "no" {\n  default = []\n}\nresource "x" "r" {\n${body}\n}\n`,
  });
  assert.deepEqual(await bodiesOf(resource('for_each = toset(["a", "b"])\nn = each.key')), [
    ['r', { for_each: ['a', 'b'], n: 'a' }],
    ['r', { for_each: ['a', 'b'], n: 'b' }],
  ]);
  assert.deepEqual(await bodiesOf(resource('count = 0')), []);
  assert.equal((await bodiesOf(resource('for_each = var.no\nn = each.value'))).length, 1);
  const dynamic = (each: string) =>
    resource(`dynamic "port" {\nfor_each = ${each}\niterator = it\ncontent {\nn = it.value\n}\n}`);
  assert.deepEqual(await bodiesOf(dynamic('[1, 2]')), [['r', { port: [{ n: 1 }, { n: 2 }] }]]);
  assert.deepEqual(await bodiesOf(dynamic('[]')), [['r', { port: [] }]]);
  assert.deepEqual(await bodiesOf(dynamic('var.no')), [['r', { dynamic: { port: true } }]]);
  assert.deepEqual(await bodiesOf(dynamic('data.x.y')), [['r', { dynamic: { port: true } }]]);
});

test('modules that call each other and locals that multiply terminate', async () => {
  const call = (source: string) => `module "m" {\n  source = "${source}"\n}\nresource "x" "r" {\n}\n`;
  const circle = await modulesOf({ 'a/main.tf': call('../b'), 'b/main.tf': call('../a') });
  assert.deepEqual(rootsOf(circle), ['a']);
  assert.equal(evaluateTree(Object.fromEntries(circle), 'a').length, 2);
  const doubling = Array.from({ length: 40 }, (_, n) => `  a${n + 1} = [local.a${n}, local.a${n}]`).join('\n');
  const bomb = `locals {\n  a0 = "x"\n${doubling}\n}\nresource "x" "r" {\n  a = jsonencode(local.a40)\n}\n`;
  const [[, body]] = (await bodiesOf({ 'main.tf': bomb })) as [[string, { a: string }]];
  assert.ok(body.a.length < 1_000_000);
});

test('constant outputs of a called module are known to its caller', async () => {
  const texts = {
    'main.tf':
      'module "m" {\n  source = "./m"\n  size = 3\n}\nmodule "each" {\n  source = "./m"\n  for_each = toset(["x"])\n  size = 1\n}\nresource "x" "r" {\n  a = module.m.encrypted\n  b = module.m.tags.size\n  c = module.m.id\n  d = module.each["x"].encrypted\n  e = try(module.m.id, "none")\n}\n',
    'm/main.tf':
      'variable "size" {}\nmodule "inner" {\n  source = "./inner"\n}\noutput "encrypted" {\n  value = module.inner.encrypted\n}\noutput "tags" {\n  value = { size = var.size }\n}\noutput "id" {\n  value = x.inside.id\n}\nresource "x" "inside" {\n}\n',
    'm/inner/main.tf': 'output "encrypted" {\n  value = false\n}\n',
  };
  const [r] = await bodiesOf(texts);
  assert.deepEqual(r, [
    'r',
    { a: false, b: 3, c: '${module.m.id}', d: '${module.each["x"].encrypted}', e: '${module.m.id}' },
  ]);
});

test('modules that call each other in a cycle have unknown outputs', async () => {
  const texts = {
    'a/main.tf':
      'module "b" {\n  source = "../b"\n}\noutput "v" {\n  value = module.b.v\n}\nresource "x" "r" {\n  v = module.b.v\n}\n',
    'b/main.tf': 'module "a" {\n  source = "../a"\n}\noutput "v" {\n  value = module.a.v\n}\n',
  };
  assert.deepEqual(await bodiesOf(texts, 'a'), [['r', { v: '${module.b.v}' }]]);
});

test('optional members of an object have the defaults of its type, in defaults, arguments and lists', async () => {
  const type =
    'object({ encrypted = optional(bool, false), name = string, log = optional(object({ on = optional(bool, true) }), {}), key = optional(string) })';
  const texts = {
    'main.tf': `variable "one" {\n  type = ${type}\n  default = { name = "a", encrypted = true }\n}\nvariable "many" {\n  type = list(${type})\n  default = [{ name = "b", log = { on = false } }, { name = "c", encrypted = null }]\n}\nresource "x" "r" {\n  one = var.one\n  many = var.many\n}\nmodule "m" {\n  source = "./m"\n  one = { name = "d" }\n}\n`,
    'm/main.tf': `variable "one" {\n  type = ${type}\n}\nresource "x" "s" {\n  encrypted = var.one.encrypted\n  on = var.one.log.on\n}\n`,
  };
  assert.deepEqual(await bodiesOf(texts), [
    [
      'r',
      {
        one: { name: 'a', encrypted: true, log: { on: true }, key: null },
        many: [
          { name: 'b', encrypted: false, log: { on: false }, key: null },
          { name: 'c', encrypted: false, log: { on: true }, key: null },
        ],
      },
    ],
    ['s', { encrypted: false, on: true }],
  ]);
});
