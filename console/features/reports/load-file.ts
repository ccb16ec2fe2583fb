import { APIStatusError } from '@assay/client';
import { assay } from '../../api/client.ts';
import type { Wanted } from './words.ts';

/** The time that each request waits for the file, until the server returns an estimate of the rest. */
const waitSeconds = 10;
/** The longest pause before the next request, since the estimate may be too high. */
const maxPauseMs = 2_000;
/** For a server that is too busy even to respond with its progress. */
const timeoutMs = 300_000;

export type LoadedFile = { blob: Blob; name: string };
type Options = { signal?: AbortSignal; onEstimate?: (secondsLeft: number) => void };

const pause = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });

/**
 * Returns a report as a file, waiting as long as the server needs to render it. Aborting ends the wait, not the
 * rendering.
 */
export async function loadFile(id: string, wanted: Wanted, { signal, onEstimate }: Options = {}): Promise<LoadedFile> {
  const headers = { prefer: `wait=${waitSeconds}` };
  for (;;) {
    try {
      const content = await assay.reports.export(id, wanted, { timeoutMs, headers, ...(signal && { signal }) });
      return { blob: await content.blob(), name: content.filename ?? `report.${wanted.format}` };
    } catch (error) {
      if (!(error instanceof APIStatusError) || error.code !== 'export_not_ready') throw error;
      const leftMs = error.retryAfterMs ?? maxPauseMs;
      onEstimate?.(Math.ceil(leftMs / 1000));
      await pause(Math.min(leftMs, maxPauseMs), signal);
    }
  }
}
