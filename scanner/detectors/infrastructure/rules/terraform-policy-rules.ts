import { allowStatementsOf, hasCondition, type PolicyStatement } from '../terraform-policies.ts';
import { at, textOf } from '../value.ts';
import { blocks, isOpen, isUnknown, onBlock, resources, rule, textsIn } from './terraform-helpers.ts';

const policy = (statement: string) =>
  `resource "aws_iam_role_policy" "a" {\n  policy = jsonencode({\n    Statement = [${statement}]\n  })\n}\n`;
const allow = (action: string, resource: string) =>
  policy(`{ Effect = "Allow", Action = [${action}], Resource = ${resource} }`);

const keyPolicy = (actions: string) =>
  `data "aws_iam_policy_document" "key" {\n  statement {\n    actions = [${actions}]\n    resources = ["*"]\n    principals {\n      type = "AWS"\n      identifiers = ["arn:aws:iam::\${data.aws_caller_identity.current.account_id}:root"]\n    }\n  }\n}\n`;

/** Actions by which an identity can gain permissions or read secrets. */
const risky =
  /^(?:iam:(?:PassRole|CreateAccessKey|CreateLoginProfile|UpdateLoginProfile|AttachUserPolicy|AttachRolePolicy|AttachGroupPolicy|PutUserPolicy|PutRolePolicy|PutGroupPolicy|CreatePolicyVersion|SetDefaultPolicyVersion|UpdateAssumeRolePolicy|AddUserToGroup)|sts:AssumeRole|secretsmanager:GetSecretValue|kms:Decrypt|ssm:GetParameters?|ec2:GetPasswordData|lambda:UpdateFunctionCode)$/i;

/** In a resource policy, which has principals, `*` is that resource itself. */
const everywhere = ({ resources: places, hasPrincipals }: PolicyStatement) => places.includes('*') && !hasPrincipals;
const isFull = ({ actions }: PolicyStatement) => actions.some((action) => action === '*' || action === '*:*');

/** Returns the first action that a test accepts, among statements that apply to every resource without a condition. */
const wideStatements = (found: Parameters<typeof allowStatementsOf>[0], test: (action: string) => boolean) =>
  allowStatementsOf(found)
    .filter((statement) => everywhere(statement) && !isFull(statement) && !hasCondition(statement.block))
    .flatMap(({ block, actions }) => {
      const action = actions.find(test);
      return action === undefined ? [] : [onBlock(block, `Action "${action}" on Resource "*"`)];
    });

/** Examples of trust policies, around the text of the policy. */
const trustOf = (text: string) => `resource "aws_iam_role" "a" {\n  assume_role_policy = jsonencode(${text})\n}\n`;

