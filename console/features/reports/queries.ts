import type { Report, ReportCreation, ReportLanguage, ScheduledReport, ScheduledReportCreation } from '@assay/client';
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { assay } from '../../api/client.ts';
import { unlessLive } from '../../api/live.ts';
import { pagesQuery, usePages } from '../../api/pages.ts';
import type { Filters } from '../../filters/filters.ts';
import { filtersAt } from '../../filters/parameters.ts';
import { showError } from '../../ui/toasts.tsx';
import { loadFile } from './load-file.ts';

const pendingMs = 2_000;
const idleMs = 30_000;

export const reportPages = pagesQuery<Report>(['reports', 'pages'], (cursor, options) =>
  assay.reports.list({ limit: 50, ...cursor }, options),
);

export const useReportPages = () =>
  usePages(reportPages, {
    refetchInterval: (reports) => unlessLive(reports.some(({ status }) => status === 'pending') ? pendingMs : idleMs),
  });

export const reportQuery = (id: string) =>
  queryOptions({
    queryKey: ['reports', 'one', id],
    queryFn: ({ signal }) => assay.reports.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? unlessLive(pendingMs) : false),
  });

export const scheduledReportPages = pagesQuery<ScheduledReport>(['scheduled-reports', 'pages'], (cursor, options) =>
  assay.scheduledReports.list({ limit: 50, ...cursor }, options),
);

export const useScheduledReportPages = () =>
  usePages(scheduledReportPages, { refetchInterval: () => unlessLive(idleMs) });

/** The PDF. While it is being rendered, `onEstimate` receives the remaining seconds. */
export const pdfQuery = (
  { id, state, reviewed }: Report,
  language: ReportLanguage,
  onEstimate: (secondsLeft: number) => void,
) =>
  queryOptions({
    queryKey: ['reports', 'pdf', id, language, state, reviewed],
    queryFn: async ({ signal }) => (await loadFile(id, { format: 'pdf', language }, { signal, onEstimate })).blob,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    // `loadFile` waits for the rendering. One that has failed is not repeated without a person.
    retry: false,
  });

/** Counts the findings that the filters select at a point in time. */
export function useCount(filters: Filters, now: number) {
  return useQuery({
    queryKey: ['findings', 'count', filters, now],
    queryFn: ({ signal }) => assay.findings.facets({ ...filtersAt(filters, now), field: ['severity'] }, { signal }),
    placeholderData: keepPreviousData,
  });
}

function useChange<Input, Output>(
  key: string,
  change: (input: Input) => Promise<Output>,
  onSuccess: (output: Output) => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (output) => {
      void client.invalidateQueries({ queryKey: [key, 'pages'] });
      onSuccess(output);
    },
  });
}

export const useCreateReport = (onSuccess: (report: Report) => void) =>
  useChange('reports', (creation: ReportCreation): Promise<Report> => assay.reports.create(creation), onSuccess);

export function useMoveReport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, state }: { id: string; state: Report['state'] }) => assay.reports.update(id, { state }),
    onSuccess: (report) => {
      client.setQueryData(['reports', 'one', report.id], report);
      void client.invalidateQueries({ queryKey: ['reports', 'pages'] });
    },
    onError: showError,
  });
}

export const useDeleteReport = (onSuccess: () => void) =>
  useChange('reports', (id: string): Promise<void> => assay.reports.delete(id), onSuccess);

export const useSaveScheduledReport = (id: string | null, onSuccess: () => void) =>
  useChange(
    'scheduled-reports',
    (values: ScheduledReportCreation): Promise<ScheduledReport> =>
      id === null ? assay.scheduledReports.create(values) : assay.scheduledReports.update(id, values),
    onSuccess,
  );

export const useDeleteScheduledReport = (onSuccess: () => void) =>
  useChange('scheduled-reports', (id: string): Promise<void> => assay.scheduledReports.delete(id), onSuccess);

export const useSwitchScheduledReport = () =>
  useChange(
    'scheduled-reports',
    ({ id, enabled }: { id: string; enabled: boolean }): Promise<ScheduledReport> =>
      assay.scheduledReports.update(id, { enabled }),
    () => {},
  );
