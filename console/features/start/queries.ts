import type { DataSource, DataSourceSuggestion, Scan } from '@assay/client';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { assay } from '../../api/client.ts';
import { dataSourceChoicesQuery } from '../../api/pickers.ts';
import { scansQuery, useRefreshOnEnd } from '../scans/queries.ts';

export const suggestionsQuery = queryOptions({
  queryKey: ['data-sources', 'suggestions'],
  queryFn: async ({ signal }) => (await assay.dataSources.suggestions({}, { signal })).data,
});

export const latestScansQuery = scansQuery({ limit: 10 });

/** The figures of all findings. */
export const summaryQuery = queryOptions({
  queryKey: ['findings', 'summary', 'all'],
  queryFn: ({ signal }) => assay.findings.summary({}, { signal }),
});

/**
 * The most severe untriaged finding. Only a decision replaces it, not a scan that finds others, so that a key acts on
 * the finding on the screen.
 */
export const firstNewQuery = queryOptions({
  queryKey: ['start', 'first-new'],
  queryFn: async ({ signal }) =>
    (await assay.findings.list({ status: ['new'], sort: '-severity', limit: 1 }, { signal })).data[0] ?? null,
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: ({ state }) => state.data === null && 3_000,
});

/** Returns how many of the first steps this organization has taken, from its data. */
export function useProgress() {
  const sources = useQuery(dataSourceChoicesQuery);
  const scans = useQuery(latestScansQuery);
  const summary = useQuery(summaryQuery);
  useRefreshOnEnd(scans.data);
  const { total = 0, by_status: counts } = summary.data ?? {};
  return {
    error: sources.error ?? scans.error ?? summary.error,
    loaded: sources.data !== undefined && scans.data !== undefined && summary.data !== undefined,
    sources: sources.data ?? [],
    scans: scans.data ?? [],
    findings: total,
    triaged: counts === undefined ? 0 : total - counts.new - counts.resolved,
    resolved: counts?.resolved ?? 0,
    refetch: () => {
      for (const query of [sources, scans, summary]) void query.refetch();
    },
  };
}

/** The first scanners to use: those that can run and handle the data source. */
async function scanWithAll({ id, kind }: DataSource): Promise<Scan[]> {
  const { data } = await assay.detectionSources.list({ limit: 200 });
  const able = data.filter(
    ({ mode, status, data_source_kinds }) =>
      mode === 'scan' && status === 'connected' && data_source_kinds.includes(kind),
  );
  const scans: Scan[] = [];
  for (const { type } of able) scans.push(await assay.detectionSources.scan(type, { data_source: id }));
  return scans;
}

function useBegin<Input>(begin: (input: Input) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: begin,
    onSettled: () => {
      for (const key of ['data-sources', 'scans', 'detection-sources', 'findings']) {
        void client.invalidateQueries({ queryKey: [key] });
      }
    },
  });
}

/** Adds the suggested data source, if it is not there yet, and scans it. */
export const useBeginWithSuggestion = () =>
  useBegin(async ({ kind, name, config, data_source_id }: DataSourceSuggestion) => {
    const source =
      data_source_id === null
        ? await assay.dataSources.create({ kind, name, config })
        : await assay.dataSources.get(data_source_id);
    return scanWithAll(source);
  });

export const useBeginWithRepository = () =>
  useBegin(async ({ url, token }: { url: string; token: string }) =>
    scanWithAll(
      await assay.dataSources.create({
        kind: 'git_repository',
        config: { url: url.trim(), ...(token !== '' && { credential: { token } }) },
      }),
    ),
  );

/** Imports a file into a data source that is named after it. Nothing remains if the file is refused. */
export const useBeginWithFile = () =>
  useBegin(async (file: File) => {
    const name = file.name.replace(/(\.(json|xml|sarif|jsonl|gz|txt))+$/i, '') || 'Uploads';
    const { id } = await assay.dataSources.create({ kind: 'upload', name });
    try {
      return await assay.imports.upload(id, file, {}, { timeoutMs: 3_600_000, maxRetries: 0 });
    } catch (error) {
      await assay.dataSources.delete(id);
      throw error;
    }
  });
