import { beginsWithEncodedSnowflake } from '../checksums.ts';
import type { SecretRule } from '../rule.ts';
import { sample } from '../sample.ts';
import { shapeSample } from '../shape.ts';
import { tokenRule, vendorRule } from './provider-rule.ts';

const discordToken = (idDigits: number) =>
  [
    Buffer.from(sample('1-9', idDigits)).toString('base64').replaceAll('=', ''),
    sample('0-9A-Za-z_-', 6),
    sample('0-9A-Za-z_-', 38),
  ].join('.');

/** The first base64 characters of every number from 10… to 99…: bot tokens start with the bot’s numeric id. */
const snowflakeStarts = [
  ...new Set(
    Array.from({ length: 90 }, (_, index) =>
      Buffer.from(`${index + 10}0`)
        .toString('base64')
        .slice(0, 3),
    ),
  ),
];

/** Chat services other than Slack. */
export const chatRules: SecretRule[] = [
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
    can: 'verify or send requests on the application’s behalf',
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
    after: '/bot',
  }),
  tokenRule({
    id: 'twitch-stream-key',
    name: 'Twitch stream key',
    severity: 'high',
    can: 'broadcast on the channel',
    revoke: 'Twitch: Creator dashboard, Settings, Stream',
    keywords: ['live_'],
    shapes: 'live_{digit:8-12}_{alnum:30-36}',
  }),
  tokenRule({
    id: 'microsoft-teams-webhook',
    name: 'Microsoft Teams webhook',
    severity: 'high',
    can: 'post messages in the channel',
    revoke: 'Microsoft Teams: the channel’s Connectors or Workflows',
    keywords: ['webhook.office.com', 'outlook.office.com/webhook'],
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
    can: 'send messages on the channel’s behalf',
    revoke: 'LINE Developers: the channel’s Messaging API',
    keywords: ['/1o/w1cdnyilfu='],
    shapes: '{b64:130-150}/1O/w1cDnyilFU=',
  }),
];
