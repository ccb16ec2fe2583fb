import type { SecretRule } from '../rule.ts';
import { shapeSample } from '../shape.ts';
import { tokenRule, vendorRule } from './provider-rule.ts';

const messages = 'send messages and make calls at the account’s expense';

const hexDigits = [...'0123456789abcdef'];

const besideSid = (token: string) => {
  const sid = `AC${shapeSample('{hex:32}', 0).split('').reverse().join('')}`;
  return [
    `client = Client("${sid}", "${token}")\n`,
    `sid: ${sid}\ntoken: ${token}\n`,
    `curl -u ${sid}:${token} https://api.service.test\n`,
  ];
};

/** Text messages, telephony and push. */
export const telephonyRules: SecretRule[] = [
  tokenRule({
    id: 'twilio-api-key',
    name: 'Twilio API key id',
    severity: 'high',
    can: messages,
    revoke: 'Twilio: Account, API keys and tokens',
    keywords: hexDigits.map((digit) => `SK${digit}`),
    anchored: true,
    shapes: 'SK{hex:32}',
    strict: true,
  }),
  vendorRule({
    id: 'twilio-auth-token',
    name: 'Twilio auth token',
    severity: 'critical',
    can: messages,
    revoke: 'Twilio: Account, API keys and tokens',
    vendor: ['twilio'],
    names: ['auth_token', 'authtoken', 'auth-token', 'auth', 'token', 'secret', 'password', 'key'],
    shapes: ['{hex:32}', '{alnum:32}'],
  }),
  {
    ...vendorRule({
      id: 'twilio-auth-token-beside-sid',
      name: 'Twilio auth token',
      severity: 'critical',
      can: messages,
      revoke: 'Twilio: Account, API keys and tokens',
      vendor: ['twilio'],
      shapes: '{hex:32}',
    }),
    keywords: hexDigits.map((digit) => `AC${digit}`),
    pattern: `AC[0-9a-f]{32}\\b(?:[^\\n]{0,60}?|[^\\n]{0,40}\\n[^\\n]{0,40}?)["'\`=:\\s](?<secret>[0-9a-f]{32})(?:[^0-9A-Za-z_-]|$)`,
    accept: () => true,
    get matches() {
      return besideSid(shapeSample('{hex:32}'));
    },
    get misses() {
      return [...besideSid(shapeSample('{hex:31}')), ...besideSid('your_auth_token'), ...besideSid('0'.repeat(32))];
    },
  },
  vendorRule({
    id: 'vonage-api-secret',
    name: 'Vonage (Nexmo) API secret',
    severity: 'critical',
    can: messages,
    revoke: 'Vonage: API settings',
    vendor: ['vonage', 'nexmo'],
    names: ['api_secret', 'apisecret', 'secret'],
    shapes: '{alnum:16}',
  }),
  vendorRule({
    id: 'messagebird-api-token',
    name: 'MessageBird access key',
    severity: 'critical',
    can: messages,
    revoke: 'MessageBird: Developers, API access',
    vendor: ['messagebird', 'message_bird', 'message-bird'],
    shapes: ['{alnum:25}', '{uuid}'],
  }),
  vendorRule({
    id: 'sinch-api-token',
    name: 'Sinch API token',
    severity: 'critical',
    can: messages,
    revoke: 'Sinch: Settings, Access keys',
    vendor: ['sinch'],
    shapes: ['{hex:32}', '{uuid}'],
  }),
  vendorRule({
    id: 'plivo-auth-token',
    name: 'Plivo auth token',
    severity: 'critical',
    can: messages,
    revoke: 'Plivo: Account, Auth credentials',
    vendor: ['plivo'],
    names: ['auth_token', 'authtoken', 'token', 'auth', 'secret'],
    shapes: '{alnum:40}',
  }),
  tokenRule({
    id: 'telnyx-api-key',
    name: 'Telnyx API key',
    severity: 'critical',
    can: messages,
    revoke: 'Telnyx: API keys',
    shapes: 'KEY0{hex:31}_{alnum:22}',
    strict: true,
  }),
  vendorRule({
    id: 'clicksend-api-key',
    name: 'ClickSend or Textmagic API key',
    severity: 'high',
    can: messages,
    revoke: 'the service’s API credentials',
    vendor: ['clicksend', 'textmagic'],
    shapes: ['{uuid}', '{alnum:30}'],
  }),
  vendorRule({
    id: 'sendbird-access-token',
    name: 'Sendbird API token',
    severity: 'high',
    can: 'read and change the application’s chats',
    revoke: 'Sendbird: Settings, Application, API tokens',
    vendor: ['sendbird'],
    shapes: '{hex:40}',
  }),
  tokenRule({
    id: 'onesignal-api-key',
    name: 'OneSignal API key',
    severity: 'high',
    can: 'send push messages to every user of the app',
    revoke: 'OneSignal: Settings, Keys and IDs',
    shapes: ['os_v2_app_{lower32:103}', 'os_v2_app_{lower32:56}', 'os_v2_org_{lower32:56}'],
  }),
  vendorRule({
    id: 'onesignal-legacy-api-key',
    name: 'OneSignal API key (old form)',
    severity: 'high',
    can: 'send push messages to every user of the app',
    revoke: 'OneSignal: Settings, Keys and IDs',
    vendor: ['onesignal', 'one_signal'],
    shapes: ['{b64:48}', '{uuid}'],
  }),
  vendorRule({
    id: 'pusher-app-secret',
    name: 'Pusher app secret',
    severity: 'high',
    can: 'publish in every channel of the app',
    revoke: 'Pusher: App keys',
    vendor: ['pusher'],
    names: ['secret', 'app_secret'],
    shapes: '{hex:20}',
  }),
  vendorRule({
    id: 'ably-api-key',
    name: 'Ably API key',
    severity: 'high',
    can: 'publish and subscribe in the app’s channels',
    revoke: 'Ably: the app’s API keys',
    vendor: ['ably'],
    shapes: '{url:6}.{url:6}:{url:43}',
  }),
  tokenRule({
    id: 'pubnub-secret-key',
    name: 'PubNub secret key',
    severity: 'high',
    can: 'grant rights in and administer the keyset',
    revoke: 'PubNub: the keyset’s settings',
    shapes: 'sec-c-{b64:47-48}{pad}',
  }),
];
