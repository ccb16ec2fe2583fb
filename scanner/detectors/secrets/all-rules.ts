import { fileRules } from './files/index.ts';
import type { SecretRule } from './rule.ts';
import { encodedRule } from './rules/encoded.ts';
import { providerRules } from './rules/index.ts';
import { leaveToProviders } from './rules/malformed.ts';

/** Every rule of the secrets detector, specific ones first. */
export const allRules: SecretRule[] = [
  ...providerRules,
  encodedRule(providerRules),
  ...fileRules.map(leaveToProviders),
];
