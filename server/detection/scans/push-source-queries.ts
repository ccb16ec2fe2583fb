import type { Db } from '../../platform/postgres/database.ts';

/** A detection source whose results are imported. The first import from its tool creates it. */
export type PushSource = { type: string; name: string };

/** Inserts detection sources whose results are imported. */
export async function insertPushSources(tx: Db, orgId: string, sources: PushSource[]): Promise<void> {
  await tx.query({
    name: 'push_sources_insert',
    text: `INSERT INTO push_sources (org_id, type, name)
           SELECT $1, d.type, d.name FROM json_to_recordset($2::json) AS d(type text, name text) ORDER BY d.type
           ON CONFLICT DO NOTHING`,
    values: [orgId, JSON.stringify(sources)],
  });
}

/** Lists push sources by type. */
export async function listPushSources(db: Db, orgId: string): Promise<PushSource[]> {
  const { rows } = await db.query<PushSource>({
    name: 'push_sources_list',
    text: 'SELECT type, name FROM push_sources WHERE org_id = $1 ORDER BY type',
    values: [orgId],
  });
  return rows;
}
