import type { Db } from '../../../platform/postgres/database.ts';
import type { AuditHead } from './audit-head.ts';

export type ChannelName = 'log' | 'syslog' | 'webhook' | 'timestamp';

/** A head that a worker has claimed to send by one channel. */
export type DueHead = AuditHead & { channel: ChannelName };

/**
 * Returns up to `limit` organizations whose head was not read for `pauseMs`, or has heads to send by these channels.
 */
export async function listOrganizationsWithDueHeads(
  db: Db,
  channels: ChannelName[],
  pauseMs: number,
  limit: number,
): Promise<string[]> {
  const { rows } = await db.query<{ org_id: string }>({
    name: 'audit_heads_due_list',
    text: `SELECT org_id FROM list_due_audit_heads($1, $2 * interval '1 millisecond', $3)`,
    values: [channels, pauseMs, limit],
  });
  return rows.map(({ org_id }) => org_id);
}

/**
 * Records the head of the chain for each channel, unless a node has done so within `pauseMs`. An unchanged head is sent
 * again, but not timestamped again, since the first timestamp proves more.
 */
export async function noteHead(tx: Db, orgId: string, channels: ChannelName[], pauseMs: number): Promise<void> {
  await tx.query({
    name: 'audit_head_note',
    // The condition handles a node that has recorded the same head since the SELECT.
    text: `INSERT INTO audit_heads (org_id, channel, sequence, hash)
           SELECT c.org_id, wanted.channel, c.sequence, c.hash
           FROM audit_chains c CROSS JOIN unnest($2::text[]) AS wanted (channel)
           WHERE c.org_id = $1 AND NOT EXISTS (
             SELECT FROM audit_heads n WHERE n.org_id = $1 AND n.channel = 'log'
               AND n.read_at > statement_timestamp() - $3 * interval '1 millisecond')
           ON CONFLICT (org_id, channel, sequence, hash) DO UPDATE
             SET read_at = excluded.read_at,
                 due_at = CASE WHEN audit_heads.channel = 'timestamp' THEN audit_heads.due_at ELSE excluded.due_at END
             WHERE audit_heads.read_at < excluded.read_at - interval '10 minutes'`,
    values: [orgId, channels, pauseMs],
  });
}

/**
 * Claims up to `limit` due heads of a channel, oldest first. No other worker claims them for `leaseMs`; after that this
 * worker must have died, and they are sent again.
 */
export async function takeDueHeads(
  tx: Db,
  orgId: string,
  channel: ChannelName,
  { leaseMs, limit }: { leaseMs: number; limit: number },
): Promise<DueHead[]> {
  const { rows } = await tx.query<{ sequence: number; hash: string }>({
    name: 'audit_heads_take',
    text: `UPDATE audit_heads SET due_at = statement_timestamp() + $3 * interval '1 millisecond'
           WHERE org_id = $1 AND channel = $2 AND (sequence, hash) IN (
             SELECT h.sequence, h.hash FROM audit_heads h
             WHERE h.org_id = $1 AND h.channel = $2 AND h.due_at <= statement_timestamp()
             ORDER BY h.sequence, h.noted_at LIMIT $4 FOR UPDATE SKIP LOCKED)
           RETURNING sequence::float8 AS sequence, encode(hash, 'hex') AS hash`,
    values: [orgId, channel, leaseMs, limit],
  });
  return rows.map((row) => ({ orgId, channel, ...row })).sort((one, other) => one.sequence - other.sequence);
}

const keyOf = ({ orgId, channel, sequence, hash }: DueHead) => [orgId, channel, sequence, Buffer.from(hash, 'hex')];
const isKey = 'org_id = $1 AND channel = $2 AND sequence = $3 AND hash = $4';

/** Records that a head was sent, with its destination; `receipt` is the response. */
export async function updateSentHead(
  tx: Db,
  head: DueHead,
  { destination, receipt }: { destination: string | null; receipt: Buffer | null },
): Promise<void> {
  await tx.query({
    name: 'audit_head_sent',
    text: `UPDATE audit_heads SET due_at = NULL, sent_at = statement_timestamp(), error = NULL, destination = $5, receipt = $6
           WHERE ${isKey}`,
    values: [...keyOf(head), destination, receipt],
  });
}

/** Records that a head could not be sent, and when to retry. */
export async function updateUnsentHead(tx: Db, head: DueHead, error: string, pauseMs: number): Promise<void> {
  await tx.query({
    name: 'audit_head_unsent',
    text: `UPDATE audit_heads SET due_at = statement_timestamp() + $5 * interval '1 millisecond', error = $6 WHERE ${isKey}`,
    values: [...keyOf(head), pauseMs, error],
  });
}

/** A recorded head, with the channels by which it was sent and its timestamp token, if there is one. */
export type NotedHead = AuditHead & { notedAt: Date; sentBy: ChannelName[]; timestamp: Buffer | null };

export async function listNotedHeads(db: Db, orgId: string): Promise<NotedHead[]> {
  const { rows } = await db.query<Omit<NotedHead, 'orgId'>>({
    name: 'audit_heads_list',
    text: `SELECT sequence::float8 AS sequence, encode(hash, 'hex') AS hash, min(noted_at) AS "notedAt",
             array_remove(array_agg(CASE WHEN sent_at IS NOT NULL THEN channel END ORDER BY channel), NULL)::text[] AS "sentBy",
             (array_remove(array_agg(CASE WHEN channel = 'timestamp' THEN receipt END), NULL))[1] AS timestamp
           FROM audit_heads WHERE org_id = $1 GROUP BY sequence, hash ORDER BY sequence, min(noted_at)`,
    values: [orgId],
  });
  return rows.map((row) => ({ orgId, ...row }));
}
