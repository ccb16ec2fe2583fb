import Type from 'typebox';
import { defineRoute } from '../context.ts';
import { time } from '../platform/http/schema.ts';
import { formatTime } from '../platform/times.ts';
import { describeTimetable } from './describe-timetable.ts';
import { findTime } from './due-queries.ts';
import { nextRun, normaliseCron, requireTimetable } from './next-run.ts';
import { timetableCreation } from './timetable-schema.ts';

const previewedRuns = 5;

const TimetablePreview = Type.Object(
  {
    cron: Type.String(),
    timezone: Type.String(),
    description: Type.String({ description: 'The timetable in English.' }),
    next_runs: Type.Array(time(), { description: 'The next due times; fewer than five if there are no more.' }),
  },
  { $id: 'TimetablePreview' },
);
const { cron, timezone } = timetableCreation;
const TimetablePreviewRequest = Type.Object({ cron, timezone }, { $id: 'TimetablePreviewRequest' });

export const previewTimetable = defineRoute({
  method: 'POST',
  path: '/scan-schedules/preview',
  operationId: 'previewScanSchedule',
  tag: 'Scan schedules',
  summary: 'Preview a timetable',
  description:
    'Describes a timetable in words and returns its next five due times, without creating anything. Scheduled reports have the same timetables.',
  extension: true,
  permission: { role: 'viewer', scope: 'scans:read' },
  body: TimetablePreviewRequest,
  requestExample: { cron: '0 2 * * 1-5', timezone: 'Europe/Berlin' },
  responses: {
    200: {
      schema: TimetablePreview,
      description: 'The description and the due times.',
      example: {
        cron: '0 2 * * 1-5',
        timezone: 'Europe/Berlin',
        description: 'At 02:00, on Monday to Friday (Europe/Berlin).',
        next_runs: ['2026-02-02T01:00:00Z', '2026-02-03T01:00:00Z'],
      },
    },
  },
  errors: [],
  handler: async ({ actor: { orgId }, body, context }) => {
    const timetable = { cron: normaliseCron(body.cron), timezone: body.timezone ?? 'UTC' };
    requireTimetable(timetable);
    const runs: Date[] = [];
    let after: Date | null = await context.database.transaction(orgId, findTime);
    while (after !== null && runs.length < previewedRuns) {
      after = nextRun(timetable, after);
      if (after !== null) runs.push(after);
    }
    return { ...timetable, description: describeTimetable(timetable), next_runs: runs.map(formatTime) };
  },
});
