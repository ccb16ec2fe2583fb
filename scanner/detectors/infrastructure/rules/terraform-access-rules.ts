import { allowStatementsOf, hasCondition } from '../terraform-policies.ts';
import { at, textOf } from '../value.ts';
import { blocks, isUnknown, onBlock, resources, rule, textsIn } from './terraform-helpers.ts';

const document = (body: string) =>
  `data "aws_iam_policy_document" "a" {\n  statement {\n    ${body.split('; ').join('\n    ')}\n  }\n}\n`;
const encoded = (action: string, resource: string) =>
  `resource "aws_iam_policy" "a" {\n  policy = jsonencode({\n    Version = "2012-10-17"\n    Statement = [\n      {\n        Effect   = "Allow"\n        Action   = ["${action}"]\n        Resource = "${resource}"\n      },\n    ]\n  })\n}\n`;

const publicMembers = /^(?:allUsers|allAuthenticatedUsers)$/;

export const terraformAccessRules = [
  rule({
    id: 'terraform-iam-everything',
    title: 'A policy allows all actions on all resources',
    severity: 'high',
    cwe: ['CWE-269', 'CWE-732'],
    knownAs: ['CKV_AWS_62', 'CKV_AWS_63', 'CKV_AWS_1', 'AVD-AWS-0057', 'CIS-AWS-1.16'],
    risk: 'Anyone who obtains such an identity controls the account.',
    remediation: 'List the actions and resources that are needed.',
    find: (found) =>
      allowStatementsOf(found)
        .filter(
          ({ actions, resources }) =>
            actions.some((action) => action === '*' || action === '*:*') && resources.includes('*'),
        )
        .map(({ block }) => onBlock(block, 'Action "*" on Resource "*"')),
    matches: [
      document('actions = ["*"]; resources = ["*"]'),
      encoded('*', '*'),
      'resource "aws_iam_role_policy" "a" {\n  policy = <<EOF\n{"Statement":[{"Effect":"Allow","Action":"*","Resource":"*"}]}\nEOF\n}\n',
    ],
    misses: [
      document('actions = ["s3:GetObject"]; resources = ["*"]'),
      document('effect = "Deny"; actions = ["*"]; resources = ["*"]'),
      encoded('s3:GetObject', '*'),
    ],
  }),
  rule({
    id: 'terraform-policy-public',
    title: 'A policy grants access to everyone',
    severity: 'high',
    cwe: ['CWE-284', 'CWE-732'],
    knownAs: ['CKV_AWS_70', 'CKV_AWS_283', 'CKV_AWS_32'],
    risk: 'Anyone, with or without an AWS account, can do what the statement allows.',
    remediation: 'List the permitted accounts or roles, or add a condition.',
    find: (found) =>
      allowStatementsOf(found)
        .filter(({ principals, block }) => principals.includes('*') && !hasCondition(block))
        .map(({ block }) => onBlock(block, 'Principal "*"')),
    matches: [
      document('actions = ["s3:GetObject"]; resources = ["x"]; principals {; type = "*"; identifiers = ["*"]; }'),
      'resource "aws_s3_bucket_policy" "a" {\n  policy = <<EOF\n{"Statement":[{"Effect":"Allow","Principal":{"AWS":"*"},"Action":"s3:GetObject","Resource":"x"}]}\nEOF\n}\n',
    ],
    misses: [
      document('actions = ["s3:GetObject"]; resources = ["x"]; principals {; type = "AWS"; identifiers = ["123"]; }'),
      document(
        'actions = ["s3:GetObject"]; resources = ["x"]; principals {; type = "*"; identifiers = ["*"]; }; condition {; test = "x"; }',
      ),
    ],
  }),
  rule({
    id: 'terraform-gcp-public',
    title: 'A Google Cloud resource is open to everyone',
    severity: 'high',
    cwe: ['CWE-284', 'CWE-732'],
    knownAs: ['CKV_GCP_28', 'AVD-GCP-0001', 'CIS-GCP-5.1'],
    risk: 'Anyone, or anyone with a Google account, has the permissions of the role.',
    remediation: 'List the accounts or groups that need access.',
    find: (found) =>
      found
        .filter(
          ({ kind, type }) =>
            kind === 'resource' && /^google_.*(?:_iam_member|_iam_binding|_access_control)$/.test(type),
        )
        .flatMap((block) => {
          const member = [
            ...textsIn(block.body.member),
            ...textsIn(block.body.members),
            ...textsIn(block.body.entity),
          ].find((member) => publicMembers.test(member));
          // A public website's service is meant to be public.
          return member && textOf(block.body.role) !== 'roles/run.invoker' ? [onBlock(block, member)] : [];
        }),
    matches: [
      'resource "google_storage_bucket_iam_member" "a" {\n  role = "roles/storage.objectViewer"\n  member = "allUsers"\n}\n',
    ],
    misses: [
      'resource "google_storage_bucket_iam_member" "a" {\n  member = "user:x@example.com"\n}\n',
      'resource "google_cloud_run_service_iam_member" "a" {\n  role = "roles/run.invoker"\n  member = "allUsers"\n}\n',
    ],
  }),
  rule({
    id: 'terraform-provider-credentials',
    title: 'A provider contains credentials',
    severity: 'critical',
    cwe: ['CWE-798'],
    knownAs: ['CKV_AWS_41', 'CKV_AZURE_41'],
    risk: 'Anyone who can read the repository can act in the account.',
    remediation: 'Take credentials from the environment or a role, and rotate the exposed ones.',
    find: (found) =>
      found
        .filter(({ kind }) => kind === 'provider')
        .flatMap((block) =>
          ['access_key', 'secret_key', 'client_secret', 'token', 'api_token', 'password']
            .filter(
              (name) =>
                textOf(block.body[name]) !== '' &&
                !isUnknown(block.body[name]) &&
                !/^(?:test|mock|fake|dummy|example|localstack|mock_access_key|mock_secret_key)$/i.test(
                  textOf(block.body[name]),
                ),
            )
            .map((name) => onBlock(block, `${name} = "…"`, name)),
        ),
    matches: ['provider "aws" {\n  region = "eu-west-1"\n  secret_key = "abcdefghijkl"\n}\n'],
    misses: ['provider "aws" {\n  secret_key = var.key\n}\n', 'provider "aws" {\n  access_key = "test"\n}\n'],
  }),
  rule({
    id: 'terraform-password-written',
    title: 'A database password is in the file',
    severity: 'high',
    cwe: ['CWE-798', 'CWE-259'],
    knownAs: ['KICS-passwords-and-secrets'],
    risk: 'Anyone who can read the repository can log in.',
    remediation:
      'Let the cloud manage it (`manage_master_user_password = true`), or take it from a variable or a secret store, and rotate the exposed one.',
    find: (found) =>
      resources(
        found,
        'aws_db_instance',
        'aws_rds_cluster',
        'aws_redshift_cluster',
        'azurerm_mssql_server',
        'azurerm_postgresql_flexible_server',
        'azurerm_mysql_flexible_server',
        'google_sql_user',
        'azurerm_linux_virtual_machine',
        'azurerm_windows_virtual_machine',
        'AWS::RDS::DBInstance',
        'AWS::RDS::DBCluster',
        'AWS::Redshift::Cluster',
        'AWS::DocDB::DBCluster',
      ).flatMap((block) =>
        [
          'MasterUserPassword',
          'password',
          'master_password',
          'administrator_login_password',
          'administrator_password',
          'admin_password',
        ]
          .filter((name) => textOf(block.body[name]) !== '' && !isUnknown(block.body[name]))
          // A reference to a secret store, which CloudFormation resolves.
          .filter((name) => !textOf(block.body[name]).startsWith('{{resolve:'))
          .map((name) => onBlock(block, `${name} = "…"`, name)),
      ),
    matches: ['resource "aws_db_instance" "a" {\n  password = "hunter22"\n}\n'],
    misses: [
      'resource "aws_db_instance" "a" {\n  password = var.password\n}\n',
      'resource "aws_db_instance" "a" {\n  password = random_password.a.result\n}\n',
    ],
  }),
  rule({
    id: 'terraform-lb-http',
    title: 'A load balancer serves without TLS',
    severity: 'medium',
    cwe: ['CWE-319'],
    knownAs: ['CKV_AWS_2', 'AVD-AWS-0054'],
    risk: 'Traffic can be read and changed in transit.',
    remediation: 'Redirect the listener to https: `default_action { type = "redirect" … }`.',
    find: (found) =>
      resources(found, 'aws_lb_listener', 'aws_alb_listener')
        .filter(
          ({ body }) =>
            textOf(body.protocol) === 'HTTP' &&
            blocks(body, 'default_action').some((action) => /^forward$/.test(textOf(at(action, 'type')))),
        )
        .map((block) => onBlock(block, 'protocol = "HTTP"')),
    matches: [
      'resource "aws_lb_listener" "a" {\n  protocol = "HTTP"\n  default_action {\n    type = "forward"\n  }\n}\n',
    ],
    misses: [
      'resource "aws_lb_listener" "a" {\n  protocol = "HTTP"\n  default_action {\n    type = "redirect"\n  }\n}\n',
      'resource "aws_lb_listener" "a" {\n  protocol = "HTTPS"\n  default_action {\n    type = "forward"\n  }\n}\n',
    ],
  }),
];
