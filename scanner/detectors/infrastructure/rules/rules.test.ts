import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { InfrastructureRule } from '../rule.ts';
import { scanFile } from '../scan-file.ts';
import { rules } from './index.ts';
import { security } from './kubernetes-rule.ts';

const finds = async (rule: InfrastructureRule, text: string) =>
  (await scanFile(rule.kind, text)).found.some((found) => found.rule.id === rule.id);

for (const kind of new Set(rules.map((rule) => rule.kind))) {
  test(`every ${kind} check finds its matches and skips its near-misses`, async () => {
    for (const rule of rules.filter((candidate) => candidate.kind === kind)) {
      assert.ok(rule.matches.length > 0 && rule.misses.length > 0, `${rule.id} has no proof`);
      for (const text of rule.matches) assert.ok(await finds(rule, text), `${rule.id} misses\n${text}`);
      for (const text of rule.misses) assert.ok(!(await finds(rule, text)), `${rule.id} finds\n${text}`);
    }
  });
}

test('settings that another attribute or the plan of a service determines are not reported', async () => {
  const reported = async (type: string, body: string) =>
    (await scanFile('terraform', `resource "${type}" "a" {\n${body}\n}\n`)).found.map(({ rule }) => rule.id);
  const cases: Array<[id: string, type: string, safe: string, unsafe: string]> = [
    ['terraform-imds-v1', 'aws_launch_template', 'metadata_options {\nhttp_endpoint = "disabled"\n}', ''],
    ['terraform-ebs-unencrypted', 'aws_ebs_volume', 'snapshot_id = var.snapshot', 'size = 8'],
    ['terraform-rds-unencrypted', 'aws_db_instance', 'replicate_source_db = aws_db_instance.b.arn', 'name = "a"'],
    ['terraform-rds-unencrypted', 'aws_rds_cluster', 'replication_source_identifier = "arn"', 'engine = "mysql"'],
    ['terraform-rds-deletable', 'aws_db_instance', 'replicate_source_db = aws_db_instance.b.arn', 'name = "a"'],
    ['terraform-rds-deletable', 'aws_rds_cluster', 'replication_source_identifier = "arn"', 'engine = "mysql"'],
    [
      'terraform-gcp-spanner-deletable',
      'google_spanner_database',
      'deletion_protection = false\nenable_drop_protection = true',
      'deletion_protection = false',
    ],
    ['terraform-azure-registry-public', 'azurerm_container_registry', 'sku = "Basic"', 'sku = "Premium"'],
    [
      'terraform-azure-configuration-public',
      'azurerm_app_configuration',
      'public_network_access = "Disabled"',
      'public_network_access = "Enabled"',
    ],
    [
      'terraform-azure-flexible-public',
      'azurerm_mysql_flexible_server',
      'public_network_access = "Disabled"',
      'public_network_access = "Enabled"',
    ],
  ];
  for (const [id, type, safe, unsafe] of cases) {
    assert.ok(!(await reported(type, safe)).includes(id), `${id} finds ${safe}`);
    assert.ok((await reported(type, unsafe)).includes(id), `${id} misses ${unsafe}`);
  }
});

/** Names whose Checkov checks do not fail the smallest bad example. They are not confirmed by a run of Checkov. */
const unconfirmed = [
  'CKV_AWS_100@aws_eks_node_group',
  'CKV_AWS_291@aws_msk_cluster',
  'CKV_AWS_349@aws_emr_cluster',
  'CKV_AWS_376@aws_elb',
  'CKV_AWS_40@aws_iam_user_policy',
  'CKV_AWS_40@aws_iam_user_policy_attachment',
  'CKV_AWS_59@aws_api_gateway_method',
  'CKV_AWS_6@aws_elasticsearch_domain',
  'CKV_AWS_6@aws_opensearch_domain',
  'CKV_AWS_78@aws_codebuild_project',
  'CKV_AZURE_118@azurerm_network_interface',
  'CKV_AZURE_119@azurerm_network_interface',
  'CKV_AZURE_138@azurerm_container_registry',
  'CKV_AZURE_140@azurerm_cosmosdb_account',
  'CKV_AZURE_185@azurerm_app_configuration',
  'CKV_AZURE_57@azurerm_app_service',
  'CKV_AZURE_57@azurerm_linux_web_app',
  'CKV_AZURE_57@azurerm_windows_web_app',
  'CKV_AZURE_62@azurerm_function_app',
  'CKV_AZURE_62@azurerm_linux_function_app',
  'CKV_AZURE_62@azurerm_windows_function_app',
  'CKV_AZURE_91@azurerm_redis_cache',
  'CKV_GCP_18@google_container_cluster',
];

