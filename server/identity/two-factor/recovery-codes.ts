import { createHash, randomBytes } from 'node:crypto';
import { symmetricDecrypt } from 'better-auth/crypto';
import type { libraryKey } from './factor-keys.ts';

const count = 10;
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Makes recovery codes of 120 bits each, so that a plain hash protects them. No letter looks like a digit. */
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
 * How the sign-in library stores recovery codes. It compares texts: we give it hashes, for the code of a request too.
 * The codes of earlier releases are encrypted; they are hashed when they are read, and stored so once one is used.
 */
export const storeBackupCodes = (key: ReturnType<typeof libraryKey>) => ({
  encrypt: async (hashes: string) => hashes,
  decrypt: async (stored: string) =>
    stored.startsWith('[') ? stored : hashRecoveryCodes(JSON.parse(await symmetricDecrypt({ key, data: stored }))),
});
