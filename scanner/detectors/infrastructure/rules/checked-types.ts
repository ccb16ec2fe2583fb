import { checkedWorkloads } from '../terraform/kubernetes-resources.ts';
import type { TerraformBlock } from '../terraform.ts';
import { tableTypes } from './cloudformation-rules.ts';
import { rules } from './index.ts';
import { soughtTypes } from './terraform-helpers.ts';

let known: ReadonlySet<string> | null = null;

/** Returns the types of Terraform's resources that any check looks at. */
export function checkedTypes(): ReadonlySet<string> {
  known ??= findTypes();
  return known;
}

let knownInTemplates: ReadonlySet<string> | null = null;
const typeInTemplate = /AWS::\w+::\w+/g;

/** Returns the types of CloudFormation's resources that any check looks at. */
export function checkedTemplateTypes(): ReadonlySet<string> {
  const examples = () =>
    rules.flatMap(({ kind, matches, misses }) => (kind === 'cloudformation' ? [...matches, ...misses] : []));
  knownInTemplates ??= new Set([...tableTypes, ...examples().flatMap((text) => text.match(typeInTemplate) ?? [])]);
  return knownInTemplates;
}

/** Some rules look for a type only beside another: their examples have it. */
function findTypes(): Set<string> {
  const terraform = rules.filter(({ kind }) => kind === 'terraform');
  const nothing: TerraformBlock[] = [];
  for (const { find } of terraform) find(nothing as never);
  const examples = terraform.flatMap(({ matches }) => matches);
  const inExamples = examples.flatMap((text) => [...text.matchAll(/^resource "(\w+)"/gm)].map(([, type]) => type!));
  return new Set([...soughtTypes, ...inExamples, ...checkedWorkloads]);
}
