import type { Db, Statement } from '../../platform/postgres/database.ts';
import type { AuditAction } from '../audit-actions.ts';
import type { AuditState } from '../audit-state.ts';

export type AuditEventRow = {
  id: string;
  sequence: number;
  occurredAt: Date;
  /** `occurredAt` with microseconds, for cursors. */
  moment: string;
  userId: string | null;
  userName: string | null;
  tokenId: string | null;
  tokenName: string | null;
  address: string | null;
  action: string;
  targetId: string | null;
  targetName: string | null;
  before: AuditState | null;
  after: AuditState | null;
  details: AuditState;
  hash: string;
};

/** Actors: people with all their tokens, and tokens; or the system. */
export type ActorFilter = { userIds: string[]; tokenIds: string[] } | 'system';

/** The target of a change: by its id, or by its id or words of its name. */
type TargetFilter = { id: string } | { named: string };

export type AuditFilter = {
  actor: ActorFilter | null;
  actions: AuditAction[] | null;
  target: TargetFilter | null;
  from: Date | null;
  /** Exclusive. */
  until: Date | null;
};

/** The moment and sequence of the last event of the previous page. */
export type AuditPosition = { moment: string; sequence: number };

function actorCondition(actor: ActorFilter, add: (value: unknown) => string): string {
  if (actor === 'system') return 'e.user_id IS NULL';
  const { userIds, tokenIds } = actor;
  if (tokenIds.length === 0)
    return userIds.length === 1 ? `e.user_id = ${add(userIds[0])}` : `e.user_id = ANY(${add(userIds)}::text[])`;
  if (userIds.length === 0 && tokenIds.length === 1) return `e.token_id = ${add(tokenIds[0])}`;
  return `(e.user_id = ANY(${add(userIds)}::text[]) OR e.token_id = ANY(${add(tokenIds)}::text[]))`;
}

function targetCondition(target: TargetFilter, add: (value: unknown) => string): string {
  if ('id' in target) return `e.subject_id = ${add(target.id)}`;
  const named = `${add(target.named)}::text`;
  return `e.id = ANY(ARRAY(SELECT audit_events_named(${named})
    UNION SELECT i.id FROM audit_events i WHERE i.org_id = $1 AND i.subject_id = ${named}))`;
}

/** The maximum number of people or tokens of one name that are searched. */
const maxActors = 100;

/**
 * Returns the people, including former members, and the tokens in the organization's log whose name or address contains
 * a text, ignoring case. Each person of the log is found by one index lookup.
 */
export async function findActors(
  db: Db,
  orgId: string,
  text: string,
): Promise<{ userIds: string[]; tokenIds: string[] }> {
  const { rows } = await db.query<{ userIds: string[]; tokenIds: string[] }>({
    name: 'audit_actors_find',
    text: `WITH RECURSIVE acted AS (
             SELECT min(user_id) AS id FROM audit_events WHERE org_id = $1
             UNION ALL SELECT (SELECT min(e.user_id) FROM audit_events e WHERE e.org_id = $1 AND e.user_id > a.id)
             FROM acted a WHERE a.id IS NOT NULL)
           SELECT ARRAY(SELECT u.id FROM acted a JOIN users u ON u.id = a.id
               WHERE strpos(lower(u.name), lower($2)) > 0 OR strpos(lower(u.email), lower($2)) > 0 LIMIT ${maxActors}) AS "userIds",
             ARRAY(SELECT t.id FROM api_tokens t WHERE t.org_id = $1 AND strpos(lower(t.name), lower($2)) > 0 LIMIT ${maxActors}) AS "tokenIds"`,
    values: [orgId, text],
  });
  return rows[0]!;
}

const columns = `e.id, e.sequence, e.occurred_at, e.user_id, e.token_id, e.address, e.action, e.subject_id, e.subject_name,
  e.before, e.after, e.details, e.hash`;

/**
 * Returns the statement for up to `limit` events, newest first, after a position. With several actions it reads a page
 * of each from its index and merges them, so that the work is bounded however rare they are.
 */