test('a finding has the names of other checks only where these fail the same example', async () => {
  const { fails } = JSON.parse(await readFile(join(import.meta.dirname, 'checkov-verdicts.fixture.json'), 'utf8')) as {
    fails: Record<string, string[]>;
  };
  const wrong = new Set<string>();
  for (const rule of rules.filter(({ scopedNames }) => scopedNames !== undefined)) {
    for (const text of rule.matches) {
      const { found } = await scanFile(rule.kind, text);
      const type = /^resource "(\w+)"/.exec(text)?.[1] ?? '';
      for (const { sight } of found.filter((one) => one.rule.id === rule.id))
        for (const name of sight.knownAs ?? [])
          if (name.startsWith('CKV_') && !fails[type]?.includes(name)) wrong.add(`${name}@${type}`);
    }
  }
  assert.deepEqual([...wrong].sort(), unconfirmed);
});

test('an identifier of one type of resource is not on another', async () => {
  const namesOf = async (kind: 'terraform' | 'cloudformation', id: string, text: string) =>
    (await scanFile(kind, text)).found.find(({ rule }) => rule.id === `${kind}-${id}`)?.sight.knownAs;
  const cluster = 'resource "aws_rds_cluster" "a" {\n}\n';
  const instance = 'resource "aws_db_instance" "a" {\n}\n';
  assert.deepEqual(await namesOf('terraform', 'rds-deletable', cluster), ['CKV_AWS_139', 'AVD-AWS-0177']);
  assert.deepEqual(await namesOf('terraform', 'rds-deletable', instance), ['CKV_AWS_293', 'AVD-AWS-0177']);
  assert.deepEqual(await namesOf('terraform', 'rds-unlogged', cluster), ['CKV_AWS_324']);
  assert.deepEqual(await namesOf('terraform', 'rds-unlogged', instance), ['CKV_AWS_129']);
  const template = '{ "Resources": { "A": { "Type": "AWS::RDS::DBCluster", "Properties": {} } } }';
  assert.deepEqual(await namesOf('cloudformation', 'rds-unlogged', template), ['CKV_AWS_324']);
  const setting = (name: string) =>
    `resource "azurerm_postgresql_configuration" "a" {\n  name = "${name}"\n  value = "off"\n}\n`;
  const names = await namesOf('terraform', 'azure-postgresql-checkpoints', setting('log_connections'));
  assert.deepEqual(names, ['CKV_AZURE_31', 'AVD-AZU-0019']);
});

test('a workload that lacks some settings has only the names of those in other tools', async () => {
  const namesFor = async (settings: string) => {
    const { found } = await scanFile('kubernetes', security(settings));
    return found.find(({ rule }) => rule.id === 'kubernetes-not-hardened')?.sight.knownAs;
  };
  assert.deepEqual(
    await namesFor('runAsNonRoot: true, allowPrivilegeEscalation: false, capabilities: { drop: [ALL] }'),
    ['CKV_K8S_22', 'AVD-KSV-0014'],
  );
  const others = await namesFor('runAsNonRoot: true');
  assert.ok(others?.includes('CKV_K8S_20') && !others.includes('CKV_K8S_23') && !others.includes('AVD-KSV-0012'));
});

test('there are at least sixty checks, each documented with a unique id and its names in other tools', () => {
  assert.ok(rules.length >= 60);
  assert.equal(new Set(rules.map(({ id }) => id)).size, rules.length);
  for (const rule of rules) {
    assert.match(rule.id, new RegExp(`^${rule.kind}-[a-z0-9-]+$`));
    assert.ok(rule.cwe.length > 0 && rule.cwe.every((cwe) => /^CWE-\d+$/.test(cwe)), rule.id);
    assert.ok(rule.knownAs.length > 0 && rule.risk.length > 20 && rule.remediation.length > 10, rule.id);
    assert.ok(
      rule.references.every((url) => url.startsWith('https://')),
      rule.id,
    );
  }
});
