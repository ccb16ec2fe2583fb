import type { Certificate } from 'pkijs';
import type { Database } from '../../../platform/postgres/database.ts';
import { type ChainBreak, type KnownHead, missing, type VerifiedChain, verifyChain } from '../verify-chain.ts';
import { type AuditHead, headText } from './audit-head.ts';
import { listNotedHeads, type NotedHead } from './head-queries.ts';

/** Evidence about an organization's chain besides the chain itself. */
export type Evidence = {
  /** Heads that the operator names, of earlier runs. */
  named: KnownHead[];
  /** Heads of the organization in the log outside; null: it was not given. */
  outside: AuditHead[] | null;
  /** The certificates that may issue those of the authority for timestamps; null: timestamps are not checked. */
  trusted: Certificate[] | null;
};

export type VerifiedHeads = VerifiedChain & {
  /** The number of heads that were compared: in the log outside, and in the database. */
  heads: { outside: number; noted: number };
  timestamps: {
    checked: number;
    unchecked: number;
    /** The last event that is proven to have existed at a time. */
    last: { sequence: number; time: string } | null;
  };
};

/**
 * Computes an organization's chain again and compares it with every head that is known: those outside, those that the
 * database has noted as sent, and their timestamps. Finds a chain that was rewritten or cut off, and a head that was sent
 * and removed from the database since.
 */
export async function verifyAgainstHeads(
  database: Database,
  orgId: string,
  { named, outside, trusted }: Evidence,
): Promise<VerifiedHeads> {
  let noted: NotedHead[] = [];
  const known = [...named, ...(outside ?? []).map((head) => ({ ...head, where: 'in the log outside' }))];
  const chain = await verifyChain(database, orgId, known, async (tx) => {
    noted = await listNotedHeads(tx, orgId);
    return noted.map((head) => ({ ...head, where: `in the database when it was sent` }));
  });
  const { broken, ...timestamps } = await verifyTimestamps(noted, trusted);
  return {
    ...chain,
    broken: chain.broken ?? broken ?? findRemovedHead(outside ?? [], noted),
    heads: { outside: outside?.length ?? 0, noted: noted.length },
    timestamps,
  };
}

/** A head is noted before it is sent: one that is outside alone was removed from the database. */
function findRemovedHead(outside: AuditHead[], noted: NotedHead[]): ChainBreak | null {
  const known = new Set(noted.map(headText));
  const removed = outside.find((head) => !known.has(headText(head)));
  return removed
    ? missing(removed.sequence, 'This head was sent, and then removed from the heads that the database keeps.')
    : null;
}

async function verifyTimestamps(
  noted: NotedHead[],
  trusted: Certificate[] | null,
): Promise<VerifiedHeads['timestamps'] & { broken: ChainBreak | null }> {
  const stamped = noted.filter(({ timestamp }) => timestamp !== null);
  const result = { checked: 0, unchecked: stamped.length, last: null as VerifiedHeads['timestamps']['last'] };
  if (trusted === null || stamped.length === 0) return { ...result, broken: null };
  const { verifyTimestamp } = await import('./timestamp.ts');
  for (const head of stamped) {
    const { sequence } = head;
    try {
      const time = await verifyTimestamp(head.timestamp!, headText(head), trusted);
      result.last = { sequence, time: time.toISOString() };
    } catch (error) {
      return {
        ...result,
        broken: missing(sequence, `Its timestamp proves something else. ${(error as Error).message}`),
      };
    }
    result.checked += 1;
    result.unchecked -= 1;
  }
  return { ...result, broken: null };
}