export function listAuditEvents(
  orgId: string,
  filter: AuditFilter,
  page: { after: AuditPosition | null; limit: number },
): Statement {
  const values: unknown[] = [orgId];
  const add = (value: unknown) => `$${values.push(value)}`;
  const conditions = ['e.org_id = $1'];
  if (filter.actor !== null) conditions.push(actorCondition(filter.actor, add));
  if (filter.target !== null) conditions.push(targetCondition(filter.target, add));
  if (filter.from !== null) conditions.push(`e.occurred_at >= ${add(filter.from)}`);
  if (filter.until !== null) conditions.push(`e.occurred_at < ${add(filter.until)}`);
  if (page.after !== null) {
    const { moment, sequence } = page.after;
    conditions.push(`(e.occurred_at, e.sequence) < (${add(moment)}::timestamptz, ${add(sequence)}::bigint)`);
  }
  const limit = add(page.limit);
  const some = (more: string) => `SELECT ${columns} FROM audit_events e WHERE ${[...conditions, more].join(' AND ')}
     ORDER BY e.occurred_at DESC, e.sequence DESC LIMIT ${limit}`;
  const events =
    filter.actions === null
      ? some('true')
      : `SELECT f.* FROM unnest(${add(filter.actions)}::text[]) AS wanted (action)
         CROSS JOIN LATERAL (${some('e.action = wanted.action')}) f`;
  return {
    text: `SELECT e.id, e.sequence::float8 AS sequence, e.occurred_at AS "occurredAt", e.occurred_at::text AS moment,
             e.user_id AS "userId", u.name AS "userName", e.token_id AS "tokenId", t.name AS "tokenName", e.address, e.action,
             e.subject_id AS "targetId", e.subject_name AS "targetName", e.before, e.after, e.details,
             encode(e.hash, 'hex') AS hash
           FROM (${events}) e
           LEFT JOIN users u ON u.id = e.user_id
           LEFT JOIN api_tokens t ON t.org_id = $1 AND t.id = e.token_id
           ORDER BY e.occurred_at DESC, e.sequence DESC LIMIT ${limit}`,
    values,
  };
}

export type AuditChain = { orgId: string; name: string; sequence: number | null; hash: Buffer | null };

/** Returns the chain of every organization, ordered by id; the head is missing if an organization has no events. */
export async function listAuditChains(db: Db): Promise<AuditChain[]> {
  const { rows } = await db.query<AuditChain>({
    text: 'SELECT org_id AS "orgId", name, sequence::float8 AS sequence, hash FROM list_audit_chains()',
  });
  return rows;
}

export async function findAuditChain(
  db: Db,
  orgId: string,
): Promise<Pick<AuditChain, 'sequence' | 'hash'> | undefined> {
  const { rows } = await db.query<{ sequence: number; hash: Buffer }>({
    text: 'SELECT sequence::float8 AS sequence, hash FROM audit_chains WHERE org_id = $1',
    values: [orgId],
  });
  return rows[0];
}

/** An event as its hash covers it: every field as the text that PostgreSQL writes, in the order of the hash. */
export type ChainedEvent = { sequence: number; id: string; hash: Buffer | null; fields: Array<string | null> };

/** Returns up to `limit` events after `afterSequence`, in the order of the chain. */
export async function listChainedEvents(
  db: Db,
  orgId: string,
  afterSequence: number,
  limit: number,
): Promise<ChainedEvent[]> {
  const { rows } = await db.query<ChainedEvent>({
    name: 'audit_chained_events_list',
    text: `SELECT sequence::float8 AS sequence, id, hash,
             ARRAY[sequence::text, org_id, id, to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                   user_id, token_id, address, action, subject_id, subject_name, before::text, after::text,
                   details::text] AS fields
           FROM audit_events WHERE org_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3`,
    values: [orgId, afterSequence, limit],
  });
  return rows;
}

/** Returns the id of a committed event that is in no chain. A disabled trigger leaves such events. */
export async function findUnchainedEvent(db: Db, orgId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>({
    text: 'SELECT id FROM audit_events WHERE org_id = $1 AND sequence IS NULL LIMIT 1',
    values: [orgId],
  });
  return rows[0]?.id;
}
