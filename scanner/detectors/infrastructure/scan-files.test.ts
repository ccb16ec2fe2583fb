import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guessKind, type SourceFile, scanFiles } from './scan-files.ts';

async function scan(texts: Record<string, string | Buffer | null>) {
  const files = async function* (): AsyncGenerator<SourceFile> {
    for (const [path, text] of Object.entries(texts))
      yield { path, ...guessKind(path)!, content: typeof text === 'string' ? Buffer.from(text) : text };
  };
  const found: string[] = [];
  for await (const result of scanFiles(files(), AbortSignal.timeout(600_000))) {
    if ('problem' in result) found.push(`${result.path} ${result.problem}`);
    else found.push(...result.hits.map(({ ruleId, sight }) => `${result.path}:${sight.startLine} ${ruleId}`));
  }
  return found.sort();
}

const volume = 'variable "encrypted" {}\nresource "aws_ebs_volume" "a" {\n  encrypted = var.encrypted\n}\n';
const call = (encrypted: boolean) => `module "disk" {\n  source = "../disk"\n  encrypted = ${encrypted}\n}\n`;
const network = 'resource "aws_vpc" "a" {\n}\n';
const companions =
  'resource "aws_flow_log" "a" {\n  vpc_id = aws_vpc.a.id\n}\nresource "aws_default_security_group" "a" {\n  vpc_id = aws_vpc.a.id\n}\n';

test('a UTF-16 file is checked like any other', async () => {
  const text = 'apiVersion: v1\nkind: Pod\nspec:\n  hostPID: true\n';
  const wide = Buffer.from(`\ufeff${text}`, 'utf16le');
  assert.ok((await scan({ 'deploy/wide.yaml': wide })).includes('deploy/wide.yaml:4 kubernetes-host-pid'));
});

test('modules and charts are checked as a whole, and parts in an unreadable file do not count as missing', async () => {
  const found = await scan({
    'good/main.tf': call(true),
    'bad/main.tf': call(false),
    'worse/main.tf': call(false),
    'disk/main.tf': volume,
    'network/a.tf': network,
    'network/b.tf': companions,
    'open/a.tf': network,
    'called/a.tf': network,
    'calling/a.tf': `module "net" {\n  source = "../called"\n}\n${companions.replaceAll('aws_vpc.a.id', 'module.net.id')}`,
    'broken/a.tf': network,
    'broken/b.tf': 'resource {\n',
    'large/a.tf': network,
    'large/b.tf': null,
    'chart/Chart.yaml': 'apiVersion: v2\nname: web\n',
    'chart/templates/pod.yaml':
      'apiVersion: v1\nkind: Pod\nmetadata: { name: {{ .Chart.Name }} }\nspec:\n  hostPID: {{ .Values.pid }}\n',
    'chart/values.yaml': 'pid: true\n',
    'alone/templates/pod.yaml': 'apiVersion: v1\nkind: Pod\nspec:\n  hostPID: true\n  x: {{ .Values.x }}\n',
  });
  const problems = found.filter((line) => !/:\d/.test(line.split(' ')[0]!));
  assert.deepEqual(
    found.filter((line) => !problems.includes(line)),
    [
      'chart/templates/pod.yaml:5 kubernetes-host-pid',
      'disk/main.tf:2 terraform-ebs-unencrypted',
      'open/a.tf:1 terraform-vpc-default-group',
      'open/a.tf:1 terraform-vpc-unlogged',
    ],
  );
  assert.match(problems.join('\n'), /^broken\/b\.tf line 1[\s\S]*\nlarge\/b\.tf it is larger/);
});

test('a CloudFormation template is recognised by content, under any name; other JSON is ignored', async () => {
  const group = { IpProtocol: 'tcp', FromPort: 22, ToPort: 22, CidrIp: '0.0.0.0/0' };
  const resources = { G: { Type: 'AWS::EC2::SecurityGroup', Properties: { SecurityGroupIngress: [group] } } };
  const found = await scan({
    'deploy/network.json': JSON.stringify({ AWSTemplateFormatVersion: '2010-09-09', Resources: resources }),
    'deploy/minimal.json': JSON.stringify({ Resources: resources }, null, 2),
    'deploy/network.yaml': `Resources: ${JSON.stringify(resources)}\n`,
    'data/people.json': '[{"Type": "AWS::S3::Bucket"}]',
    'data/broken.json': '{"a": ',
    'data/large.json': null,
  });
  assert.deepEqual(found, [
    'deploy/minimal.json:3 cloudformation-open-ssh',
    'deploy/network.json:1 cloudformation-open-ssh',
    'deploy/network.yaml:1 cloudformation-open-ssh',
  ]);
  assert.deepEqual(['package.json', 'a/.eslintrc.json', 'locales/de.json', 'a.min.json'].map(guessKind), [
    null,
    null,
    null,
    null,
  ]);
});
