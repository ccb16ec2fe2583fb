import { setTimeout } from 'node:timers/promises';
import type { FindingFilters } from '../../findings/filters/table.ts';
import { listInOrder, type RelevanceRequest } from '../../findings/listing/list-by-relevance.ts';
import type { ListedFinding } from '../../findings/listing/list-findings.ts';
import type { Position } from '../../findings/listing/list-order.ts';
import type { ColumnService } from '../../findings/live-columns/column-service.ts';
import type { ListSort } from '../../findings/orders.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { ReportFinding } from '../report-model.ts';
import { readFindings } from '../snapshots/snapshot-batch.ts';
import { reportMembers } from '../snapshots/snapshot-queries.ts';
import { csvTexts } from '../writers/csv.ts';
import { inPieces } from '../writers/pieces.ts';
import { type WorkbookContent, workbookOf } from '../writers/xlsx.ts';

export const exportFormats = ['csv', 'xlsx', 'json'] as const;
export type FindingExport = {
  columns?: ColumnService;
  filters: FindingFilters;
  sort: ListSort;
  /** The URL of the console. */
  baseUrl: string;
} & (
  | { format: 'csv'; bom?: boolean | undefined }
  | ({ format: 'xlsx' } & Pick<WorkbookContent, 'head' | 'tables'>)
  | { format: 'json' }
);

/** The number of findings that are read at a time: no transaction stays open while a slow client reads. */
const pageSize = 500;

/** Once a file has started, it can't become a 503: its next page is retried for this long. */
const retryMs = 60_000;
const pauseMs = 1_000;

/** Reads a page, with retries while the database or the columns in memory are unavailable. */
async function readPatiently<Page>(read: () => Promise<Page>): Promise<Page> {
  for (const until = performance.now() + retryMs; ; ) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'unavailable') || performance.now() > until) throw error;
      await setTimeout(pauseMs);
    }
  }
}

/** Yields the findings of a list, page by page. */
async function* readPages(database: Database, orgId: string, { filters, sort, columns }: FindingExport) {
  for (let after: Position | null = null; ; ) {
    const request: RelevanceRequest = { filters, after, limit: pageSize, members: reportMembers() };
    const read = () => listInOrder(database, orgId, sort, request, columns);
    const page: ListedFinding[] = after === null ? await read() : await readPatiently(read);
    if (page.length > 0) yield readFindings(`[${page.map(({ json }) => json).join(',')}]`);
    if (page.length < pageSize) return;
    after = page.at(-1)!.position;
  }
}

async function* jsonOf(pages: AsyncIterable<ReportFinding[]>): AsyncGenerator<string[]> {
  let before = '{"data":[\n';
  for await (const page of pages) {
    yield page.map((finding) => {
      const text = `${before}${JSON.stringify(finding)}`;
      before = ',\n';
      return text;
    });
  }
  yield [before === ',\n' ? '\n]}\n' : `${before}]}\n`];
}

/**
 * Yields a list of findings as the bytes of a file, in constant memory. A finding that exists from start to end, and
 * keeps its place in the order, is in it once.
 */
export function exportFindings(database: Database, orgId: string, wanted: FindingExport): AsyncGenerator<Uint8Array> {
  const pages = readPages(database, orgId, wanted);
  if (wanted.format === 'xlsx') return workbookOf({ ...wanted, findings: pages });
  const { baseUrl } = wanted;
  return inPieces(
    wanted.format === 'csv' ? csvTexts(pages, { now: Date.now(), bom: wanted.bom, baseUrl }) : jsonOf(pages),
  );
}
