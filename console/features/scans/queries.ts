import type { Scan, ScanListParams, ScanStatus } from '@assay/client';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { assay } from '../../api/client.ts';
import { unlessLive } from '../../api/live.ts';
import { pagesQuery } from '../../api/pages.ts';
import { detectionSourcesQuery } from '../../api/pickers.ts';
import type { Search } from '../../api/use-url.ts';

/** The polling interval of a running scan. */
const runningMs = 2_000;
/** The polling interval of a list while nothing runs. */
const idleMs = 30_000;

export const isRunning = ({ status }: Pick<Scan, 'status'>) => status === 'queued' || status === 'running';

/** Returns the polling interval of scans. */
export const intervalOf = (rows: readonly Scan[]) => unlessLive(rows.some(isRunning) ? runningMs : idleMs);

/** The scans that the address selects, newest first, page by page. */
export function scanPages({ source, status }: Search) {
  const params = {
    limit: 25,
    ...(source && { source: [source] }),
    ...(status && { status: [status as ScanStatus] }),
  };
  return pagesQuery<Scan>(['scans', 'pages', params], (cursor, options) =>
    assay.scans.list({ ...params, ...cursor }, options),
  );
}

/** The first page of scans. */
export const scansQuery = (params: ScanListParams) =>
  queryOptions({
    queryKey: ['scans', 'list', params],
    queryFn: async ({ signal }) => (await assay.scans.list(params, { signal })).data,
    refetchInterval: ({ state }) => intervalOf(state.data ?? []),
  });

export const runningScansQuery = scansQuery({ status: ['queued', 'running'], limit: 50 });

export const scanQuery = (id: string) =>
  queryOptions({
    queryKey: ['scans', 'one', id],
    queryFn: ({ signal }) => assay.scans.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data && !isRunning(state.data) ? false : unlessLive(runningMs)),
  });

/** The names of detection sources by their types. */
export function useSourceNames(): (type: string) => string {
  const { data } = useQuery(detectionSourcesQuery);
  return (type) => data?.find((source) => source.type === type)?.name ?? type;
}

/** Reloads everything that a scan affects. */
function useRefresh() {
  const client = useQueryClient();
  return () => {
    for (const key of ['scans', 'detection-sources', 'data-sources', 'findings']) {
      void client.invalidateQueries({ queryKey: [key] });
    }
  };
}

/** Reloads everything that scans affect whenever one has ended. */
export function useRefreshOnEnd(scans: readonly Scan[] | undefined): void {
  const refresh = useRefresh();
  const running = (scans ?? []).filter(isRunning).map(({ id }) => id);
  const before = useRef<string[]>([]);
  useEffect(() => {
    if (scans === undefined) return;
    if (before.current.some((id) => !running.includes(id))) refresh();
    before.current = running;
  });
}

/** Starts a scan of everything that a detection source handles, or one for each given data source. */
export function useStartScan() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ type, dataSources }: { type: string; dataSources: string[] | null }): Promise<Scan[]> => {
      if (dataSources === null) return [await assay.detectionSources.scan(type)];
      const scans: Scan[] = [];
      for (const id of dataSources) scans.push(await assay.detectionSources.scan(type, { data_source: id }));
      return scans;
    },
    onSettled: refresh,
  });
}

export function useCancelScan() {
  const refresh = useRefresh();
  return useMutation({ mutationFn: (id: string) => assay.scans.cancel(id), onSettled: refresh });
}

/** The newest scans that have a data source among their targets: a scan of all may have started before it was added. */
export const scansOfDataSourceQuery = (id: string) =>
  queryOptions({
    queryKey: ['scans', 'of', id],
    queryFn: async ({ signal }) => (await assay.scans.list({ data_source: [id], limit: 8 }, { signal })).data,
    refetchInterval: ({ state }) => intervalOf(state.data ?? []),
  });
