import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { Database } from '../../platform/postgres/database.ts';
import { type Resealed, resealPages } from '../../platform/secrets/resealed.ts';
import { libraryKey, versionStart } from './factor-keys.ts';
import { type FactorTable, factorTables, listFactorsOfOtherKeys, replaceFactorSecret } from './reseal-queries.ts';

async function resealTable(database: Database, table: FactorTable, secrets: string[]): Promise<Resealed> {
  const key = libraryKey(secrets);
  return resealPages(
    (after, limit) => listFactorsOfOtherKeys(database, table, { current: versionStart(secrets[0]!), after, limit }),
    async ({ sealed }) => symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data: sealed }) }),
    (row, sealed) => replaceFactorSecret(database, table, { userId: row.key, former: row.sealed, sealed }),
  );
}

/** Encrypts the secrets of second factors with the first of `secrets`, where another one encrypted them. */
export async function resealFactors(database: Database, secrets: string[]): Promise<Resealed> {
  const results = await Promise.all(factorTables.map((table) => resealTable(database, table, secrets)));
  return {
    resealed: results.reduce((sum, { resealed }) => sum + resealed, 0),
    unreadable: [...new Set(results.flatMap(({ unreadable }) => unreadable))],
  };
}
