import type { FindingDetail, Page } from '@assay/client';
import type { InfiniteData } from '@tanstack/react-query';
import { findPending } from '../../api/pending-changes.ts';
import { queryClient } from '../../api/query-client.ts';
import type { ListedFinding } from './listed-finding.ts';
import { isSaving } from './turns.ts';

type Pages = InfiniteData<Page<ListedFinding>>;

type Patch = (finding: ListedFinding) => Partial<ListedFinding> | null;

/** Changes rows of the loaded lists in place; null leaves a row unchanged. */
function patchRows(ids: ReadonlySet<string>, patch: Patch): void {
  const patched = (row: ListedFinding) => {
    const change = ids.has(row.id) ? patch(row) : null;
    return change === null ? row : { ...row, ...change };
  };
  queryClient.setQueriesData<Pages>({ queryKey: ['findings', 'list'] }, (old) => {
    if (!old) return old;
    const pages = old.pages.map((page) =>
      page.data.some(({ id }) => ids.has(id))
        ? Object.assign(Object.create(Object.getPrototypeOf(page)) as Page<ListedFinding>, page, {
            data: page.data.map(patched),
          })
        : page,
    );
    return { ...old, pages };
  });
}

/** Changes findings wherever they are shown, without a request. */
export function patchShown(ids: ReadonlySet<string>, patch: (finding: ListedFinding) => Partial<ListedFinding>): void {
  patchRows(ids, patch);
  for (const id of ids) {
    queryClient.setQueryData<FindingDetail>(['finding', id], (old) => old && { ...old, ...patch(old) });
  }
}

/** Updates rows from loaded findings, except those with a change of the person's own in flight or waiting. */
export function showRead(findings: readonly ListedFinding[]): void {
  const read = new Map(findings.map((finding) => [finding.id, finding]));
  const isOwn = (id: string) => isSaving(id) || findPending(id)?.state === 'waiting';
  patchRows(new Set(read.keys()), (row) => {
    const finding = read.get(row.id)!;
    return finding.version <= row.version || isOwn(row.id) ? null : finding;
  });
}

/** The ids of the rows that are loaded. */
export function listShown(): Set<string> {
  const lists = queryClient.getQueriesData<Pages>({ queryKey: ['findings', 'list'] });
  return new Set(lists.flatMap(([, list]) => list?.pages.flatMap(({ data }) => data.map(({ id }) => id)) ?? []));
}

/** Shows the server's version of a finding. */
export function showSaved(finding: FindingDetail): void {
  const { places: _, ...row } = finding;
  patchShown(new Set([finding.id]), () => row);
  queryClient.setQueryData<FindingDetail>(['finding', finding.id], finding);
  void queryClient.invalidateQueries({ queryKey: ['finding', finding.id, 'timeline'] });
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** The delay in milliseconds between the last change and a refresh of the counts: many changes cause one request. */
const pauseMs = 600;

/** Schedules a refresh of the counts; the list itself stays unchanged. */
export function renewCounts(): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    void queryClient.invalidateQueries({ queryKey: ['findings', 'facets'] });
    void queryClient.invalidateQueries({ queryKey: ['findings', 'summary'] });
  }, pauseMs);
}
