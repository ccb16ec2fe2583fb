import { hkdfSync } from 'node:crypto';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { Database } from '../../platform/postgres/database.ts';
import { type Resealed, resealPages } from '../../platform/secrets/resealed.ts';
import { type FactorTable, factorTables, listFactorsOfOtherKeys, replaceFactorSecret } from './reseal-queries.ts';

/** A secret of the sign-in library with its version, which the library writes before each ciphertext. */
type VersionedSecret = { version: number; value: string };

/** The version depends only on the key, so it is the same on every node, before and after a change of the key. */
const versionOf = (secret: string) => Buffer.from(hkdfSync('sha256', secret, 'assay', 'version', 4)).readUInt32BE();

/** Returns the secrets of the sign-in library, current one first. */
export const versionedSecrets = (secrets: string[]): VersionedSecret[] =>
  [...new Set(secrets)].map((value) => ({ version: versionOf(value), value }));

/**
 * Returns the prefix of ciphertexts of a key. Ciphertexts without a version are from the key that was used before a
 * change.
 */
const versionStart = (secret: string): string => `$ba$${versionOf(secret)}$`;

/** Returns the key for the library's functions. The first of `secrets` is the current one. */
function libraryKey(secrets: string[]) {
  const versioned = versionedSecrets(secrets);
  return {
    keys: new Map(versioned.map(({ version, value }) => [version, value])),
    currentVersion: versioned[0]!.version,
    legacySecret: secrets.at(-1)!,
  };
}

async function resealTable(database: Database, table: FactorTable, secrets: string[]): Promise<Resealed> {
  const key = libraryKey(secrets);
  return resealPages(
    (after, limit) => listFactorsOfOtherKeys(database, table, { current: versionStart(secrets[0]!), after, limit }),
    async ({ sealed }) => symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data: sealed }) }),
    (row, sealed) => replaceFactorSecret(database, table, { userId: row.key, former: row.sealed, sealed }),
  );
}

/** Re-encrypts the secrets of second factors with the first of `secrets`, where another one encrypted them. */
export async function resealFactors(database: Database, secrets: string[]): Promise<Resealed> {
  const results = await Promise.all(factorTables.map((table) => resealTable(database, table, secrets)));
  return {
    resealed: results.reduce((sum, { resealed }) => sum + resealed, 0),
    unreadable: [...new Set(results.flatMap(({ unreadable }) => unreadable))],
  };
}
