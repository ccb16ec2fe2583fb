import { createHash } from 'node:crypto';
import type { Database, Db } from '../../platform/postgres/database.ts';
import { type ChainedEvent, findAuditChain, findUnchainedEvent, listChainedEvents } from './audit-queries.ts';

/** A recorded position in a chain: proof that the events up to it are unchanged. */
export type KnownHead = {
  sequence: number;
  hash: string;
  /** Where it was recorded, as words that follow "noted". */
  where?: string;
};

export type ChainBreak = {
  /** The position of the first event that is wrong or missing. */
  sequence: number;
  /** The event at that position; null for a missing one. */
  eventId: string | null;
  /** The stored time of that event. */
  occurredAt: string | null;
  reason: string;
};

export type VerifiedChain = { events: number; hash: string | null; broken: ChainBreak | null };

const batchSize = 2_000;

const fieldText = (field: string | null) => (field === null ? '-,' : `${Buffer.byteLength(field)}:${field},`);

/** Computes the hash of an event like `audit_event_hash` in 0002_organization.sql. */
const hashOf = (previous: Buffer, event: ChainedEvent): Buffer =>
  createHash('sha256').update(previous).update(event.fields.map(fieldText).join('')).digest();

const breakAt = (event: ChainedEvent, reason: string): ChainBreak => ({
  sequence: event.sequence,
  eventId: event.id,
  occurredAt: event.fields[3] ?? null,
  reason,
});

export const missing = (sequence: number, reason: string): ChainBreak => ({
  sequence,
  eventId: null,
  occurredAt: null,
  reason,
});

type State = { sequence: number; hash: Buffer };

const isNoted = ({ where }: KnownHead) => `was noted${where === undefined ? '' : ` ${where}`}`;

/** Returns the fault of the event that follows `state`; null if it has none. */
function checkEvent(state: State, event: ChainedEvent, known: Map<number, KnownHead[]>): ChainBreak | null {
  const position = state.sequence + 1;
  if (event.sequence !== position) {
    return missing(position, `The events from number ${position} to ${event.sequence - 1} are missing.`);
  }
  const hash = hashOf(state.hash, event);
  if (!event.hash?.equals(hash)) {
    return breakAt(event, 'The event does not match its hash: it was changed, or does not follow the event before it.');
  }
  const other = known.get(position)?.find((head) => head.hash !== hash.toString('hex'));
  if (other) {
    return breakAt(event, `The hash is not the one that ${isNoted(other)}: this event or one before it was replaced.`);
  }
  state.sequence = position;
  state.hash = hash;
  return null;
}

async function checkEnd(tx: Db, orgId: string, state: State, known: KnownHead[]): Promise<ChainBreak | null> {
  const head = await findAuditChain(tx, orgId);
  if (!head) return missing(1, 'The organization has no chain.');
  const next = state.sequence + 1;
  if (head.sequence! > state.sequence) {
    return missing(next, `The events from number ${next} to ${head.sequence} are missing.`);
  }
  if (head.sequence! < state.sequence || !head.hash!.equals(state.hash)) {
    return missing(state.sequence, 'The last event is not the one at which the chain ends.');
  }
  const beyond = known.find(({ sequence }) => sequence > state.sequence);
  if (beyond) return missing(next, `The chain ends before number ${beyond.sequence}, which ${isNoted(beyond)}.`);
  const unchained = await findUnchainedEvent(tx, orgId);
  return unchained === undefined ? null : { ...missing(next, 'This event is in no chain.'), eventId: unchained };
}

/**
 * Reads an organization's audit log in one view of the database and recomputes its hashes. Detects events that were
 * changed, inserted, reordered or removed; with `known`, also a log that was rewritten or truncated since those were
 * recorded. `listKnown` returns the heads that the database itself has, in the same view.
 */
export function verifyChain(
  database: Database,
  orgId: string,
  known: KnownHead[] = [],
  listKnown: (tx: Db) => Promise<KnownHead[]> = async () => [],
): Promise<VerifiedChain> {
  return database.consistentTransaction(orgId, async (tx) => {
    const state: State = { sequence: 0, hash: Buffer.alloc(0) };
    const all = [...known, ...(await listKnown(tx))].sort((one, other) => one.sequence - other.sequence);
    const bySequence = Map.groupBy(all, ({ sequence }) => sequence);
    const result = (broken: ChainBreak | null): VerifiedChain => ({
      events: state.sequence,
      hash: state.sequence === 0 ? null : state.hash.toString('hex'),
      broken,
    });
    for (;;) {
      const events = await listChainedEvents(tx, orgId, state.sequence, batchSize);
      for (const event of events) {
        const broken = checkEvent(state, event, bySequence);
        if (broken) return result(broken);
      }
      if (events.length < batchSize) return result(await checkEnd(tx, orgId, state, all));
    }
  });
}