export const terraformPolicyRules = [
  rule({
    id: 'terraform-iam-service-wildcard',
    title: 'A policy allows all actions of a service on all resources',
    severity: 'medium',
    cwe: ['CWE-269', 'CWE-732'],
    knownAs: ['CKV_AWS_107', 'CKV_AWS_108', 'CKV_AWS_109', 'CKV_AWS_111', 'CKV_AWS_288', 'CKV_AWS_355', 'AVD-AWS-0057'],
    risk: 'Anyone who obtains such an identity controls everything in the service, data included.',
    remediation: 'List the actions and resources that are needed.',
    find: (found) => wideStatements(found, (action) => /^[\w-]+:\*$/.test(action)),
    matches: [allow('"s3:*"', '"*"'), allow('"logs:Get*", "ec2:*"', '["*"]')],
    misses: [
      allow('"s3:*"', 'aws_s3_bucket.b.arn'),
      allow('"s3:GetObject"', '"*"'),
      allow('"*"', '"*"'),
      keyPolicy('"kms:*"'),
    ],
  }),
  rule({
    id: 'terraform-iam-risky-action',
    title: 'A policy allows an action that leads to more permissions or to secrets, on all resources',
    severity: 'medium',
    cwe: ['CWE-269'],
    knownAs: ['CKV_AWS_110', 'CKV_AWS_286', 'CKV_AWS_287', 'CKV_AWS_289', 'CKV_AWS_290', 'AVD-AWS-0342'],
    risk: 'Anyone who obtains such an identity can become a more powerful one, or read every secret.',
    remediation: 'Name the roles, keys or secrets in `Resource`.',
    find: (found) => wideStatements(found, (action) => risky.test(action)),
    matches: [allow('"iam:PassRole"', '"*"'), allow('"logs:Get*", "kms:Decrypt"', '"*"')],
    misses: [
      allow('"iam:PassRole"', 'aws_iam_role.r.arn'),
      allow('"logs:PutLogEvents"', '"*"'),
      keyPolicy('"kms:Decrypt"'),
    ],
  }),
  rule({
    id: 'terraform-iam-write-everywhere',
    title: 'A policy allows changes without naming resources',
    severity: 'low',
    cwe: ['CWE-732'],
    knownAs: ['CKV_AWS_355', 'CKV_AWS_356', 'CKV_AWS_290', 'CKV_AWS_111'],
    risk: 'Anyone who obtains such an identity can change or delete resources that have nothing to do with it.',
    remediation: 'Name the resources, or add a condition.',
    find: (found) =>
      wideStatements(
        found,
        (action) =>
          /^(?:s3|dynamodb|sqs|sns|rds|ec2|lambda|iam|kms|ecs|eks|ecr|cloudformation|secretsmanager|ssm|route53|elasticfilesystem|kinesis|glue|redshift|es|organizations):(?:Put|Delete|Create|Update|Modify|Write|Terminate|Run|Attach|Detach|Authorize|Send|Publish|Invoke)/i.test(
            action,
          ) && !risky.test(action),
      ),
    matches: [allow('"s3:PutObject"', '"*"'), allow('"rds:Delete*"', '"*"')],
    misses: [
      allow('"s3:PutObject"', '"arn:aws:s3:::b/*"'),
      allow('"ec2:DescribeInstances"', '"*"'),
      keyPolicy('"kms:Create*", "kms:Put*"'),
      policy('{ Effect = "Allow", Action = "s3:PutObject", Resource = "*", Condition = { Bool = { "a" = "b" } } }'),
    ],
  }),
  rule({
    id: 'terraform-role-trusts-everyone',
    title: 'A role can be assumed by everyone',
    severity: 'critical',
    cwe: ['CWE-284', 'CWE-732'],
    knownAs: ['CKV_AWS_60', 'CKV_AWS_61'],
    risk: 'Anyone with an AWS account can act with the permissions of the role.',
    remediation: 'Name the accounts, roles or services that assume it.',
    find: (found) =>
      allowStatementsOf(found, { aws_iam_role: ['assume_role_policy'], 'AWS::IAM::Role': ['AssumeRolePolicyDocument'] })
        .filter(({ principals, block }) => principals.includes('*') && !hasCondition(block))
        .map(({ block }) => onBlock(block, 'Principal "*"')),
    matches: [trustOf('{ Statement = [{ Effect = "Allow", Principal = { AWS = "*" }, Action = "sts:AssumeRole" }] }')],
    misses: [
      trustOf('{ Statement = [{ Effect = "Allow", Principal = { Service = "ec2.amazonaws.com" } }] }'),
      trustOf(
        '{ Statement = [{ Effect = "Allow", Principal = { AWS = "*" }, Condition = { StringEquals = { "aws:PrincipalOrgID" = "o" } } }] }',
      ),
    ],
  }),
  rule({
    id: 'terraform-kms-public',
    title: 'A key can be used by everyone',
    severity: 'high',
    cwe: ['CWE-284', 'CWE-732'],
    knownAs: ['CKV_AWS_33'],
    risk: 'Anyone, with or without an AWS account, can decrypt what the key protects.',
    remediation: 'Name the accounts or roles that use the key.',
    find: (found) =>
      allowStatementsOf(found, {
        aws_kms_key: ['policy'],
        aws_kms_key_policy: ['policy'],
        'AWS::KMS::Key': ['KeyPolicy'],
      })
        .filter(({ principals, block }) => principals.includes('*') && !hasCondition(block))
        .map(({ block }) => onBlock(block, 'Principal "*"')),
    matches: [
      'resource "aws_kms_key" "a" {\n  policy = jsonencode({ Statement = { Effect = "Allow", Principal = "*", Action = "kms:*" } })\n}\n',
    ],
    misses: [
      'resource "aws_kms_key" "a" {\n  policy = jsonencode({ Statement = [{ Effect = "Allow", Principal = { AWS = "arn:aws:iam::1:root" }, Action = "kms:*" }] })\n}\n',
    ],
  }),
  rule({
    id: 'terraform-eks-public',
    title: 'A Kubernetes API server is open to the Internet',
    severity: 'high',
    cwe: ['CWE-284', 'CWE-668'],
    knownAs: ['CKV_AWS_38', 'CKV_AWS_39', 'AVD-AWS-0040', 'AVD-AWS-0041', 'CIS-EKS-5.4.1'],
    risk: 'Anyone can try stolen tokens on it, and exploit vulnerabilities of the API.',
    remediation: 'Set `endpoint_public_access = false`, or the permitted addresses in `public_access_cidrs`.',
    find: (found) =>
      resources(found, 'aws_eks_cluster').flatMap((block) =>
        blocks(block.body, 'vpc_config').flatMap((config) => {
          const [access, addresses] = [at(config, 'endpoint_public_access'), at(config, 'public_access_cidrs')];
          if (isUnknown(access) || textOf(access) === 'false' || isUnknown(addresses)) return [];
          const isLimited = addresses !== undefined && addresses !== null && !textsIn(addresses).some(isOpen);
          return isLimited ? [] : [onBlock(block, 'vpc_config.endpoint_public_access is true')];
        }),
      ),
    matches: [
      'resource "aws_eks_cluster" "a" {\n  vpc_config {\n    subnet_ids = []\n  }\n}\n',
      'resource "aws_eks_cluster" "a" {\n  vpc_config {\n    public_access_cidrs = ["0.0.0.0/0"]\n  }\n}\n',
    ],
    misses: [
      'resource "aws_eks_cluster" "a" {\n  vpc_config {\n    endpoint_public_access = false\n  }\n}\n',
      'resource "aws_eks_cluster" "a" {\n  vpc_config {\n    public_access_cidrs = ["192.0.2.0/24"]\n  }\n}\n',
      'resource "aws_eks_cluster" "a" {\n  vpc_config {\n    endpoint_public_access = data.x.y\n  }\n}\n',
    ],
  }),
];
