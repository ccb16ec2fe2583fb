import type { FindingDetail, Page } from '@assay/client';
import type { InfiniteData } from '@tanstack/react-query';
import { queryClient } from '../../api/query-client.ts';
import type { ListedFinding } from './listed-finding.ts';
import type { LoadedFinding } from './queries.ts';

type Pages = InfiniteData<Page<ListedFinding>>;

/** Changes findings wherever they are shown, without asking the server. Rows stay where they are. */
export function patchShown(ids: ReadonlySet<string>, patch: (finding: ListedFinding) => Partial<ListedFinding>): void {
  queryClient.setQueriesData<Pages>({ queryKey: ['findings', 'list'] }, (old) => {
    if (!old) return old;
    const pages = old.pages.map((page) =>
      page.data.some(({ id }) => ids.has(id))
        ? Object.assign(Object.create(Object.getPrototypeOf(page)) as Page<ListedFinding>, page, {
            data: page.data.map((finding) => (ids.has(finding.id) ? { ...finding, ...patch(finding) } : finding)),
          })
        : page,
    );
    return { ...old, pages };
  });
  for (const id of ids) {
    queryClient.setQueryData<LoadedFinding>(['finding', id], (old) =>
      old ? { ...old, finding: { ...old.finding, ...patch(old.finding) } } : old,
    );
  }
}

/** Shows a finding as the server returned it. */
export function showSaved(finding: FindingDetail, etag: string | null): void {
  const { places: _, ...row } = finding;
  patchShown(new Set([finding.id]), () => row);
  queryClient.setQueryData<LoadedFinding>(['finding', finding.id], { finding, etag });
  void queryClient.invalidateQueries({ queryKey: ['finding', finding.id, 'timeline'] });
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** The pause after the last change before counts are read again, in milliseconds: many changes cost one request. */
const pauseMs = 600;

/** Has the counts read again soon: the list itself stays as it is. */
export function renewCounts(): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    void queryClient.invalidateQueries({ queryKey: ['findings', 'facets'] });
    void queryClient.invalidateQueries({ queryKey: ['findings', 'summary'] });
  }, pauseMs);
}
