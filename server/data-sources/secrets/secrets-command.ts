import type { Command } from 'commander';
import { signInSecret } from '../../identity/services.ts';
import { resealFactors } from '../../identity/two-factor/reseal-factors.ts';
import { addJsonOption, printResult, type WithDatabase } from '../../platform/command-output.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Keyring } from '../../platform/sealed.ts';
import { forgetHashRoot, openKeyring, resealHashRoot, type SecretKeys } from '../../platform/secrets/open-keyring.ts';
import { type Resealed, resealPages } from '../../platform/secrets/resealed.ts';
import { credentialPlace } from '../credential.ts';
import {
  listCredentialsOfOtherKeys,
  listOrganizationsWithCredentials,
  replaceCredential,
} from './credential-queries.ts';

/**
 * Reseals everything in the database that is sealed with a former secret key, so that this key is no longer needed.
 * Progress is kept: after a kill, it can be restarted and continues.
 */
export async function rotateSecrets(database: Database, keys: SecretKeys) {
  const { secretKey, previousSecretKey } = keys;
  if (previousSecretKey === null) {
    throw new Error('Set ASSAY_SECRET_KEY to the new key and ASSAY_SECRET_KEY_PREVIOUS to the former one first.');
  }
  const { keyring } = await openKeyring(database, keys);
  const credentials = await resealCredentials(database, keyring);
  const second_factors = await resealFactors(database, [signInSecret(secretKey), signInSecret(previousSecretKey)]);
  // Last, so that a node with only the new key refuses to start while anything else needs the former one.
  const fingerprints = await resealHashRoot(database, keys);
  return { credentials, second_factors, fingerprints };
}

type Rotated = Awaited<ReturnType<typeof rotateSecrets>>;

const titles: Record<keyof Rotated, string> = {
  credentials: 'Credentials of data sources',
  second_factors: 'Second factors',
  fingerprints: 'Key of the fingerprints',
};

function linesOf(rotated: Rotated): string[] {
  const lines = Object.entries(titles).map(([name, title]) => {
    const { resealed, unreadable } = rotated[name as keyof Rotated];
    const rest =
      unreadable.length === 0 ? '' : `, ${unreadable.length} open with neither key: ${unreadable.join(', ')}`;
    return `${title}: ${resealed} sealed again${rest}`;
  });
  return [
    ...lines,
    'When every node has the new key, ASSAY_SECRET_KEY_PREVIOUS is no longer needed for what is stored.',
  ];
}

/** Adds `secrets rotate` and `secrets forget-key`. Rotating exits with 1 if something opens with neither key. */
export function registerSecretsCommand(
  program: Command,
  withDatabase: WithDatabase,
  secretKeys: () => Promise<SecretKeys>,
): void {
  const secrets = program.command('secrets').description('encrypt everything again with a new secret key');
  const rotate = secrets
    .command('rotate')
    .description(
      'encrypt with ASSAY_SECRET_KEY what ASSAY_SECRET_KEY_PREVIOUS encrypted; after an interruption, run it again',
    );
  addJsonOption(rotate).action(() =>
    withDatabase(async (database) => {
      const rotated = await rotateSecrets(database, await secretKeys());
      printResult(rotate, rotated, linesOf(rotated));
      if (Object.values(rotated).some(({ unreadable }) => unreadable.length > 0)) process.exitCode = 1;
    }),
  );
  const forget = secrets
    .command('forget-key')
    .description('let the server start with a new key after the former one, and what it encrypted, is lost');
  addJsonOption(forget).action(() =>
    withDatabase(async (database) => {
      const forgotten = await forgetHashRoot(database);
      printResult(forget, { forgotten }, [
        'The server now starts with any key. Set the credentials of data sources and the second factors again; known secrets look new at the next scan.',
      ]);
    }),
  );
}

/** Reseals the credentials of all data sources with the current secret key, if another one sealed them. */
export async function resealCredentials(database: Database, keyring: Keyring): Promise<Resealed> {
  const total: Resealed = { resealed: 0, unreadable: [] };
  for (const orgId of await listOrganizationsWithCredentials(database)) {
    const { resealed, unreadable } = await resealPages(
      (after, limit) => listCredentialsOfOtherKeys(database, orgId, { current: keyring.currentStart, after, limit }),
      ({ key, sealed }) => keyring.seal(keyring.open(sealed, credentialPlace(orgId, key)), credentialPlace(orgId, key)),
      (row, sealed) => replaceCredential(database, orgId, { id: row.key, former: row.sealed, sealed }),
    );
    total.resealed += resealed;
    total.unreadable.push(...unreadable);
  }
  return total;
}
