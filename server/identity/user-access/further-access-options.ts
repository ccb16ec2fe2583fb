import type { Command } from 'commander';
import type { EndedAccess, FurtherAccess } from '../accounts/end-further-access.ts';

export type FurtherAccessOptions = { revokeTokens?: true; removePasskeys?: true };

/** Adds the options that end what a new password, for example, leaves as it is. */
export const addFurtherAccess = (command: Command): Command =>
  command
    .option('--revoke-tokens', 'also revoke all API tokens of the person')
    .option('--remove-passkeys', 'also remove all passkeys of the person');

export const readFurtherAccess = ({ revokeTokens, removePasskeys }: FurtherAccessOptions): FurtherAccess => ({
  revoke_tokens: revokeTokens ?? false,
  remove_passkeys: removePasskeys ?? false,
});

/** Returns a line about what ended besides; none for nothing. */
export function describeEnded({ revoked_tokens: tokens, removed_passkeys: passkeys }: EndedAccess): string[] {
  const parts = [
    ...(tokens > 0 ? [`${tokens} API ${tokens === 1 ? 'token is' : 'tokens are'} revoked`] : []),
    ...(passkeys > 0 ? [`${passkeys} ${passkeys === 1 ? 'passkey is' : 'passkeys are'} removed`] : []),
  ];
  return parts.length === 0 ? [] : [`${parts.join(', ')}.`];
}
