import { crc32SuffixAfter, hasGitLabChecksum } from '../checksums.ts';
import type { SecretRule } from '../rule.ts';
import { sampleRoutableGitLabToken, sampleWithCrc32Base62 } from '../sample.ts';
import { shapeSample } from '../shape.ts';
import { checkedTokenRules, tokenRule, vendorRule } from './provider-rule.ts';

const githubReferences = [
  'https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github',
];

function github(
  prefix: string,
  rest: { id: string; name: string; can: string; revoke: string; body?: number },
): SecretRule[] {
  const { body = 30, ...description } = rest;
  return checkedTokenRules({
    ...description,
    severity: 'critical',
    references: githubReferences,
    shapes: `${prefix}{alnum:${body + 6}}`,
    verify: crc32SuffixAfter(prefix),
    sample: () => sampleWithCrc32Base62(prefix, body),
    misses: () => [shapeSample(`${prefix}{alnum:${body + 6}}`), `${sampleWithCrc32Base62(prefix, body)}a`],
  });
}

/** GitHub, whose tokens end in a checksum. */
const githubRules: SecretRule[] = [
  ...github('ghp_', {
    id: 'github-pat',
    name: 'GitHub personal access token',
    can: 'act as its owner within the token’s scopes: read and push code, change settings, read secrets of workflows',
    revoke: 'GitHub: Settings, Developer settings, Personal access tokens',
  }),
  ...github('gho_', {
    id: 'github-oauth',
    name: 'GitHub OAuth access token',
    can: 'act as the person who authorized the application, within its scopes',
    revoke: 'GitHub: Settings, Applications, Authorized OAuth Apps',
  }),
  ...github('ghu_', {
    id: 'github-app-user-token',
    name: 'GitHub App user access token',
    can: 'act as the person who authorized the app, within the app’s permissions',
    revoke: 'GitHub: Settings, Applications, Authorized GitHub Apps',
  }),
  ...github('ghs_', {
    id: 'github-app-token',
    name: 'GitHub App installation token',
    can: 'do everything that the app can in every repository of the installation, until it expires',
    revoke: 'GitHub: the app’s settings, Install App (or DELETE /installation/token)',
  }),
  ...github('ghr_', {
    id: 'github-refresh-token',
    name: 'GitHub App refresh token',
    body: 70,
    can: 'obtain new user access tokens for six months',
    revoke: 'GitHub: Settings, Applications, Authorized GitHub Apps',
  }),
  tokenRule({
    id: 'github-fine-grained-pat',
    name: 'GitHub fine-grained personal access token',
    severity: 'critical',
    can: 'do what the token permits in its owner’s or organization’s repositories',
    revoke: 'GitHub: Settings, Developer settings, Fine-grained tokens',
    references: githubReferences,
    shapes: 'github_pat_{alnum:22}_{alnum:59}',
    misses: () => [shapeSample('github_pat_{alnum:82}'), shapeSample('github_pat_{alnum:22}_{alnum:59}', 1)],
  }),
  tokenRule({
    id: 'github-app-stateless-token',
    name: 'GitHub App installation token (signed)',
    severity: 'critical',
    can: 'do everything that the app can in every repository of the installation, until it expires',
    revoke: 'GitHub: the app’s settings, Install App',
    shapes: 'ghs_{digit:4-10}_eyJ{url:17-200}.eyJ{url:17-700}.{url:43-700}',
  }),
  vendorRule({
    id: 'github-client-secret',
    name: 'GitHub OAuth application secret or old personal token',
    severity: 'high',
    can: 'impersonate the OAuth application, or its owner when it is an old personal token',
    revoke: 'GitHub: Settings, Developer settings, OAuth Apps',
    vendor: ['github', 'gh_'],
    names: [
      'client_secret',
      'clientsecret',
      'client-secret',
      'secret',
      'token',
      'oauth',
      '_pat',
      '-pat',
      'password',
      'api_key',
    ],
    shapes: '{hex:40}',
    misses: () => ['refs/heads/main'],
  }),
];

const gitlabReferences = ['https://docs.gitlab.com/security/tokens/'];

function gitlab(
  shapes: string | string[],
  rest: { id: string; name: string; can: string; revoke: string },
): SecretRule {
  return tokenRule({ ...rest, severity: 'critical', references: gitlabReferences, shapes });
}

/** GitLab, whose newer ("routable") tokens end in a checksum. */
function gitlabRoutable(
  prefix: string,
  version: string,
  rest: { id: string; name: string; can: string; revoke: string },
) {
  const tail = version === '' ? '' : '01.';
  return checkedTokenRules({
    ...rest,
    severity: 'critical',
    references: gitlabReferences,
    keywords: [prefix],
    shapes: `${prefix}{url:27-300}.${tail}{lower:9}`,
    verify: hasGitLabChecksum,
    sample: () => sampleRoutableGitLabToken(prefix, tail),
    misses: () => [shapeSample(`${prefix}{url:27}.${tail}{lower:9}`)],
  });
}

