import { createHash, randomBytes } from 'node:crypto';

const count = 10;
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Creates recovery codes of 120 bits each, so that a plain hash protects them. No letter looks like a digit. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: count }, () => {
    const letters = [...randomBytes(24)].map((byte) => alphabet[byte % alphabet.length]).join('');
    return letters.replace(/.{6}(?=.)/g, '$&-');
  });
}

export const hashRecoveryCode = (code: string): string =>
  `sha256:${createHash('sha256').update(code).digest('base64url')}`;

export const hashRecoveryCodes = (codes: string[]): string => JSON.stringify(codes.map(hashRecoveryCode));

/**
 * Stores recovery codes as hashes. The sign-in library compares them as text, so it also gets a request's code as a
 * hash.
 */
export const storeBackupCodes = {
  encrypt: async (hashes: string) => hashes,
  decrypt: async (hashes: string) => hashes,
};
