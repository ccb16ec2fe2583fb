import type { SkippedFiles } from '../../repository/skipped-files.ts';

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

const resource = /^[ \t]*resource[ \t]+"([a-z][a-z0-9]*)_[a-z0-9_]+"/gm;

/** Returns the providers of a Terraform file's resources for which there are no checks. */
export function otherProvidersOf(text: string): string[] {
  const providers = new Set([...text.matchAll(resource)].map(([, provider = '']) => provider));
  return [...providers]
    .filter((provider) => !knownProviders.test(provider))
    .map((one) => `Terraform's ${one} resources`);
}
