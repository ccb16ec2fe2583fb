import { limitReached } from '../../platform/limits.ts';

/** The uploads that this node receives, by organization. */
const open = new Map<string, number>();

/**
 * Runs `receive` as one of the `max` uploads that an organization may have open on this node. Throws 409, before anything is
 * read, when there are that many already.
 */
export async function asOpenUpload<T>(orgId: string, max: number, receive: () => Promise<T>): Promise<T> {
  const count = open.get(orgId) ?? 0;
  if (count >= max) throw limitReached(max, 'open uploads of an organization', 'Wait until one has ended.');
  open.set(orgId, count + 1);
  try {
    return await receive();
  } finally {
    const left = open.get(orgId)! - 1;
    if (left > 0) open.set(orgId, left);
    else open.delete(orgId);
  }
}
