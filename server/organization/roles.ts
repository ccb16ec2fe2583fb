import { ApiError } from '../platform/errors.ts';

/** From the least to the most; each may all that the ones before it may. */
export const roles = ['viewer', 'analyst', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

/** What a token can be narrowed to. */
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

/** Whether `role` may all that `needed` may. An unknown role may nothing. */
export function isAtLeast(role: Role, needed: Role): boolean {
  return roles.includes(needed) && roles.indexOf(role) >= roles.indexOf(needed);
}

/** Whoever may give `given` to somebody: an admin or above, up to their own role. */
export function mayGrant(granter: Role, given: Role): boolean {
  return isAtLeast(granter, 'admin') && isAtLeast(granter, given);
}

/**
 * Whether the caller may use a route that asks for `permission`: at least that role, and a token that carries that scope.
 * Throws `forbidden` when the role is too low, `insufficient_scope` when only the scope is missing (both 403).
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
    const message = `This token lacks the scope ${permission.scope}. Use a token that carries it, or one without scopes.`;
    throw new ApiError('insufficient_scope', message);
  }
}
