import type { Severity } from '../../../contract/severity.ts';
import type { TerraformBlock } from '../terraform.ts';
import { at, textOf, type Value } from '../value.ts';
import { type Must, readExpectation, whatIsWrong } from './expectation.ts';
import { exposed, hardening, unlogged, unprotected } from './families.ts';
import type { Family } from './table.ts';
import { isUnknown, onBlock, resources, rule } from './terraform-helpers.ts';

type Setting = { attribute: string; must: Must };
type Linked = {
  id: string;
  title: string;
  severity: Severity;
  knownAs: string[];
  family: Family;
  remediation: string;
  type: string;
  /** An attribute of the resource itself that has the setting. */
  own?: Setting;
  /** The companion resource with the setting; its `link` is the id or name of the checked resource. */
  companion: string;
  link: string;
  setting?: Setting;
  isExempt?(block: TerraformBlock, found: TerraformBlock[]): boolean;
};

/** The attribute by which companions refer to a resource. */
const nameOf = ({ body }: TerraformBlock): Value => body.bucket ?? body.name;

/** Returns whether a text refers to a resource of the same module. */
const refersTo = (text: string, { type, name }: TerraformBlock): boolean =>
  new RegExp(`\\b${type}\\.${name.replace(/[^\w-]/g, '\\$&')}(?![\\w-])`).test(text);

/** Returns whether a companion may belong to a resource: true if that is unknown. */
function mayBelong(companion: TerraformBlock, link: string, block: TerraformBlock): boolean {
  const value = textOf(companion.body[link]);
  if (!isUnknown(value)) {
    const name = textOf(nameOf(block));
    return name === '' || isUnknown(name) || name === value;
  }
  const named = new RegExp(`\\b${block.type}\\.`).test(value);
  return !named || refersTo(value, block);
}

/** Returns what is missing, or null. Absence is certain only when the whole module is known. */
function whatIsMissing(linked: Linked, block: TerraformBlock, found: TerraformBlock[]): string | null {
  const { own, companion, link, setting } = linked;
  if (own && whatIsWrong(block.body, own.attribute, readExpectation(own.must)) === null) return null;
  if (found.some(({ kind }) => kind === 'unreadable') || linked.isExempt?.(block, found)) return null;
  const companions = [
    ...resources(found, companion).filter((candidate) => mayBelong(candidate, link, block)),
    // The calling module may set it.
    ...found.filter(({ kind, type }) => kind === 'caller' && type === companion),
  ];
  const wrong = companions.map(({ body }) =>
    setting ? whatIsWrong(body, setting.attribute, readExpectation(setting.must)) : null,
  );
  if (wrong.includes(null)) return null;
  if (wrong.length > 0) return `${companion}: ${wrong[0]}`;
  // A module that receives the resource may add the companion.
  const isPassedOn = found.some(({ kind, body }) => kind === 'module' && refersTo(JSON.stringify(body), block));
  return isPassedOn ? null : `no ${companion}`;
}

/** Builds the rule of a row. */
function linkedRule(linked: Linked) {
  const { id, title, severity, knownAs, family, remediation, type, own, companion, link, setting } = linked;
  const [block, inner] = (setting?.attribute ?? 'x').split('.');
  const value = `"${setting?.must.replace('one of ', '') ?? 'x'}"`;
  const companionOf = (reference: string) =>
    `resource "${companion}" "c" {\n${link} = ${reference}\n${inner ? `${block} {\n${inner} = ${value}\n}` : `${block} = ${value}`}\n}\n`;
  const resource = (body = '') => `resource "${type}" "a" {\n${body}\n}\n`;
  const ownSample =
    own &&
    resource(
      own.attribute.includes(' or ')
        ? `${own.attribute.split(' or ')[0]} = false`
        : `${own.attribute.split('.').join(' {\n')} = true${'\n}'.repeat(own.attribute.split('.').length - 1)}`,
    );
  return rule({
    id: `terraform-${id}`,
    title,
    severity,
    cwe: family.cwe,
    knownAs,
    risk: family.risk,
    remediation,
    find: (found) =>
      resources(found, type).flatMap((candidate) => {
        const missing = whatIsMissing(linked, candidate, found);
        return missing === null ? [] : [onBlock(candidate, missing)];
      }),
    matches: [resource(), resource() + companionOf(`${type}.other.id`)],
    misses: [
      resource() + companionOf(`${type}.a.id`),
      resource('for_each = toset(["x", "y"])') + companionOf(`${type}.a[each.key].id`),
      resource() + companionOf('var.unknown'),
      `${resource()}module "m" {\n  source = "./m"\n  id = ${type}.a.id\n}\n`,
      ...(ownSample ? [ownSample] : []),
    ],
  });
}

