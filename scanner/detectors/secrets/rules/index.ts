import type { SecretRule } from '../rule.ts';
import { aiRules } from './ai.ts';
import { aiMediaRules } from './ai-speech-and-search.ts';
import { aiToolRules } from './ai-tools.ts';
import { chatRules } from './chat.ts';
import { ciRules } from './ci.ts';
import { awsRules, googleRules } from './cloud-aws-and-google.ts';
import { azureRules } from './cloud-azure.ts';
import { hostingRules } from './cloud-hosting.ts';
import { platformRules } from './cloud-platforms.ts';
import { codeHostRules } from './code-hosts.ts';
import { customerRules } from './customers.ts';
import { dataServiceRules } from './data-services.ts';
import { databaseRules } from './databases.ts';
import { messagingRules } from './email-and-messaging.ts';
import { exchangeRules } from './exchanges.ts';
import { productAnalyticsRules } from './feature-flags-and-analytics.ts';
import { identityRules } from './identity.ts';
import { incidentRules } from './incidents.ts';
import { infrastructureRules } from './infrastructure.ts';
import { loggingRules } from './logging.ts';
import { monitoringRules } from './monitoring.ts';
import { networkRules } from './networks-and-domains.ts';
import { packageRegistryRules } from './package-registries.ts';
import { paymentRules } from './payment.ts';
import { pemKeyRules } from './pem-keys.ts';
import { privateKeyRules } from './private-keys.ts';
import { searchRules } from './search-and-queues.ts';
import { slackRules } from './slack.ts';
import { socialRules } from './social-networks.ts';
import { sourceHostRules } from './source-hosts.ts';
import { telephonyRules } from './telephony-and-push.ts';
import { tokenRules } from './tokens.ts';
import { workRules } from './work.ts';

/**
 * Every kind of credential that has a distinct format or is recognised by its issuer's name. If two match the same
 * text, the first wins.
 */
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
  ...slackRules,
  ...chatRules,
  ...paymentRules,
  ...exchangeRules,
  ...messagingRules,
  ...telephonyRules,
  ...monitoringRules,
  ...loggingRules,
  ...incidentRules,
  ...productAnalyticsRules,
  ...databaseRules,
  ...searchRules,
  ...aiRules,
  ...aiToolRules,
  ...aiMediaRules,
  ...identityRules,
  ...socialRules,
  ...workRules,
  ...customerRules,
  ...dataServiceRules,
  ...pemKeyRules,
  ...privateKeyRules,
  ...tokenRules,
];
