import type { SecretRule } from '../rule.ts';
import { tokenRule, vendorRule } from './provider-rule.ts';

const slackReferences = ['https://docs.slack.dev/authentication/tokens'];
const slackApps = 'Slack: api.slack.com/apps, the app’s OAuth and permissions (or auth.revoke)';

function slack(id: string, name: string, shapes: string | string[], can: string, misses: string[] = []): SecretRule {
  return tokenRule({
    id,
    name,
    severity: 'critical',
    can,
    revoke: slackApps,
    references: slackReferences,
    shapes,
    misses: () => misses,
  });
}

/** Slack: every kind of token, webhooks and app secrets. */
export const slackRules: SecretRule[] = [
  slack(
    'slack-bot-token',
    'Slack bot token',
    'xoxb-{digit:10-13}-{digit:10-13}-{alnum:24}',
    'read and write where the bot is a member',
    ['xoxb-not-a-real-token', 'xoxb-123456789012-1234567890123-xxxxxxxxxxxxxxxxxxxxxxxx'],
  ),
  slack(
    'slack-legacy-bot-token',
    'Slack bot token (old form)',
    'xoxb-{digit:8-14}-{alnum:18-26}',
    'read and write where the bot is a member',
  ),
  slack(
    'slack-user-token',
    'Slack user token',
    'xoxp-{digit:10-13}-{digit:10-13}-{digit:10-13}-{alnum:28-34}',
    'act as the person within the token’s scopes',
  ),
  slack(
    'slack-app-token',
    'Slack app-level token',
    'xapp-{digit:1}-{upper:9-13}-{digit:10-13}-{hex:64}',
    'receive the app’s events from every workspace',
  ),
  slack(
    'slack-config-access-token',
    'Slack configuration token',
    ['xoxe.xoxp-{digit:1}-{alnum:163-166}', 'xoxe.xoxb-{digit:1}-{alnum:163-166}'],
    'change the manifests of its owner’s apps',
  ),
  slack(
    'slack-config-refresh-token',
    'Slack refresh token',
    'xoxe-{digit:1}-{alnum:146}',
    'obtain new configuration tokens',
  ),
  slack(
    'slack-legacy-token',
    'Slack token (old form)',
    [
      'xoxs-{digit:8-13}-{digit:8-13}-{digit:8-13}-{hex:10-40}',
      'xoxo-{digit:8-13}-{digit:8-13}-{digit:8-13}-{hex:10-40}',
    ],
    'act as the person who made it',
  ),
  slack(
    'slack-legacy-workspace-token',
    'Slack workspace token',
    [
      'xoxa-{digit:1}-{alnum:20-48}',
      'xoxr-{digit:1}-{alnum:20-48}',
      'xoxa-{digit:10-13}-{digit:10-13}-{digit:10-13}-{hex:32}',
    ],
    'act as the app in the workspace',
  ),
  slack(
    'slack-session-token',
    'Slack client session',
    ['xoxc-{digit:10-13}-{digit:10-13}-{digit:10-13}-{hex:64}', 'xoxd-{alnum:40-200}'],
    'act as the signed-in person',
  ),
  tokenRule({
    id: 'slack-webhook-url',
    name: 'Slack incoming webhook',
    severity: 'high',
    can: 'post messages in the channel',
    revoke: slackApps,
    shapes: [
      'hooks.slack.com/services/T{upper:8-12}/B{upper:8-12}/{alnum:24}',
      'hooks.slack.com/workflows/T{upper:8-12}/A{upper:8-12}/{digit:17-19}/{alnum:24}',
      'hooks.slack.com/triggers/{upper:9-13}/{digit:10-14}/{hex:32}',
    ],
    misses: () => ['https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX'],
  }),
  vendorRule({
    id: 'slack-signing-secret',
    name: 'Slack signing or client secret',
    severity: 'high',
    can: 'forge requests that the app accepts as Slack’s',
    revoke: 'Slack: api.slack.com/apps, the app’s Basic information',
    vendor: ['slack'],
    names: ['signing_secret', 'signingsecret', 'signing-secret', 'signing.secret', 'secret'],
    shapes: '{hex:32}',
  }),
];
