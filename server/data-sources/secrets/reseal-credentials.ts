import type { Database } from '../../platform/postgres/database.ts';
import type { Keyring } from '../../platform/sealed.ts';
import { type Resealed, resealPages } from '../../platform/secrets/resealed.ts';
import { credentialPlace } from '../credential.ts';
import {
  listCredentialsOfOtherKeys,
  listOrganizationsWithCredentials,
  replaceCredential,
} from './credential-queries.ts';

/** Seals the credentials of all data sources with the present secret key, where another one sealed them. */
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
