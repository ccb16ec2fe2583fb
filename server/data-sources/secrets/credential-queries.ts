import { inEachCell } from '../../platform/postgres/cells/cell-database.ts';
import type { Database } from '../../platform/postgres/database.ts';

export async function listOrganizationsWithCredentials(database: Database): Promise<string[]> {
  const lists = await inEachCell(database, (cell) =>
    cell.single<{ id: string }>(null, {
      text: 'SELECT id FROM organizations_with_credentials() AS id ORDER BY id',
    }),
  );
  return lists.flat().map(({ id }) => id);
}

/** Lists credentials that do not start with `current`, in the order of the data sources' ids. */
export function listCredentialsOfOtherKeys(
  database: Database,
  orgId: string,
  { current, after, limit }: { current: string; after: string; limit: number },
): Promise<{ key: string; sealed: string }[]> {
  return database.single(orgId, {
    name: 'credentials_list_other_keys',
    text: `SELECT id AS key, sealed_credential AS sealed FROM data_sources
           WHERE org_id = $1 AND sealed_credential IS NOT NULL AND NOT starts_with(sealed_credential, $2) AND id > $3
           ORDER BY id LIMIT $4`,
    values: [orgId, current, after, limit],
  });
}

/** Replaces a credential if it is still `former`. Returns whether it was. */
export async function replaceCredential(
  database: Database,
  orgId: string,
  { id, former, sealed }: { id: string; former: string; sealed: string },
): Promise<boolean> {
  const rows = await database.single(orgId, {
    name: 'credential_replace',
    text: `UPDATE data_sources SET sealed_credential = $4
           WHERE org_id = $1 AND id = $2 AND sealed_credential = $3 RETURNING id`,
    values: [orgId, id, former, sealed],
  });
  return rows.length === 1;
}
