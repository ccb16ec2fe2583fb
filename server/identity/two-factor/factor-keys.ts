import { hkdfSync } from 'node:crypto';

/** A secret of the sign-in library with its version, which the library writes before what it encrypts. */
export type VersionedSecret = { version: number; value: string };

/** The same key has the same version on every node, before and after a change of the key. */
const versionOf = (secret: string) => Buffer.from(hkdfSync('sha256', secret, 'assay', 'version', 4)).readUInt32BE();

/** Returns the secrets of the sign-in library, the present one first. */
export const versionedSecrets = (secrets: string[]): VersionedSecret[] =>
  [...new Set(secrets)].map((value) => ({ version: versionOf(value), value }));

/** The start of what a key encrypted with its version. Texts without one are of the key that was in use before a change. */
export const versionStart = (secret: string): string => `$ba$${versionOf(secret)}$`;

/** The key in the form of the library's functions. `secrets` begins with the present one. */
export function libraryKey(secrets: string[]) {
  const versioned = versionedSecrets(secrets);
  return {
    keys: new Map(versioned.map(({ version, value }) => [version, value])),
    currentVersion: versioned[0]!.version,
    legacySecret: secrets.at(-1)!,
  };
}
