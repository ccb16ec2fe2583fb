import type { Database } from '../postgres/database.ts';

/** Returns a sealed secret of the installation; undefined before it was created. */
export async function findInstallationSecret(database: Database, name: string): Promise<string | undefined> {
  const rows = await database.single<{ sealed: string }>(null, {
    text: 'SELECT sealed FROM installation_secrets WHERE name = $1',
    values: [name],
  });
  return rows[0]?.sealed;
}

/** Stores a secret, unless another node was faster. */
export async function insertInstallationSecret(database: Database, name: string, sealed: string): Promise<void> {
  await database.single(null, {
    text: 'INSERT INTO installation_secrets (name, sealed) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
    values: [name, sealed],
  });
}

/** Replaces a secret whose sealed value is still `former`. Returns whether it was replaced. */
export async function updateInstallationSecret(
  database: Database,
  name: string,
  { former, sealed }: { former: string; sealed: string },
): Promise<boolean> {
  const rows = await database.single(null, {
    text: 'UPDATE installation_secrets SET sealed = $3 WHERE name = $1 AND sealed = $2 RETURNING name',
    values: [name, former, sealed],
  });
  return rows.length === 1;
}

/** Deletes a secret. Returns whether it existed. */
export async function deleteInstallationSecret(database: Database, name: string): Promise<boolean> {
  const rows = await database.single(null, {
    text: 'DELETE FROM installation_secrets WHERE name = $1 RETURNING name',
    values: [name],
  });
  return rows.length === 1;
}
