import type { Certificate } from 'pkijs';
import type { Database } from '../../../platform/postgres/database.ts';
import { type ChainBreak, type KnownHead, missing, type VerifiedChain, verifyChain } from '../verify-chain.ts';
import { type AuditHead, headText } from './audit-head.ts';
import { listNotedHeads, type NotedHead } from './head-queries.ts';

/** Evidence about an organization's chain besides the chain itself. */
export type Evidence = {
  /** Heads of earlier runs that the operator specifies. */
  named: KnownHead[];
  /** Heads of the organization in the external log; null without a log. */
  outside: AuditHead[] | null;
  /** The trusted issuers of the timestamp authority's certificates; null to skip timestamps. */
  trusted: Certificate[] | null;
};

export type VerifiedHeads = VerifiedChain & {
  /** The number of heads that were compared: in the external log, and in the database. */
  heads: { outside: number; noted: number };
  timestamps: {
    checked: number;
    unchecked: number;
    /** The last event that is proven to have existed at a time. */
    last: { sequence: number; time: string } | null;
  };
};

/**
 * Recomputes an organization's chain and compares it with every known head: those in external logs, those recorded as
 * sent, and their timestamps. Detects a chain that was rewritten or truncated, and a head that was sent and later
 * removed from the database.
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

/** A head is recorded before it is sent, so one that is only in the external log was removed from the database. */
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
