import { notFound } from '../platform/errors.ts';
import type { Actor } from '../platform/http/actor.ts';
import { type IdPrefix, isId } from '../platform/id.ts';
import { auditActor } from './audit.ts';
import type { Changer } from './change-member.ts';
import type { Role } from './roles.ts';

export const read = { role: 'viewer', scope: 'organization:read' } as const;
export const write = { role: 'admin', scope: 'organization:write' } as const;

/** Returns the caller of a request as the person who changes the organization. */
export const changerOf = (actor: Actor): Changer => ({
  ...auditActor(actor),
  userId: actor.userId,
  role: actor.role as Role,
});

/** Treats an id of another kind like an unknown one. */
export function requireId(prefix: IdPrefix, id: string, what: string): string {
  if (!isId(prefix, id)) throw notFound(what);
  return id;
}
