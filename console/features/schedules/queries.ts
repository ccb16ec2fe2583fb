import type { ScanSchedule, ScanScheduleCreation, ScanScheduleUpdate } from '@assay/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { assay } from '../../api/client.ts';
import { unlessLive } from '../../api/live.ts';
import { pagesQuery, usePages } from '../../api/pages.ts';

export const schedulePages = pagesQuery<ScanSchedule>(['scan-schedules', 'pages'], (cursor, options) =>
  assay.scanSchedules.list({ limit: 100, ...cursor }, options),
);

/** Schedules, with more pages on demand; polled four times a minute, since they fire by themselves. */
export const useSchedulePages = () => usePages(schedulePages, { refetchInterval: () => unlessLive(15_000) });

function useChange<Input>(change: (input: Input) => Promise<unknown>, onSuccess: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['scan-schedules'] });
      onSuccess();
    },
  });
}

export const useSaveSchedule = (id: string | null, onSuccess: () => void) =>
  useChange(
    (values: ScanScheduleCreation & ScanScheduleUpdate) =>
      id === null ? assay.scanSchedules.create(values) : assay.scanSchedules.update(id, values),
    onSuccess,
  );

export const useDeleteSchedule = (onSuccess: () => void) =>
  useChange((id: string): Promise<unknown> => assay.scanSchedules.delete(id), onSuccess);

export const useSwitchSchedule = () =>
  useChange(
    ({ id, enabled }: { id: string; enabled: boolean }) => assay.scanSchedules.update(id, { enabled }),
    () => {},
  );
