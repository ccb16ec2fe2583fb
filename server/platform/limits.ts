import { ApiError } from './errors.ts';
import type { Db } from './postgres/database.ts';

/** The maximum numbers of things that may exist at the same time. */
export type Limits = {
  /** Valid API tokens of a person in an organization. */
  tokens: number;
  /** Private views of a person, and shared views of an organization. */
  views: number;
  /** Scan schedules of an organization, and scheduled reports. */
  schedules: number;
  /** Reports requested by people of an organization. */
  reports: number;
  /** Result files of an organization that a node receives at the same time. */
  openUploads: number;
};

export function limitReached(max: number, what: string, remedy: string): ApiError {
  const message = `The limit of ${max} ${what} is reached. ${remedy}`;
  return new ApiError('limit_reached', message, { details: [{ message: `at most ${max} ${what}`, limit: max }] });
}

/** A resource of which an organization, or with `owner` each of its people, may have `max`. */
export type Limited = { kind: string; owner?: string; max: number; what: string };

/**
 * Throws 409 unless there is room for one more. Until the transaction ends, no other of the kind can be added, so
 * that concurrent requests can't exceed the limit.
 */
export async function requireRoom(
  tx: Db,
  orgId: string,
  { kind, owner = '', max, what }: Limited,
  count: (tx: Db) => Promise<number>,
): Promise<void> {
  // Advisory locks with two keys never conflict with those of changes to findings, which have one key.
  await tx.query({
    name: 'limit_lock',
    text: `SELECT pg_advisory_xact_lock(hashtext($2), hashtext($1))`,
    values: [orgId, `limit ${kind} ${owner}`],
  });
  if ((await count(tx)) >= max) throw limitReached(max, what, 'Delete one first.');
}
