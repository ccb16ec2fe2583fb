import assert from 'node:assert/strict';
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
