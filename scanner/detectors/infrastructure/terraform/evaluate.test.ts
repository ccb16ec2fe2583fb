import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Value } from '../value.ts';
import { evaluateText, type Scope } from './evaluate.ts';

const variables: Record<string, Value> = {
  port: 22,
  open: ['0.0.0.0/0'],
  tags: { team: 'web', on: true },
  name: 'shop',
  nothing: null,
};
const scopeWith = (steps: number): Scope => ({
  budget: { steps },
  lookup: (name, key) => (name === 'var' && key !== null && Object.hasOwn(variables, key) ? variables[key] : undefined),
});
const evaluated = (text: string, steps = 10_000) => evaluateText(text, scopeWith(steps));

test('constant expressions are evaluated, and others keep their text', () => {
  const expected: Array<[string, Value]> = [
    ['plain', 'plain'],
    ['${var.port}', 22],
    ['${var.name}-logs', 'shop-logs'],
    ['${var.name}-${aws_x.y.id}', 'shop-${aws_x.y.id}'],
    ['${aws_x.y.id}', '${aws_x.y.id}'],
    ['${var.missing}', '${var.missing}'],
    ['${var.tags["team"]}', 'web'],
    ['${var.tags.unknown}', '${var.tags.unknown}'],
    ['${var.open[0]}', '0.0.0.0/0'],
    ['${var.port == 22 ? "ssh" : "other"}', 'ssh'],
    ['${var.missing ? "a" : "b"}', '${var.missing ? "a" : "b"}'],
    ['${var.missing ? "a" : "a"}', 'a'],
    ['${!var.tags.on}', false],
    ['${var.tags.on && var.missing}', '${var.tags.on && var.missing}'],
    ['${var.missing && false}', false],
    ['${var.port + 1 > 22}', true],
    ['${concat(var.open, ["10.0.0.0/8", aws_x.y.cidr])}', ['0.0.0.0/0', '10.0.0.0/8', '${aws_x.y.cidr}']],
    ['${merge(var.tags, { team = "api" })}', { team: 'api', on: true }],
    ['${lookup(var.tags, "none", "default")}', 'default'],
    ['${try(var.tags.none, "tried")}', 'tried'],
    ['${try(var.missing.x, "tried")}', '${var.missing.x}'],
    ['${coalesce(var.nothing, "b")}', 'b'],
    ['${[for p in [80, var.port] : p if p != 80]}', [22]],
    ['${{for key, value in var.tags : upper(key) => value}}', { TEAM: 'web', ON: true }],
    ['${jsonencode({ Action = ["s3:*"], Resource = aws_x.y.arn })}', '{"Action":["s3:*"],"Resource":"${aws_x.y.arn}"}'],
    ['${jsonencode({\n  # why\n  "Version": "2012",\n  A = <<-EOT\n    x\n  EOT\n})}', '{"Version":"2012","A":"x\\n"}'],
    ['${var.open[*]}', ['0.0.0.0/0']],
    ['${file("x")}', '${file("x")}'],
    ['${format("%s-%d", var.name, var.port)}', 'shop-22'],
    ['%{ if true }a%{ endif }', '${%{ if true }a%{ endif }}'],
    ['${', '${'],
    ['${1 +}', '${1 +}'],
  ];
  for (const [text, value] of expected) assert.deepEqual(evaluated(text), value, text);
});

test('hostile expressions stay bounded and unknown', () => {
  const deep = `\${${'('.repeat(5_000)}1${')'.repeat(5_000)}}`;
  assert.equal(evaluated(deep), deep);
  const long = `\${${Array.from({ length: 30 }, () => '[for a in var.open : ').join('')}a${']'.repeat(30)}}`;
  assert.equal(evaluated(long, 20), long);
  const joined = `\${replace("${'a'.repeat(2_000)}", "a", "${'b'.repeat(2_000)}")}`;
  assert.equal(evaluated(joined), joined);
});
