import { blocks, resources, textsIn } from './rules/terraform-helpers.ts';
import type { TerraformBlock } from './terraform.ts';
import { at, entriesOf, listOf, textOf, type Value } from './value.ts';

export type PolicyStatement = {
  block: TerraformBlock;
  effect: string;
  actions: string[];
  resources: string[];
  principals: string[];
};

const policyOwners = [
  'aws_iam_policy',
  'aws_iam_role_policy',
  'aws_iam_user_policy',
  'aws_iam_group_policy',
  'aws_s3_bucket_policy',
  'aws_sqs_queue_policy',
  'aws_sns_topic_policy',
  'aws_kms_key',
  'aws_ecr_repository_policy',
  'aws_secretsmanager_secret_policy',
];

/**
 * Returns the allowing statements of policies other than key policies, from `aws_iam_policy_document` and from JSON in
 * a string or in `jsonencode`.
 */
export function allowStatementsOf(found: TerraformBlock[]): PolicyStatement[] {
  const documents = found
    .filter(({ kind, type }) => kind === 'data' && type === 'aws_iam_policy_document')
    .flatMap((block) =>
      blocks(block.body, 'statement').map((body) => ({
        block,
        effect: textOf(at(body, 'effect')) || 'Allow',
        actions: textsIn(at(body, 'actions')),
        resources: textsIn(at(body, 'resources')),
        principals: blocks(body, 'principals').flatMap((principal) => textsIn(at(principal, 'identifiers'))),
      })),
    );
  const texts = resources(found, ...policyOwners).flatMap((block) =>
    listOf([readPolicy(textOf(block.body.policy))].flatMap((policy) => [at(policy, 'Statement')].flat())).map(
      (body) => ({
        block,
        effect: textOf(at(body, 'Effect')),
        actions: textsIn(at(body, 'Action')),
        resources: textsIn(at(body, 'Resource')),
        principals: [at(body, 'Principal'), ...entriesOf(at(body, 'Principal')).map(([, value]) => value)].flatMap(
          textsIn,
        ),
      }),
    ),
  );
  return [...documents, ...texts].filter(
    ({ effect, block }) => effect === 'Allow' && !(block.type === 'aws_kms_key' && block.kind === 'resource'),
  );
}

/** Parses JSON, or an argument of `jsonencode` in Terraform's syntax. */
function readPolicy(text: string): Value {
  const inner = /^\$\{jsonencode\((.*)\)\}$/s.exec(text.trim())?.[1];
  // Names are bare or quoted and followed by = or :. Any other difference from JSON makes the policy unknown.
  const json =
    inner === undefined
      ? text
      : inner
          .replace(/^\s*#.*$/gm, '')
          .replace(/(?<=[{,\n]\s*)"?(\w+)"?\s*[=:]\s*/g, '"$1": ')
          .replace(/(["\]}\w])[ \t]*\n(?=\s*")/g, '$1,\n')
          .replace(/,(?=\s*[\]}])/g, '');
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

export const hasCondition = (block: TerraformBlock): boolean =>
  /"condition"/i.test(JSON.stringify(block.body).replaceAll('\\', ''));
