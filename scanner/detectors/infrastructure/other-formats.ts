import type { SkippedFiles } from '../../repository/skipped-files.ts';
import { checkedTemplateTypes, checkedTypes } from './rules/checked-types.ts';

/** Formats without checks, by the ends of their files' names. */
const formats: Array<[RegExp, string]> = [
  [/\.bicep$/, 'Bicep'],
  [/(?:^|\/)Pulumi\.ya?ml$/, 'Pulumi'],
  [/\.pp$/, 'Puppet'],
  [/\.nomad(?:\.hcl)?$/, 'Nomad'],
  [/\.pkr\.hcl$/, 'Packer'],
  [/(?:^|\/)serverless\.(?:ya?ml|ts|json)$/, 'the Serverless Framework'],
  [/(?:^|\/)(?:azuredeploy|mainTemplate)\.json$/, 'templates of Azure Resource Manager'],
];

/** Counts a file of a format without checks. */
export function noteOtherFormat(skipped: SkippedFiles, path: string): void {
  const [, format] = formats.find(([pattern]) => pattern.test(path)) ?? [];
  if (format !== undefined) skipped.addLanguage(format, path);
}

/** Providers with checks, and those whose resources exist only in Terraform itself. */
const knownProviders =
  /^(?:aws|azurerm|azuread|google|kubernetes|helm|null|random|local|time|tls|template|archive|external|http|terraform|cloudinit)$/;

/** Providers whose resources exist only in Terraform itself, or install what other files describe. */
const withoutSettings = /^(?:helm|null|random|local|time|tls|template|archive|external|http|terraform|cloudinit)$/;

const resource = /^[ \t]*resource[ \t]+"(([a-z][a-z0-9]*)_[a-z0-9_]+)"/gm;

/** Counts the resources of a Terraform file that no check looks at: by their provider, or by type if it has checks. */
export function noteOtherResources(skipped: SkippedFiles, path: string, text: string): void {
  const found = [...text.matchAll(resource)].map(([, type = '', provider = '']) => ({ type, provider }));
  for (const provider of new Set(found.map((one) => one.provider)))
    if (!knownProviders.test(provider)) skipped.addLanguage(`Terraform's ${provider} resources`, path);
  for (const { type, provider } of found)
    if (knownProviders.test(provider) && !withoutSettings.test(provider) && !checkedTypes().has(type))
      skipped.addType(`Terraform's ${provider} resources`, type);
}

/** Types of parameters continue: `AWS::EC2::VPC::Id`. */
const templateResource = /["']?\bType["']?[ \t]*:[ \t]*["']?(AWS::\w{1,60}::\w{1,60})(?![\w:])/g;

/** Counts the resources of a CloudFormation template that no check looks at, by their type. */
export function noteOtherTemplateResources(skipped: SkippedFiles, text: string): void {
  for (const [, type = ''] of text.matchAll(templateResource))
    if (!checkedTemplateTypes().has(type)) skipped.addType("CloudFormation's resources", type);
}
