import type { SecretRule } from '../rule.ts';
import { vendorRule } from './provider-rule.ts';

const oncall = 'read and change incidents, schedules and who is called';

/** Incident management and error tracking. */
export const incidentRules: SecretRule[] = [
  vendorRule({
    id: 'pagerduty-api-key',
    name: 'PagerDuty API key',
    severity: 'critical',
    can: oncall,
    revoke: 'PagerDuty: Integrations, API access keys',
    vendor: ['pagerduty', 'pager_duty', 'pager-duty', 'pd_api', 'pd_token'],
    shapes: ['u+{url:18}', '{url:20}', '{hex:32}'],
  }),
  vendorRule({
    id: 'opsgenie-api-key',
    name: 'Opsgenie API key',
    severity: 'critical',
    can: oncall,
    revoke: 'Opsgenie: Settings, API key management',
    vendor: ['opsgenie', 'ops_genie', 'geniekey'],
    shapes: '{uuid}',
  }),
  vendorRule({
    id: 'victorops-api-key',
    name: 'Splunk On-Call (VictorOps) API key',
    severity: 'high',
    can: oncall,
    revoke: 'Splunk On-Call: Integrations, API',
    vendor: ['victorops', 'victor_ops'],
    shapes: ['{hex:32}', '{uuid}'],
  }),
  vendorRule({
    id: 'rollbar-access-token',
    name: 'Rollbar access token',
    severity: 'high',
    can: 'read or send the project’s errors',
    revoke: 'Rollbar: Project access tokens',
    vendor: ['rollbar'],
    shapes: ['{hex:32}', '{hex:128}'],
  }),
  vendorRule({
    id: 'bugsnag-api-key',
    name: 'Bugsnag API key',
    severity: 'low',
    can: 'send false errors to the project',
    revoke: 'Bugsnag: Project settings',
    vendor: ['bugsnag'],
    shapes: '{hex:32}',
  }),
  vendorRule({
    id: 'airbrake-project-key',
    name: 'Airbrake API key',
    severity: 'medium',
    can: 'send false errors to the project, with a user key read them',
    revoke: 'Airbrake: Project settings',
    vendor: ['airbrake'],
    shapes: ['{hex:32}', '{hex:40}'],
  }),
  vendorRule({
    id: 'honeybadger-api-key',
    name: 'Honeybadger or Raygun API key',
    severity: 'medium',
    can: 'send false errors to the project',
    revoke: 'the service’s project settings',
    vendor: ['honeybadger', 'raygun'],
    shapes: ['hbp_{alnum:36}', '{b64:22}=='],
  }),
];
