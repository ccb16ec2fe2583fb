import { ApiError } from '../platform/errors.ts';

/** From the lowest to the highest role. Each role includes the permissions of the roles before it. */
export const roles = ['viewer', 'developer', 'analyst', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

/** The scopes to which a token can be limited. */
export const scopes = [
  'findings:read',
  'findings:write',
  'scans:read',
  'scans:write',
  'reports:read',
  'reports:write',
  'sources:read',
  'sources:write',
  'organization:read',
  'organization:write',
] as const;
export type Scope = (typeof scopes)[number];

/** Returns whether `role` includes the permissions of `needed`. An unknown role has none. */
export function isAtLeast(role: Role, needed: Role): boolean {
  return roles.includes(needed) && roles.indexOf(role) >= roles.indexOf(needed);
}

/** Returns whether `role` may grant `given` to a person: admins and owners may, up to their own role. */
export function mayGrant(granter: Role, given: Role): boolean {
  return isAtLeast(granter, 'admin') && isAtLeast(granter, given);
}

/**
 * The permissions of callers, by stable codes for the console and integrations, each with the role and scope that it
 * needs. A test checks that every route needs one of these pairs.
 */
const permissionCodes = {
  'findings:read': { role: 'viewer', scope: 'findings:read' },
  'findings:comment': { role: 'developer', scope: 'findings:write' },
  'findings:write': { role: 'analyst', scope: 'findings:write' },
  'views:write': { role: 'viewer', scope: 'findings:write' },
  'views:share': { role: 'analyst', scope: 'findings:write' },
  'views:manage': { role: 'admin', scope: 'findings:write' },
  'scans:read': { role: 'viewer', scope: 'scans:read' },
  'scans:write': { role: 'analyst', scope: 'scans:write' },
  'schedules:write': { role: 'admin', scope: 'scans:write' },
  'reports:read': { role: 'viewer', scope: 'reports:read' },
  'reports:write': { role: 'analyst', scope: 'reports:write' },
  'scheduled_reports:write': { role: 'admin', scope: 'reports:write' },
  'sources:read': { role: 'viewer', scope: 'sources:read' },
  'sources:write': { role: 'admin', scope: 'sources:write' },
  'imports:write': { role: 'analyst', scope: 'scans:write' },
  'organization:read': { role: 'viewer', scope: 'organization:read' },
  'organization:write': { role: 'admin', scope: 'organization:write' },
  'audit:read': { role: 'admin', scope: 'organization:read' },
  'owners:write': { role: 'owner', scope: 'organization:write' },
  'installation:read': { role: 'owner', scope: 'organization:read' },
  'preferences:write': { role: 'viewer', scope: 'organization:write' },
} as const satisfies Record<string, { role: Role; scope: Scope }>;

export type PermissionCode = keyof typeof permissionCodes;
export const allPermissions = Object.keys(permissionCodes) as PermissionCode[];

/**
 * Returns the permissions of a caller with this role and these scopes; null scopes allow everything that the role
 * allows.
 */
export const permissionsOf = ({ role, scopes: given }: { role: string; scopes: readonly string[] | null }) =>
  allPermissions.filter((code) => {
    const needed = permissionCodes[code];
    return isAtLeast(role as Role, needed.role) && (given === null || given.includes(needed.scope));
  });

/**
 * Checks that the caller may use a route with this `permission`: at least that role, and a token with that scope.
 * Throws `forbidden` if the role is too low, `insufficient_scope` if only the scope is missing (both 403).
 */
export function authorize(
  actor: { role: string; scopes: readonly string[] | null },
  permission: { role: string; scope: string },
): void {
  if (!isAtLeast(actor.role as Role, permission.role as Role)) {
    const message = `This needs the role ${permission.role} or above; yours is ${actor.role}. Ask an admin or owner for it.`;
    throw new ApiError('forbidden', message);
  }
  if (actor.scopes !== null && !actor.scopes.includes(permission.scope)) {
    const message = `This token lacks the scope ${permission.scope}. Use a token that has it, or one without scopes.`;
    throw new ApiError('insufficient_scope', message);
  }
}
