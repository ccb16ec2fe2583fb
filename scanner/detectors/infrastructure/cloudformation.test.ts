import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCloudFormation } from './cloudformation.ts';
import { kindByContent } from './file-kind.ts';
import { scanFile } from './scan-file.ts';

const yaml = `AWSTemplateFormatVersion: '2010-09-09'
Parameters:
  Stage: { Type: String, Default: dev }
  Ranges: { Type: CommaDelimitedList, Default: '10.0.0.0/8, 0.0.0.0/0' }
  Name: { Type: String }
Conditions:
  IsProd: !Equals [!Ref Stage, prod]
Resources:
  Logs:
    Type: AWS::S3::Bucket
    Properties:
      BucketName: !Sub 'logs-\${Stage}'
      Other: !Sub ['\${A}-\${Name}', { A: !Ref Stage }]
      Ranges: !Ref Ranges
      Owner: !Ref Name
      Chosen: !If [IsProd, true, false]
      Same: !If [IsProd, 1, 1]
      Left: !Ref AWS::NoValue
      Joined: !Join ['/', [a, !Ref Stage]]
      Role: !GetAtt Role.Arn
      List: [!Ref AWS::NoValue, b]
  Custom:
    Type: Custom::Thing
`;

test('a template is read with defaults of parameters, and other values stay unknown', () => {
  const [logs, ...others] = readCloudFormation(yaml)!;
  assert.deepEqual(others, []);
  assert.deepEqual([logs!.name, logs!.type, logs!.startLine], ['Logs', 'AWS::S3::Bucket', 9]);
  assert.deepEqual(logs!.body, {
    BucketName: 'logs-dev',
    Other: 'dev-${Name}',
    Ranges: ['10.0.0.0/8', '0.0.0.0/0'],
    Owner: '${Name}',
    Chosen: '${Fn::If }',
    Same: 1,
    Joined: 'a/dev',
    Role: '${Fn::GetAtt Role.Arn}',
    List: ['b'],
  });
});

test('short and long forms have the same findings, at their lines', async () => {
  const short =
    'Parameters:\n  From: { Type: String, Default: 0.0.0.0/0 }\nResources:\n  G:\n    Type: AWS::EC2::SecurityGroup\n    Properties:\n      SecurityGroupIngress:\n        - { IpProtocol: tcp, FromPort: 22, ToPort: 22, CidrIp: !Ref From }\n';
  const long = JSON.stringify({
    Parameters: { From: { Default: '0.0.0.0/0' } },
    Resources: {
      G: {
        Type: 'AWS::EC2::SecurityGroup',
        Properties: {
          SecurityGroupIngress: [{ IpProtocol: 'tcp', FromPort: 22, ToPort: 22, CidrIp: { Ref: 'From' } }],
        },
      },
    },
  });
  for (const [text, line] of [
    [short, 4],
    [long, 1],
  ] as const) {
    assert.equal(kindByContent('kubernetes', text), 'cloudformation');
    const { found } = await scanFile('cloudformation', text);
    assert.deepEqual(
      found.map(({ rule, sight }) => [rule.id, sight.resource, sight.startLine]),
      [['cloudformation-open-ssh', 'G AWS::EC2::SecurityGroup', line]],
    );
  }
});

test('other YAML is not a template, and too deeply nested YAML is refused', () => {
  assert.equal(kindByContent('kubernetes', 'Resources:\n  - a\n'), null);
  assert.equal(kindByContent('cloudformation', '{"Resources": {"a": {"Type": "Microsoft.Storage"}}}'), null);
  assert.equal(kindByContent('kubernetes', 'apiVersion: v1\nkind: Pod\n'), 'kubernetes');
  const deep = `Resources:\n  A:\n    Type: AWS::S3::Bucket\n    Properties: ${'{a: '.repeat(300)}`;
  assert.throws(() => readCloudFormation(deep), /nested too deeply/);
});

test('a bucket that receives the logs of another need not log its own access', async () => {
  const logged = (target: string) =>
    `Resources:\n  Logs: { Type: 'AWS::S3::Bucket' }\n  Data:\n    Type: AWS::S3::Bucket\n    Properties: { LoggingConfiguration: { DestinationBucketName: ${target} } }\n`;
  const unlogged = async (text: string) => {
    const { found } = await scanFile('cloudformation', text);
    return found.filter(({ rule }) => rule.id === 'cloudformation-s3-unlogged').length;
  };
  assert.equal(await unlogged(logged('!Ref Logs')), 0);
  assert.equal(await unlogged(logged('another-bucket')), 1);
});
