import type { SecretRule } from '../rule.ts';
import { tokenRule, vendorRule } from './provider-rule.ts';

const sends = 'send false data in and run up the bill';
const flags = 'read and switch feature flags';

/** Feature flags and product analytics. */
export const productAnalyticsRules: SecretRule[] = [
  tokenRule({
    id: 'launchdarkly-access-token',
    name: 'LaunchDarkly API access token',
    severity: 'critical',
    can: flags,
    revoke: 'LaunchDarkly: Account settings, Authorization',
    shapes: 'api-{uuid}',
    strict: true,
  }),
  tokenRule({
    id: 'launchdarkly-sdk-key',
    name: 'LaunchDarkly SDK key',
    severity: 'medium',
    can: 'read the environment’s feature flags',
    revoke: 'LaunchDarkly: Environments',
    shapes: 'sdk-{uuid}',
    strict: true,
  }),
  tokenRule({
    id: 'posthog-personal-api-key',
    name: 'PostHog personal API key',
    severity: 'high',
    can: 'read and change the project’s analytics',
    revoke: 'PostHog: Settings, Personal API keys',
    shapes: 'phx_{alnum:43-48}',
  }),
  vendorRule({
    id: 'mixpanel-api-secret',
    name: 'Mixpanel API secret',
    severity: 'high',
    can: 'read the project’s analytics',
    revoke: 'Mixpanel: Project settings',
    vendor: ['mixpanel'],
    names: ['api_secret', 'secret', 'token', 'key'],
    shapes: ['{hex:32}', '{alnum:32}'],
  }),
  vendorRule({
    id: 'amplitude-api-key',
    name: 'Amplitude secret key',
    severity: 'high',
    can: 'read the project’s analytics',
    revoke: 'Amplitude: Project settings',
    vendor: ['amplitude'],
    names: ['secret_key', 'secret', 'key', 'token'],
    shapes: '{hex:32}',
  }),
  vendorRule({
    id: 'segment-write-key',
    name: 'Segment key',
    severity: 'medium',
    can: sends,
    revoke: 'Segment: Source settings, API keys',
    vendor: ['segment'],
    wholeWord: true,
    names: ['write_key', 'writekey', 'key', 'token'],
    shapes: ['{alnum:32}', 'sgp_{alnum:64}'],
  }),
];
