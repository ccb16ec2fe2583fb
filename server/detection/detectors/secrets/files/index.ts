import type { SecretRule } from '../rule.ts';
import { assignmentRules } from './assignments.ts';
import { callRules } from './calls.ts';
import { connectionStringRules } from './connection-strings.ts';
import { credentialFileRules } from './credential-files.ts';
import { headerAndCommandRules } from './headers-and-commands.ts';
import { hmacKeyRules } from './hmac-keys.ts';
import { kubernetesSecretRules } from './kubernetes-secrets.ts';
import { namedFileRules } from './named-files.ts';
import { sessionKeyRules } from './session-keys.ts';
import { tokenSecretRules } from './token-secrets.ts';
import { toolFileRules } from './tool-files.ts';
import { webhookRules } from './webhooks.ts';

/**
 * Rules for credentials that their context reveals: names, calls, URLs, headers, commands and formats of well-known
 * files. Earlier ones win.
 */
export const fileRules: SecretRule[] = [
  ...webhookRules,
  ...credentialFileRules,
  ...namedFileRules,
  ...kubernetesSecretRules,
  ...toolFileRules,
  ...connectionStringRules,
  ...headerAndCommandRules,
  ...callRules,
  ...tokenSecretRules,
  ...sessionKeyRules,
  ...hmacKeyRules,
  ...assignmentRules,
];
