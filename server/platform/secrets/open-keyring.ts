import type { Database } from '../postgres/database.ts';
import { createKeyring, hashRootOf, type Keyring, UnsealError } from '../sealed.ts';
import {
  deleteInstallationSecret,
  findInstallationSecret,
  insertInstallationSecret,
  updateInstallationSecret,
} from './installation-secret-queries.ts';
import type { Resealed } from './resealed.ts';

/** The secret key, and the former one while it is being replaced. */
export type SecretKeys = { secretKey: string; previousSecretKey: string | null };

const name = 'keyed hashes';
const place = ['installation', name];

const listOf = ({ secretKey, previousSecretKey }: SecretKeys) => [
  secretKey,
  ...(previousSecretKey === null ? [] : [previousSecretKey]),
];

/** Returns a keyring that can seal and open, without the hash root in the database. */
const openerOf = (keys: SecretKeys): Keyring => createKeyring(keys.secretKey, listOf(keys).slice(1));

const otherKey = (cause: unknown) =>
  new Error(
    'ASSAY_SECRET_KEY is not the key of this database. If you have changed it, set ASSAY_SECRET_KEY_PREVIOUS to the former one and run "assay secrets rotate" (docs/operating.md, "Changing the secret key"). If the former one is lost, "assay secrets forget-key" lets the server start without it.',
    { cause },
  );

/**
 * Returns the root of the keyed hashes. The first call for a database derives it from the oldest key and stores it.
 */
async function findHashRoot(database: Database, keys: SecretKeys): Promise<Buffer> {
  const opener = openerOf(keys);
  const made = hashRootOf(listOf(keys).at(-1)!);
  let sealed = await findInstallationSecret(database, name);
  if (sealed === undefined) {
    await insertInstallationSecret(database, name, opener.seal(made.toString('base64'), place));
    sealed = await findInstallationSecret(database, name);
  }
  try {
    return Buffer.from(opener.open(sealed!, place), 'base64');
  } catch (error) {
    throw error instanceof UnsealError ? otherKey(error) : error;
  }
}

/**
 * Opens the keyring of an installation. Identities of findings depend on keyed hashes: their root is in the database,
 * so that it survives a change of the secret key. Throws when the keys are not those of the database.
 */
export async function openKeyring(
  database: Database,
  keys: SecretKeys,
): Promise<{ keyring: Keyring; hashRoot: Buffer }> {
  const hashRoot = await findHashRoot(database, keys);
  return { keyring: createKeyring(keys.secretKey, listOf(keys).slice(1), hashRoot), hashRoot };
}

/** Seals the root of the keyed hashes with the new key. */
export async function resealHashRoot(database: Database, keys: SecretKeys): Promise<Resealed> {
  const opener = openerOf(keys);
  const root = await findHashRoot(database, keys);
  const former = (await findInstallationSecret(database, name))!;
  if (opener.isCurrent(former)) return { resealed: 0, unreadable: [] };
  const sealed = opener.seal(root.toString('base64'), place);
  const isMine = await updateInstallationSecret(database, name, { former, sealed });
  return { resealed: isMine ? 1 : 0, unreadable: [] };
}

/**
 * Allows the database to start with another key after the former one was lost. Returns whether it had a hash root.
 */
export const forgetHashRoot = (database: Database): Promise<boolean> => deleteInstallationSecret(database, name);
