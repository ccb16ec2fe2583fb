import type {
  Criticality,
  DataSource,
  DataSourceCreation,
  DataSourceKind,
  DataSourceListParams,
  DataSourceSort,
  DataSourceUpdate,
} from '@assay/client';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { assay } from '../../api/client.ts';
import { criticalityNames } from '../../api/importance.ts';
import { pagesQuery, usePages } from '../../api/pages.ts';
import type { Search } from '../../api/use-url.ts';
import { showError, showToast } from '../../ui/toasts.tsx';
import { dataSourceStatusNames, kinds } from './words.ts';

export const isKind = (text: string | undefined): text is DataSourceKind => kinds.includes(text as DataSourceKind);
const isStatus = (text: string | undefined): text is DataSource['status'] =>
  text !== undefined && Object.hasOwn(dataSourceStatusNames, text);

/** The filters of the URL, without values that the API would refuse. */
export const filtersOf = ({ q, kind, status }: Search) => ({
  ...(q?.trim() && { q: q.trim().slice(0, 200) }),
  ...(isKind(kind) && { kind: [kind] }),
  ...(isStatus(status) && { status: [status] }),
});

const sortKeys = ['name', 'status', 'open_findings', 'last_scanned_at'] as const;

/** The order in the URL; null if the list has none of that name. */
export const sortOf = ({ sort }: Search): DataSourceSort | null =>
  sortKeys.flatMap((key) => [key, `-${key}`] as const).find((name) => name === sort) ?? null;

/** The data sources that the URL selects, in its order or newest first, page by page. */
export function dataSourcePages(search: Search) {
  const sort = sortOf(search);
  const list: DataSourceListParams = { ...filtersOf(search), ...(sort && { sort }) };
  return pagesQuery<DataSource>(['data-sources', 'pages', list], (cursor, options) =>
    assay.dataSources.list({ ...list, limit: 100, ...cursor }, options),
  );
}

export const useDataSourcePages = (search: Search) => usePages(dataSourcePages(search), { keepPrevious: true });

export const dataSourceQuery = (id: string) =>
  queryOptions({
    queryKey: ['data-sources', 'one', id],
    queryFn: ({ signal }) => assay.dataSources.get(id, { signal }),
  });

function useRefresh() {
  const client = useQueryClient();
  return () => {
    for (const key of ['data-sources', 'scans', 'findings', 'detection-sources']) {
      void client.invalidateQueries({ queryKey: [key] });
    }
  };
}

/** Sets the criticality of several data sources in succession. */
export function useSetCriticality(onDone: () => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ sources, criticality }: { sources: DataSource[]; criticality: Criticality }) => {
      for (const { id } of sources) await assay.dataSources.update(id, { criticality });
    },
    onSuccess: (_, { sources, criticality }) => {
      const names = sources.length === 1 ? sources[0]!.name : `${sources.length} data sources`;
      showToast(`${names}: ${criticalityNames[criticality].toLowerCase()} criticality.`);
      onDone();
    },
    onError: showError,
    onSettled: refresh,
  });
}

export function useCreateDataSource(onSuccess: (created: DataSource) => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (creation: DataSourceCreation): Promise<DataSource> => assay.dataSources.create(creation),
    onSuccess: (created) => {
      refresh();
      onSuccess(created);
    },
  });
}

export function useUpdateDataSource(id: string, onSuccess: () => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (update: DataSourceUpdate): Promise<DataSource> => assay.dataSources.update(id, update),
    onSuccess: () => {
      refresh();
      onSuccess();
    },
  });
}

export function useDeleteDataSource(onSuccess: () => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string): Promise<void> => assay.dataSources.delete(id),
    onSuccess: () => {
      onSuccess();
      refresh();
    },
  });
}
