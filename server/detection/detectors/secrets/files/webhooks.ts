import { isPlaceholder } from '../placeholders.ts';
import type { SecretRule } from '../rule.ts';
import { sample } from '../sample.ts';
import { genericRule } from './generic-rule.ts';

const letters = '0-9A-Za-z';

type Webhook = { id: string; name: string; host: string; pattern: string; sample: string; miss: string };

/** Addresses that need no other credential: who knows one may call it. */
const webhooks: Webhook[] = [
  {
    id: 'zapier-webhook',
    name: 'Zapier webhook',
    host: 'hooks.zapier.com/hooks/',
    pattern: 'hooks\\.zapier\\.com/hooks/(?:standard|catch)/\\d{3,12}/(?:silent/)?(?P<secret>[0-9A-Za-z-]{5,60})',
    sample: `https://hooks.zapier.com/hooks/catch/${'1357924'}/${sample('0-9a-z', 7, 'zapier')}/`,
    miss: 'https://hooks.zapier.com/hooks/catch/',
  },
  {
    id: 'ifttt-webhook-key',
    name: 'IFTTT webhook key',
    host: 'maker.ifttt.com/',
    pattern: 'maker\\.ifttt\\.com/(?:trigger/[^\\s"\'<>]{1,100}/with/key|use)/(?P<secret>[0-9A-Za-z_-]{20,80})',
    sample: `https://maker.ifttt.com/trigger/ring/with/key/${sample(letters, 22, 'ifttt')}`,
    miss: 'https://maker.ifttt.com/trigger/ring/with/key/{key}',
  },
  {
    id: 'make-webhook',
    name: 'Make webhook',
    host: '.make.com/',
    pattern: '\\.make\\.com/(?P<secret>[0-9a-z]{28,40})',
    sample: `https://hook.eu1.make.com/${sample('0-9a-z', 32, 'make')}`,
    miss: 'https://www.make.com/en/integrations',
  },
  {
    id: 'mattermost-webhook',
    name: 'Mattermost or Rocket.Chat webhook',
    host: '/hooks/',
    pattern: '/hooks/(?P<secret>(?:[0-9A-Za-z]{17,24}/)?[0-9a-z]{26}|[0-9A-Za-z]{17,24}/[0-9A-Za-z]{40,80})',
    sample: `https://chat.internal/hooks/${sample('0-9a-z', 26, 'mattermost')}`,
    miss: 'https://github.internal/hooks/pre-receive-hook-that-rejects',
  },
];

export const webhookRules: SecretRule[] = webhooks.map(({ id, name, host, pattern, sample: address, miss }) =>
  genericRule({
    id,
    name,
    severity: 'medium',
    generic: false,
    risk: 'Anyone who reads it can start what the webhook starts, and send it any content.',
    remediation: 'Delete the webhook, create a new one, and keep its address out of the repository.',
    keywords: [host],
    pattern: `${pattern}(?:[^0-9A-Za-z_-]|$)`,
    anchored: true,
    verify: (secret) => !isPlaceholder(secret) && (id === 'zapier-webhook' || /\d/.test(secret)),
    matches: [`url: ${address}`, `{"url": "${address}"}`],
    misses: [miss, `url: ${address.slice(0, -12)}`],
  }),
);