/** A bucket that receives logs would log its own log. */
const receivesLogs = (block: TerraformBlock, found: TerraformBlock[]): boolean =>
  textOf(block.body.acl) === 'log-delivery-write' ||
  found.some(({ kind, type, body }) => {
    if (kind !== 'resource' || !/^aws_(?:s3_bucket|cloudtrail|lb|alb|elb|flow_log|cloudfront|config)/.test(type))
      return false;
    const targets = [
      body.target_bucket,
      body.s3_bucket_name,
      body.log_destination,
      at(body, 'logging'),
      at(body, 'access_logs'),
      at(body, 'logging_config'),
    ];
    const text = JSON.stringify(targets);
    const name = textOf(nameOf(block));
    return refersTo(text, block) || (name !== '' && !isUnknown(name) && text.includes(`"${name}"`));
  });

const hasAccountBlock = (_block: TerraformBlock, found: TerraformBlock[]) =>
  resources(found, 'aws_s3_account_public_access_block').length > 0;

/** A private zone responds only within its networks. */
const isPrivateZone = ({ body }: TerraformBlock) => body.vpc !== undefined || at(body, 'dynamic', 'vpc') !== undefined;

const rows: Linked[] = [
  {
    id: 's3-unblocked',
    title: 'Nothing keeps an S3 bucket from becoming public',
    severity: 'low',
    knownAs: ['CKV2_AWS_6', 'AVD-AWS-0094', 'CIS-AWS-2.1.4'],
    family: {
      ...hardening,
      cwe: ['CWE-732', 'CWE-284'],
      risk: 'A single wrong policy or ACL makes the bucket public.',
    },
    remediation: 'Add an `aws_s3_bucket_public_access_block` with all four settings.',
    type: 'aws_s3_bucket',
    companion: 'aws_s3_bucket_public_access_block',
    link: 'bucket',
    isExempt: hasAccountBlock,
  },
  {
    id: 's3-unversioned',
    title: 'An S3 bucket keeps no earlier versions',
    severity: 'low',
    knownAs: ['CKV_AWS_21', 'AVD-AWS-0090'],
    family: unprotected,
    remediation: 'Add an `aws_s3_bucket_versioning` with `status = "Enabled"`.',
    type: 'aws_s3_bucket',
    own: { attribute: 'versioning.enabled', must: 'true' },
    companion: 'aws_s3_bucket_versioning',
    link: 'bucket',
    setting: { attribute: 'versioning_configuration.status', must: 'one of Enabled' },
    isExempt: receivesLogs,
  },
  {
    id: 's3-unlogged',
    title: 'Access to an S3 bucket is not logged',
    severity: 'low',
    knownAs: ['CKV_AWS_18', 'AVD-AWS-0089'],
    family: unlogged,
    remediation: 'Add an `aws_s3_bucket_logging`, or record its data events with CloudTrail.',
    type: 'aws_s3_bucket',
    own: { attribute: 'logging', must: 'set' },
    companion: 'aws_s3_bucket_logging',
    link: 'bucket',
    isExempt: receivesLogs,
  },
  {
    id: 'vpc-unlogged',
    title: 'Traffic of a network is not logged',
    severity: 'low',
    knownAs: ['CKV2_AWS_11', 'AVD-AWS-0178', 'CIS-AWS-3.9'],
    family: unlogged,
    remediation: 'Add an `aws_flow_log` for it.',
    type: 'aws_vpc',
    companion: 'aws_flow_log',
    link: 'vpc_id',
  },
  {
    id: 'vpc-default-group',
    title: 'The default security group of a network is open',
    severity: 'low',
    knownAs: ['CKV2_AWS_12', 'AVD-AWS-0173', 'CIS-AWS-5.4'],
    family: { ...hardening, risk: 'Whatever is created without a group can reach everything else in it.' },
    remediation: 'Add an `aws_default_security_group` without rules.',
    type: 'aws_vpc',
    companion: 'aws_default_security_group',
    link: 'vpc_id',
  },
  {
    id: 'azure-subnet-open',
    title: 'A subnet has no network security group',
    severity: 'low',
    knownAs: ['CKV2_AZURE_31'],
    family: exposed,
    remediation: 'Add an `azurerm_subnet_network_security_group_association`.',
    type: 'azurerm_subnet',
    own: { attribute: 'security_group', must: 'set' },
    companion: 'azurerm_subnet_network_security_group_association',
    link: 'subnet_id',
    // Azure’s own gateways don't allow custom groups.
    isExempt: ({ body }) => /^(?:GatewaySubnet|AzureFirewall\w*|RouteServerSubnet)$/.test(textOf(body.name)),
  },
  {
    id: 'azure-sql-unaudited',
    title: 'An Azure SQL server keeps no audit log',
    severity: 'low',
    knownAs: ['CKV_AZURE_23', 'CKV_AZURE_24', 'AVD-AZU-0027', 'CIS-Azure-4.1.1'],
    family: unlogged,
    remediation: 'Add an `azurerm_mssql_server_extended_auditing_policy`.',
    type: 'azurerm_mssql_server',
    own: { attribute: 'extended_auditing_policy', must: 'set' },
    companion: 'azurerm_mssql_server_extended_auditing_policy',
    link: 'server_id',
  },
  {
    id: 'azure-sql-server-unaudited',
    title: 'An Azure SQL server keeps no audit log',
    severity: 'low',
    knownAs: ['CKV_AZURE_23', 'CKV_AZURE_24', 'AVD-AZU-0027', 'CIS-Azure-4.1.1'],
    family: unlogged,
    remediation: 'Add an `extended_auditing_policy`.',
    type: 'azurerm_sql_server',
    own: { attribute: 'extended_auditing_policy', must: 'set' },
    companion: 'azurerm_mssql_server_extended_auditing_policy',
    link: 'server_id',
  },
  {
    id: 'azure-sql-unwatched',
    title: 'Nothing watches for threats to an Azure SQL server',
    severity: 'low',
    knownAs: ['CKV2_AZURE_13', 'AVD-AZU-0028'],
    family: unlogged,
    remediation: 'Add an `azurerm_mssql_server_security_alert_policy`.',
    type: 'azurerm_mssql_server',
    companion: 'azurerm_mssql_server_security_alert_policy',
    link: 'server_name',
  },
  {
    id: 'route53-unlogged',
    title: 'Queries of a public zone are not logged',
    severity: 'low',
    knownAs: ['CKV2_AWS_39', 'AWS-FSBP-Route53.2'],
    family: unlogged,
    remediation: 'Add an `aws_route53_query_log` for it.',
    type: 'aws_route53_zone',
    companion: 'aws_route53_query_log',
    link: 'zone_id',
    isExempt: isPrivateZone,
  },
  {
    id: 'route53-unsigned',
    title: 'A public zone is not signed with DNSSEC',
    severity: 'low',
    knownAs: ['CKV2_AWS_38'],
    family: { ...hardening, cwe: ['CWE-345'], risk: 'Forged answers can lead people and mails to an attacker.' },
    remediation: 'Add an `aws_route53_hosted_zone_dnssec` with an `aws_route53_key_signing_key`.',
    type: 'aws_route53_zone',
    companion: 'aws_route53_hosted_zone_dnssec',
    link: 'hosted_zone_id',
    isExempt: isPrivateZone,
  },
  {
    id: 'azure-storage-open',
    title: 'An Azure storage account can be reached from every network',
    severity: 'medium',
    knownAs: ['CKV_AZURE_35', 'CKV_AZURE_59', 'AVD-AZU-0012', 'CIS-Azure-3.8'],
    family: exposed,
    remediation: 'Set `network_rules { default_action = "Deny" }`, or `public_network_access_enabled = false`.',
    type: 'azurerm_storage_account',
    own: { attribute: 'public_network_access_enabled or network_rules.default_action', must: 'one of false, Deny' },
    companion: 'azurerm_storage_account_network_rules',
    link: 'storage_account_id',
    setting: { attribute: 'default_action', must: 'one of Deny' },
  },
];

export const terraformLinkedRules = rows.map(linkedRule);
