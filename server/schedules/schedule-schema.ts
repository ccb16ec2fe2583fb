import Type, { type Static } from 'typebox';
import { idOf, nullable, page, time } from '../platform/http/schema.ts';
import { nameSchema } from '../platform/name.ts';
import { formatTime, formatTimeOrNull } from '../platform/times.ts';
import type { ScheduleRow } from './queries.ts';
import { timetableCreation, timetableFields, timetableUpdate } from './timetable-schema.ts';

const name = nameSchema('The display name.');
const source = Type.String({ minLength: 1, maxLength: 100, description: 'The type of the detection source.' });
const dataSources = nullable(Type.Array(idOf('ds'), { minItems: 1, maxItems: 1000, uniqueItems: true }), {
  description: 'The ids of the data sources to scan; null for all that the source supports.',
});

export const ScanSchedule = Type.Object(
  {
    id: idOf('sch'),
    name: Type.String(),
    source: Type.String({ description: 'Type of the detection source.' }),
    data_sources: nullable(Type.Array(idOf('ds')), {
      description: 'The ids of the data sources; null for all that the source supports.',
    }),
    ...timetableFields,
    last_scan_id: nullable(idOf('scan', 'The last scan that it started, or that was already running.')),
    last_error: nullable(Type.String({ description: 'Why the last due time started no scan.' })),
    created_at: time(),
    updated_at: time(),
  },
  { $id: 'ScanSchedule' },
);
export const ScanSchedulePage = page(ScanSchedule, 'ScanSchedule');

export const ScanScheduleCreation = Type.Object(
  {
    name: Type.Optional(name),
    source,
    data_sources: Type.Optional(dataSources),
    ...timetableCreation,
  },
  { $id: 'ScanScheduleCreation' },
);

export const ScanScheduleUpdate = Type.Object(
  {
    name: Type.Optional(name),
    source: Type.Optional(source),
    data_sources: Type.Optional(dataSources),
    ...timetableUpdate,
  },
  { $id: 'ScanScheduleUpdate', minProperties: 1 },
);

export const scheduleView = (row: ScheduleRow): Static<typeof ScanSchedule> => ({
  id: row.id,
  name: row.name,
  source: row.source,
  data_sources: row.dataSourceIds,
  cron: row.cron,
  timezone: row.timezone,
  enabled: row.enabled,
  next_run_at: formatTimeOrNull(row.nextRunAt),
  last_run_at: formatTimeOrNull(row.lastRunAt),
  last_scan_id: row.lastScanId,
  last_error: row.lastError,
  created_at: formatTime(row.createdAt),
  updated_at: formatTime(row.updatedAt),
});

export const scheduleExample = {
  id: 'sch_01jd3y5q6rf8s9t0v1w2x3y4z5',
  name: 'Secrets every night',
  source: 'secrets',
  data_sources: null,
  cron: '0 2 * * *',
  timezone: 'Europe/Berlin',
  enabled: true,
  next_run_at: '2026-02-02T01:00:00Z',
  last_run_at: '2026-02-01T01:00:02Z',
  last_scan_id: 'scan_01jd3y0c9vf3q8r7s6t5v4w3x2',
  last_error: null,
  created_at: '2026-01-15T10:00:00Z',
  updated_at: '2026-01-15T10:00:00Z',
};
