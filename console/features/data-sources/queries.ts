import type { DataSource, DataSourceCreation, DataSourceListParams, DataSourceUpdate } from '@assay/client';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { assay } from '../../api/client.ts';
import { usePages } from '../../api/pages.ts';

/** Data sources, newest first, with more pages on demand. */
export function useDataSourcePages(filters: Omit<DataSourceListParams, 'limit' | 'next_cursor'>) {
  return usePages<DataSource>(
    ['data-sources', 'pages', filters],
    (cursor, options) => assay.dataSources.list({ ...filters, limit: 100, ...cursor }, options),
    { keepPrevious: true },
  );
}

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
