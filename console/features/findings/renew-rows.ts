import type { FindingsEvent } from '@assay/client';
import { assay } from '../../api/client.ts';
import { listShown, showRead } from './cache.ts';
import { listedFields } from './listed-finding.ts';

/** With so many ids, an event does not name all findings that changed. */
const maxNamed = 200;
/** Up to this many findings are read one by one. */
const maxSingle = 10;
const maxPages = 5;

/** Reads the rows again that changed, which stay where they are. Without an event, those that changed since a time. */
export async function renewRows(event: FindingsEvent | null, loadedAt: number): Promise<void> {
  const shown = listShown();
  const named = event && event.ids.length < maxNamed ? event.ids.filter((id) => shown.has(id)) : null;
  if (shown.size === 0 || named?.length === 0) return;
  try {
    if (named && named.length <= maxSingle) {
      showRead(await Promise.all(named.map((id) => assay.findings.get(id))));
      return;
    }
    const since = event?.since ?? new Date(loadedAt).toISOString();
    let cursor: string | null = null;
    for (let page = 0; page < maxPages; page++) {
      const read: Awaited<ReturnType<typeof readPage>> = await readPage(since, cursor);
      showRead(read.data);
      cursor = read.next_cursor;
      if (cursor === null) return;
    }
  } catch {
    // The rows stay as they are; their versions keep changes of them from replacing what is newer.
  }
}

const readPage = (since: string, cursor: string | null) =>
  assay.findings.list({
    updated_from: since,
    sort: '-updated_at',
    fields: [...listedFields],
    limit: 200,
    ...(cursor !== null && { next_cursor: cursor }),
  });
