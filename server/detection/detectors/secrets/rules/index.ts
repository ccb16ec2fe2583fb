import type { SecretRule } from '../rule.ts';
import { aiRules } from './ai.ts';
import { chatRules } from './chat.ts';
import { ciRules } from './ci.ts';
import { awsRules, googleRules } from './cloud-aws-and-google.ts';
import { azureRules } from './cloud-azure.ts';
import { hostingRules } from './cloud-hosting.ts';
import { platformRules } from './cloud-platforms.ts';
import { codeHostRules } from './code-hosts.ts';
import { databaseRules } from './databases.ts';
import { messagingRules } from './email-and-messaging.ts';
import { identityRules } from './identity.ts';
import { infrastructureRules } from './infrastructure.ts';
import { monitoringRules } from './monitoring.ts';
import { networkRules } from './networks-and-domains.ts';
import { packageRegistryRules } from './package-registries.ts';
import { paymentRules } from './payment.ts';
import { privateKeyRules } from './private-keys.ts';
import { saasRules } from './saas.ts';
import { sourceHostRules } from './source-hosts.ts';
import { tokenRules } from './tokens.ts';

/** Every kind of credential with a format of its own, or recognised by the name of who issues it. Where two find the same text, the first counts. */
export const providerRules: SecretRule[] = [
  ...awsRules,
  ...googleRules,
  ...azureRules,
  ...hostingRules,
  ...platformRules,
  ...infrastructureRules,
  ...networkRules,
  ...sourceHostRules,
  ...codeHostRules,
  ...ciRules,
  ...packageRegistryRules,
  ...chatRules,
  ...paymentRules,
  ...messagingRules,
  ...monitoringRules,
  ...databaseRules,
  ...aiRules,
  ...identityRules,
  ...saasRules,
  ...privateKeyRules,
  ...tokenRules,
];
