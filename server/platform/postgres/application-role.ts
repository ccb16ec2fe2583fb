import { errorCode } from '../errors.ts';
/** The role that runs every statement of the service. Row-level security applies to it, and it owns no table. */
export const applicationRole = 'assay_app';

export type RoleFacts = { name: string; superuser: boolean; bypasses: boolean; owned: string | null };

/** Returns the role that statements actually run as. */
export const describeRole = `
  SELECT r.rolname AS name, r.rolsuper AS superuser, r.rolbypassrls AS bypasses,
         (SELECT min(c.oid::regclass::text) FROM pg_class c
           WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
             AND pg_has_role(r.oid, c.relowner, 'USAGE')) AS owned
    FROM pg_roles r WHERE r.rolname = current_user`;

const asAdministrator = (statements: string) => `Have an administrator of the database run: ${statements}`;

/** A database whose policies would not separate organizations. Nothing is read from it or written to it. */
export class UnsafeRoleError extends Error {
  constructor(reason: string, remedy: string) {
    super(`Row-level security would not bind the service: ${reason}. ${remedy}`);
    this.name = 'UnsafeRoleError';
  }
}

/** An organization id that does not exist: a new connection sets it and must read it back. */
export const probedOrganization = 'org_probe';

/** Returns the organization that row-level security uses. */
export const readOrganization = "SELECT current_setting('app.org_id', true) AS organization";

/**
 * Throws when a transaction's settings did not take effect: some routers between us and PostgreSQL drop `SET LOCAL`.
 */
export function checkOrganization(organization: string | null): void {
  if (organization === probedOrganization) return;
  throw new UnsafeRoleError(
    'SET LOCAL has no effect on this connection, since a pooler or router in front of the database drops it',
    'Connect to PostgreSQL itself, or through a pooler that passes every statement on, such as PgBouncer.',
  );
}

/** Throws an error that says what to do when the login can't switch to the role. */
export function explainRole(error: unknown): never {
  if (errorCode(error) !== '42501') throw error;
  throw new UnsafeRoleError(
    `the login of DATABASE_URL may not become ${applicationRole}`,
    asAdministrator(`GRANT ${applicationRole} TO that login;`),
  );
}

/** Throws unless row-level security applies to the role. */
export function checkRole({ name, superuser, bypasses, owned }: RoleFacts): void {
  if (name !== applicationRole) {
    throw new UnsafeRoleError(
      `its statements run as ${name} instead of ${applicationRole}`,
      asAdministrator(`GRANT ${applicationRole} TO ${name};`),
    );
  }
  if (superuser || bypasses) {
    throw new UnsafeRoleError(
      `the role ${name} ${superuser ? 'is a superuser' : 'may bypass it'}`,
      asAdministrator(`ALTER ROLE ${name} NOSUPERUSER NOBYPASSRLS;`),
    );
  }
  if (owned !== null) {
    throw new UnsafeRoleError(
      `the role ${name} has the rights of the owner of ${owned}`,
      asAdministrator(
        `ALTER TABLE ${owned} OWNER TO the role of DATABASE_URL, or revoke the role that owns it from ${name}.`,
      ),
    );
  }
}
