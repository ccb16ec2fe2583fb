import type { Database, Db, Statement } from '../platform/postgres/database.ts';
import type { Role } from './roles.ts';

export type OrganizationRow = {
  id: string;
  name: string;
  plan: 'default' | 'enterprise';
  rate_limit: number | null;
  burst_limit: number | null;
  member_count: number;
  created_at: Date;
  runs_installation: boolean;
};

export type MemberRow = {
  id: string;
  name: string;
  email: string;
  role: Role;
  joined_at: Date;
  last_active_at: Date | null;
};

/** Returns the statement, so that a route can send it in one round trip. */
export function findOrganization(orgId: string): Statement {
  return {
    name: 'organization_find',
    text: `SELECT o.id, o.name, o.plan, o.rate_limit, o.burst_limit, o.created_at,
                  (SELECT count(*) FROM members m WHERE m.org_id = o.id) AS member_count,
                  o.id IS NOT DISTINCT FROM first_organization() AS runs_installation
           FROM organizations o WHERE o.id = $1`,
    values: [orgId],
  };
}

/** Returns the organization that was created first, which runs the installation. Null if there is none. */
export async function findFirstOrganization(database: Database): Promise<string | null> {
  const rows = await database.single<{ id: string | null }>(null, {
    name: 'organization_find_first',
    text: 'SELECT first_organization() AS id',
  });
  return rows[0]?.id ?? null;
}

export async function insertOrganization(tx: Db, orgId: string, name: string): Promise<void> {
  await tx.query({ text: 'INSERT INTO organizations (id, name) VALUES ($1, $2)', values: [orgId, name] });
}

export async function updateOrganizationName(tx: Db, orgId: string, name: string): Promise<void> {
  await tx.query({ text: 'UPDATE organizations SET name = $2 WHERE id = $1', values: [orgId, name] });
}

/** Returns false if there is no such organization. With null, the installation's rate applies. */
export async function updateOrganizationLimits(
  tx: Db,
  orgId: string,
  limits: { plan: 'default' | 'enterprise'; rate: number | null; burst: number | null },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    text: 'UPDATE organizations SET plan = $2, rate_limit = $3, burst_limit = $4 WHERE id = $1',
    values: [orgId, limits.plan, limits.rate, limits.burst],
  });
  return rowCount === 1;
}

/**
 * Serializes changes to one organization's membership until the end of the transaction. Otherwise two owners could
 * remove each other at the same time. Returns whether the organization exists.
 */
export async function lockMembership(tx: Db, orgId: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    text: 'SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE',
    values: [orgId],
  });
  return rowCount === 1;
}

const memberColumns = 'u.id, u.name, u.email, m.role, m.joined_at, m.last_active_at';

/**
 * Lists a page ordered by id (the order of account creation), with one row more than `limit` if there is another page.
 */
export function listMembers(orgId: string, page: { limit: number; afterId: string | null }): Statement {
  return {
    name: 'members_list',
    text: `SELECT ${memberColumns}
           FROM members m JOIN users u ON u.id = m.user_id
           WHERE m.org_id = $1 AND m.user_id > coalesce($2, '')
           ORDER BY m.user_id
           LIMIT $3`,
    values: [orgId, page.afterId, page.limit + 1],
  };
}

export async function findMember(db: Db, orgId: string, userId: string): Promise<MemberRow | undefined> {
  const { rows } = await db.query<MemberRow>({
    name: 'member_find',
    text: `SELECT ${memberColumns} FROM members m JOIN users u ON u.id = m.user_id
           WHERE m.org_id = $1 AND m.user_id = $2`,
    values: [orgId, userId],
  });
  return rows[0];
}

/**
 * Finds the id of a member by id or email address; if several have the address, that of the person who has verified it.
 */
export async function findMemberId(db: Db, orgId: string, idOrEmail: string): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>({
    name: 'member_find_id',
    text: `SELECT u.id FROM members m JOIN users u ON u.id = m.user_id
           WHERE m.org_id = $1 AND (u.id = $2 OR u.email = lower($2))
           ORDER BY u.email_verified DESC, u.id LIMIT 1`,
    values: [orgId, idOrEmail],
  });
  return rows[0]?.id;
}

export async function findMemberByEmail(db: Db, orgId: string, email: string): Promise<MemberRow | undefined> {
  const { rows } = await db.query<MemberRow>({
    name: 'member_find_by_email',
    text: `SELECT ${memberColumns} FROM members m JOIN users u ON u.id = m.user_id
           WHERE m.org_id = $1 AND u.email = $2
           ORDER BY u.email_verified DESC, u.id LIMIT 1`,
    values: [orgId, email],
  });
  return rows[0];
}

/** Lists the members who have one of these roles. */
export async function listMembersOfRoles(
  db: Db,
  orgId: string,
  roles: readonly Role[],
): Promise<Array<{ id: string; email: string }>> {
  const { rows } = await db.query<{ id: string; email: string }>({
    name: 'members_list_of_roles',
    text: `SELECT u.id, u.email FROM members m JOIN users u ON u.id = m.user_id
           WHERE m.org_id = $1 AND m.role = ANY($2::text[]) ORDER BY u.id`,
    values: [orgId, roles],
  });
  return rows;
}

/** Keeps the role of a member as it is until the transaction ends, and returns it; undefined for a person who is none. */
export async function holdRole(tx: Db, orgId: string, userId: string): Promise<Role | undefined> {
  const { rows } = await tx.query<{ role: Role }>({
    name: 'member_hold_role',
    text: 'SELECT role FROM members WHERE org_id = $1 AND user_id = $2 FOR SHARE',
    values: [orgId, userId],
  });
  return rows[0]?.role;
}

/** Returns false if the person is already a member; their role does not change. */
export async function insertMember(tx: Db, orgId: string, userId: string, role: Role): Promise<boolean> {
  const { rowCount } = await tx.query({
    text: `INSERT INTO members (org_id, user_id, role) VALUES ($1, $2, $3) ON CONFLICT (org_id, user_id) DO NOTHING`,
    values: [orgId, userId, role],
  });
  return rowCount === 1;
}

const anotherOwner = `EXISTS (SELECT 1 FROM members other
                              WHERE other.org_id = $1 AND other.role = 'owner' AND other.user_id <> $2)`;

/** Returns false, and changes nothing, for the last owner. Call `lockMembership` first. */
export async function updateMemberRole(tx: Db, orgId: string, userId: string, role: Role): Promise<boolean> {
  const { rowCount } = await tx.query({
    text: `UPDATE members SET role = $3
           WHERE org_id = $1 AND user_id = $2 AND (role <> 'owner' OR $3 = 'owner' OR ${anotherOwner})`,
    values: [orgId, userId, role],
  });
  return rowCount === 1;
}

/** Returns false, and removes nothing, for the last owner. Call `lockMembership` first. */
export async function deleteMember(tx: Db, orgId: string, userId: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    text: `DELETE FROM members WHERE org_id = $1 AND user_id = $2 AND (role <> 'owner' OR ${anotherOwner})`,
    values: [orgId, userId],
  });
  return rowCount === 1;
}

/** Revokes and returns a person's tokens, which must not work again if the person is invited again later. */
export async function revokeTokensOfMember(
  tx: Db,
  orgId: string,
  userId: string,
): Promise<Array<{ id: string; name: string }>> {
  const { rows } = await tx.query<{ id: string; name: string }>({
    text: `UPDATE api_tokens SET revoked_at = now() WHERE org_id = $1 AND user_id = $2 AND revoked_at IS NULL
           RETURNING id, name`,
    values: [orgId, userId],
  });
  return rows;
}
