import { severities } from '@assay/scanner/contract/severity.ts';
import Type from 'typebox';
import { defineRoute } from '../../context.ts';
import { nullable } from '../../platform/http/schema.ts';
import { whileConnected } from '../../platform/http/while-connected.ts';
import { autocommit } from '../../platform/postgres/database.ts';
import { sealDays } from '../change-clock.ts';
import { filterProperties, readFilters } from '../filters/read.ts';
import { DataSourceCounts, SeverityCounts, SourceCounts, StatusCounts } from './count-schema.ts';
import { isLasting } from './figure-cache.ts';
import { ageBands, maxRules } from './rules-and-ages.ts';
import { summarizeFindings } from './summary.ts';

const dayCounts = {
  opened: Type.Integer(),
  closed: Type.Integer(),
  open: Type.Integer({ description: 'Open at the end of the day; today, open now.' }),
};
const OfSeverity = Type.Object(dayCounts, { $id: 'OpenedAndClosed' });

const DailyCount = Type.Object(
  {
    date: Type.String({
      description: 'Day in UTC, `YYYY-MM-DD`.',
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
      examples: ['2026-01-31'],
    }),
    ...dayCounts,
    by_severity: Type.Object(
      Object.fromEntries(severities.map((severity) => [severity, OfSeverity])) as Record<string, typeof OfSeverity>,
      { $id: 'DailySeverityCounts' },
    ),
  },
  { $id: 'DailyCount' },
);

const FindingSummary = Type.Object(
  {
    total: Type.Integer(),
    open: Type.Integer({ description: 'New, triaged or in progress.' }),
    by_severity: SeverityCounts,
    by_status: StatusCounts,
    by_source: SourceCounts,
    by_data_source: DataSourceCounts,
    by_rule: Type.Array(
      Type.Object(
        { id: Type.String(), name: Type.String(), open: Type.Integer(), total: Type.Integer() },
        { $id: 'RuleCount' },
      ),
      { maxItems: maxRules, description: `The ${maxRules} rules with the most open findings.` },
    ),
    by_age: Type.Array(
      Type.Object(
        {
          up_to_days: nullable(Type.Integer(), { description: 'Null for all that are older than the band before.' }),
          open: Type.Integer(),
          by_severity: SeverityCounts,
        },
        { $id: 'AgeCount' },
      ),
      {
        description: 'Open findings by the days since they were first seen, the youngest first; at most a minute old.',
      },
    ),
    daily: Type.Array(DailyCount, {
      description:
        'Findings that opened (new or reopened), closed and were open on each day, today last. The figures of past days never change.',
    }),
  },
  { $id: 'FindingSummary' },
);

export const summaryRoute = defineRoute({
  method: 'GET',
  path: '/findings/summary',
  operationId: 'summarizeFindings',
  tag: 'Findings',
  summary: 'Count findings',
  description:
    'Returns figures for dashboards, with the same filters as the list. Figures by `severity`, `status`, `source` and `data_source` are kept up to date as findings change, so they are returned at once. Their daily series is as it was recorded, whatever `status` is chosen, and by the severities of then. With other filters the findings are counted, and the daily series is that of the findings that are selected now, by their severities of now. Counts are exact.',
  extension: true,
  permission: { role: 'viewer', scope: 'findings:read' },
  readsReplica: true,
  query: {
    ...filterProperties,
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 366, default: 30, description: 'Length of the daily series.' }),
    ),
  },
  responses: {
    200: {
      schema: FindingSummary,
      description: 'The figures.',
      example: {
        total: 4,
        open: 3,
        by_severity: { critical: 1, high: 3, medium: 0, low: 0, info: 0 },
        by_status: { new: 3, triaged: 0, in_progress: 0, resolved: 1, false_positive: 0, accepted_risk: 0 },
        by_source: { secrets: 4 },
        by_data_source: [{ id: 'ds_01jd3x7k2pfr6v0t9y8n7m6k5j', name: 'payments-api', open: 3, total: 4 }],
        by_rule: [{ id: 'aws-access-token', name: 'AWS access key', open: 3, total: 4 }],
        by_age: ageBands.map((up_to_days) => ({
          up_to_days,
          open: up_to_days === 30 ? 3 : 0,
          by_severity: {
            critical: up_to_days === 30 ? 1 : 0,
            high: up_to_days === 30 ? 2 : 0,
            medium: 0,
            low: 0,
            info: 0,
          },
        })),
        daily: [
          {
            date: '2026-01-31',
            opened: 4,
            closed: 1,
            open: 3,
            by_severity: {
              critical: { opened: 1, closed: 0, open: 1 },
              high: { opened: 3, closed: 1, open: 2 },
              medium: { opened: 0, closed: 0, open: 0 },
              low: { opened: 0, closed: 0, open: 0 },
              info: { opened: 0, closed: 0, open: 0 },
            },
          },
        ],
      },
    },
  },
  errors: [],
  handler: async ({ actor: { orgId, ...actor }, query, reads, reply, context: { figures, database, columns } }) => {
    const { days = 30, ...given } = query;
    const filters = await readFilters(autocommit(reads, orgId), { orgId, ...actor }, given);
    const minute = Math.floor(Date.now() / 60_000);
    const question = isLasting(filters) ? ['summary', filters, days, minute] : null;
    await sealDays(database, orgId, reply.log);
    return figures.read(reads, orgId, { question, signal: whileConnected(reply) }, (signal) =>
      summarizeFindings(reads, orgId, filters, days, { columns, signal }),
    );
  },
});
