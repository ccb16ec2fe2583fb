import type { Page } from './call.ts';
import { BadRequestError } from './errors.ts';
import type { RequestOptions } from './options.ts';
import type { Finding } from './schema.ts';
import { type Transport, timeText } from './transport.ts';

const pageSize = 200;

/**
 * Pages through the list in the order of change. At its end it requests the last page repeatedly, from the cursor
 * before it. The service orders changes more finely than by the second and shows none out of order, so new ones are on
 * that page or a later one.
 */
export async function* followFindings(
  transport: Transport,
  load: (query: object) => PromiseLike<Page<Finding>>,
  since: string | Date,
  params: object = {},
  { pollIntervalMs = 10_000, signal }: RequestOptions & { pollIntervalMs?: number } = {},
): AsyncGenerator<Finding> {
  let from = since instanceof Date ? timeText(since) : since;
  let latest = from;
  let cursor: string | undefined;
  /** The findings of the last page that were already yielded, as text by id. */
  let given = new Map<string, string>();
  for (;;) {
    let page: Page<Finding>;
    try {
      page = await load({ ...params, sort: 'updated_at', updated_from: from, limit: pageSize, next_cursor: cursor });
    } catch (error) {
      if (cursor === undefined || !(error instanceof BadRequestError) || error.code !== 'invalid_cursor') throw error;
      cursor = undefined;
      from = latest;
      continue;
    }
    const before = given;
    given = new Map(page.data.map((finding) => [finding.id, JSON.stringify(finding)]));
    for (const finding of page.data) {
      latest = finding.updated_at;
      if (before.get(finding.id) !== given.get(finding.id)) yield finding;
    }
    if (page.next_cursor !== null) cursor = page.next_cursor;
    else await transport.sleep(pollIntervalMs, signal);
  }
}
