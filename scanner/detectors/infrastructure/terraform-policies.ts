import { blocks, resources, textsIn } from './rules/terraform-helpers.ts';
import type { TerraformBlock } from './terraform.ts';
import { at, entriesOf, isRecord, listOf, textOf, type Value } from './value.ts';

export type PolicyStatement = {
  block: TerraformBlock;
  effect: string;
  actions: string[];
  resources: string[];
  principals: string[];
  /** Whether the statement has any principal, known or unknown. */
  hasPrincipals: boolean;
};

/** Resource types, and their attributes that contain a policy. */
type PolicyOwners = Record<string, string[]>;

const owners: PolicyOwners = {
  aws_iam_policy: ['policy'],
  aws_iam_role_policy: ['policy'],
  aws_iam_user_policy: ['policy'],
  aws_iam_group_policy: ['policy'],
  aws_iam_role: ['inline_policy.policy'],
  aws_ssoadmin_permission_set_inline_policy: ['inline_policy'],
  aws_s3_bucket: ['policy'],
  aws_s3_bucket_policy: ['policy'],
  aws_sqs_queue: ['policy'],
  aws_sqs_queue_policy: ['policy'],
  aws_sns_topic: ['policy'],
  aws_sns_topic_policy: ['policy'],
  aws_ecr_repository_policy: ['policy'],
  aws_secretsmanager_secret: ['policy'],
  aws_secretsmanager_secret_policy: ['policy'],
  aws_elasticsearch_domain: ['access_policies'],
  aws_elasticsearch_domain_policy: ['access_policies'],
  aws_opensearch_domain: ['access_policies'],
  aws_opensearch_domain_policy: ['access_policies'],
  aws_glacier_vault: ['access_policy'],
  aws_backup_vault_policy: ['policy'],
  'AWS::IAM::Policy': ['PolicyDocument'],
  'AWS::IAM::ManagedPolicy': ['PolicyDocument'],
  'AWS::IAM::Role': ['Policies.PolicyDocument'],
  'AWS::IAM::User': ['Policies.PolicyDocument'],
  'AWS::IAM::Group': ['Policies.PolicyDocument'],
  'AWS::S3::BucketPolicy': ['PolicyDocument'],
  'AWS::SQS::QueuePolicy': ['PolicyDocument'],
  'AWS::SNS::TopicPolicy': ['PolicyDocument'],
  'AWS::ECR::Repository': ['RepositoryPolicyText'],
  'AWS::SecretsManager::ResourcePolicy': ['ResourcePolicy'],
  'AWS::OpenSearchService::Domain': ['AccessPolicies'],
  'AWS::Elasticsearch::Domain': ['AccessPolicies'],
};

/**
 * Returns the allowing statements of policies other than key and trust policies, from `aws_iam_policy_document` and
 * from JSON in a string or in `jsonencode`; or the statements of other owners.
 */
export function allowStatementsOf(found: TerraformBlock[], otherOwners?: PolicyOwners): PolicyStatement[] {
  const written = Object.entries(otherOwners ?? owners).flatMap(([type, attributes]) =>
    resources(found, type).flatMap((block) =>
      attributes
        .flatMap((attribute) => policiesAt(block.body, attribute.split('.')))
        .flatMap((policy) => readStatements(block, policy)),
    ),
  );
  const all = otherOwners ? written : [...documentsOf(found), ...written];
  return all.filter(({ effect }) => effect === 'Allow');
}

const documentsOf = (found: TerraformBlock[]): PolicyStatement[] =>
  found
    .filter(({ kind, type }) => kind === 'data' && type === 'aws_iam_policy_document')
    .flatMap((block) =>
      blocks(block.body, 'statement').map((body) => ({
        block,
        effect: textOf(at(body, 'effect')) || 'Allow',
        actions: textsIn(at(body, 'actions')),
        resources: textsIn(at(body, 'resources')),
        principals: blocks(body, 'principals').flatMap((principal) => textsIn(at(principal, 'identifiers'))),
        hasPrincipals: blocks(body, 'principals').length > 0,
      })),
    );

function policiesAt(body: Value, [step = '', ...rest]: string[]): Value[] {
  return rest.length === 0 ? [at(body, step)] : blocks(body, step).flatMap((block) => policiesAt(block, rest));
}

/** Reads a policy, as an object or JSON. */
function readStatements(block: TerraformBlock, policy: Value): PolicyStatement[] {
  const statements = at(isRecord(policy) ? policy : readJson(textOf(policy)), 'Statement');
  return (isRecord(statements) ? [statements] : listOf(statements)).map((body) => ({
    block,
    effect: textOf(at(body, 'Effect')),
    actions: textsIn(at(body, 'Action')),
    resources: textsIn(at(body, 'Resource')),
    principals: [at(body, 'Principal'), ...entriesOf(at(body, 'Principal')).map(([, value]) => value)].flatMap(textsIn),
    hasPrincipals: (at(body, 'Principal') ?? null) !== null,
  }));
}

/** Parses a policy. A policy that is known only when Terraform runs is unknown. */
function readJson(text: string): Value {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export const hasCondition = (block: TerraformBlock): boolean =>
  /"condition"/i.test(JSON.stringify(block.body).replaceAll('\\', ''));
