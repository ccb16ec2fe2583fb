import { beginsWithEncodedSnowflake } from '../checksums.ts';
import type { SecretRule } from '../rule.ts';
import { sample } from '../sample.ts';
import { shapeSample } from '../shape.ts';
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

const discordToken = (idDigits: number) =>
  [
    Buffer.from(sample('1-9', idDigits)).toString('base64').replaceAll('=', ''),
    sample('0-9A-Za-z_-', 6),
    sample('0-9A-Za-z_-', 38),
  ].join('.');

/** The first characters of every number from 10… to 99… in base64: bot tokens begin with the bot’s numeric id. */
const snowflakeStarts = [
  ...new Set(
    Array.from({ length: 90 }, (_, index) =>
      Buffer.from(`${index + 10}0`)
        .toString('base64')
        .slice(0, 3)
        .toLowerCase(),
    ),
  ),
];

const slackRules: SecretRule[] = [
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
    'Slack token of an old kind',
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
    can: 'forge requests that the app takes for Slack’s',
    revoke: 'Slack: api.slack.com/apps, the app’s Basic information',
    vendor: ['slack'],
    names: ['signing_secret', 'signingsecret', 'signing-secret', 'signing.secret', 'secret'],
    shapes: '{hex:32}',
  }),
];

const otherChatRules: SecretRule[] = [
  tokenRule({
    id: 'discord-api-token',
    name: 'Discord bot token',
    severity: 'critical',
    can: 'act as the bot in every server it is in',
    revoke: 'Discord: Developer Portal, the application’s Bot page (reset token)',
    keywords: snowflakeStarts,
    anchored: true,
    strict: true,
    shapes: [
      '{url:24}.{url:6}.{url:27}',
      '{url:26}.{url:6}.{url:38}',
      '{url:24}.{url:6}.{url:38}',
      '{url:23}.{url:6}.{url:27}',
      '{url:26}.{url:6}.{url:27}',
    ],
    verify: beginsWithEncodedSnowflake,
    sample: () => discordToken(18),
    misses: () => [shapeSample('{url:26}.{url:6}.{url:38}')],
  }),
  tokenRule({
    id: 'discord-webhook-url',
    name: 'Discord webhook',
    severity: 'high',
    can: 'post messages in the channel',
    revoke: 'Discord: the channel’s settings, Integrations, Webhooks',
    shapes: [
      'discord.com/api/webhooks/{digit:17-20}/{url:60-72}',
      'discordapp.com/api/webhooks/{digit:17-20}/{url:60-72}',
    ],
  }),
  vendorRule({
    id: 'discord-client-secret',
    name: 'Discord client secret',
    severity: 'high',
    can: 'impersonate the application towards Discord’s sign-in',
    revoke: 'Discord: Developer Portal, the application’s OAuth2 page',
    vendor: ['discord'],
    names: ['client_secret', 'clientsecret', 'client-secret', 'client.secret', 'secret'],
    shapes: '{url:32}',
    minEntropy: 3.7,
  }),
  vendorRule({
    id: 'discord-api-key',
    name: 'Discord API key',
    severity: 'medium',
    can: 'verify or send requests in the application’s name',
    revoke: 'Discord: Developer Portal, the application’s page',
    vendor: ['discord'],
    names: ['key', 'token', 'secret'],
    shapes: '{hex:64}',
  }),
  tokenRule({
    id: 'telegram-bot-api-token',
    name: 'Telegram bot token',
    severity: 'critical',
    can: 'act as the bot and read what it receives',
    revoke: 'Telegram: @BotFather, /revoke',
    keywords: [':aa'],
    shapes: '{digit:8-10}:AA{url:33}',
    strict: true,
    misses: () => [`12:AA${'B'.repeat(33)}`],
  }),
  tokenRule({
    id: 'microsoft-teams-webhook',
    name: 'Microsoft Teams webhook',
    severity: 'high',
    can: 'post messages in the channel',
    revoke: 'Microsoft Teams: the channel’s Connectors or Workflows',
    keywords: ['webhook.office.com'],
    shapes: [
      'https://{lower:3-30}.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{hex:32}/{uuid}',
      'https://outlook.office.com/webhook/{uuid}@{uuid}/IncomingWebhook/{hex:32}/{uuid}',
    ],
  }),
  vendorRule({
    id: 'mattermost-access-token',
    name: 'Mattermost access token',
    severity: 'high',
    can: 'act as its owner on that server',
    revoke: 'Mattermost: Profile, Security, Personal access tokens',
    vendor: ['mattermost'],
    shapes: '{lower:26}',
  }),
  vendorRule({
    id: 'gitter-access-token',
    name: 'Gitter access token',
    severity: 'high',
    can: 'act as its owner',
    revoke: 'Gitter: developer.gitter.im',
    vendor: ['gitter'],
    shapes: '{hex:40}',
  }),
  vendorRule({
    id: 'zoom-client-secret',
    name: 'Zoom app secret',
    severity: 'high',
    can: 'act as the app: read meetings, recordings and users',
    revoke: 'Zoom: App Marketplace, Manage, the app’s credentials',
    vendor: ['zoom'],
    names: ['client_secret', 'clientsecret', 'client-secret', 'client.secret', 'api_secret', 'apisecret', 'secret'],
    shapes: ['{alnum:32}', '{alnum:36}'],
  }),
  vendorRule({
    id: 'webex-access-token',
    name: 'Webex bot or access token',
    severity: 'high',
    can: 'act as the bot or person in Webex',
    revoke: 'Webex: developer.webex.com, My apps',
    vendor: ['webex', 'ciscospark'],
    shapes: '{alnum:64}_{alnum:4}_{uuid}',
  }),
  tokenRule({
    id: 'line-channel-access-token',
    name: 'LINE channel access token',
    severity: 'high',
    can: 'send messages in the channel’s name',
    revoke: 'LINE Developers: the channel’s Messaging API',
    keywords: ['/1o/w1cdnyilfu='],
    shapes: '{b64:130-150}/1O/w1cDnyilFU=',
  }),
];

export const chatRules: SecretRule[] = [...slackRules, ...otherChatRules];
