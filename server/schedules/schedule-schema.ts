import Type, { type Static } from 'typebox';
import { TagName } from '../data-sources/tags.ts';
import { idOf, nullable, page, time } from '../platform/http/schema.ts';
import { nameSchema } from '../platform/name.ts';
import { formatTime, formatTimeOrNull } from '../platform/times.ts';
import type { ScheduleRow } from './queries.ts';
import { timetableCreation, timetableFields, timetableUpdate } from './timetable-schema.ts';

const name = nameSchema('The display name.');
const sourceType = { minLength: 1, maxLength: 100 };
/** The detection sources and data sources of a body. */
const scope = {
  source: Type.Optional(
    nullable(Type.String(sourceType), {
      description: 'The type of the detection source: short for `sources` with one element. Null is as if left out.',
    }),
  ),
  sources: Type.Optional(
    nullable(Type.Array(Type.String(sourceType), { minItems: 1, maxItems: 50, uniqueItems: true }), {
      description: 'The types of several detection sources; null for all that the platform can run when it is due.',
    }),
  ),
  data_sources: Type.Optional(
    nullable(Type.Array(idOf('ds'), { minItems: 1, maxItems: 1000, uniqueItems: true }), {
      description:
        'The ids of the data sources to scan; null for all that a source supports, or for those with the tags alone.',
    }),
  ),
  data_source_tags: Type.Optional(
    nullable(Type.Array(TagName, { minItems: 1, maxItems: 50, uniqueItems: true }), {
      description:
        'Also scans the data sources that have any of these tags when it is due, including tags added later; null for none.',
    }),
  ),
};

export const ScanSchedule = Type.Object(
  {
    id: idOf('sch'),
    name: Type.String(),
    source: nullable(Type.String({ description: 'Type of the detection source, if there is just one.' })),
    sources: nullable(Type.Array(Type.String()), {
      description: 'Types of the detection sources; null for all that the platform can run when it is due.',
    }),
    data_sources: nullable(Type.Array(idOf('ds')), {
      description:
        'The ids of the data sources; null for all that a source supports, or for those with the tags alone.',
    }),
    data_source_tags: nullable(Type.Array(Type.String()), {
      description: 'Data sources with any of these tags when it is due are scanned too; null for none.',
    }),
    ...timetableFields,
    last_scan_id: nullable(
      idOf('scan', 'The last scan that it started, or that was already running; of several, the first.'),
    ),
    last_scan_ids: Type.Array(idOf('scan'), {
      description: 'The scans of the last due time that started any: at most one for each source.',
    }),
    last_error: nullable(Type.String({ description: 'Why the last due time started no scan, or not all of them.' })),
    created_at: time(),
    updated_at: time(),
  },
  { $id: 'ScanSchedule' },
);
export const ScanSchedulePage = page(ScanSchedule, 'ScanSchedule');

export const ScanScheduleCreation = Type.Object(
  {
    name: Type.Optional(name),
    ...scope,
    ...timetableCreation,
  },
  { $id: 'ScanScheduleCreation' },
);

export const ScanScheduleUpdate = Type.Object(
  {
    name: Type.Optional(name),
    ...scope,
    ...timetableUpdate,
  },
  { $id: 'ScanScheduleUpdate', minProperties: 1 },
);

export const scheduleView = (row: ScheduleRow): Static<typeof ScanSchedule> => ({
  id: row.id,
  name: row.name,
  source: row.sources?.length === 1 ? row.sources[0]! : null,
  sources: row.sources,
  data_sources: row.dataSourceIds,
  data_source_tags: row.dataSourceTags,
  cron: row.cron,
  timezone: row.timezone,
  enabled: row.enabled,
  next_run_at: formatTimeOrNull(row.nextRunAt),
  last_run_at: formatTimeOrNull(row.lastRunAt),
  last_scan_id: row.lastScanIds[0] ?? null,
  last_scan_ids: row.lastScanIds,
  last_error: row.lastError,
  created_at: formatTime(row.createdAt),
  updated_at: formatTime(row.updatedAt),
});

export const scheduleExample = {
  id: 'sch_01jd3y5q6rf8s9t0v1w2x3y4z5',
  name: 'Secrets every night',
  source: 'secrets',
  sources: ['secrets'],
  data_sources: null,
  data_source_tags: null,
  cron: '0 2 * * *',
  timezone: 'Europe/Berlin',
  enabled: true,
  next_run_at: '2026-02-02T01:00:00Z',
  last_run_at: '2026-02-01T01:00:02Z',
  last_scan_id: 'scan_01jd3y0c9vf3q8r7s6t5v4w3x2',
  last_scan_ids: ['scan_01jd3y0c9vf3q8r7s6t5v4w3x2'],
  last_error: null,
  created_at: '2026-01-15T10:00:00Z',
  updated_at: '2026-01-15T10:00:00Z',
};
