import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDockerfile } from './dockerfile.ts';
import { fileKindOf, looksLikeManifest } from './file-kind.ts';
import { FileScanner } from './file-scanner.ts';
import { readTerraform } from './terraform.ts';
import { readYaml } from './yaml-documents.ts';

test('files are recognised by name', () => {
  const expected: Record<string, ReturnType<typeof fileKindOf>> = {
    Dockerfile: 'dockerfile',
    'a/Dockerfile.prod': 'dockerfile',
    'a/api.dockerfile': 'dockerfile',
    Containerfile: 'dockerfile',
    'Dockerfile.dockerignore': null,
    'dockerfile.go': null,
    'docker-compose.yml': 'compose',
    'deploy/compose.override.yaml': 'compose',
    '.github/workflows/ci.yml': 'github-actions',
    'web/.github/workflows/ci.yml': 'kubernetes',
    'actions/build/action.yml': 'github-actions',
    '.github/dependabot.yml': 'kubernetes',
    '.gitlab-ci.yml': 'gitlab-ci',
    'ci/build.gitlab-ci.yml': 'gitlab-ci',
    'main.tf': 'terraform',
    'prod.tfvars': 'terraform',
    'stack.tf.json': 'terraform',
    'k8s/web.yaml': 'kubernetes',
    'README.md': null,
  };
  for (const [path, kind] of Object.entries(expected)) assert.equal(fileKindOf(path), kind, path);
});

test('manifests are recognised by content, and templates are skipped', () => {
  assert.ok(looksLikeManifest('apiVersion: v1\nkind: Pod\n'));
  assert.ok(
    looksLikeManifest('apiVersion: v1\nkind: ConfigMap\ndata:\n  a: |\n    summary "{{ $labels.x }}" is down\n'),
  );
  assert.ok(!looksLikeManifest('openapi: 3.1.0\nkind: x\n'));
  assert.ok(!looksLikeManifest('apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Values.name }}\n'));
  assert.ok(!looksLikeManifest('apiVersion: v1\nkind: Pod\n{{- if .Values.x }}\n{{- end }}\n'));
});

test('YAML is read with the lines of its values', () => {
  const [first, second] = readYaml('a:\n  b: 1\n  c:\n    - x\n    - y: 2\n---\nd: [1, 2]\n');
  assert.deepEqual(first!.linesOf(['a', 'c', 1, 'y']), { startLine: 5, endLine: 5 });
  assert.deepEqual(first!.linesOf(['a', 'missing']), { startLine: 1, endLine: 5 });
  assert.deepEqual(second!.linesOf(['d', 1]), { startLine: 7, endLine: 7 });
});

test('malicious YAML is refused with a sentence', () => {
  const bomb = [
    'a0: &a0 [x, x]',
    ...Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]`),
  ].join('\n');
  assert.throws(() => readYaml(bomb), Error);
  assert.throws(() => readYaml('['.repeat(10_000)), /nested too deeply/);
  assert.throws(
    () => readYaml(`${Array.from({ length: 300 }, (_, n) => `${' '.repeat(n)}a:`).join('\n')} 1`),
    /nested too deeply|stack/,
  );
  assert.throws(() => readYaml('a: 1\nb: [1\n'), /^Error: line \d/);
  assert.throws(() => readYaml('a: *b\n'), Error);
});

test('Terraform is read with blocks, lines and expressions, and errors are reported with their line', async () => {
  const text =
    '# x\nresource "aws_s3_bucket" "b" {\n  acl = var.x\n  versioning {\n    enabled = true\n  }\n}\nprovider "aws" {}\n';
  const [bucket, provider] = (await readTerraform(text)).blocks;
  assert.deepEqual([bucket!.type, bucket!.name, bucket!.startLine, bucket!.endLine], ['aws_s3_bucket', 'b', 2, 7]);
  assert.deepEqual(bucket!.body, { acl: `\${var.x}`, versioning: [{ enabled: true }] });
  assert.deepEqual([provider!.kind, provider!.startLine], ['provider', 8]);
  await assert.rejects(readTerraform('a {\n'), /line 1/);
  await assert.rejects(readTerraform(`a = ${'['.repeat(1_000)}`), /nested too deeply/);
});

test('a Dockerfile is read with stages, continued lines, heredocs and defaults of arguments', () => {
  const { stages } = readDockerfile(
    'ARG V=3.20\nFROM alpine:${V} AS base\nRUN a \\\n  # why\n  && b\nRUN <<EOF\ncurl x\nEOF\nFROM base\nCOPY --from=base /a /a\n',
  )!;
  assert.deepEqual(
    stages.map(({ name, image }) => [name, image]),
    [
      ['base', 'alpine:3.20'],
      ['1', 'base'],
    ],
  );
  assert.equal(stages[1]!.base, stages[0]);
  assert.equal(stages[0]!.instructions[1]!.text, 'a && b');
  assert.equal(stages[0]!.instructions[1]!.endLine, 5);
  assert.equal(stages[1]!.instructions[1]!.flags.from, 'base');
  assert.equal(readDockerfile('hello\n'), null);
});

test('a file that fills the memory ends only its thread, and the next one is read', async () => {
  const scanner = new FileScanner();
  try {
    const aliases = `a: &a ${JSON.stringify('x'.repeat(1_000))}\nb: [${'*a,'.repeat(100_000)}]\n`;
    assert.ok('problem' in (await scanner.scan('compose', aliases)));
    const outcome = await scanner.scan('compose', 'services: { web: { image: "a:1", privileged: true } }\n');
    assert.ok('hits' in outcome && outcome.hits.length === 1);
  } finally {
    scanner.close();
  }
});
