import type { Readable } from 'node:stream';

/** The number of uploads that a node reads at once; others wait unread. */
export type ReadingLimits = { perNode: number; perOrganization: number };

/**
 * Reading an upload takes 15 MB until it ends, however slowly it arrives: 80 uploads took 1.3 GB in a measurement. An
 * organization gets a quarter of the node at most, so that several have to be slow before another one waits.
 */
export const defaultReadingLimits: ReadingLimits = { perNode: 16, perOrganization: 4 };

type Waiting = { orgId: string; begin(): void };

export type ReadingSlots = {
  /**
   * Runs `read` when there is room for another upload of the organization. Until then nothing of the body is read,
   * which throttles the client; this time does not count as slow. Throws the body's error if it ends before.
   */
  use<T>(orgId: string, body: Readable, read: () => Promise<T>): Promise<T>;
};

export function createReadingSlots({ perNode, perOrganization } = defaultReadingLimits): ReadingSlots {
  const reading = new Map<string, number>();
  const waiting: Waiting[] = [];
  let total = 0;
  const readingOf = (orgId: string) => reading.get(orgId) ?? 0;

  /**
   * Starts the next upload: of the organization with the fewest uploads; among equals, the one that has waited
   * longest.
   */
  function beginNext(): void {
    while (total < perNode) {
      let next: Waiting | null = null;
      for (const one of waiting) {
        if (readingOf(one.orgId) >= perOrganization) continue;
        if (next === null || readingOf(one.orgId) < readingOf(next.orgId)) next = one;
      }
      if (next === null) return;
      waiting.splice(waiting.indexOf(next), 1);
      total += 1;
      reading.set(next.orgId, readingOf(next.orgId) + 1);
      next.begin();
    }
  }

  function end(orgId: string): void {
    total -= 1;
    const left = readingOf(orgId) - 1;
    if (left === 0) reading.delete(orgId);
    else reading.set(orgId, left);
    beginNext();
  }

  /** Resolves when the upload may start. */
  const wait = (orgId: string, body: Readable) =>
    new Promise<void>((resolve, reject) => {
      const gone = () => {
        waiting.splice(waiting.indexOf(entry), 1);
        reject(body.errored ?? new Error('The body was closed while it waited.'));
      };
      const entry: Waiting = {
        orgId,
        begin() {
          body.off('close', gone);
          resolve();
        },
      };
      if (body.destroyed) return void reject(body.errored ?? new Error('The body was closed before it was read.'));
      body.once('close', gone);
      waiting.push(entry);
      beginNext();
    });

  return {
    async use(orgId, body, read) {
      await wait(orgId, body);
      try {
        return await read();
      } finally {
        end(orgId);
      }
    },
  };
}
