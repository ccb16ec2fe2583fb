import type { Db } from '../../platform/postgres/database.ts';
import type { FilterInput } from '../filters/table.ts';
import type { ListSort } from '../orders.ts';

export type ViewFields = {
  name: string;
  shared: boolean;
  filter: FilterInput;
  sort: ListSort | null;
  columns: string[] | null;
};

export type ViewRow = ViewFields & {
  id: string;
  /** Null if the person has left the organization. */
  owner: { id: string; name: string } | null;
  createdAt: Date;
  updatedAt: Date;
};

const columns = `v.id, v.name, v.shared, v.filter, v.sort, v.columns,
  CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'name', u.name) END AS owner,
  v.created_at AS "createdAt", v.updated_at AS "updatedAt"`;

const owners = `LEFT JOIN members m ON m.org_id = $1 AND m.user_id = v.owner_id LEFT JOIN users u ON u.id = m.user_id`;

/** Returns a page of the views that a person can see, oldest first: shared views and their own. */
export async function listViews(
  db: Db,
  orgId: string,
  userId: string,
  { afterId, limit }: { afterId: string; limit: number },
): Promise<ViewRow[]> {
  const page = (condition: string) =>
    `(SELECT * FROM finding_views WHERE org_id = $1 AND ${condition} AND id > $3 ORDER BY id LIMIT $4)`;
  const { rows } = await db.query<ViewRow>({
    name: 'finding_views_list',
    text: `SELECT ${columns} FROM (${page('private_to IS NULL')} UNION ALL ${page('private_to = $2')}) v
           ${owners} ORDER BY v.id LIMIT $4`,
    values: [orgId, userId, afterId, limit],
  });
  return rows;
}

const selectVisible = `SELECT ${columns} FROM finding_views v ${owners}
  WHERE v.org_id = $1 AND v.id = $3 AND (v.shared OR v.private_to = $2)`;

/** Returns a view if the person can see it, else undefined. */
export async function findView(db: Db, orgId: string, userId: string, id: string): Promise<ViewRow | undefined> {
  const { rows } = await db.query<ViewRow>({
    name: 'finding_view_find',
    text: selectVisible,
    values: [orgId, userId, id],
  });
  return rows[0];
}

/** Returns a view and locks it until the transaction ends; undefined if the person can't see it. */
export async function lockView(tx: Db, orgId: string, userId: string, id: string): Promise<ViewRow | undefined> {
  const { rows } = await tx.query<ViewRow>({
    name: 'finding_view_lock',
    text: `${selectVisible} FOR UPDATE OF v`,
    values: [orgId, userId, id],
  });
  return rows[0];
}

/** Counts the shared views of an organization or, with `userId`, the private views of that person. */
export async function countViews(tx: Db, orgId: string, userId: string | null): Promise<number> {
  const { rows } = await tx.query<{ count: number }>({
    name: userId === null ? 'shared_views_count' : 'private_views_count',
    text: `SELECT count(*)::integer AS count FROM finding_views
           WHERE org_id = $1 AND ${userId === null ? 'private_to IS NULL' : 'private_to = $2'}`,
    values: userId === null ? [orgId] : [orgId, userId],
  });
  return rows[0]!.count;
}

const valuesOf = (orgId: string, id: string, view: ViewFields) => [
  orgId,
  id,
  view.name,
  view.shared,
  JSON.stringify(view.filter),
  view.sort,
  view.columns,
];

export async function insertView(tx: Db, orgId: string, ownerId: string, id: string, view: ViewFields): Promise<void> {
  await tx.query({
    name: 'finding_view_insert',
    text: `INSERT INTO finding_views (org_id, id, name, private_to, filter, sort, columns, owner_id)
           VALUES ($1, $2, $3, CASE WHEN $4::boolean THEN NULL ELSE $8::text END, $5, $6, $7, $8)`,
    values: [...valuesOf(orgId, id, view), ownerId],
  });
}

export async function updateView(tx: Db, orgId: string, id: string, view: ViewFields): Promise<void> {
  await tx.query({
    name: 'finding_view_update',
    text: `UPDATE finding_views SET name = $3,
             private_to = CASE WHEN $4::boolean THEN NULL ELSE owner_id END, filter = $5, sort = $6, columns = $7,
             updated_at = statement_timestamp()
           WHERE org_id = $1 AND id = $2`,
    values: valuesOf(orgId, id, view),
  });
}

export async function deleteView(tx: Db, orgId: string, id: string): Promise<void> {
  await tx.query({ text: 'DELETE FROM finding_views WHERE org_id = $1 AND id = $2', values: [orgId, id] });
}
