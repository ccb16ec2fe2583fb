import type { Database } from '../../../platform/postgres/database.ts';
import type { HeadChannel } from './channels.ts';
import {
  type DueHead,
  listOrganizationsWithDueHeads,
  noteHead,
  takeDueHeads,
  updateSentHead,
  updateUnsentHead,
} from './head-queries.ts';

export type HeadServices = { database: Database; headChannels: HeadChannel[] };

const headPauseMs = 3_600_000;
const retryMs = 60_000;
/** Longer than sending all heads of one claim can take. */
const leaseMs = 600_000;
const maxHeadsAtOnce = 20;
const maxOrganizations = 500;

/**
 * Records the head of each chain once an hour, and sends due heads by each channel. Runs on every node; each head is
 * claimed by one. A channel that fails is skipped until the next run: an outage costs one attempt a minute and delays
 * other channels no longer than that. Heads recorded meanwhile are sent afterward.
 */
export async function sendAuditHeads({ database, headChannels }: HeadServices): Promise<void> {
  const failures = new Map<string, unknown>();
  const listDue = () => {
    const working = headChannels.filter(({ name }) => !failures.has(name)).map(({ name }) => name);
    return database.transaction(null, (tx) =>
      listOrganizationsWithDueHeads(tx, working, headPauseMs, maxOrganizations),
    );
  };
  for (let due = await listDue(); due.length > 0; due = await listDue()) {
    for (const orgId of due) {
      const names = headChannels.map(({ name }) => name);
      await database.transaction(orgId, (tx) => noteHead(tx, orgId, names, headPauseMs));
      const working = headChannels.filter(({ name }) => !failures.has(name));
      const ends = await Promise.allSettled(working.map((channel) => sendDueHeads(database, orgId, channel)));
      for (const [index, end] of ends.entries()) {
        if (end.status === 'rejected') failures.set(working[index]!.name, end.reason);
      }
    }
    if (due.length < maxOrganizations) break;
  }
  if (failures.size === 0) return;
  const message = `Heads of the audit log could not be sent: ${[...failures].map(([name, error]) => `${name}: ${error}`).join('; ')}`;
  throw new AggregateError([...failures.values()], message);
}

/** Sends an organization's heads by one channel, in order. Throws at the first that fails. */
async function sendDueHeads(database: Database, orgId: string, channel: HeadChannel): Promise<void> {
  const options = { leaseMs, limit: maxHeadsAtOnce };
  const heads = await database.transaction(orgId, (tx) => takeDueHeads(tx, orgId, channel.name, options));
  for (const [index, head] of heads.entries()) {
    try {
      const receipt = await channel.send(head);
      const { destination } = channel;
      await database.transaction(orgId, (tx) => updateSentHead(tx, head, { destination, receipt }));
    } catch (error) {
      await giveBack(database, heads.slice(index), error);
      throw error;
    }
  }
}

async function giveBack(database: Database, heads: DueHead[], error: unknown): Promise<void> {
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, 500);
  for (const head of heads) {
    await database.transaction(head.orgId, (tx) => updateUnsentHead(tx, head, reason, retryMs));
  }
}