const accessTokens = 'GitLab: User settings (or the group’s or project’s settings), Access tokens';

const gitlabRules: SecretRule[] = [
  gitlab('glpat-{url:20}', {
    id: 'gitlab-pat',
    name: 'GitLab access token',
    can: 'act as its owner, group or project within the token’s scopes',
    revoke: accessTokens,
  }),
  ...gitlabRoutable('glpat-', '01', {
    id: 'gitlab-pat-routable',
    name: 'GitLab access token (routable)',
    can: 'act as its owner, group or project within the token’s scopes',
    revoke: accessTokens,
  }),
  gitlab('gldt-{url:20}', {
    id: 'gitlab-deploy-token',
    name: 'GitLab deploy token',
    can: 'read (and perhaps write) repositories, packages and container images of the project or group',
    revoke: 'GitLab: Settings, Repository, Deploy tokens',
  }),
  gitlab('glrt-{url:20}', {
    id: 'gitlab-runner-authentication-token',
    name: 'GitLab runner authentication token',
    can: 'impersonate the runner and receive its jobs with their variables',
    revoke: 'GitLab: Settings, CI/CD, Runners (delete the runner)',
  }),
  ...gitlabRoutable('glrt-t1_', '', {
    id: 'gitlab-runner-authentication-token-routable',
    name: 'GitLab runner authentication token (routable)',
    can: 'impersonate the runner and receive its jobs with their variables',
    revoke: 'GitLab: Settings, CI/CD, Runners (delete the runner)',
  }),
  gitlab('GR1348941{url:20}', {
    id: 'gitlab-rrt',
    name: 'GitLab runner registration token',
    can: 'register runners that receive jobs with their variables',
    revoke: 'GitLab: Settings, CI/CD, Runners (reset the registration token)',
  }),
  gitlab('glcbt-{alnum:1-5}_{url:20}', {
    id: 'gitlab-cicd-job-token',
    name: 'GitLab CI/CD job token',
    can: 'do everything that the job can, until it ends',
    revoke: 'GitLab: the job (cancel it)',
  }),
  gitlab('glptt-{hex:40}', {
    id: 'gitlab-ptt',
    name: 'GitLab pipeline trigger token',
    can: 'start pipelines of the project with variables of their choice',
    revoke: 'GitLab: Settings, CI/CD, Pipeline trigger tokens',
  }),
  gitlab('glft-{url:20}', {
    id: 'gitlab-feed-token',
    name: 'GitLab feed token',
    can: 'read its owner’s activity, issues and calendar',
    revoke: 'GitLab: User settings, Access tokens, Feed token',
  }),
  gitlab('glimt-{url:25}', {
    id: 'gitlab-incoming-mail-token',
    name: 'GitLab incoming mail token',
    can: 'open issues and merge requests by mail on its owner’s behalf',
    revoke: 'GitLab: User settings, Access tokens, Incoming email token',
  }),
  gitlab('glsoat-{url:20}', {
    id: 'gitlab-scim-token',
    name: 'GitLab SCIM token',
    can: 'create, change and remove members of the group',
    revoke: 'GitLab: the group’s Settings, SAML SSO, SCIM token',
  }),
  gitlab('glagent-{url:50}', {
    id: 'gitlab-kubernetes-agent-token',
    name: 'GitLab agent for Kubernetes token',
    can: 'impersonate the cluster’s agent and read its configuration',
    revoke: 'GitLab: Operate, Kubernetes clusters, the agent’s Access tokens',
  }),
  gitlab('gloas-{hex:64}', {
    id: 'gitlab-oauth-app-secret',
    name: 'GitLab OAuth application secret',
    can: 'impersonate the OAuth application',
    revoke: 'GitLab: Applications (renew secret)',
  }),
  gitlab('glffct-{url:20}', {
    id: 'gitlab-feature-flag-client-token',
    name: 'GitLab feature flag client token',
    can: 'read the project’s feature flags and their strategies',
    revoke: 'GitLab: Deploy, Feature flags, Configure',
  }),
  tokenRule({
    id: 'gitlab-session-cookie',
    name: 'GitLab session cookie',
    severity: 'high',
    can: 'act as the signed-in person until the session ends',
    revoke: 'GitLab: User settings, Active sessions',
    shapes: '_gitlab_session={hex:32}',
  }),
];

export const sourceHostRules: SecretRule[] = [...githubRules, ...gitlabRules];
